import { type Selectable, sql } from 'kysely'
import { type Conditions, overlapIn } from '../../../contract/quotaRules.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import { locked } from '../../db/locked.ts'
import type { PartnerTable } from '../../db/schema.ts'
import { savePlan } from '../quota/planSave.ts'
import { type CellRow, lockCells, type PlanRow, planOf } from '../quota/quotaPlans.ts'

type Partner = Pick<Selectable<PartnerTable>, 'id' | 'name'>

/** More rows than this move without being noted one by one, and then the merge can't be undone. */
const MOST_NOTED = 20_000

/** Moves a partner's respondents, and its holds and cells of quotas, to another; the places stay where they are. */
export async function moveInQuotas(ctx: Ctx, gone: Partner, stays: Partner): Promise<void> {
  await moveRespondents(ctx, gone, stays)
  for (const id of await plansWith(ctx, gone.id)) {
    const row = await locked(
      ctx.services.database,
      ctx.tx.selectFrom('quota_plans').selectAll().where('id', '=', id),
    ).executeTakeFirstOrThrow()
    await lockCells(ctx.services.database, ctx.tx, id)
    await moveCells(ctx, row, gone, stays)
  }
  await moveHolds(ctx, gone, stays)
}

/** The plans whose cells name a partner, and those with its holds, in the order of their ids. */
async function plansWith(ctx: Ctx, partner: number): Promise<number[]> {
  const named = await ctx.tx
    .selectFrom('quota_dimensions')
    .select('plan_id')
    .distinct()
    .where('fields', 'like', '%"partner"%')
    .execute()
  const held = await ctx.tx.selectFrom('quota_holds').select('plan_id').distinct().where('partner_id', '=', partner).execute()
  return [...new Set([...named, ...held].map(({ plan_id }) => plan_id))].sort((a, b) => a - b)
}

const conditionsOf = ({ conditions }: Pick<CellRow, 'conditions'>) => JSON.parse(conditions) as Conditions

/** Renames a partner in the cells of a plan; throws 422 where one person could then be in two cells. */
async function moveCells(ctx: Ctx, row: PlanRow, gone: Partner, stays: Partner): Promise<void> {
  const plan = await planOf(ctx.tx, row)
  const lines: { before: Record<string, string>; after: Record<string, string> } = { before: {}, after: {} }
  for (const { id, name, kind, fields } of plan.dimensions) {
    const cells = [...plan.cells.values()].filter(({ dimension_id }) => dimension_id === id)
    const moved = cells.map((cell) => ({ cell, conditions: renamed(conditionsOf(cell), gone.id, stays.id) }))
    const changed = moved.filter(({ conditions }) => conditions)
    if (!changed.length) continue
    const own = JSON.parse(fields) as string[]
    const afterwards = moved.map(({ cell, conditions }) => conditions ?? conditionsOf(cell))
    if (kind !== 'concept' && overlapIn(own, afterwards)) {
      // Nobody is decided by a plan that has ended, so its cells stay as they were.
      if (row.state === 'ended') continue
      throw await overlapping(ctx, row, name)
    }
    for (const { cell, conditions } of changed) {
      await ctx.tx
        .updateTable('quota_cells')
        .set({ conditions: JSON.stringify(conditions) })
        .where('id', '=', cell.id)
        .execute()
      Object.assign(lines.before, { [cell.name]: gone.name })
      Object.assign(lines.after, { [cell.name]: stays.name })
    }
  }
  if (Object.keys(lines.after).length) await savePlan(ctx, row, {}, lines)
}

/** Conditions with one partner in place of another, as a plan's input stores them; null if they don't name it. */
function renamed(conditions: Conditions, gone: number, stays: number): Conditions | null {
  const { partner } = conditions
  if (!partner?.includes(gone)) return null
  const ids = new Set(partner.map((id) => (id === gone ? stays : id)))
  return { ...conditions, partner: [...ids].sort((a, b) => (a < b ? -1 : 1)) }
}

async function overlapping(ctx: Ctx, { project_id }: PlanRow, dimension: string): Promise<HttpError> {
  const project = await ctx.tx.selectFrom('projects').select('name').where('id', '=', project_id).executeTakeFirstOrThrow()
  const sentence = `Both have cells of their own in “${dimension}” of the quotas of “${project.name}”: put both into one cell first.`
  return new HttpError(422, 'overlap', sentence, { fields: { into_id: sentence }, project_id })
}

async function isMany(ctx: Ctx, table: 'respondents' | 'quota_holds', partner: number): Promise<boolean> {
  const rows = ctx.tx
    .selectFrom(table)
    .select('partner_id')
    .where('partner_id', '=', partner)
    .limit(MOST_NOTED + 1)
  const { count } = await ctx.tx
    .selectFrom(rows.as('some'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count) > MOST_NOTED
}

async function moveRespondents(ctx: Ctx, { id }: Partner, stays: Partner): Promise<void> {
  if (await isMany(ctx, 'respondents', id))
    await sql`update respondents set partner_id = ${stays.id} where partner_id = ${id}`.execute(ctx.tx)
  else await ctx.tx.updateTable('respondents').set({ partner_id: stays.id }).where('partner_id', '=', id).execute()
}

/** Moves holds; one of a person who has places through both partners keeps its sender, as a person has one hold. */
async function moveHolds(ctx: Ctx, { id }: Partner, stays: Partner): Promise<void> {
  const [was, is] = [`"partner":"${id}"`, `"partner":"${stays.id}"`]
  const profile = sql<string>`replace(profile, ${was}, ${is})`
  const partner_id = sql<number>`case when state in ('held', 'used') and pid <> '' and exists (
    select 1 from quota_holds other where other.plan_id = quota_holds.plan_id and other.pid = quota_holds.pid
      and other.partner_id = ${stays.id} and other.state in ('held', 'used')) then partner_id else ${stays.id} end`
  if (await isMany(ctx, 'quota_holds', id))
    await sql`update quota_holds set partner_id = ${partner_id}, profile = ${profile} where partner_id = ${id}`.execute(ctx.tx)
  else await ctx.tx.updateTable('quota_holds').set({ partner_id, profile }).where('partner_id', '=', id).execute()
}
