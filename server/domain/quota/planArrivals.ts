import { sql } from 'kysely'
import type { QuotaArrivals } from '../../../contract/quota.ts'
import type { Profile } from '../../../contract/quotaRules.ts'
import type { Ctx } from '../../core/context.ts'
import { type PlanRow, planOf } from './quotaPlans.ts'

const DAY_MS = 86_400_000
/** The most arrivals that are looked at, the newest ones. */
const MOST = 20_000

interface ArrivalRow {
  outcome: 'admitted' | 'refused'
  cell_id: number | null
  profile: string
  /** The state of its hold; null if it was refused. */
  state: string | null
}
interface Tally {
  arrivals: number
  admitted: number
  refused: number
  left: number
  by: Map<number, number>
}

/** What the arrivals of the last 24 hours met in each cell that they fit. */
export async function arrivalsOf(ctx: Pick<Ctx, 'db' | 'services'>, row: PlanRow): Promise<QuotaArrivals> {
  const from = new Date(ctx.services.now().getTime() - DAY_MS).toISOString()
  const plan = await planOf(ctx.db, row)
  const { rows } = await sql<ArrivalRow>`select d.outcome, d.cell_id, d.profile, h.state from quota_decisions d
    left join quota_holds h on h.rid = d.rid and d.outcome = 'admitted'
    where d.plan_id = ${row.id} and d.at >= ${from} order by d.id desc limit ${sql.lit(MOST)}`.execute(ctx.db)
  const tallies = new Map<number, Tally>(
    [...plan.cells.keys()].map((id) => [id, { arrivals: 0, admitted: 0, refused: 0, left: 0, by: new Map() }]),
  )
  for (const { outcome, cell_id, profile, state } of rows) {
    const { cells, concepts } = plan.matcher.match(JSON.parse(profile) as Profile, 'admit')
    for (const id of [...cells, ...concepts.flat()]) {
      const tally = tallies.get(id)!
      tally.arrivals++
      tally[outcome]++
      if (outcome === 'refused') {
        if (cell_id !== null) tally.by.set(cell_id, (tally.by.get(cell_id) ?? 0) + 1)
      } else if (state === 'released' || state === 'lapsed') tally.left++
    }
  }
  return {
    from,
    arrivals: rows.length,
    cells: [...tallies].map(([id, { by, ...tally }]) => ({
      ...{ id, ...tally },
      refused_by: [...by].map(([cell, count]) => ({ id: cell, count })).sort((a, b) => b.count - a.count || a.id - b.id),
    })),
  }
}
