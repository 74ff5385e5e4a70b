import { sql } from 'kysely'
import type { VisitState } from '../../../contract/visitState.ts'
import type { Database } from '../../db/connect.ts'
import { retentionOf } from './retention.ts'
import { ROLLED } from './rollDay.ts'

/** TABLE  tables of visits, by their name in the settings. */
const TABLES = {
  visits: 'Visits one by one',
  visit_cells: 'Counts by service, market and day',
  visit_leaves: 'Devices by service, market and day',
  visit_venue_days: 'Counts by venue and day',
  visit_rollups: 'Roll-ups',
  visit_packs: 'Roll-ups of all market areas, or all venues, in one row',
} as const
const NAMES = Object.keys(TABLES) as (keyof typeof TABLES)[]

/** SQLite measures a table by reading all its pages, so larger files aren't measured. */
const MEASURED_BYTES = 256 * 1024 * 1024

/** The state of visits: the closed time, what is yet to be rolled up, and disk usage. */
export async function visitState(database: Database, today: string): Promise<VisitState> {
  const { db } = database
  const [retention, last, waiting, rolled, counted, sizes] = await Promise.all([
    retentionOf(db, today),
    db
      .selectFrom('services')
      .select((eb) => eb.fn.max('last_at').as('at'))
      .executeTakeFirst(),
    db
      .selectFrom('visit_stale')
      .select((eb) => eb.fn.countAll().as('days'))
      .executeTakeFirst(),
    db.selectFrom('meta').select('value').where('key', '=', ROLLED).executeTakeFirst(),
    db
      .selectFrom('visit_days')
      .select((eb) => eb.fn.sum('visits').as('visits'))
      .executeTakeFirst(),
    sizesOf(database),
  ])
  const at = last?.at
  return {
    closed_before: retention.closed_before,
    shortened: retention.asked,
    last_visit_at: at === null || at === undefined ? null : new Date(Number(at) * 1000).toISOString(),
    waiting_days: Number(waiting?.days ?? 0),
    rolled_at: rolled?.value ?? null,
    visits: Number(counted?.visits ?? 0),
    tables: NAMES.map((name) => ({ name, about: TABLES[name], bytes: sizes.get(name) ?? null })),
  }
}

/** Bytes on disk by table, including indexes and partitions. */
async function sizesOf({ db, engine }: Database): Promise<Map<string, number>> {
  const read = async (query: ReturnType<typeof sql<{ name: string; bytes: number | string }>>) =>
    new Map((await query.execute(db)).rows.map(({ name, bytes }) => [name, Number(bytes)]))
  if (engine === 'postgres')
    return read(sql`select coalesce(whole.relname, own.relname) as name, sum(pg_total_relation_size(own.oid)) as bytes
      from pg_class own left join pg_inherits part on part.inhrelid = own.oid left join pg_class whole on whole.oid = part.inhparent
      where own.relkind in ('r', 'p') and own.relnamespace = current_schema()::regnamespace
        and coalesce(whole.relname, own.relname) in (${sql.join(NAMES)}) group by 1`)
  const file = await sql<{
    bytes: number
  }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(db)
  if (Number(file.rows[0]?.bytes ?? 0) > MEASURED_BYTES) return new Map()
  return read(sql`select t.tbl_name as name, sum(s.pgsize) as bytes from sqlite_master t join dbstat s on s.name = t.name and s.aggregate = 1
    where t.tbl_name in (${sql.join(NAMES)}) group by 1`)
}
