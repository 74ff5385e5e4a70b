import type { z } from 'zod'
import { denialOf } from '../../contract/access.ts'
import type { partnerCalls } from '../../contract/partner.ts'
import { change } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { assertAllowed } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { refuseTakenName } from '../domain/names.ts'
import { partnerList } from '../domain/partner/list.ts'
import { mergePartner } from '../domain/partner/merge.ts'

type Fields = z.output<(typeof partnerCalls)['partner.create']['input']>

async function create(ctx: Ctx<Fields>) {
  const { name, email = '', phone = '', contact = '', notes = '' } = ctx.input
  await refuseTakenName(ctx, 'partner', { name })
  const { id } = await ctx.tx
    .insertInto('partners')
    .values({ name, email, phone, contact, notes, created_at: ctx.now, updated_at: ctx.now, deleted_at: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.record({ subject: 'partner', subject_id: id, after: { name, email, phone, contact, notes } })
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
      await refuseTakenName(ctx, 'partner', { id, name: patch.name, was: (await partnerList.get(ctx, id)).name })
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
    assertAllowed(denialOf('partner.remove', ctx.actor, { awaited: row.open_count }))
    await change(ctx, 'partners', {
      subject: 'partner',
      id,
      patch: { deleted_at: ctx.now },
      change: { noun: 'partner', audience: 'admin', kind: 'drop' },
    })
    return { message: `${row.name} was deleted.` }
  },
  async 'partner.merge'(ctx) {
    const { id, into_id } = ctx.input
    const { name } = await partnerList.row(ctx, id)
    const moved = await mergePartner(ctx, id, into_id)
    const data = await partnerList.get(ctx, into_id)
    return { data, moved, message: `${name} was merged into ${data.name} (${data.id})` }
  },
  async 'partner.listOlder'(ctx) {
    const ids = await partnerList.ids(ctx, { ...ctx.input, column: '', order: 'asc' })
    const data = [...(await partnerList.shown(ctx, await partnerList.rows(ctx, ids)))]
    return { data: { count: data.length, data } }
  },
  'partner.createOlder': create,
  'partner.getOlder': get,
}
