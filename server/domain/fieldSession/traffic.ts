import { type RawBuilder, sql } from 'kysely'
import { type TrafficCounts, trafficShares } from '../../../contract/sessionRules.ts'
import type { Database, Db } from '../../db/connect.ts'

/** Which sessions are counted. */
export interface TrafficOf {
  project_id: number
  partner_ids?: readonly number[] | undefined
  from?: string | undefined
  to?: string | undefined
}
interface Row extends TrafficCounts {
  key: string
  admitted: number
  claimed: number
  conflicts: number
  refused: number
}

const whereOf = ({ project_id, partner_ids, from, to }: TrafficOf): RawBuilder<unknown> => {
  const parts = [
    sql`project_id = ${project_id} and test = 0`,
    ...(partner_ids ? [sql`partner_id in (${sql.join(partner_ids)})`] : []),
    ...(from === undefined ? [] : [sql`entered_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`entered_at < ${to}`]),
  ]
  return sql.join(parts, sql` and `)
}

/** Counts sessions by a key; who was refused before the person was known is no entrant. */
export async function countTraffic(db: Db, of: TrafficOf, key: RawBuilder<string> = sql<string>`''`): Promise<Row[]> {
  const is = (state: string) => sql`sum(case when early = '' and state = ${sql.lit(state)} then 1 else 0 end)`
  const { rows } = await sql<Record<string, unknown>>`select ${key} as "key",
      sum(case when early = '' then 1 else 0 end) as entrants,
      sum(case when early <> '' then entries else 0 end) as refused,
      sum(case when admitted_at is not null then 1 else 0 end) as admitted,
      ${is('admitted')} as in_survey, ${is('complete')} as complete, ${is('terminate')} as terminate,
      ${is('quota_full')} as quota_full, ${is('security')} as security, ${is('abandoned')} as abandoned,
      sum(case when claimed_at is not null then 1 else 0 end) as claimed, sum(conflicts) as conflicts,
      sum(case when state = 'complete' then coalesce(cpi_cents, 0) else 0 end) as cost_cents
    from field_sessions where ${whereOf(of)} group by 1`.execute(db)
  return rows.map(({ key, ...counts }) => ({
    key: String(key),
    ...(Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, Number(value)])) as Omit<Row, 'key'>),
  }))
}

const NONE: Row = {
  ...{ key: '', entrants: 0, in_survey: 0, complete: 0, terminate: 0, quota_full: 0, security: 0, abandoned: 0 },
  ...{ cost_cents: 0, admitted: 0, claimed: 0, conflicts: 0, refused: 0 },
}
/** The counts of all sessions. */
export const allTraffic = async (db: Db, of: TrafficOf): Promise<Row> => (await countTraffic(db, of))[0] ?? NONE

/** The median length of completes, in seconds, by a key. */
export async function medians(
  { engine, db }: Pick<Database, 'engine' | 'db'>,
  of: TrafficOf,
  key: RawBuilder<string> = sql<string>`''`,
): Promise<Map<string, number>> {
  const from = sql`from field_sessions where ${whereOf(of)} and early = '' and state = 'complete' and seconds is not null`
  const { rows } = await (engine === 'postgres'
    ? sql<{ key: string; median: number }>`select ${key} as "key", percentile_cont(0.5) within group (order by seconds) as median
        ${from} group by 1`.execute(db)
    : sql<{ key: string; median: number }>`select "key", avg(seconds) as median from (
        select ${key} as "key", seconds, row_number() over (partition by ${key} order by seconds) as nth,
          count(*) over (partition by ${key}) as size ${from})
        where nth in ((size + 1) / 2, (size + 2) / 2) group by 1`.execute(db))
  return new Map(rows.map(({ key, median }) => [String(key), Math.round(Number(median))]))
}

/** The figures that everybody reads of some counts. */
export function trafficFigures(row: Row) {
  const { entrants, in_survey, complete, terminate, quota_full, security, abandoned } = row
  const { epc_cents, ...shares } = trafficShares(row)
  return { figures: { entrants, in_survey, complete, terminate, quota_full, security, abandoned }, shares, epc_cents }
}
