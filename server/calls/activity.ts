import type { z } from 'zod'
import type { activityCalls } from '../../contract/activity.ts'
import { asksAudience, wholeFields } from '../../contract/activityFields.ts'
import { datesOutside } from '../../contract/activityRules.ts'
import { pick } from '../../contract/fieldKinds.ts'
import { usDate } from '../../contract/olderFields.ts'
import { appliedFields } from '../core/appliedFields.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { HttpError, invalid, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { projectScope } from '../core/scope.ts'
import { duplicateActivity } from '../domain/activity/copy.ts'
import { activityDetail } from '../domain/activity/detail.ts'
import { activityList } from '../domain/activity/list.ts'
import { editOlder, olderActivities } from '../domain/activity/olderActivity.ts'
import { addActivity, editActivity, openProject, removeActivity } from '../domain/activity/write.ts'
import { assertMarkets } from '../domain/project/audience.ts'
import { projectDetail, seenProject } from '../domain/project/detail.ts'
import { marketReader } from '../domain/project/projectMarkets.ts'
import { linkFiles } from '../domain/project/request.ts'
import { linkSurvey } from '../domain/survey/surveyLink.ts'
import { EMPTY, newLists } from '../domain/target/targetLists.ts'
import { addTarget } from '../domain/target/write.ts'
import { attachFile } from './file/attach.ts'

/** The project of an activity the caller sees; throws 404. */
async function projectOf(ctx: Ctx, id: number): Promise<number> {
  const activity = await ctx.db
    .selectFrom('activities')
    .innerJoin('projects', 'projects.id', 'activities.project_id')
    .select('projects.id')
    .where('activities.id', '=', id)
    .where('activities.deleted_at', 'is', null)
    .where(projectScope(ctx.actor))
    .executeTakeFirst()
  if (!activity) throw notFound(`Activity ${id}`)
  return activity.id
}

/** The response of a write: the current activity, with a warning for dates outside its project's. */
async function written<M extends string>(ctx: Ctx, id: number, message: M, followed: readonly string[] = []) {
  const data = await activityDetail(ctx, id)
  const warnings = [...followed, ...datesOutside(data, await seenProject(ctx, data.project_id), usDate)]
  return { data, message, ...(warnings.length ? { warnings } : {}) }
}

type Whole = z.output<(typeof activityCalls)['activity.whole']['input']>

/** The fields that apply only beside others, besides the activity's own. */
const inCases = pick(wholeFields, 'activity_type', 'survey_id', 'location_based', 'targeted_locations')

/** Creates a validated form's activity with its target, survey and files. */
export async function makeWhole(ctx: Ctx, sent: Whole): Promise<number> {
  const form = appliedFields(ctx, inCases, { ...sent, location_based: sent.location_based ?? EMPTY.location_based })
  const project = await openProject(ctx, form.project_id)
  await assertMarkets(ctx, form.targeted_locations)
  const id = await addActivity(ctx, project, form)
  if (asksAudience(sent)) await addTarget(ctx, { id, project_id: project.id }, newLists(form))
  if (form.activity_type === 'survey') {
    if (form.survey_id) await linkSurvey(ctx, id, form.survey_id)
    else await addSurvey(ctx, { id, project_id: project.id, name: form.name, url: form.url })
  }
  await linkFiles(ctx, form.file_ids, project.id, id)
  return id
}

