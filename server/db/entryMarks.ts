import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { PROVIDERS } from '../../contract/vocabulary.ts'
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
  const { rows } = await sql<{ id: number }>`select distinct project_id as id from entries order by 1`.execute(db)
  await makeIndexes(db, engine, '')
  for (const { id } of rows) await recount(db, id)
  await noteMarked(db)
}

const noteMarked = (db: AnyDb) =>
  sql`insert into meta (key, value) values (${MARKED}, ${new Date().toISOString()}) on conflict (key) do nothing`.execute(
    db as Kysely<unknown>,
  )

/**
 * Runs after the migrations on PostgreSQL: creates the indexes concurrently, then marks project by project.
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
    const { rows } = await sql<{ id: number }>`select distinct project_id as id from entries order by 1`.execute(database.db)
    for (const { id } of rows)
      await transact(database, async (tx) => {
        await sql`select pg_advisory_xact_lock(${MARKS}::int, ${id}::int)`.execute(tx)
        await recount(tx, id)
      })
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

/** Recomputes the flags and sums of a project's entries. */
async function recount(anyDb: AnyDb, project: number): Promise<void> {
  const db = anyDb as Kysely<unknown>
  const mark = (bit: number, where: ReturnType<typeof sql>) =>
    sql`update entries set flags = flags | ${sql.lit(bit)} where project_id = ${project} and (flags & ${sql.lit(bit)}) = 0 and ${where}`.execute(
      db,
    )
  for (const { value, allowed } of PROVIDERS)
    await mark(1, sql`provider_id = ${value} and amount_cents not in (${sql.join(allowed)})`)
  for (const [bit, name] of [
    [2, 'email_key'],
    [4, 'ip'],
  ] as const) {
    const column = sql.ref(name)
    await mark(
      bit,
      sql`${column} in (select ${column} from entries where project_id = ${project} and status <> 'rejected' and ${column} <> ''
        group by ${column} having count(*) > 1)`,
    )
  }
  // The triggers counted while marking, so the sums are computed last.
  await sql`delete from entry_totals where project_id = ${project}`.execute(db)
  await sql`insert into entry_totals (project_id, reward_id, status, flagged, count, amount_cents)
    select project_id, coalesce(reward_id, 0), status, case when flags <> 0 then 1 else 0 end, count(*), sum(amount_cents) from entries
    where project_id = ${project} group by 1, 2, 3, 4`.execute(db)
}
