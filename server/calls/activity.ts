import { type Expression, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { activityCalls } from '../../contract/activity.ts'
import type { Ctx } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { matches, offsetOf } from '../core/listSearch.ts'
import { projectScope } from '../core/scope.ts'
import { withParts } from '../domain/project/activities.ts'
import { seenProject } from '../domain/project/detail.ts'
import { marketReader } from '../domain/project/markets.ts'

type ListInput = z.output<(typeof activityCalls)['activity.list']['input']>

/** Activities of the projects the caller sees. */
const seen = (ctx: Ctx) =>
  ctx.db
    .selectFrom('activities')
    .innerJoin('projects', 'projects.id', 'activities.project_id')
    .where('activities.deleted_at', 'is', null)
    .where(projectScope(ctx.actor))

const rows = (query: ReturnType<typeof seen>) =>
  query
    .leftJoin('surveys', (join) => join.onRef('surveys.activity_id', '=', 'activities.id').on('surveys.deleted_at', 'is', null))
    .select((eb) => [
      'activities.id',
      'activities.project_id',
      'projects.name as project_name',
      'activities.name',
      'about',
      'activity_type',
      'action_type',
      'social_type',
      'social_text',
      'social_link',
      'url',
      'activities.start_dt',
      'activities.end_dt',
      eb.fn.min('surveys.id').as('survey_id'),
      'activities.lock_version',
    ])
    .groupBy(['activities.id', 'projects.name'])

async function listed(ctx: Ctx, input: ListInput, where: Expression<SqlBool> = sql<SqlBool>`1 = 1`) {
  const query = seen(ctx)
    .where(matches(ctx.services.database, ['activities.name', 'projects.name'], input.search))
    .where(where)
  const [data, { count }] = await Promise.all([
    rows(query)
      .orderBy(sql.ref(`activities.${input.column || 'id'}`), input.column ? input.order : 'desc')
      .orderBy('activities.id', 'desc')
      .limit(input.per_page)
      .offset(offsetOf(input))
      .execute(),
    query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { data: await withParts(ctx, data), count: Number(count), page: input.page }
}

async function oneActivity(ctx: Ctx, id: number) {
  const activity = await rows(seen(ctx).where('activities.id', '=', id)).executeTakeFirst()
  if (!activity) throw notFound(`Activity ${id}`)
  return (await withParts(ctx, [activity]))[0]!
}

export const activityHandlers: HandlersOf<typeof activityCalls> = {
  'activity.listAll': (ctx) => listed(ctx, ctx.input),
  'activity.list': (ctx) => listed(ctx, ctx.input),
  'activity.get': async (ctx) => ({ data: await oneActivity(ctx, ctx.input.id) }),

  'activity.target': async (ctx) => {
    await oneActivity(ctx, ctx.input.id)
    const target = await ctx.db.selectFrom('targets').selectAll().where('activity_id', '=', ctx.input.id).executeTakeFirst()
    if (!target) return { data: null }
    const { updated_at: _, ...shown } = target
    return { data: { ...shown, target_markets: marketReader()(target.targeted_locations).markets } }
  },

  'activity.ofProject': async (ctx) => {
    await seenProject(ctx, ctx.input.id)
    return listed(ctx, ctx.input, sql<SqlBool>`activities.project_id = ${ctx.input.id}`)
  },
}
