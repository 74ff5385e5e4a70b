import { sql } from 'kysely'
import { change } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'

/** A survey link that changed from one address to another; with `activity_id`, that of an activity and its survey. */
interface Change {
  project_id: number
  from: string
  to: string
  activity_id?: number | undefined
}

/**
 * Changes the survey link of a project, its activities and its surveys where it was the same as the changed one.
 * A request writes all three from one field, so they stay one; links that differ on purpose stay.
 * Returns a warning that says what changed with it. A blanked link is kept elsewhere.
 */
export async function followLink(ctx: Ctx, { project_id, from, to, activity_id }: Change): Promise<string[]> {
  if (!from || !to || from === to) return []
  const same = (table: 'surveys' | 'activities', link: 'survey_link' | 'url', of: 'activity_id' | 'id') =>
    ctx.tx
      .selectFrom(table)
      .select(['id', 'name'])
      .where('project_id', '=', project_id)
      .where(sql.ref(link), '=', from)
      .where('deleted_at', 'is', null)
      .$if(activity_id !== undefined, (query) => query.where(sql.ref(of), '=', activity_id!))
      .orderBy('id')
  const surveys = await same('surveys', 'survey_link', 'activity_id').execute()
  const activities = await same('activities', 'url', 'id').where(sql.ref('activity_type'), '=', 'survey').execute()
  const project = await ctx.tx
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('id', '=', project_id)
    .where('survey_url', '=', from)
    .executeTakeFirst()
  const line = { project_id }
  for (const { id } of surveys)
    await change(ctx, 'surveys', { subject: 'survey', id, patch: { survey_link: to }, line, change: { noun: 'survey', ...line } })
  for (const { id } of activities)
    await change(ctx, 'activities', { subject: 'activity', id, patch: { url: to }, line, change: { noun: 'activity', ...line } })
  if (project)
    await change(ctx, 'projects', {
      subject: 'project',
      id: project_id,
      patch: { survey_url: to },
      change: { noun: 'project', ...line },
    })
  const named = [
    ...(project ? [`project “${project.name}”`] : []),
    ...activities.map(({ name }) => `activity “${name}”`),
    ...surveys.map(({ name }) => `survey “${name}”`),
  ]
  return named.length ? [`The same link changed in ${named.join(', ')}.`] : []
}
