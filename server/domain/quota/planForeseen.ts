import { sql } from 'kysely'
import type { QuotaForeseen } from '../../../contract/quota.ts'
import { type CellCount, type Profile, seatOf } from '../../../contract/quotaRules.ts'
import type { Ctx } from '../../core/context.ts'
import { currentPartners } from '../../core/currentPartners.ts'
import { Ledger } from './quotaLedger.ts'
import { countOf, type PlanRow, planOf } from './quotaPlans.ts'

const WEEK_MS = 7 * 86_400_000
/** The most arrivals that are looked at, the newest ones. */
const MOST = 50_000

interface ArrivalRow {
  outcome: 'admitted' | 'refused'
  profile: string
  /** The state of its hold; null if it was refused. */
  state: string | null
}

/**
 * What the arrivals of the last seven days would have met under a plan as it is in this transaction.
 * The week begins with what was taken before it; a person who left then leaves again.
 */
export async function foreseeArrivals(ctx: Ctx, row: PlanRow): Promise<QuotaForeseen> {
  const from = new Date(ctx.services.now().getTime() - WEEK_MS).toISOString()
  const plan = await planOf(ctx.tx, row)
  const { rows } = await sql<ArrivalRow>`select d.outcome, d.profile, h.state from quota_decisions d
    join quota_plans p on p.id = d.plan_id left join quota_holds h on h.rid = d.rid and d.outcome = 'admitted'
    where p.survey_id = ${row.survey_id} and d.at >= ${from} order by d.id desc limit ${sql.lit(MOST)}`.execute(ctx.tx)
  const partners = plan.dimensions.some(({ fields }) => fields.includes('"partner"')) ? await currentPartners(ctx.tx) : null
  const profileIn = (text: string): Profile => {
    const profile = JSON.parse(text) as Profile
    const partner = profile.partner && partners?.get(Number(profile.partner))
    return partner ? { ...profile, partner: String(partner) } : profile
  }
  const arrivals = rows.reverse().map((one) => ({ ...one, match: plan.matcher.match(profileIn(one.profile)) }))
  const stays = ({ outcome, state }: ArrivalRow) => outcome === 'refused' || state === 'held' || state === 'used'
  const counts = new Map<number, CellCount>([...plan.cells].map(([id, cell]) => [id, { ...countOf(cell), closed: false }]))
  // What the week's arrivals have taken is given back first; counts can't say more of a concept.
  for (const { outcome, state, match } of arrivals)
    if (outcome === 'admitted' && (state === 'held' || state === 'used'))
      for (const id of match.cells) {
        const count = counts.get(id)!
        if (count.completes > 0) count.completes--
        else if (count.held > 0) count.held--
      }
  const ledger = new Ledger(counts)
  const result = { from, arrivals: arrivals.length, admitted: 0, refused: 0, newly_admitted: 0, newly_refused: 0 }
  for (const arrival of arrivals) {
    const seat = arrival.match.mismatch ? null : seatOf(arrival.match, ledger.counts)
    const isAdmitted = seat !== null && 'cells' in seat
    if (isAdmitted && stays(arrival)) ledger.add(seat.cells, { held: 1 })
    result[isAdmitted ? 'admitted' : 'refused']++
    if (isAdmitted && arrival.outcome === 'refused') result.newly_admitted++
    if (!isAdmitted && arrival.outcome === 'admitted') result.newly_refused++
  }
  return result
}
