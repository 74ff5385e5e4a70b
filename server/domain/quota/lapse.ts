import type { JobKind, Services } from '../../core/context.ts'
import { transact } from '../../db/connect.ts'
import { announce } from './admission.ts'
import { dueHolds, Ledger, lapseDue } from './quotaLedger.ts'
import { countOf, lockCells } from './quotaPlans.ts'

/** Frees the places of holds that are due, plan by plan; returns how many. */
export async function lapseHolds(services: Services, signal?: AbortSignal): Promise<number> {
  const { database, now } = services
  const at = now().toISOString()
  const plans = await database.db
    .selectFrom('quota_holds')
    .innerJoin('quota_plans', 'quota_plans.id', 'quota_holds.plan_id')
    .select(['quota_plans.id', 'quota_plans.project_id'])
    .distinct()
    .where('quota_holds.state', '=', 'held')
    .where('until_at', '<=', at)
    .execute()
  let lapsed = 0
  for (const plan of plans) {
    if (signal?.aborted) break
    const count = await transact(database, async (tx) => {
      await lockCells(database, tx, plan.id)
      const due = await dueHolds(database, tx, [plan.id], at)
      const cells = await tx.selectFrom('quota_cells').selectAll().where('plan_id', '=', plan.id).execute()
      const ledger = new Ledger(new Map(cells.map((cell) => [cell.id, countOf(cell)])))
      const ids = due.map(({ id }) => id)
      const done = await lapseDue(database, tx, ledger, ids, at)
      await ledger.write(database, tx)
      return done
    })
    if (count) await announce(services, plan)
    lapsed += count
  }
  return lapsed
}

const KEEP_MONTHS = 24
const AT_ONCE = 2000

/** Deletes decisions that are older than 24 months, in short transactions; returns how many. */
async function deleteOldDecisions({ database, now }: Services, signal?: AbortSignal): Promise<number> {
  const limit = new Date(now().getTime())
  limit.setUTCMonth(limit.getUTCMonth() - KEEP_MONTHS)
  const before = limit.toISOString()
  let deleted = 0
  for (let rows = AT_ONCE; rows >= AT_ONCE && !signal?.aborted; deleted += rows)
    rows = await transact(database, async (tx) => {
      const old = tx.selectFrom('quota_decisions').select('id').where('at', '<', before).limit(AT_ONCE)
      const done = await tx.deleteFrom('quota_decisions').where('id', 'in', old).executeTakeFirstOrThrow()
      return Number(done.numDeletedRows)
    })
  return deleted
}

/** Has no jobs of its own; lets holds lapse every ten seconds, and deletes old decisions. */
export const quotaKind: JobKind = { run: async () => ({}), tick: lapseHolds, sweep: (services) => deleteOldDecisions(services) }
