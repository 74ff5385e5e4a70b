import { sql } from 'kysely'
import { RESPONDENT_FIELDS, type RespondentField } from '../../../contract/respondent.ts'
import { SPELLING } from '../../../contract/status.ts'
import type { Ctx } from '../../core/context.ts'
import { type Paged, pageOf } from '../../core/keyset.ts'
import { changedRecords } from '../../core/listSearch.ts'
import { intakeSurvey } from './receive.ts'

/** Surveys that accept respondents, with their projects. */
const taking = (ctx: Ctx) =>
  ctx.db
    .selectFrom('surveys')
    .innerJoin('projects', 'projects.id', 'surveys.project_id')
    .select(['surveys.id', 'surveys.name', 'surveys.project_id', 'projects.name as project_name'])
    .select(['projects.status', 'projects.ordered', 'projects.delivered'])
    .where('surveys.deleted_at', 'is', null)
    .where('projects.deleted_at', 'is', null)

type TakingRow = Awaited<ReturnType<ReturnType<typeof taking>['executeTakeFirstOrThrow']>>

/** A survey with how much its project still wants. */
const shown = ({ status, ordered, delivered, ...row }: TakingRow) => ({
  ...row,
  ...{ status: SPELLING[status].v3, stored_status: status, ordered, delivered },
  remaining: Math.max(0, ordered - delivered),
  in_field: status === 'active',
})

/** What a survey accepts: its questions, and a respondent's fields with their codes. */
export async function intakeForm(ctx: Ctx<{ surveyId: number }>) {
  const { id } = await intakeSurvey(ctx as Ctx, ctx.input.surveyId)
  const survey = await taking(ctx as Ctx)
    .where('surveys.id', '=', id)
    .executeTakeFirstOrThrow()
  const questions = await ctx.db
    .selectFrom('questions')
    .select(['id', 'name', 'question_type', 'options'])
    .where('survey_id', '=', id)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const fields = (Object.entries(RESPONDENT_FIELDS) as [string, RespondentField][]).map(
    ([name, { type, required = false, about, codes = [] }]) => ({
      name,
      type,
      required,
      about,
      codes: codes.map(({ value, label }) => ({ value, label })),
    }),
  )
  return {
    data: {
      ...shown(survey),
      questions: questions.map((question) => ({
        ...question,
        options: (JSON.parse(question.options) as unknown[]).map(String),
      })),
      fields,
    },
  }
}

/** Surveys that the caller's key covers. */
export async function intakeSurveys(ctx: Ctx<Paged & { updated_since?: string | undefined }>) {
  const { page, updated_since } = ctx.input
  const { clients, projects, surveys, services } = ctx.caller.apiKey?.scope ?? {}
  let query = taking(ctx as Ctx)
  if (clients || projects || surveys || services)
    query = query.where((eb) =>
      eb.or([
        eb('surveys.id', 'in', surveys?.length ? surveys : [0]),
        eb('projects.client_id', 'in', clients?.length ? clients : [0]),
        eb('projects.id', 'in', projects?.length ? projects : [0]),
        eb('projects.parent_id', 'in', projects?.length ? projects : [0]),
      ]),
    )
  if (updated_since) query = query.where((await changedRecords(ctx, updated_since, 'surveys')).is)
  const [data, { count }] = await Promise.all([
    pageOf(ctx, query, [{ by: sql.ref('surveys.id'), way: 'asc', full: true }], ctx.input),
    query
      .clearSelect()
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  return { data: data.map(shown), count: Number(count), page }
}
