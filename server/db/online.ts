import { setTimeout as delay } from 'node:timers/promises'
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
export const brieflyLocked = (db: Kysely<unknown>, work: (tx: Kysely<unknown>) => Promise<void>): Promise<void> =>
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
export async function inPages(
  db: Kysely<unknown>,
  table: string,
  work: (after: number, last: number) => Promise<void>,
): Promise<void> {
  for (let after = -1; ; ) {
    const { rows } = await sql<{ last: number | null }>`select max(id) as last from (
      select id from ${sql.table(table)} where id > ${after} order by id limit ${AT_ONCE}) page`.execute(db)
    const last = rows[0]?.last
    if (last == null) return
    await work(after, last)
    after = last
  }
}

/** The column in which an operator fills the wide ids of a big table, beside callers (docs/operating.md). */
export const WIDE_ID = 'wide_id'

/** A table of at most this many bytes is rewritten while callers wait, for at most this long (ms) in each try. */
const SMALL = 4_000_000
const REWRITE_MS = 100
const REWRITES = 8
const PAUSE_MS = 500

/** Makes the ids of a table 64 bits wide where nobody else writes: rewrites it with all its indexes. */
export async function widenId(db: Kysely<unknown>, table: string): Promise<void> {
  if (await isNarrow(db, table)) await sql`alter table ${sql.table(table)} alter column "id" type bigint`.execute(db)
}

/**
 * The same beside callers, for `prepare`, if the table is small; returns false if it is too big.
 * Tables that refer to it are locked before it, as callers lock them.
 */
export async function widenSmallId(db: Kysely<unknown>, table: string, from: readonly string[]): Promise<boolean> {
  if (!(await isNarrow(db, table))) return true
  if ((await bytesOf(db, table)) > SMALL) return false
  for (let tried = 1; ; tried++)
    try {
      await brieflyLocked(db, async (tx) => {
        for (const name of [...from, table]) await sql`lock table ${sql.table(name)} in access exclusive mode`.execute(tx)
        // Ends a rewrite that takes longer than expected, so that nobody waits for it.
        await sql.raw(`set local statement_timeout = ${REWRITE_MS}`).execute(tx)
        await widenId(tx, table)
      })
      return true
    } catch (error) {
      if ((error as { code?: unknown }).code !== CANCELLED) throw error
      if (tried === REWRITES) return false
      await delay(PAUSE_MS)
    }
}

/** A statement took longer than it may. */
const CANCELLED = '57014'

async function isNarrow(db: Kysely<unknown>, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_attribute
    where attrelid = to_regclass(${table}) and attname = 'id' and atttypid = 'int4'::regtype`.execute(db)
  return rows.length > 0
}

async function bytesOf(db: Kysely<unknown>, table: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_total_relation_size(${table}::regclass) as bytes`.execute(db)
  return rows[0]!.bytes
}
