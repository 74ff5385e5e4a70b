import type { Ctx } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { projectScope } from '../../core/scope.ts'

/** An activity the caller can see, with its project's name and dates; throws 404. */
export async function activityOf(ctx: Pick<Ctx, 'db' | 'actor'>, id: number) {
  const activity = await ctx.db
    .selectFrom('activities')
    .innerJoin('projects', 'projects.id', 'activities.project_id')
    .select([
      'activities.id',
      'activities.name',
      'activities.about',
      'activities.activity_type',
      'activities.url',
      'activities.start_dt',
      'activities.end_dt',
      'activities.project_id',
      'projects.name as project_name',
      'projects.start_dt as project_start',
      'projects.end_dt as project_end',
    ])
    .where('activities.id', '=', id)
    .where('activities.deleted_at', 'is', null)
    .where(projectScope(ctx.actor))
    .executeTakeFirst()
  if (!activity) throw notFound(`Activity ${id}`)
  return activity
}
export type SeenActivity = Awaited<ReturnType<typeof activityOf>>
