import type { SelectQueryBuilder } from 'kysely'
import { allowedActions } from '../../contract/access.ts'
import { PAGE } from '../../contract/pages.ts'
import type { Question, Survey, surveyCalls } from '../../contract/survey.ts'
import type { Ctx } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { matches } from '../core/listSearch.ts'
import { projectScope } from '../core/scope.ts'
import type { Schema } from '../db/schema.ts'
import { seenProject } from '../domain/project/detail.ts'

/** Surveys of the projects the caller sees. */
const seen = (ctx: Ctx) =>
  ctx.db
    .selectFrom('surveys')
    .innerJoin('projects', 'projects.id', 'surveys.project_id')
    .where('surveys.deleted_at', 'is', null)
    .where(projectScope(ctx.actor))
const COLUMNS = [
  'surveys.id',
  'surveys.name',
  'surveys.project_id',
  'surveys.project_id as survey_project_id',
  'projects.name as project_name',
  'activity_id',
  'survey_link',
  'survey_vendor',
  'questions_count',
  'surveys.created_at',
  'surveys.updated_at',
  'surveys.lock_version',
] as const
const SORTS = {
  id: 'surveys.id',
  name: 'surveys.name',
  project_name: 'projects.name',
  questions_count: 'questions_count',
  updated_at: 'surveys.updated_at',
} as const

const rowsOf = async <O>(
  ctx: Pick<Ctx, 'actor'>,
  query: SelectQueryBuilder<Schema, 'surveys' | 'projects', O>,
): Promise<Survey[]> => {
  const rows = (await query.select(COLUMNS).execute()) as unknown as Omit<Survey, 'allowed_actions' | 'refused_actions'>[]
  const allowed = allowedActions('survey', ctx.actor)
  return rows.map((row) => ({ ...row, ...(allowed as Pick<Survey, 'allowed_actions' | 'refused_actions'>) }))
}

/** Reads surveys and their questions; the catalogue's calls write them. */
export const surveyHandlers: HandlersOf<typeof surveyCalls> = {
  'survey.list': async (ctx) => {
    const { page, search, column, order } = ctx.input
    let query = seen(ctx as Ctx)
    if (search) query = query.where(matches(ctx.services.database, ['surveys.name', 'projects.name'], search))
    const [data, counted] = await Promise.all([
      rowsOf(
        ctx,
        query
          .orderBy(SORTS[column], order)
          .orderBy('surveys.id', order)
          .limit(PAGE.list)
          .offset((page - 1) * PAGE.list),
      ),
      query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    ])
    return { data, count: Number(counted.count), page }
  },
  'survey.get': async (ctx) => {
    const [survey] = await rowsOf(ctx, seen(ctx as Ctx).where('surveys.id', '=', ctx.input.id))
    if (!survey) throw notFound(`Survey ${ctx.input.id}`)
    return { data: survey }
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
    const [survey] = await rowsOf(
      ctx,
      seen(ctx as Ctx)
        .where('surveys.activity_id', '=', id)
        .orderBy('surveys.id'),
    )
    return { data: survey ?? null }
  },
  'survey.ofProject': async (ctx) => {
    await seenProject(ctx as Ctx, ctx.input.id)
    const data = await rowsOf(
      ctx,
      seen(ctx as Ctx)
        .where('surveys.project_id', '=', ctx.input.id)
        .orderBy('surveys.id'),
    )
    return { data, count: data.length, page: 1 }
  },
  'survey.questions': async (ctx) => {
    const { id, type } = ctx.input
    const survey = await seen(ctx as Ctx)
      .select('surveys.id')
      .where('surveys.id', '=', id)
      .executeTakeFirst()
    if (!survey) throw notFound(`Survey ${id}`)
    const rows = await ctx.db
      .selectFrom('questions')
      .selectAll()
      .where('survey_id', '=', id)
      .where('question_type', '=', type)
      .orderBy('position')
      .orderBy('id')
      .execute()
    const data: Question[] = rows.map(({ position, options, id: question, survey_id, name, question_type, lock_version }) => ({
      id: question,
      survey_id,
      name,
      order: position,
      question_type,
      options: (JSON.parse(options) as unknown[]).map(String),
      lock_version,
    }))
    return { data, count: data.length, page: 1 }
  },
}
