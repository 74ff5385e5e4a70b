import type { z } from 'zod'
import { denialOf } from '../../contract/access.ts'
import { newFaults, textsOf } from '../../contract/fieldKinds.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { surveyCalls } from '../../contract/survey.ts'
import { surveyFields } from '../../contract/surveyFields.ts'
import { add, change, drop } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { assertAllowed, HttpError, invalid, notFound } from '../core/errors.ts'
import { columnsIn } from '../core/fieldColumns.ts'
import type { HandlersOf } from '../core/handler.ts'
import { refuseFaults } from '../core/refuseFaults.ts'
import { projectScope } from '../core/scope.ts'
import { seenProject } from '../domain/project/detail.ts'
import { addQuestions } from '../domain/survey/bulkQuestions.ts'
import { checkLink } from '../domain/survey/checkLink.ts'
import { followLink } from '../domain/survey/followLink.ts'
import { lengthOf } from '../domain/survey/length.ts'
import { surveyList } from '../domain/survey/list.ts'
import { heldSurvey, linkPatch, makeWay, recordLink, surveyActivity } from '../domain/survey/surveyLink.ts'

type Create = z.output<(typeof surveyCalls)['survey.create']['input']>
type Edit = z.output<(typeof surveyCalls)['survey.edit']['input']>

/** The fields that are stored as they are sent; the count of questions and the activity have rules of their own. */
const { questions_count: _count, activity_id: _activity, ...stored } = surveyFields

/**
 * Throws a 422 for a file that doesn't exist, or belongs to another project.
 * A file uploaded before its project existed is moved to this project.
 */
async function takeFile(ctx: Ctx, id: number | null | undefined, project_id: number): Promise<void> {
  if (!id) return
  const file = await ctx.tx.selectFrom('files').select(['project_id', 'kind']).where('id', '=', id).executeTakeFirst()
  if (!file || file.kind === 'export') throw invalid('source_file_id', `File ${id} was not found.`)
  if (file.project_id !== null && file.project_id !== project_id)
    throw invalid('source_file_id', 'This file belongs to another project.')
  if (file.project_id === null)
    await change(ctx, 'files', {
      subject: 'file',
      id,
      patch: { project_id },
      line: { project_id },
      change: { noun: 'file', project_id },
    })
}

async function hasActivities(ctx: Pick<Ctx, 'db'>, project_id: number): Promise<boolean> {
  return Boolean(
    await ctx.db
      .selectFrom('activities')
      .select('id')
      .where('project_id', '=', project_id)
      .where('deleted_at', 'is', null)
      .limit(1)
      .executeTakeFirst(),
  )
}

async function create(ctx: Ctx<Create>) {
  const { activity_id = null, questions, replace = false, source_file_id = null, questions_count } = ctx.input
  const activity = activity_id ? await surveyActivity(ctx as Ctx, activity_id) : null
  const project_id = (ctx.input.project_id ?? ctx.input.survey_project_id ?? activity?.project_id)!
  await seenProject(ctx, project_id)
  if (!activity && (await hasActivities(ctx, project_id))) throw invalid('activity_id', MESSAGES.chooseActivity)
  if (activity && activity.project_id !== project_id)
    throw invalid('activity_id', `“${activity.name}” is an activity of another project.`)
  await takeFile(ctx as Ctx, source_file_id, project_id)
  const replaced = activity ? await makeWay(ctx as Ctx, activity, { replace }) : null
  const fields = columnsIn('surveys', stored, { ...ctx.input, source_file_id })
  const values = { ...fields, project_id, activity_id }
  const id = await add(ctx as Ctx, 'surveys', {
    ...{ subject: 'survey', values, also: { questions_count: questions_count ?? 0 } },
    ...{ line: { project_id }, change: { noun: 'survey', project_id } },
  })
  if (activity) await recordLink(ctx as Ctx, activity, replaced, id)
  if (questions?.length) await addQuestions(ctx as Ctx, { id, project_id }, questions)
  return { data: await surveyList.get(ctx, id), message: describeEffect(ctx, 'survey.create', { noun: 'survey' }) }
}

