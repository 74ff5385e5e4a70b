import { sql } from 'kysely'
import type { Cover } from './cover.ts'
import type { Days, VisitRange } from './range.ts'
import type { Reading } from './reading.ts'

/** The runs of days of `all` that are completely rolled up. */
export function cleanOf({ all, stale }: Cover): Days[] {
  const runs: Days[] = []
  for (const { from, to } of all.days)
    for (let day = from; day <= to; day++) {
      if (stale.has(day)) continue
      const last = runs.at(-1)
      if (last && last.to + 1 === day) last.to = day
      else runs.push({ from: day, to: day })
    }
  return runs
}

/** The days of `all` that aren't completely rolled up. */
export const staleIn = ({ all, stale }: Cover): number[] =>
  [...stale.keys()].filter((day) => all.days.some(({ from, to }) => day >= from && day <= to))

/** The cells of all active services on a day; the few of deleted services are filtered out here. */
export async function cellsOfDay(
  { db }: Pick<Reading, 'db'>,
  { services, markets }: Pick<VisitRange, 'services' | 'markets'>,
  day: number,
): Promise<{ service_id: number; dma: number; visits: number; hours: Uint8Array }[]> {
  const within = markets ? sql`and dma in (${sql.join([...markets])})` : sql``
  const { rows } = await sql<{ service_id: number; dma: number; visits: number; hours: Uint8Array }>`
    select service_id, dma, visits, hours from visit_cells where day = ${day} ${within}`.execute(db)
  return rows
    .filter(({ service_id }) => services.has(service_id))
    .map((row) => ({ ...row, dma: Number(row.dma), visits: Number(row.visits) }))
}
