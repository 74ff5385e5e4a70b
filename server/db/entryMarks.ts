import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { PROVIDERS, REWARD_STATUSES } from '../../contract/vocabulary.ts'
import { type Database, type Engine, type Tx, transact } from './connect.ts'

/** The row of `meta` that records that older entries are marked. */
const MARKED = 'entries_marked'
/** The lock of a project's marks, which the triggers take too. */
const MARKS = 5_417_327

/**
 * Indexes for entries of all projects. `C`: PostgreSQL compares the bytes of text, so that a prefix is a range.
 * `ix_entries_kinds` serves any mix of status, flags and provider, newest first, and covers the other filters.
 */
const INDEXES: Readonly<Record<string, readonly [table: string, columns: string]>> = {
  ix_entries_repeat_email: ['entries', '"project_id", "email_key", "status"'],
  ix_entries_repeat_ip: ['entries', '"project_id", "ip", "status"'],
  ix_entries_kinds: ['entries', '"status", "flags", "provider_id", "created_at" C, "id", "amount_cents", "project_id"'],
  ix_entries_created: ['entries', '"created_at" C, "id"'],
  ix_entries_email: ['entries', '"email_key" C, "id"'],
  ix_entries_ip: ['entries', '"ip" C, "id"'],
  ix_entries_amount: ['entries', '"amount_cents", "id"'],
  ix_entries_sent: ['entries', '"sent_at" C, "id"'],
  ix_entries_import: ['entries', '"import_id", "id"'],
  ix_payouts_reference: ['payouts', '"reference"'],
}

type AnyDb = Kysely<never> | Kysely<unknown> | Database['db']
const run = (db: AnyDb, text: string) => sql.raw(text).execute(db as Kysely<unknown>)

async function makeIndexes(db: AnyDb, engine: Engine, how: '' | 'concurrently'): Promise<void> {
  for (const [name, [table, columns]] of Object.entries(INDEXES)) {
    const on = columns.replaceAll(' C,', engine === 'postgres' ? ' collate "C",' : ',')
    await run(db, `create index ${how} if not exists "${name}" on "${table}" (${on})`)
  }
}

/** Runs within the migration: creates the indexes and marks existing entries, unless others may be writing. */
export async function markAtOnce(db: Kysely<unknown>, engine: Engine): Promise<void> {
  // Only whether there is one, as everybody who writes entries waits meanwhile.
  if (engine === 'postgres' && (await sql`select 1 from entries limit 1`.execute(db)).rows.length) return
  await makeIndexes(db, engine, '')
  await markAll(db as Kysely<unknown>, (work) => work(db as Kysely<unknown>, async () => {}))
  await noteMarked(db)
}

const noteMarked = (db: AnyDb) =>
  sql`insert into meta (key, value) values (${MARKED}, ${new Date().toISOString()}) on conflict (key) do nothing`.execute(
    db as Kysely<unknown>,
  )

/**
 * Runs after the migrations on PostgreSQL: creates the indexes concurrently, then marks some entries at a time.
 * Does nothing once complete; if a process dies half way, the next start continues.
 */
