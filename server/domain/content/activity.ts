import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { projectScope } from '../../core/scope.ts'

/** An activity of a project that isn't deleted, with what the callers need of both; throws 404. */
export async function activityOf(ctx: Pick<Ctx, 'db' | 'actor'>, id: number) {
  const activity = await ctx.db
    .selectFrom('activities')
    .innerJoin('projects', 'projects.id', 'activities.project_id')
    .select([
      'activities.id',
      'activities.name',
      'activities.activity_type',
      'activities.project_id',
      'projects.name as project_name',
      'projects.parent_id',
    ])
    .where('activities.id', '=', id)
    .where('activities.deleted_at', 'is', null)
    .where(projectScope(ctx.actor))
    .executeTakeFirst()
  if (!activity) throw notFound(`Activity ${id}`)
  return activity
}
