import { sql } from 'kysely'
import { allowedActions } from '../../../contract/access.ts'
import { isAdmin } from '../../../contract/actor.ts'
import type { Quota, QuotaCell } from '../../../contract/quota.ts'
import { designEffect, freeOf } from '../../../contract/quotaRules.ts'
import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { projectScope } from '../../core/scope.ts'
import { among } from './quotaLedger.ts'
import { type CellRow, type PlanRow, planOf } from './quotaPlans.ts'

type Reading = Pick<Ctx, 'db' | 'actor' | 'services'>

/** A plan whose project the caller sees; throws 404, for client users also of drafts. */
export async function seenPlan(ctx: Reading, id: number): Promise<PlanRow> {
  const row = await ctx.db
    .selectFrom('quota_plans')
    .innerJoin('projects', 'projects.id', 'quota_plans.project_id')
    .selectAll('quota_plans')
    .where('quota_plans.id', '=', id)
    .where(projectScope(ctx.actor))
    .executeTakeFirst()
  if (!row || (row.state === 'draft' && !isAdmin(ctx.actor))) throw notFound(`Quota plan ${id}`)
  return row
}

/** The plan of a project that the caller sees: the one that hasn't ended, else the last. */
export async function planOfProject(ctx: Reading, project_id: number, survey_id?: number): Promise<PlanRow | null> {
  const rows = await ctx.db
    .selectFrom('quota_plans')
    .selectAll()
    .where('project_id', '=', project_id)
    .$if(survey_id !== undefined, (query) => query.where('survey_id', '=', survey_id!))
    .$if(!isAdmin(ctx.actor), (query) => query.where('state', '<>', 'draft'))
    .orderBy('id', 'desc')
    .execute()
  return rows.find(({ state }) => state === 'live') ?? rows.find(({ state }) => state === 'draft') ?? rows[0] ?? null
}

/** The plans of a project that the caller sees, the newest first. */
export const planLines = (ctx: Reading, project_id: number) =>
  ctx.db
    .selectFrom('quota_plans as plan')
    .innerJoin('surveys', 'surveys.id', 'plan.survey_id')
    .innerJoin('quota_cells as total', (join) => join.onRef('total.plan_id', '=', 'plan.id').on('total.dimension_id', 'is', null))
    .select(['plan.id', 'plan.survey_id', 'surveys.name as survey_name', 'plan.state', 'plan.total', 'total.completes'])
    .select(['plan.live_at', 'plan.ended_at', 'plan.created_at'])
    .where('plan.project_id', '=', project_id)
    .$if(!isAdmin(ctx.actor), (query) => query.where('plan.state', '<>', 'draft'))
    .orderBy('plan.id', 'desc')
    .execute()

const DAY_MS = 86_400_000

/** A plan as its caller reads it: client users get targets and completes, and no dimension of partners. */
export async function quotaRecord(ctx: Reading, row: PlanRow): Promise<Quota> {
  const { database, now } = ctx.services
  const plan = await planOf(ctx.db, row)
  const isWhole = isAdmin(ctx.actor)
  const since = new Date(now().getTime() - DAY_MS).toISOString()
  const refused = isWhole
    ? await ctx.db
        .selectFrom('quota_decisions')
        .select((eb) => ['cell_id', eb.fn.countAll<number>().as('count')])
        .where(sql<boolean>`cell_id ${among(database, [...plan.cells.keys()])}`)
        .where('at', '>=', since)
        .groupBy('cell_id')
        .execute()
    : []
  const refusals = new Map(refused.map(({ cell_id, count }) => [cell_id, Number(count)]))
  const shown = (cell: CellRow): QuotaCell => ({
    ...{ id: cell.id, name: cell.name, conditions: JSON.parse(cell.conditions) as Record<string, (string | number)[]> },
    ...{ target: cell.target, completes: cell.completes },
    ...(isWhole
      ? {
          ...{ held: cell.held, free: freeOf(cell), closed: cell.closed === 1, reopened_at: cell.reopened_at },
          refused_24h: refusals.get(cell.id) ?? 0,
        }
      : {}),
  })
  const ofDimension = (id: number) => [...plan.cells.values()].filter(({ dimension_id }) => dimension_id === id)
  const dimensions = plan.dimensions.map(({ id, name, kind, fields }) => {
    const cells = ofDimension(id)
    const cost = isWhole ? designEffect(cells) : null
    return {
      ...{ id, name, kind, fields: JSON.parse(fields) as string[], cells: cells.map(shown) },
      ...(isWhole ? { deff: cost && round(cost.deff, 3), effective: cost && round(cost.effective, 1) } : {}),
    }
  })
  const { id, project_id, survey_id, state, total, live_at, ended_at, created_at, updated_at, lock_version } = row
  return {
    ...{ id, project_id, survey_id, state, total, live_at, ended_at, created_at, updated_at, lock_version },
    ...(isWhole ? { ...settingsOf(row), beyond: await beyondOf(ctx, id) } : {}),
    all: shown(plan.cells.get(plan.total)!),
    dimensions: isWhole ? dimensions : dimensions.filter(({ fields }) => !fields.includes('partner')),
    ...allowedActions('quota', ctx.actor, { state }),
  }
}

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits
const settingsOf = ({ mode, overage_percent, hold_minutes, silent_minutes, unknown, note }: PlanRow) => ({
  ...{ mode, overage_percent, hold_minutes, silent_minutes, unknown, note },
})

/** How many completes found no place. */
async function beyondOf({ db }: Reading, plan_id: number): Promise<number> {
  const { count } = await db
    .selectFrom('quota_holds')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('plan_id', '=', plan_id)
    .where('state', '=', 'beyond')
    .executeTakeFirstOrThrow()
  return Number(count)
}
