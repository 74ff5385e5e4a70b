import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Engine } from './connect.ts'

/** A migration whose long part runs before it, while others write (decisions/releases.md). */
export interface Step extends Migration {
  /**
   * Runs on PostgreSQL in a database with rows, outside a transaction; again if it was interrupted.
   * `up` alone must lead to the same schema and rows: an empty database, a restore and SQLite run only that.
   */
  prepare?(db: Kysely<unknown>): Promise<void>
}

/** Waits only briefly for a table in `prepare`, because callers queue behind it; the runner tries again. */
const brieflyLocked = (db: Kysely<unknown>, work: (tx: Kysely<unknown>) => Promise<void>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '100ms'`.execute(tx)
    // By `unknown`, or tsc compares the two classes through all of kysely.
    await work(tx as unknown as Kysely<unknown>)
  })

/** Adds columns of a table, for `prepare`: its lock ends with it, not with those of other tables. */
export const addOnline = (db: Kysely<unknown>, table: string, columns: readonly string[]): Promise<void> =>
  brieflyLocked(db, async (tx) => {
    const add = columns.map((column) => `add column if not exists ${column}`)
    await sql.raw(`alter table "${table}" ${add.join(', ')}`).execute(tx)
  })

/** True if `prepare` has added a column, so that `up` needs no lock of the table; false on SQLite. */
export async function isPrepared(db: Kysely<unknown>, engine: Engine, table: string, column: string): Promise<boolean> {
  if (engine === 'sqlite') return false
  const { rows } = await sql`select 1 from pg_attribute where attrelid = to_regclass(${table}) and attname = ${column}`.execute(
    db,
  )
  return rows.length > 0
}

/** Rows of one transaction of a backfill. */
const AT_ONCE = 2000

/** Creates an index without making writers wait; an incomplete one of an interrupted try is dropped. */
async function indexOnline(db: Kysely<unknown>, name: string, on: string): Promise<void> {
  const { rows } = await sql<{ valid: boolean }>`select i.indisvalid as valid from pg_index i
    where i.indexrelid = to_regclass(${name})`.execute(db)
  if (rows[0]?.valid) return
  if (rows.length) await sql.raw(`drop index concurrently if exists "${name}"`).execute(db)
  await sql.raw(`create index concurrently if not exists "${name}" on ${on}`).execute(db)
}

/** True if `prepare` has built an index: to create one again would lock its table until the commit. */
async function isBuilt(db: Kysely<unknown>, engine: Engine, name: string): Promise<boolean> {
  if (engine === 'sqlite') return false
  return (await sql`select 1 where to_regclass(${name}) is not null`.execute(db)).rows.length > 0
}

/** Indexes of existing tables: what each is on, with its columns, by name. */
export type Indexes = Readonly<Record<string, string>>

/** Creates indexes one after the other without making writers wait, for `prepare`. */
export async function indexesOnline(db: Kysely<unknown>, indexes: Indexes): Promise<void> {
  for (const [name, on] of Object.entries(indexes)) await indexOnline(db, name, on)
}

/** Creates the indexes that `prepare` hasn't built, for `up`. */
export async function createIndexes(db: Kysely<unknown>, engine: Engine, indexes: Indexes): Promise<void> {
  for (const [name, on] of Object.entries(indexes))
    if (!(await isBuilt(db, engine, name))) await sql.raw(`create index if not exists "${name}" on ${on}`).execute(db)
}

/** Updates a table's rows in short transactions in order of `id`, for `prepare`. */
export async function fillOnline(db: Kysely<unknown>, table: string, set: string, where: string): Promise<void> {
  await inPages(db, table, async (after, last) => {
    await sql`update ${sql.table(table)} set ${sql.raw(set)} where id > ${after} and id <= ${last} and (${sql.raw(where)})`.execute(
      db,
    )
  })
}

/** Calls back for each range of a table's ids, some thousand rows at a time. */
async function inPages(db: Kysely<unknown>, table: string, work: (after: number, last: number) => Promise<void>): Promise<void> {
  for (let after = -1; ; ) {
    const { rows } = await sql<{ last: number | null }>`select max(id) as last from (
      select id from ${sql.table(table)} where id > ${after} order by id limit ${AT_ONCE}) page`.execute(db)
    const last = rows[0]?.last
    if (last == null) return
    await work(after, last)
    after = last
  }
}
