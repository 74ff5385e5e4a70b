import { fullestOf } from '../../contract/quotaRules.ts'
import { dimensionsOfAudience, plannedTargets } from '../../contract/quotaSheet.ts'
import type { Database, Tx } from '../db/connect.ts'
import { addCells } from '../domain/quota/planSave.ts'
import { placeRows } from '../domain/quota/quotaPlaces.ts'
import { countOf, type PlanRow, planOf } from '../domain/quota/quotaPlans.ts'
import { profileOf } from '../domain/quota/quotaProfile.ts'
import { newRid } from '../domain/quota/rid.ts'
import { insertBulk } from '../domain/runtime/insertBulk.ts'
import { storedRespondent } from '../domain/runtime/respondent.ts'
import type { Market } from './market.ts'
import type { ProjectPlan } from './plan.ts'

/** TABLE  how many plans of each state, by the status of their projects. */
const STATES = [
  { state: 'live', of: 'active', many: 3 },
  { state: 'ended', of: 'completed', many: 2 },
  { state: 'draft', of: 'approved', many: 1 },
] as const
const WEEK_MS = 7 * 86_400_000
/** The most respondents of a survey with a plan. */
const MOST = 2000

const surveyOf = ({ activities }: ProjectPlan) => activities.find(({ survey }) => survey)

/** Quota plans in all states; the completes of their surveys have the places. */
export async function demoQuotas(database: Database, tx: Tx, market: Market): Promise<void> {
  for (const { state, of, many } of STATES) {
    const fitting = market.plans.filter((plan) => {
      const sessions = surveyOf(plan)?.survey?.sessions ?? 0
      return plan.status === of && surveyOf(plan) && sessions <= MOST && (state === 'draft' || sessions > 0)
    })
    // Those of the demo login's client come first, which a client user then sees.
    fitting.sort((a, b) => Number(b.client === 0) - Number(a.client === 0))
    for (const plan of fitting.slice(0, many)) await addPlan(database, tx, market, plan, state)
  }
}

async function addPlan(database: Database, tx: Tx, market: Market, project: ProjectPlan, state: PlanRow['state']): Promise<void> {
  const activity = surveyOf(project)!
  const { ages, genders } = market.audienceOf(project, activity)
  const audience = { age: ages.join(','), gender: genders.join(',') }
  const { now } = market.calendar
  const from = `${project.start}T14:00:00.000Z`
  const live = state !== 'draft' && from < now.toISOString() ? from : null
  const at = live ?? now.toISOString()
  const end = `${project.end}T22:00:00.000Z`
  const { id } = await tx
    .insertInto('quota_plans')
    .values({
      ...{ project_id: project.id, survey_id: activity.survey!.id, state, total: project.ordered, mode: 'exact' },
      ...{ overage_percent: 0, hold_minutes: 36, silent_minutes: 8, unknown: 'refuse', note: '', live_at: live },
      ended_at: state !== 'ended' ? null : end < now.toISOString() ? end : now.toISOString(),
      ...{ created_at: at, updated_at: at, lock_version: 1 },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const dimensions = dimensionsOfAudience(['age', 'gender'], audience, false).map((dimension) => {
    const targets = plannedTargets(dimension, project.ordered)
    return { ...dimension, cells: dimension.cells.map((cell, nth) => ({ ...cell, target: targets[nth]! })) }
  })
  await addCells({ tx }, { id, total: project.ordered, overage_percent: 0 }, dimensions)
  if (state !== 'draft') await takeDemoPlaces(database, tx, id, now)
}

/** Gives the completes their places, and the arrivals of the last week the decisions that they met. */
async function takeDemoPlaces(database: Database, tx: Tx, id: number, now: Date): Promise<void> {
  const row = await tx.selectFrom('quota_plans').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const stored = await tx
    .selectFrom('respondents')
    .selectAll()
    .where('survey_id', '=', row.survey_id)
    .orderBy('at')
    .limit(MOST)
    .execute()
  const respondents = stored.map(storedRespondent)
  await placeRows(
    database,
    tx,
    await planOf(tx, row),
    respondents.filter(({ outcome }) => outcome === 'completes'),
    now,
  )
  const plan = await planOf(tx, row)
  const holds = await tx.selectFrom('quota_holds').select(['rid', 'respondent_id']).where('plan_id', '=', id).execute()
  const ridOf = new Map(holds.map(({ rid, respondent_id }) => [respondent_id, rid]))
  const since = new Date(now.getTime() - WEEK_MS).toISOString()
  const rows = respondents.flatMap((respondent) => {
    if (respondent.at < since || respondent.at > now.toISOString()) return []
    const profile = profileOf(respondent, null, plan.against.questions)
    const { cells } = plan.matcher.match(profile, 'admit')
    const full = respondent.outcome === 'overquota' ? fullestOf(cells.map((cell) => countOf(plan.cells.get(cell)!))) : null
    if (respondent.outcome === 'overquota' && !full) return []
    const outcome = full ? 'refused' : 'admitted'
    const rid = ridOf.get(respondent.id) ?? newRid(new Date(respondent.at))
    return [[id, 1, rid, 0, outcome, full ? 'full' : '', full?.id ?? null, '{}', JSON.stringify(profile), respondent.at]]
  })
  await insertBulk(database, tx, {
    table: 'quota_decisions',
    columns: {
      ...{ plan_id: 'int', version: 'int', rid: 'text', partner_id: 'int', outcome: 'text', reason: 'text', cell_id: 'int' },
      ...{ free: 'text', profile: 'text', at: 'text' },
    },
    rows,
  })
}
