import type { z } from 'zod'
import { normalizeAddress, parseAddress } from '../../../contract/address.ts'
import { foldText, nameKey } from '../../../contract/fold.ts'
import type { locationCalls } from '../../../contract/location.ts'
import type { Ctx } from '../../core/context.ts'
import { engineOf } from '../../db/connect.ts'
import { foldedName } from './list.ts'

type Input = z.output<(typeof locationCalls)['location.find']['input']>
/** The most candidates for one line. */
const MOST = 10

/** Looks up pasted lines: an ID ("P-7001"), an address in one line, or a place's exact name. */
export async function findLines(ctx: Ctx<Input>) {
  const lines = ctx.input.lines.map((line) => line.trim()).filter(Boolean)
  const queries = lines.map((line) => {
    const parts = parseAddress(line)
    const id = /^(?:P-)?([1-9]\d{0,8})$/i.exec(line)
    return { line, parts, id: id ? Number(id[1]) : null, key: normalizeAddress(parts.street, parts.zip) }
  })
  const found = await candidates(ctx as Ctx, queries)
  const inside = await membersAmong(
    ctx as Ctx,
    ctx.input.group_id,
    [...found.values()].flat().map(({ id }) => id),
  )
  const data = queries.map(({ line, parts }) => {
    const locations = (found.get(line) ?? []).slice(0, MOST).map((place) => ({ ...place, in_group: inside.has(place.id) }))
    return { line, parts, locations, found: (['none', 'one'] as const)[locations.length] ?? ('several' as const) }
  })
  return { data, count: data.length }
}

interface PlaceQuery {
  line: string
  id: number | null
  key: string
}
interface Candidate {
  id: number
  name: string
  address: string
}

/** The places that each line may refer to: by ID, by address with and without ZIP, or by name. */
async function candidates(ctx: Ctx, queries: readonly PlaceQuery[]): Promise<Map<string, Candidate[]>> {
  const found = new Map<string, Candidate[]>()
  const places = ctx.db
    .selectFrom('places')
    .select(['id', 'name', 'address', 'city', 'address_key'])
    .where('deleted_at', 'is', null)
  const put = (line: string, { id, name, address, city }: Candidate & { city: string }) => {
    const mine = found.get(line) ?? []
    if (mine.some((place) => place.id === id)) return
    found.set(line, [...mine, { id, name, address: [address, city].filter(Boolean).join(', ') }])
  }
  for (let at = 0; at < queries.length; at += 200) {
    const some = queries.slice(at, at + 200)
    const ids = some.flatMap(({ id }) => id ?? [])
    const keys = some.flatMap(({ key }) => (key ? [key] : []))
    const [byId, byKey, byName] = await Promise.all([
      ids.length ? places.where('id', 'in', ids).execute() : [],
      keys.length ? places.where('address_key', 'in', keys).orderBy('id').execute() : [],
      places
        .where((eb) =>
          eb(
            foldedName(engineOf(ctx.db)),
            'in',
            some.map(({ line }) => foldText(line)),
          ),
        )
        .orderBy('id')
        .execute(),
    ])
    for (const one of some) {
      for (const place of byId) if (place.id === one.id) put(one.line, place)
      for (const place of byKey) if (one.key && place.address_key === one.key) put(one.line, place)
      for (const place of byName) if (nameKey(place.name) === nameKey(one.line)) put(one.line, place)
      // A street without a ZIP matches its places in any ZIP.
      if (found.has(one.line) || !one.key.endsWith('|') || one.key.length < 4) continue
      const like = places.where('address_key', '>', one.key).where('address_key', '<', `${one.key}~`)
      for (const place of await like.orderBy('id').limit(MOST).execute()) put(one.line, place)
    }
  }
  return found
}

async function membersAmong(ctx: Ctx, group_id: number | undefined, ids: readonly number[]): Promise<Set<number>> {
  const inside = new Set<number>()
  if (group_id === undefined) return inside
  for (let at = 0; at < ids.length; at += 500) {
    const rows = await ctx.db
      .selectFrom('location_group_places')
      .select('place_id')
      .where('group_id', '=', group_id)
      .where('place_id', 'in', ids.slice(at, at + 500))
      .execute()
    for (const { place_id } of rows) inside.add(place_id)
  }
  return inside
}
