import { MESSAGES } from '../../contract/messages.ts'
import type { Ctx } from '../context.ts'
import { invalid, Refusal } from '../refusal.ts'
import { usDate } from './rows.ts'

/**
 * Two levels and no ring: a project that gets a parent is not that parent, and has no children of its own. The parent is held until the commit, so that two
 * who hang two projects under each other at once do not both succeed.
 */
export async function checkParent(ctx: Ctx, id: number, parent_id: number | null | undefined): Promise<void> {
  if (!parent_id) return
  if (parent_id === id) throw invalid('parent_id', 'parent_id is the project itself')
  if (ctx.house.database.engine === 'postgres')
    await ctx.tx.selectFrom('projects').select('id').where('id', 'in', [id, parent_id]).orderBy('id').forUpdate().execute()
  const child = await ctx.tx
    .selectFrom('projects')
    .select('id')
    .where('parent_id', '=', id)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (child) throw invalid('parent_id', 'parent_id can’t be set: the project has children of its own')
}

/** Start not after end, and not before the parent's start (projects-area 5); an end beyond the parent's is only warned of, in the form. */
export async function checkDates(
  ctx: Ctx,
  dates: { start_dt?: string | null; end_dt?: string | null; parent_id?: number | null },
): Promise<void> {
  const { start_dt: start, end_dt: end } = dates
  if (start && end && start > end)
    throw new Refusal(422, 'invalid', MESSAGES.startBeforeEnd, { fields: { start_dt: MESSAGES.startBeforeEnd } })
  if (!dates.parent_id) return
  const parent = await ctx.db
    .selectFrom('projects')
    .select(['id', 'start_dt', 'parent_id'])
    .where('id', '=', dates.parent_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!parent)
    throw new Refusal(422, 'invalid', `parent_id is not a project: ${dates.parent_id}`, {
      fields: { parent_id: `parent_id is not a project: ${dates.parent_id}` },
    })
  if (parent.parent_id)
    throw new Refusal(422, 'invalid', 'parent_id is a child itself', { fields: { parent_id: 'parent_id is a child itself' } })
  if (start && parent.start_dt && start < parent.start_dt) {
    const sentence = MESSAGES.startBeforeParent(usDate(parent.start_dt))
    throw new Refusal(422, 'invalid', sentence, { fields: { start_dt: sentence } })
  }
}