export async function markEntries(database: Database): Promise<void> {
  const isDone = () => database.db.selectFrom('meta').select('value').where('key', '=', MARKED).executeTakeFirst()
  while (!(await isDone())) {
    const mine = await database.db.connection().execute(async (db) => {
      // Polled, because a concurrent index build waits for every transaction that waits for the lock.
      const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_lock(${MARKS}::bigint) as got`.execute(db)
      if (!rows[0]!.got) return false
      try {
        const broken = await sql<{
          name: string
        }>`select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
          where not i.indisvalid and c.relname in (${sql.join(Object.keys(INDEXES))})`.execute(db)
        for (const { name } of broken.rows) await run(db, `drop index if exists "${name}"`)
        await makeIndexes(db, 'postgres', 'concurrently')
        return true
      } finally {
        await sql`select pg_advisory_unlock(${MARKS}::bigint)`.execute(db)
      }
    })
    if (!mine) {
      await delay(500)
      continue
    }
    // Without statistics of these indexes, each value would be looked for in all entries of its project.
    await run(database.db, 'analyze entries')
    const db = database.db as unknown as Kysely<unknown>
    await markAll(db, (work) =>
      transact(database, (tx) => work(tx as unknown as Kysely<unknown>, (projects) => lockMarks(database, tx, projects))),
    )
    await noteMarked(database.db)
  }
}

/**
 * Locks the marks of projects, before a write locks or changes their entries.
 * The triggers take these locks too, but later, when another write may already wait for the entries.
 */
export async function lockMarks({ engine }: Pick<Database, 'engine'>, tx: Tx, projects: Iterable<number>): Promise<void> {
  if (engine === 'sqlite') return
  const ids = [...new Set(projects)].sort((a, b) => a - b)
  await sql`select pg_advisory_xact_lock(${MARKS}::int, id) from unnest(${ids}::int[]) as project (id)`.execute(tx)
}

/** How many entries are marked, or added up, in one transaction: callers may wait for its locks. */
const AT_ONCE = 500

type Lock = (projects: Iterable<number>) => Promise<void>
/** Runs work in a transaction of its own where others may be writing. */
type Apart = <T>(work: (db: Kysely<unknown>, lock: Lock) => Promise<T>) => Promise<T>

/** Computes the flags of all entries, then their sums, which the triggers count while flags change. */
async function markAll(db: Kysely<unknown>, apart: Apart): Promise<void> {
  for (let last: number | undefined = 0; last !== undefined; ) {
    const after: number = last
    last = await apart((tx, lock) => markAfter(tx, lock, after))
  }
  const { rows } = await sql<{ id: number; entries: number }>`select project_id as id, count(*) as entries
    from entries group by project_id order by project_id`.execute(db)
  for (let at = 0; at < rows.length; ) {
    const ids: number[] = []
    for (let entries = 0; at < rows.length && entries < AT_ONCE; at++) {
      ids.push(rows[at]!.id)
      entries += Number(rows[at]!.entries)
    }
    await apart(async (tx, lock) => {
      await lock(ids)
      await addUp(tx, ids)
    })
  }
}

/** Every status but one, by name: so the index ends at the second repeat, however many entries are rejected. */
const ALIVE = REWARD_STATUSES.map(({ value }) => value).filter((status) => status !== 'rejected')

/** Computes the flags of the entries that follow `after`; returns the last one's id, or undefined without any. */
async function markAfter(db: Kysely<unknown>, lock: Lock, after: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number; project: number }>`select id, project_id as project from entries
    where id > ${after} order by id limit ${sql.lit(AT_ONCE)}`.execute(db)
  if (!rows.length) return
  await lock(rows.map(({ project }) => project))
  const unpayable = PROVIDERS.map(
    ({ value, allowed }) => sql`(provider_id = ${sql.lit(value)} and amount_cents not in (${sql.join(allowed.map(sql.lit))}))`,
  )
  const repeated = (column: string) => sql`${sql.ref(column)} <> '' and (select count(*) from (select 1 from entries other
    where other.project_id = entries.project_id and other.${sql.ref(column)} = entries.${sql.ref(column)} and other.status in (${sql.join(ALIVE.map(sql.lit))}) limit 2) found) > 1`
  const flags = sql`(case when ${sql.join(unpayable, sql` or `)} then 1 else 0 end)
    | (case when ${repeated('email_key')} then 2 else 0 end) | (case when ${repeated('ip')} then 4 else 0 end)`
  await sql`update entries set flags = ${flags} where id in (${sql.join(rows.map(({ id }) => id))}) and flags <> ${flags}`.execute(
    db,
  )
  return rows.at(-1)!.id
}

/** Recomputes the sums of projects' entries. */
async function addUp(db: Kysely<unknown>, projects: readonly number[]): Promise<void> {
  const them = sql.join(projects)
  await sql`delete from entry_totals where project_id in (${them})`.execute(db)
  await sql`insert into entry_totals (project_id, reward_id, status, flagged, count, amount_cents)
    select project_id, coalesce(reward_id, 0), status, case when flags <> 0 then 1 else 0 end, count(*), sum(amount_cents) from entries
    where project_id in (${them}) group by 1, 2, 3, 4`.execute(db)
}
