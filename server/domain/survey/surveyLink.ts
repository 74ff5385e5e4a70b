import type { Selectable } from 'kysely'
import { denialOf } from '../../../contract/access.ts'
import type { Sentence } from '../../../contract/effectText.ts'
import { count } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { effectOf, sentenceOf } from '../../../contract/writeEffects.ts'
import { change } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { describeEffect } from '../../core/describeEffect.ts'
import { assertAllowed, HttpError, invalid } from '../../core/errors.ts'
import { projectScope } from '../../core/scope.ts'
import { locked } from '../../db/locked.ts'
import type { SurveyTable } from '../../db/schema.ts'
import { activityFacts, heldActivity } from '../activity/write.ts'

type Survey = Selectable<SurveyTable>
type Place = Pick<Survey, 'activity_id' | 'project_id'>
interface Activity {
  id: number
  project_id: number
  name: string
}

/** A survey activity the caller can see, with its project's status; throws a 422 that names the field. */
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

/** An activity's current surveys, locked; at most one, unless an older release linked several. */
const surveysOf = (ctx: Ctx, activity_id: number): Promise<Survey[]> =>
  locked(
    ctx.services.database,
    ctx.tx.selectFrom('surveys').selectAll().where('activity_id', '=', activity_id).where('deleted_at', 'is', null).orderBy('id'),
  ).execute()

/** Records in an activity's history which survey it has now, and emits the change. */
export async function recordLink(
  ctx: Ctx,
  { id, project_id }: Pick<Activity, 'id' | 'project_id'>,
  before: number | null,
  after: number | null,
): Promise<void> {
  await ctx.record({
    subject: 'activity',
    subject_id: id,
    project_id,
    before: { survey_id: before },
    after: { survey_id: after },
  })
  ctx.emit({ noun: 'activity', id, project_id })
}

const writeLink = (ctx: Ctx, { id, project_id }: Pick<Survey, 'id' | 'project_id'>, patch: Partial<Place>) =>
  change(ctx, 'surveys', {
    subject: 'survey',
    id,
    patch,
    line: { project_id: patch.project_id ?? project_id },
    change: { noun: 'survey', project_id: patch.project_id ?? project_id },
  })

/**
 * Unlinks an activity's surveys before another is linked, and returns the first one's id.
 * Throws 409 `has_survey` unless the caller asked to replace it.
 */
export async function makeWay(ctx: Ctx, activity: Activity, { but = 0, replace = false } = {}): Promise<number | null> {
  const others = (await surveysOf(ctx, activity.id)).filter(({ id }) => id !== but)
  const [other] = others
  if (!other) return null
  if (!replace)
    throw new HttpError(409, 'has_survey', `“${activity.name}” already has a survey: S-${other.id} “${other.name}”.`, {
      fields: { activity_id: `It already has a survey: S-${other.id} “${other.name}”.` },
      survey_id: other.id,
      survey_name: other.name,
    })
  for (const one of others) await writeLink(ctx, one, { activity_id: null })
  return other.id
}

/** Throws 409 for a survey with responses, because they count for its project. */
async function assertUnanswered(ctx: Ctx, { id, project_id }: Survey, field: 'survey_id' | 'activity_id'): Promise<void> {
  const { many } = await ctx.tx
    .selectFrom('respondents')
    .select((eb) => eb.fn.countAll<number>().as('many'))
    .where('survey_id', '=', id)
    .executeTakeFirstOrThrow()
  const responses = Number(many)
  if (!responses) return
  const [what, they] = responses === 1 ? ['a response', 'it counts'] : [`${count(responses)} responses`, 'they count']
  const message = `It has ${what} in ${codeOf('project', project_id)}, where ${they}.`
  throw new HttpError(409, 'not_now', message, { fields: { [field]: message } })
}

/**
 * Checks the link of a survey to an activity (or to none, with null) and unlinks others; returns the patch to write.
 * Every call that links follows this rule: an activity has one survey.
 * A survey with responses stays in its project, and one in field keeps an activity.
 */
export async function linkPatch(
  ctx: Ctx,
  survey: Survey,
  activity_id: number | null,
  { replace, field }: { replace: boolean; field: 'survey_id' | 'activity_id' },
): Promise<Partial<Place>> {
  if (activity_id === survey.activity_id) return {}
  const from = survey.activity_id ? await heldActivity(ctx, survey.activity_id) : null
  if (activity_id === null) {
    assertAllowed(denialOf('activity.unlinkSurvey', ctx.actor, await activityFacts(ctx, from!)))
    await recordLink(ctx, from!, survey.id, null)
    return { activity_id: null }
  }
  const activity = await surveyActivity(ctx, activity_id)
  const moves = activity.project_id !== survey.project_id
  if (moves) await assertUnanswered(ctx, survey, field)
  const before = await makeWay(ctx, activity, { but: survey.id, replace })
  if (from) await recordLink(ctx, from, survey.id, null)
  await recordLink(ctx, activity, before, survey.id)
  return moves ? { activity_id, project_id: activity.project_id } : { activity_id }
}

/**
 * Links a survey to an activity, replacing the links of both; null unlinks.
 * Returns the message.
 */
export async function linkSurvey(ctx: Ctx, activityId: number, surveyId: number | null): Promise<Sentence> {
  const activity = await heldActivity(ctx, activityId)
  const rule = surveyId === null ? 'activity.unlinkSurvey' : 'activity.linkSurvey'
  assertAllowed(denialOf(rule, ctx.actor, await activityFacts(ctx, activity)))
  const how = { replace: true, field: 'survey_id' } as const
  if (surveyId === null) {
    const linked = await surveysOf(ctx, activityId)
    for (const survey of linked) await writeLink(ctx, survey, await linkPatch(ctx, survey, null, how))
    return describeEffect(ctx, 'activity.unlinkSurvey', surveyFacts(linked[0]!.id))
  }
  const survey = await seenSurvey(ctx, surveyId)
  if (survey.activity_id === activityId) return sentenceOf(effectOf('activity.hasSurvey'), surveyFacts(surveyId), 'after')
  await writeLink(ctx, survey, await linkPatch(ctx, survey, activityId, how))
  return describeEffect(ctx, 'activity.linkSurvey', surveyFacts(surveyId))
}

const surveyFacts = (id: number) => ({ words: [`survey ${codeOf('survey', id)}`, 'surveys'] }) as const

async function seenSurvey(ctx: Ctx, id: number): Promise<Survey> {
  const survey = await heldSurvey(ctx, id)
  const project = survey
    ? await ctx.db
        .selectFrom('projects')
        .select('id')
        .where('id', '=', survey.project_id)
        .where(projectScope(ctx.actor))
        .executeTakeFirst()
    : undefined
  if (!survey || !project) throw invalid('survey_id', `survey_id is not a survey: ${id}`)
  return survey
}

/** A survey, locked for a change; undefined if it doesn't exist. */
export const heldSurvey = (ctx: Ctx, id: number): Promise<Survey | undefined> =>
  locked(
    ctx.services.database,
    ctx.tx.selectFrom('surveys').selectAll().where('id', '=', id).where('deleted_at', 'is', null),
  ).executeTakeFirst()
