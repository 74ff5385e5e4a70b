import type { Ctx } from '../../core/context.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { addTarget } from '../target/write.ts'
import { type ActivityRecord, heldActivity, openProject } from './write.ts'

/** Columns that a copy starts afresh. */
export const freshRow = (ctx: Ctx) => ({ created_at: ctx.now, updated_at: ctx.now, lock_version: 1 })

/**
 * Copies an activity with its audience and groups into a project, without survey, files and responses.
 * The copy's audience is at version 1. Returns the copy's id.
 */
export async function copyActivity(
  ctx: Ctx,
  activity: ActivityRecord,
  project_id: number,
  own: { name?: string; start_dt?: string; end_dt?: string } = {},
): Promise<number> {
  const { id: from, ...copied } = activity
  const { id } = await ctx.tx
    .insertInto('activities')
    .values(onlyColumns('activities', { ...copied, ...freshRow(ctx), ...own, project_id }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const target = await ctx.tx.selectFrom('targets').selectAll().where('activity_id', '=', from).executeTakeFirst()
  if (target) {
    const { id: _, activity_id: __, version: ___, updated_at: ____, ...lists } = target
    await addTarget(ctx, { id, project_id }, lists, `Copied from “${activity.name}”`)
  }
  const groups = await ctx.tx.selectFrom('activity_location_groups').select('group_id').where('activity_id', '=', from).execute()
  if (groups.length)
    await ctx.tx
      .insertInto('activity_location_groups')
      .values(groups.map(({ group_id }) => ({ activity_id: id, group_id, linked_at: ctx.now, linked_by: ctx.actor.id })))
      .execute()
  return id
}

/** Copies an activity within its project, as "X (copy)"; returns its id, or throws 409 for a project that is over. */
export async function duplicateActivity(ctx: Ctx, from: number): Promise<number> {
  const before = await heldActivity(ctx, from)
  const project = await openProject(ctx, before.project_id)
  const name = `${before.name.slice(0, 190)} (copy)`
  const id = await copyActivity(ctx, before, project.id, { name })
  await ctx.record({ subject: 'activity', subject_id: id, project_id: project.id, after: { name, copied_from: from } })
  ctx.emit({ noun: 'activity', id, project_id: project.id })
  return id
}
