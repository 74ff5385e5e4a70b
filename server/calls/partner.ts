import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions, verdictOn } from '../../contract/access.ts'
import type { Partner, partnerCalls } from '../../contract/partner.ts'
import { change } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { assertAllowed } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { listOf } from '../core/list.ts'
import { refuseTakenName } from '../domain/names.ts'

const PROJECTS = sql<number>`(select count(distinct project_partners.project_id) from project_partners join projects on projects.id = project_partners.project_id where project_partners.partner_id = partners.id and projects.deleted_at is null)`
const PROFFERS = sql<number>`(select count(*) from proffers join projects on projects.id = proffers.project_id where proffers.partner_id = partners.id and proffers.state = 'sent' and projects.deleted_at is null)`
/** Projects being priced that lack this partner's answer in their current round. */
const AWAITED = sql<number>`(select count(*) from project_partners asked join projects on projects.id = asked.project_id and projects.quote_round = asked.round
  where asked.partner_id = partners.id and asked.revoked_at is null and projects.deleted_at is null and projects.status in ('requirements', 'pricing')
  and not exists (select 1 from proffers answer where answer.project_id = asked.project_id and answer.partner_id = asked.partner_id and answer.round = asked.round and answer.state = 'sent'))`
type Filter = Pick<z.output<(typeof partnerCalls)['partner.list']['input']>, 'search' | 'column' | 'order'>
type Fields = z.output<(typeof partnerCalls)['partner.create']['input']>
type Shown = z.input<typeof Partner>
type Row = Omit<Shown, 'company_name' | 'allowed_actions' | 'refused_actions'> & { awaited: number }

/** The channel partners with their workload. */
const partnerList = listOf<'partner', Filter, Row, Shown>('partner', {
  table: 'partners',
  scope: () => sql<SqlBool>`partners.deleted_at is null`,
  columns: () => ({ projects_count: PROJECTS, proffers_count: PROFFERS }),
  also: () => [sql`partners.updated_at`, sql`partners.lock_version`, sql`${AWAITED} as awaited`],
  shown: ({ actor }, rows) =>
    rows.map(({ awaited, ...partner }) => {
      const { allowed_actions, refused_actions } = allowedActions('partner', actor, { awaited: Number(awaited) })
      return {
        ...partner,
        company_name: partner.name,
        allowed_actions,
        refused_actions: refused_actions as Record<string, string>,
      }
    }),
})

async function create(ctx: Ctx<Fields>) {
  const { name, email = '', phone = '' } = ctx.input
  await refuseTakenName(ctx, 'partners', { name })
  const { id } = await ctx.tx
    .insertInto('partners')
    .values({ name, email, phone, created_at: ctx.now, updated_at: ctx.now, deleted_at: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.record({ subject: 'partner', subject_id: id, after: { name, email, phone } })
  ctx.emit({ noun: 'partner', id, audience: 'admin' })
  return { data: await partnerList.get(ctx, id), message: 'Partner created.' }
}

const get = async (ctx: Ctx<{ id: number }>) => ({ data: await partnerList.get(ctx, ctx.input.id) })

export const partnerHandlers: HandlersOf<typeof partnerCalls> = {
  'partner.list': (ctx) => partnerList.page(ctx, ctx.input),
  'partner.listAll': (ctx) => partnerList.page(ctx, ctx.input),
  'partner.dropdown': (ctx) => partnerList.dropdown(ctx),
  'partner.get': get,
  'partner.create': create,
  async 'partner.edit'(ctx) {
    const { id, lock_version, ...patch } = ctx.input
    if (patch.name !== undefined)
      await refuseTakenName(ctx, 'partners', { id, name: patch.name, was: (await partnerList.get(ctx, id)).name })
    await change(ctx, 'partners', {
      subject: 'partner',
      id,
      patch,
      lock: lock_version,
      change: { noun: 'partner', audience: 'admin' },
    })
    return { data: await partnerList.get(ctx, id), message: 'Partner updated.' }
  },
  async 'partner.remove'(ctx) {
    const { id } = ctx.input
    const row = await partnerList.row(ctx, id)
    assertAllowed(verdictOn('partner.remove', ctx.actor, { awaited: Number(row.awaited) }))
    await change(ctx, 'partners', {
      subject: 'partner',
      id,
      patch: { deleted_at: ctx.now },
      change: { noun: 'partner', audience: 'admin', kind: 'drop' },
    })
    return { message: `${row.name} was deleted.` }
  },
  async 'partner.listOlder'(ctx) {
    const ids = await partnerList.ids(ctx, { search: ctx.input.search, column: '', order: 'asc' })
    const data = [...(await partnerList.shown(ctx, await partnerList.rows(ctx, ids)))]
    return { data: { count: data.length, data } }
  },
  'partner.createOlder': create,
  'partner.getOlder': get,
}