/** Adds the survey of a survey activity, at the activity's address. */
async function addSurvey(ctx: Ctx, activity: { id: number; project_id: number; name: string; url: string }): Promise<void> {
  const { id } = await ctx.tx
    .insertInto('surveys')
    .values({
      project_id: activity.project_id,
      activity_id: activity.id,
      name: activity.name,
      survey_link: activity.url,
      survey_vendor: '',
      questions_count: 0,
      deleted_at: null,
      created_at: ctx.now,
      updated_at: ctx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.record({ subject: 'survey', subject_id: id, project_id: activity.project_id, after: { name: activity.name } })
  ctx.emit({ noun: 'survey', id, project_id: activity.project_id })
}

/** Attaches uploads to an activity; throws a 422 that names the field for one that isn't there. */
async function attachFiles(ctx: Ctx, id: number, file_ids: readonly number[] = []): Promise<void> {
  if (!file_ids.length) return
  const project_id = await projectOf(ctx, id)
  for (const file_id of new Set(file_ids)) {
    const refused = (error: unknown) => {
      throw error instanceof HttpError ? invalid('file_ids', `file_ids has a file that can’t be attached: ${file_id}`) : error
    }
    await attachFile(ctx, file_id, project_id, id).catch(refused)
  }
}

const remove = async (ctx: Ctx<{ id: number }>) => ({
  message: describeEffect(ctx, 'activity.remove', { name: await removeActivity(ctx, ctx.input.id) }),
})

export const activityHandlers: HandlersOf<typeof activityCalls> = {
  'activity.list': (ctx) => activityList.page(ctx, ctx.input),
  'activity.get': async (ctx) => ({ data: await activityDetail(ctx, ctx.input.id) }),

  'activity.target': async (ctx) => {
    await projectOf(ctx, ctx.input.id)
    const target = await ctx.db.selectFrom('targets').selectAll().where('activity_id', '=', ctx.input.id).executeTakeFirst()
    if (!target) return { data: null }
    const { updated_at: _, ...shown } = target
    return { data: { ...shown, target_markets: marketReader()(target.targeted_locations).markets } }
  },

  'activity.ofProject': async (ctx) => {
    const { id, ...fields } = ctx.input
    await seenProject(ctx, id)
    return activityList.page(ctx, { ...fields, project_id: id })
  },

  'activity.project': async (ctx) => ({ data: await projectDetail(ctx, await projectOf(ctx, ctx.input.activity_id)) }),

  'activity.create': async (ctx) => {
    const { project_id, ...values } = ctx.input
    const id = await addActivity(ctx, await openProject(ctx, project_id), values)
    return written(ctx, id, describeEffect(ctx as Ctx, 'activity.create', { noun: 'activity' }))
  },
  'activity.whole': async (ctx) =>
    written(ctx, await makeWhole(ctx, ctx.input), describeEffect(ctx as Ctx, 'activity.create', { noun: 'activity' })),

  'activity.edit': async (ctx) => {
    const { id, lock_version, file_ids, ...fields } = ctx.input
    const followed = await editActivity(ctx, id, fields, lock_version)
    await attachFiles(ctx, id, file_ids)
    return written(ctx, id, describeEffect(ctx as Ctx, 'activity.edit', { noun: 'activity' }), followed)
  },
  'activity.remove': remove,

  'activity.duplicate': async (ctx) =>
    written(
      ctx,
      await duplicateActivity(ctx, ctx.input.activity_id),
      describeEffect(ctx as Ctx, 'activity.duplicate', { noun: 'activity' }),
    ),

  'activity.linkSurvey': async (ctx) => {
    const { activity_id, survey_id } = ctx.input
    const message = await linkSurvey(ctx, activity_id, survey_id)
    return written(ctx, activity_id, message)
  },

  'activity.ofCampaign': async (ctx) => {
    await seenProject(ctx, ctx.input.id)
    const found = await ctx.db
      .selectFrom('activities')
      .select('id')
      .where('project_id', '=', ctx.input.id)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()
    const activities = await olderActivities(
      ctx,
      found.map(({ id }) => id),
    )
    return { data: { count: activities.length, activities } }
  },
  'activity.getOlder': async (ctx) => {
    await projectOf(ctx, ctx.input.id)
    const [activity] = await olderActivities(ctx, [ctx.input.id])
    return { data: activity! }
  },
  'activity.editOlder': async (ctx) => {
    await editOlder(ctx, ctx.input)
    await attachFiles(ctx, ctx.input.id, ctx.input.file_ids)
    const [activity] = await olderActivities(ctx, [ctx.input.id])
    return { data: activity!, message: describeEffect(ctx as Ctx, 'activity.edit', { noun: 'activity' }) }
  },
}
