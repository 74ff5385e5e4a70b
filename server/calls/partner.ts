import type { partnerCalls } from '../../contract/partner.ts'
import { describeEffect } from '../core/describeEffect.ts'
import type { HandlersOf } from '../core/handler.ts'
import { crud } from '../domain/crud.ts'
import { partnerList } from '../domain/partner/list.ts'
import { mergePartner } from '../domain/partner/merge.ts'

const partners = crud('partner', {
  table: 'partners',
  list: partnerList,
  event: () => ({ audience: 'admin' }),
  usual: () => ({ email: '', phone: '', contact: '', notes: '' }),
})

export const partnerHandlers: HandlersOf<typeof partnerCalls> = {
  ...partners,
  'partner.dropdown': (ctx) => partnerList.dropdown(ctx),
  async 'partner.merge'(ctx) {
    const { id, into_id } = ctx.input
    const { name } = await partnerList.row(ctx, id)
    const moved = await mergePartner(ctx, id, into_id)
    const data = await partnerList.get(ctx, into_id)
    return { data, moved, message: describeEffect(ctx, 'partner.merge', { name, rest: ` into “${data.name}” (${data.id})` }) }
  },
  async 'partner.listOlder'(ctx) {
    const ids = await partnerList.ids(ctx, { ...ctx.input, column: '', order: 'asc' })
    const data = [...(await partnerList.shown(ctx, await partnerList.rows(ctx, ids)))]
    return { data: { count: data.length, data } }
  },
}
