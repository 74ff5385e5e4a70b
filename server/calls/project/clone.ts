import type { Ctx } from '../../core/context.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { copyActivity, freshRow } from '../../domain/activity/copy.ts'
import type { ActivityRecord } from '../../domain/activity/write.ts'
import { ownerOf } from '../../domain/project/projectOwner.ts'
import type { ProjectRecord } from '../../domain/project/storedProject.ts'

/**
 * Copies a project with its children, activities, targets, surveys, files, location groups and teams; returns its id.
 * Leaves out responses, rewards and notes; the copy is in requirements, without a cost, in round one (decisions.md 9).
 */
export async function cloneProject(ctx: Ctx, record: ProjectRecord, parent: number | null = record.parent_id): Promise<number> {
  const { id: _, ...copied } = record
  const { id } = await ctx.tx
    .insertInto('projects')
    .values(
      onlyColumns('projects', {
        ...copied,
        ...freshRow(ctx),
        parent_id: parent,
        name: copyName(record.name, parent === record.parent_id),
        status: 'requirements',
        delivered: 0,
        cost_cents: null,
        quote_round: 1,
        quote_valid_until: null,
        requested_by: ctx.actor.id,
        owner_id: ownerOf(ctx.actor),
        went_live_at: null,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  const activities = await ctx.tx
    .selectFrom('activities')
    .selectAll()
    .where('project_id', '=', record.id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const activity of activities) await cloneActivity(ctx, activity, id)
  const teams = await ctx.tx.selectFrom('team_projects').select('team_id').where('project_id', '=', record.id).execute()
  if (teams.length)
    await ctx.tx
      .insertInto('team_projects')
      .values(teams.map(({ team_id }) => ({ team_id, project_id: id })))
      .execute()
  const files = await ctx.tx
    .selectFrom('files')
    .selectAll()
    .where('project_id', '=', record.id)
    .where('activity_id', 'is', null)
    .where('kind', 'in', ['asset', 'document', 'location'])
    .orderBy('id')
    .execute()
  for (const { id: _file, ...file } of files)
    await ctx.tx
      .insertInto('files')
      .values(onlyColumns('files', { ...file, ...freshRow(ctx), project_id: id }))
      .execute()
  await ctx.record({ subject: 'project', subject_id: id, after: { cloned_from: record.id, name: record.name } })
  ctx.emit({ noun: 'project', id, project_id: id })
  const children = await ctx.tx
    .selectFrom('projects')
    .selectAll()
    .where('parent_id', '=', record.id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const child of children) await cloneProject(ctx, child, id)
  return id
}

/** "X" → "X (copy)"; children of a copied parent keep their names. */
const copyName = (name: string, top: boolean) => (top ? `${name.slice(0, 190)} (copy)` : name)

/** Copies an activity with everything that belongs to it, including surveys and files. */
async function cloneActivity(ctx: Ctx, activity: ActivityRecord, project_id: number): Promise<void> {
  const from = activity.id
  const id = await copyActivity(ctx, activity, project_id)
  const surveys = await ctx.tx
    .selectFrom('surveys')
    .selectAll()
    .where('activity_id', '=', from)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { id: surveyFrom, ...survey } of surveys) {
    const made = await ctx.tx
      .insertInto('surveys')
      .values(onlyColumns('surveys', { ...survey, ...freshRow(ctx), project_id, activity_id: id, refreshed_at: null }))
      .returning('id')
      .executeTakeFirstOrThrow()
    const questions = await ctx.tx
      .selectFrom('questions')
      .selectAll()
      .where('survey_id', '=', surveyFrom)
      .where('retired_at', 'is', null)
      .orderBy('id')
      .execute()
    if (questions.length)
      await ctx.tx
        .insertInto('questions')
        .values(
          questions.map(({ id: _, ...question }) =>
            onlyColumns('questions', { ...question, ...freshRow(ctx), survey_id: made.id }),
          ),
        )
        .execute()
  }
  // Participants' files are results, which a copy starts without (decisions.md 9).
  const files = await ctx.tx
    .selectFrom('files')
    .selectAll()
    .where('activity_id', '=', from)
    .where('kind', '<>', 'media')
    .orderBy('id')
    .execute()
  for (const { id: _file, ...file } of files)
    await ctx.tx
      .insertInto('files')
      .values(onlyColumns('files', { ...file, ...freshRow(ctx), project_id, activity_id: id }))
      .execute()
}
