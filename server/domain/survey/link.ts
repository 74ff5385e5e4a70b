import type { Selectable } from 'kysely'
import { change } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError, invalid } from '../../core/errors.ts'
import { projectScope } from '../../core/scope.ts'
import { locked } from '../../db/locked.ts'
import type { SurveyTable } from '../../db/schema.ts'

type Survey = Selectable<SurveyTable>
/** Statuses in which a survey takes responses. */
const IN_FIELD: readonly string[] = ['active', 'paused']

/** A survey activity that the caller sees, with its project's status; throws a 422 that names the field. */
export async function surveyActivity(ctx: Ctx, id: number) {
  const activity = await ctx.tx
    .selectFrom('activities')
    .innerJoin('projects', 'projects.id', 'activities.project_id')
    .select([
      'activities.id',
      'activities.name',
      'activities.project_id',
      'activities.activity_type',
      'projects.name as project_name',
      'projects.status',
    ])
    .where('activities.id', '=', id)
    .where('activities.deleted_at', 'is', null)
    .where(projectScope(ctx.actor))
    .executeTakeFirst()
  if (!activity) throw invalid('activity_id', `Activity ${id} was not found.`)
  if (activity.activity_type !== 'survey')
    throw invalid('activity_id', `“${activity.name}” is a ${activity.activity_type} activity. This activity has no survey.`)
  return activity
}

/** The surveys that an activity has now, locked; one, unless an older release linked several. */
const surveysOf = (ctx: Ctx, activity_id: number): Promise<Survey[]> =>
  locked(
    ctx.services.database,
    ctx.tx.selectFrom('surveys').selectAll().where('activity_id', '=', activity_id).where('deleted_at', 'is', null).orderBy('id'),
  ).execute()

/** Takes the surveys off an activity that another is about to take; throws 409 `has_survey` unless it may. */
export async function makeWay(
  ctx: Ctx,
  activity: { id: number; name: string },
  { but = 0, replace = false } = {},
): Promise<void> {
  const others = (await surveysOf(ctx, activity.id)).filter(({ id }) => id !== but)
  const [other] = others
  if (!other) return
  if (!replace)
    throw new HttpError(409, 'has_survey', `“${activity.name}” has a survey already: S-${other.id} “${other.name}”.`, {
      fields: { activity_id: `It has a survey already: S-${other.id} “${other.name}”.` },
      survey_id: other.id,
      survey_name: other.name,
    })
  for (const { id, project_id } of others)
    await change(ctx, 'surveys', {
      subject: 'survey',
      id,
      patch: { activity_id: null },
      line: { project_id },
      change: { noun: 'survey', project_id },
    })
}

/**
 * Checks and makes room for linking a survey to an activity, or to none; the caller then writes `activity_id`.
 * Returns the columns to write. A survey with responses stays in its project, and one in field keeps an activity.
 */
export async function linkPatch(
  ctx: Ctx,
  survey: Pick<Survey, 'id' | 'activity_id' | 'project_id'>,
  activity_id: number | null,
  replace = false,
): Promise<Partial<Pick<Survey, 'activity_id' | 'project_id'>>> {
  if (activity_id === survey.activity_id) return {}
  if (activity_id === null) {
    const { status } = await ctx.tx
      .selectFrom('projects')
      .select('status')
      .where('id', '=', survey.project_id)
      .executeTakeFirstOrThrow()
    if (IN_FIELD.includes(status)) throw new HttpError(409, 'not_now', 'It’s in field.')
    return { activity_id: null }
  }
  const activity = await surveyActivity(ctx, activity_id)
  const moves = activity.project_id !== survey.project_id
  if (moves) {
    const responses = await ctx.tx.selectFrom('respondents').select('cell').where('survey_id', '=', survey.id).limit(1).execute()
    if (responses.length)
      throw new HttpError(409, 'not_now', `S-${survey.id} has responses, which count for P-${survey.project_id}.`, {
        fields: { activity_id: 'This activity belongs to another project than the survey’s responses.' },
      })
  }
  await makeWay(ctx, activity, { but: survey.id, replace })
  return moves ? { activity_id, project_id: activity.project_id } : { activity_id }
}
