import { type locationCalls, olderLocation } from '../../contract/location.ts'
import type { Ctx } from '../core/context.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { findLines } from '../domain/place/find.ts'
import { locationList, locationPage, locationPoints } from '../domain/place/list.ts'
import { addToGroups, createPlace, editPlace, mergePlaces, removePlaces } from '../domain/place/write.ts'

/** The id of the group that the older list's `group` names, by id or exact name. */
async function groupNamed(ctx: Ctx, text: string): Promise<number> {
  const query = ctx.db.selectFrom('location_groups').select('id').where('deleted_at', 'is', null).orderBy('id')
  const byId = /^[1-9]\d{0,8}$/.test(text) ? await query.where('id', '=', Number(text)).executeTakeFirst() : undefined
  const found = byId ?? (await query.where('name', '=', text).executeTakeFirst())
  return found?.id ?? 0
}

/** Places, in both spellings of the API. */
export const locationHandlers: HandlersOf<typeof locationCalls> = {
  'location.list': (ctx) => locationPage(ctx as Ctx, ctx.input),
  async 'location.listOlder'(ctx) {
    const { group, ...listFilter } = ctx.input
    const group_id = group ? await groupNamed(ctx as Ctx, group) : undefined
    const filter = { ...listFilter, group_id, client_id: undefined, state: '', position: '' as const, repeated: '' as const }
    const { data, count } = await locationList.page(ctx, filter)
    return { data: { count, locations: data.map(olderLocation) } }
  },
  'location.dropdown': (ctx) => locationList.dropdown(ctx),
  'location.points': locationPoints,
  'location.find': ownTransaction({ noKey: 'it stores nothing' }, findLines),
  'location.get': async (ctx) => ({ data: await locationList.get(ctx, ctx.input.id) }),
  'location.create': createPlace,
  'location.edit': editPlace,
  'location.remove': removePlaces,
  'location.addToGroups': addToGroups,
  'location.merge': mergePlaces,
}
