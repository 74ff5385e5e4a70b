import { type SqlBool, sql } from 'kysely'
import { allowedActions } from '../../contract/access.ts'
import type { Offer, offerCalls } from '../../contract/offer.ts'
import type { Ctx } from '../core/context.ts'
import type { HandlersOf } from '../core/handler.ts'
import { type ListQuery, listOf } from '../core/listBuilder.ts'
import { changedSince } from '../core/listSearch.ts'
import { projectScope } from '../core/scope.ts'
import { seenProject } from '../domain/project/detail.ts'

interface Filter extends ListQuery<'offer'> {
  id: number
  channel: 'all' | Offer['channel']
  status: 'all' | Offer['status']
}
type Row = Omit<Offer, 'amount' | 'allowed_actions' | 'refused_actions'>

/** Running offers first, then scheduled, paused and ended ones, each by start. */
const ORDER = sql`(case offers.status when 'running' then '0' when 'scheduled' then '1' when 'paused' then '2' else '3' end || offers.starts)`

const offers = listOf<'offer', Filter, Row, Offer>('offer', {
  table: 'offers',
  changed: (_ctx, since) => changedSince(since, [sql`offers.updated_at`]),
  scope: (ctx) =>
    sql<SqlBool>`exists (select 1 from projects where projects.id = offers.project_id and ${projectScope(ctx.actor)})`,
  where: ({ id, channel, status }) => [
    id ? sql<SqlBool>`offers.project_id = ${id}` : undefined,
    channel !== 'all' ? sql<SqlBool>`offers.channel = ${channel}` : undefined,
    status !== 'all' ? sql<SqlBool>`offers.status = ${status}` : undefined,
  ],
  sorts: { status: ORDER },
  empty: ['ends'],
  also: () => [sql`offers.project_id`, sql`offers.lock_version`],
  shown: ({ actor }, rows) => rows.map((row) => ({ ...row, amount: row.amount_cents / 100, ...allowedActions('offer', actor) })),
  file: { title: async (ctx, { id }) => `${(await seenProject(ctx, id)).name} offers` },
})

/** A project's running offers, and their average. */
async function runningOf(ctx: Ctx, id: number) {
  const found = await ctx.db
    .selectFrom('offers')
    .select((eb) => [eb.fn.countAll<number>().as('running'), eb.fn.avg<number>('amount_cents').as('average')])
    .where('project_id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirstOrThrow()
  const running = Number(found.running)
  return { running, average_cents: running ? Math.round(Number(found.average)) : null }
}

/** Channels with offers of a project that it has disabled. */
async function disabledOf(ctx: Ctx, id: number): Promise<Offer['channel'][]> {
  const [there, options] = await Promise.all([
    ctx.db.selectFrom('offers').select('channel').distinct().where('project_id', '=', id).execute(),
    ctx.db
      .selectFrom('audience_options')
      .select(['facebook_active', 'fulcrum_active'])
      .where('project_id', '=', id)
      .executeTakeFirst(),
  ])
  return there.map(({ channel }) => channel).filter((channel) => options?.[`${channel}_active`] !== 1)
}

export const offerHandlers: HandlersOf<typeof offerCalls> = {
  async 'offer.list'(ctx) {
    const { id } = await seenProject(ctx, ctx.input.id)
    return { ...(await offers.page(ctx, ctx.input)), ...(await runningOf(ctx, id)), disabled: await disabledOf(ctx, id) }
  },
  'offer.get': async (ctx) => ({ data: await offers.get(ctx, ctx.input.id) }),
}
