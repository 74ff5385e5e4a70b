import { sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions, PARTNER_RULES } from '../../contract/access.ts'
import type { Partner, partnerCalls } from '../../contract/partner.ts'
import { change } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import type { HandlersOf } from '../core/handler.ts'
import { matches, offsetOf } from '../core/listing.ts'
import { must, notFound } from '../core/refusal.ts'
import { refuseTakenName } from '../domain/names.ts'

const PROJECTS = sql<number>`(select count(distinct project_partners.project_id) from project_partners join projects on projects.id = project_partners.project_id where project_partners.partner_id = partners.id and projects.deleted_at is null)`
const PROFFERS = sql<number>`(select count(*) from proffers join projects on projects.id = proffers.project_id where proffers.partner_id = partners.id and projects.deleted_at is null)`
/** Projects that are being priced and have no answer of this partner in their current round. */
const AWAITED = sql<number>`(select count(*) from project_partners asked join projects on projects.id = asked.project_id and projects.quote_round = asked.round
  where asked.partner_id = partners.id and projects.deleted_at is null and projects.status in ('requirements', 'pricing')
  and not exists (select 1 from proffers answer where answer.project_id = asked.project_id and answer.partner_id = asked.partner_id and answer.round = asked.round))`
type ListQuery = z.output<(typeof partnerCalls)['partner.list']['input']>
type Fields = z.output<(typeof partnerCalls)['partner.create']['input']>

const partnersOf = (ctx: Ctx) =>
  ctx.db
    .selectFrom('partners')
    .where('partners.deleted_at', 'is', null)
    .select([
      'id',
      'name',
      'email',
      'phone',
      'created_at',
      'updated_at',
      'lock_version',
      PROJECTS.as('projects_count'),
      PROFFERS.as('proffers_count'),
      AWAITED.as('awaited'),
    ])

function shown(
  ctx: Ctx,
  row: Awaited<ReturnType<ReturnType<typeof partnersOf>['executeTakeFirstOrThrow']>>,
): z.input<typeof Partner> {
  const { awaited, ...partner } = row
  const { allowed_actions, refused_actions } = allowedActions(PARTNER_RULES, ctx.actor, { awaited: Number(awaited) })
  return {
    ...partner,
    company_name: partner.name,
    projects_count: Number(partner.projects_count),
    proffers_count: Number(partner.proffers_count),
    allowed_actions,
    refused_actions: refused_actions as Record<string, string>,
  }
}

/** One partner; throws 404. */
async function partnerOf(ctx: Ctx, id: number): Promise<z.input<typeof Partner>> {
  const row = await partnersOf(ctx).where('partners.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('This partner')
  return shown(ctx, row)
}

async function list(ctx: Ctx<ListQuery>) {
  const { input } = ctx
  const found = matches(ctx.house.database, ['partners.name', 'partners.email'], input.search)
  const by = {
    '': sql`lower(partners.name)`,
    name: sql`lower(partners.name)`,
    email: sql.ref('partners.email'),
    created_at: sql.ref('partners.created_at'),
    projects_count: PROJECTS,
    proffers_count: PROFFERS,
    id: sql.ref('partners.id'),
  }[input.column]
  const [{ count }, rows] = await Promise.all([
    ctx.db
      .selectFrom('partners')
      .where('deleted_at', 'is', null)
      .where(found)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    partnersOf(ctx)
      .where(found)
      .orderBy(by, input.order)
      .orderBy('partners.id', input.order)
      .limit(input.per_page)
      .offset(offsetOf(input))
      .execute(),
  ])
  return { data: rows.map((row) => shown(ctx, row)), count: Number(count), page: input.page }
}

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
  return { data: await partnerOf(ctx, id), message: 'Partner created.' }
}

const get = async (ctx: Ctx<{ id: number }>) => ({ data: await partnerOf(ctx, ctx.input.id) })

export const partnerHandlers: HandlersOf<typeof partnerCalls> = {
  'partner.list': list,
  'partner.listAll': list,
  async 'partner.dropdown'(ctx) {
    const data = await ctx.db
      .selectFrom('partners')
      .select(['id', 'name'])
      .where('deleted_at', 'is', null)
      .orderBy(sql`lower(name)`)
      .orderBy('id')
      .execute()
    return { data, count: data.length, page: 1 }
  },
  'partner.get': get,
  'partner.create': create,
  async 'partner.edit'(ctx) {
    const { id, lock_version, ...patch } = ctx.input
    if (patch.name !== undefined)
      await refuseTakenName(ctx, 'partners', { id, name: patch.name, was: (await partnerOf(ctx, id)).name })
    await change(ctx, 'partners', {
      subject: 'partner',
      id,
      patch,
      lock: lock_version,
      change: { noun: 'partner', audience: 'admin' },
    })
    return { data: await partnerOf(ctx, id), message: 'Partner updated.' }
  },
  async 'partner.remove'(ctx) {
    const { id } = ctx.input
    const row = await partnersOf(ctx).where('partners.id', '=', id).executeTakeFirst()
    if (!row) throw notFound('This partner')
    must(PARTNER_RULES['partner.remove'](ctx.actor, { awaited: Number(row.awaited) }))
    await change(ctx, 'partners', {
      subject: 'partner',
      id,
      patch: { deleted_at: ctx.now },
      change: { noun: 'partner', audience: 'admin', kind: 'drop' },
    })
    return { message: `${row.name} was deleted.` }
  },
  async 'partner.listOlder'(ctx) {
    const rows = await partnersOf(ctx)
      .where(matches(ctx.house.database, ['partners.name', 'partners.email'], ctx.input.search))
      .orderBy(sql`lower(partners.name)`)
      .orderBy('partners.id')
      .execute()
    return { data: { count: rows.length, data: rows.map((row) => shown(ctx, row)) } }
  },
  'partner.createOlder': create,
  'partner.getOlder': get,
}