async function edit(ctx: Ctx<Edit>) {
  const { id, lock_version, activity_id, questions_count, replace, ...fields } = ctx.input
  const now = await surveyList.row(ctx, id)
  // A survey that already lacks a link or an ID may still change its other fields.
  const after = textsOf(stored, { ...now, ...columnsIn('surveys', stored, fields) })
  refuseFaults(stored, newFaults(stored, textsOf(stored, now), after), after)
  if (questions_count === null) throw invalid('questions_count', MESSAGES.surveyQuestions, 'required')
  if (questions_count !== undefined && now.own_questions > 0 && questions_count !== now.questions_count)
    throw invalid(
      'questions_count',
      now.own_questions === 1 ? 'Its one question is counted.' : `Its ${now.own_questions} questions are counted.`,
      'read_only',
    )
  await takeFile(ctx as Ctx, fields.source_file_id, now.project_id)
  const link =
    activity_id === undefined
      ? {}
      : await linkPatch(ctx as Ctx, (await heldSurvey(ctx as Ctx, id))!, activity_id, {
          replace: replace ?? false,
          field: 'activity_id',
        })
  const project_id = link.project_id ?? now.project_id
  await change(ctx as Ctx, 'surveys', {
    subject: 'survey',
    id,
    patch: {
      ...columnsIn('surveys', stored, fields),
      ...link,
      ...(now.own_questions === 0 && typeof questions_count === 'number' ? { questions_count } : {}),
    },
    ...(lock_version === undefined ? {} : { lock: lock_version }),
    line: { project_id },
    change: { noun: 'survey', project_id },
  })
  const at = activity_id === undefined ? now.activity_id : activity_id
  const warnings =
    at && fields.survey_link !== undefined
      ? await followLink(ctx as Ctx, { project_id, from: now.survey_link, to: fields.survey_link, activity_id: at })
      : []
  return {
    data: await surveyList.get(ctx, id),
    message: describeEffect(ctx, 'survey.edit', { noun: 'survey' }),
    ...(warnings.length ? { warnings } : {}),
  }
}

const of = async (ctx: Ctx, column: 'activity_id' | 'project_id', id: number) => {
  const rows = await ctx.db.selectFrom('surveys').select('id').where(column, '=', id).orderBy('id').execute()
  const ids = rows.map((row) => row.id)
  return surveyList.shown(ctx, await surveyList.rows(ctx, ids))
}

/** Surveys: reads, and the writes that keep their link, vendor, source and activity. */
export const surveyHandlers: HandlersOf<typeof surveyCalls> = {
  'survey.list': (ctx) => surveyList.page(ctx, ctx.input),
  'survey.vendors': async (ctx) => {
    const rows = await ctx.db
      .selectFrom('surveys')
      .select((eb) => ['survey_vendor as name', eb.fn.countAll<number>().as('surveys')])
      .where('deleted_at', 'is', null)
      .where('survey_vendor', '!=', '')
      .groupBy('survey_vendor')
      .orderBy('survey_vendor')
      .limit(200)
      .execute()
    const data = rows.map((row) => ({ name: row.name, surveys: Number(row.surveys) }))
    return { data, count: data.length, page: 1 }
  },
  'survey.get': async (ctx) => ({ data: await surveyList.get(ctx, ctx.input.id) }),
  'survey.length': async (ctx) => {
    const { id } = await surveyList.row(ctx, ctx.input.id)
    return { data: await lengthOf(ctx.db, [id]) }
  },
  'survey.checkLink': async (ctx) => {
    const { survey_link } = await surveyList.row(ctx, ctx.input.id)
    if (!survey_link) throw new HttpError(422, 'invalid', MESSAGES.surveyLink, { fields: { survey_link: MESSAGES.surveyLink } })
    return { data: { ...(await checkLink(survey_link)), at: ctx.now } }
  },
  'survey.ofActivity': async (ctx) => {
    const { id } = ctx.input
    const activity = await ctx.db
      .selectFrom('activities')
      .innerJoin('projects', 'projects.id', 'activities.project_id')
      .select('activities.id')
      .where('activities.id', '=', id)
      .where('activities.deleted_at', 'is', null)
      .where(projectScope(ctx.actor))
      .executeTakeFirst()
    if (!activity) throw notFound(`Activity ${id}`)
    const [survey] = await of(ctx as Ctx, 'activity_id', id)
    return { data: survey ?? null }
  },
  'survey.ofProject': async (ctx) => {
    await seenProject(ctx, ctx.input.id)
    const data = [...(await of(ctx as Ctx, 'project_id', ctx.input.id))]
    return { data, count: data.length, page: 1 }
  },
  'survey.create': create,
  'survey.edit': edit,
  'survey.remove': async (ctx) => {
    const { id } = ctx.input
    const { name, responses, project_id } = await surveyList.get(ctx, id)
    assertAllowed(denialOf('survey.remove', ctx.actor, { responses }))
    await drop(ctx, 'surveys', { subject: 'survey', id, line: { project_id }, change: { noun: 'survey', project_id } })
    return { message: describeEffect(ctx as Ctx, 'survey.remove', { name }) }
  },
}
