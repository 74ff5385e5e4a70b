import type { z } from 'zod'
import { parseAddress, STATES, zipFault } from '../../../contract/address.ts'
import type { Sentence } from '../../../contract/effectText.ts'
import { foldText, nameKey } from '../../../contract/foldText.ts'
import { count, counted } from '../../../contract/format.ts'
import type { locationCalls } from '../../../contract/location.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { quotedName, unchangedOf } from '../../../contract/writeEffects.ts'
import { change, drop } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { describeEffect } from '../../core/describeEffect.ts'
import { HttpError, invalid, notFound } from '../../core/errors.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { insertMany } from '../../db/connect.ts'
import { byText } from '../../db/foldedText.ts'
import { locked } from '../../db/locked.ts'
import { placeFolds } from '../../db/placeFolds.ts'
import { locationList } from './list.ts'
import { activitiesOf, addMembers, assertPlaces, dropMembers, emitGroups, type HeldGroup, heldGroups, idsOf } from './members.ts'
import { doubtOf, type PlaceColumns, placeColumns, type Where } from './placeColumns.ts'

type In<Id extends keyof typeof locationCalls> = z.output<(typeof locationCalls)[Id]['input']>
type Fields = Omit<In<'location.edit'>, 'id' | 'lock_version'>

/** Throws a 422 for one coordinate without the other. */
function refuseHalf({ latitude, longitude }: Pick<Where, 'latitude' | 'longitude'>, sent: Fields): void {
  if ((latitude === null) === (longitude === null)) return
  throw invalid(sent.longitude === undefined || longitude === null ? 'longitude' : 'latitude', MESSAGES.bothCoordinates)
}

/** Splits a one-line address into its parts, unless the parts were sent too. */
function takenApart(sent: Fields): Partial<Where> {
  const { address, city, state, zip } = sent
  if (address === undefined || city || state || zip) return {}
  const parts = parseAddress(address)
  if (!parts.street || !(parts.zip || parts.state)) return {}
  return { address: parts.street, city: parts.city, state: parts.state, zip: parts.zip }
}

/** Warnings about a saved place. */
function warningsOf({ state, zip }: PlaceColumns, same: readonly { name: string }[]): string[] {
  const wrongZip = zipFault(zip)
  return [
    ...(state && !(state in STATES) ? [`“${state}” is not a state.`] : []),
    ...(wrongZip ? [`${wrongZip}.`] : []),
    ...(same[0] ? [`“${same[0].name}” is at this address.`] : []),
  ]
}

/** Other places with an address, oldest first. */
async function sameAddress(ctx: Ctx, key: string, id: number): Promise<{ id: number; name: string }[]> {
  if (!key) return []
  return ctx.db
    .selectFrom('places')
    .select(['id', 'name'])
    .where('address_key', '=', key)
    .where('id', '!=', id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(10)
    .execute()
}

/** The ids of groups that a write's `group` names; undefined if they are the place's current ones. */
async function wantedGroups(ctx: Ctx, was: string, sent: Fields['group']): Promise<number[] | undefined> {
  if (sent === undefined) return undefined
  const text = String(sent ?? '').trim()
  if (text === was) return undefined
  if (!text) return []
  const groups = ctx.tx.selectFrom('location_groups').select(['id', 'name']).where('deleted_at', 'is', null)
  const byId = /^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 31 ? await groups.where('id', '=', Number(text)).execute() : []
  const alike = byId.length ? [] : await groups.where(byText(ctx.tx, 'name'), '=', foldText(text)).execute()
  const found = byId.length ? byId : alike.filter(({ name }) => nameKey(name) === nameKey(text))
  if (!found.length) throw invalid('group', `There is no location group called “${text}”.`)
  if (found.length > 1) throw invalid('group', `Several location groups are called “${text}”: send an ID.`)
  return [found[0]!.id]
}

/** Makes these a place's only groups. */
async function setGroups(ctx: Ctx, place_id: number, wanted: readonly number[]): Promise<void> {
  const mine = await ctx.tx
    .selectFrom('location_group_places as m')
    .innerJoin('location_groups as g', 'g.id', 'm.group_id')
    .select('m.group_id')
    .where('m.place_id', '=', place_id)
    .where('g.deleted_at', 'is', null)
    .execute()
  const now = new Set(mine.map((row) => row.group_id))
  const gone = [...now].filter((id) => !wanted.includes(id))
  const added = [...new Set(wanted)].filter((id) => !now.has(id))
  const groups = await heldGroups(ctx, [...gone, ...added])
  for (const id of gone) await dropMembers(ctx, id, [place_id])
  for (const id of added) await addMembers(ctx, id, [place_id])
  if (!groups.length) return
  const names = (ids: readonly number[]) => groups.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  await ctx.record({
    subject: 'location',
    subject_id: place_id,
    before: { groups: names(gone) },
    after: { groups: names(added) },
  })
  emitGroups(
    ctx,
    groups,
    await activitiesOf(
      ctx,
      groups.map(({ id }) => id),
    ),
  )
}

/** The response of a write: the place, and warnings about it. */
async function writtenPlace(ctx: Ctx, id: number, message: Sentence, doubt: string | null) {
  const data = await locationList.get(ctx, id)
  const { address_key } = await locationList.row(ctx, id)
  const same = await sameAddress(ctx, address_key, id)
  return { data, message, same, warnings: [...(doubt ? [doubt] : []), ...warningsOf({ ...data, address_key }, same)] }
}

/** Adds a place, in either spelling. */
export async function createPlace(ctx: Ctx<In<'location.create'>>) {
  const { name, group, group_ids } = ctx.input
  const sent: Fields = ctx.input
  const where: Where = {
    address: ctx.input.address,
    city: ctx.input.city ?? '',
    state: ctx.input.state ?? '',
    zip: ctx.input.zip ?? '',
    latitude: ctx.input.latitude ?? null,
    longitude: ctx.input.longitude ?? null,
    ...takenApart(sent),
  }
  refuseHalf(where, sent)
  const named = await wantedGroups(ctx as Ctx, '', group)
  const columns = await placeColumns(where)
  const { id } = await ctx.tx
    .insertInto('places')
    .values(
      onlyColumns('places', {
        name,
        ...columns,
        ...placeFolds({ name, ...columns }),
        deleted_at: null,
        created_at: ctx.now,
        updated_at: ctx.now,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  const { address_key: _, dma: __, ...fields } = columns
  await ctx.record({ subject: 'location', subject_id: id, after: { name, ...fields } })
  ctx.emit({ noun: 'location', id, audience: 'admin' })
  const groups = [...new Set([...(group_ids ?? []), ...(named ?? [])])]
  if (groups.length) await setGroups(ctx as Ctx, id, groups)
  return writtenPlace(ctx as Ctx, id, describeEffect(ctx, 'location.create', { noun: 'location' }), await doubtOf(where))
}

/** Changes a place, in either spelling. */
export async function editPlace(ctx: Ctx<In<'location.edit'>>) {
  const { id, lock_version, group, ...sent } = ctx.input
  const query = ctx.tx.selectFrom('places').selectAll().where('id', '=', id).where('deleted_at', 'is', null)
  const was = await locked(ctx.services.database, query).executeTakeFirst()
  if (!was) throw notFound('This location')
  const shown = await locationList.get(ctx, id)
  const { name, ...where } = { ...sent, ...(sent.address === was.address ? {} : takenApart(sent)) }
  const exact = was.position === 'exact'
  // An approximate position is looked up again, because the one that was read isn't its own coordinates.
  const own = (field: 'latitude' | 'longitude') => {
    const value = where[field]
    if (value === undefined || (!exact && value === was[field])) return exact ? was[field] : null
    return value
  }
  const wanted: Where = {
    address: where.address ?? was.address,
    city: where.city ?? was.city,
    state: where.state ?? was.state,
    zip: where.zip ?? was.zip,
    latitude: own('latitude'),
    longitude: own('longitude'),
  }
  refuseHalf(wanted, sent)
  const named = await wantedGroups(ctx as Ctx, shown.group, group)
  // An unchanged edit writes nothing, not even a position that another release would look up differently.
  const isSame = (Object.keys(wanted) as (keyof Where)[]).every(
    (field) =>
      wanted[field] === was[field] || (!exact && (field === 'latitude' || field === 'longitude') && wanted[field] === null),
  )
  await change(ctx as Ctx, 'places', {
    subject: 'location',
    id,
    patch: { ...(name === undefined ? {} : { name }), ...(isSame ? {} : await placeColumns(wanted)) },
    also: placeFolds({ ...wanted, name: name ?? was.name }),
    lock: lock_version,
    change: { noun: 'location', audience: 'admin' },
  })
  if (named) await setGroups(ctx as Ctx, id, named)
  if (!isSame) await emitGroupsOf(ctx as Ctx, [id])
  return writtenPlace(
    ctx as Ctx,
    id,
    describeEffect(ctx, 'location.edit', { noun: 'location' }),
    isSame ? null : await doubtOf(wanted),
  )
}

/** The groups that contain places, with the activities that target them. */
async function groupsHolding(ctx: Ctx, place_ids: readonly number[]) {
  const ids = new Set<number>()
  for (let at = 0; at < place_ids.length; at += 500) {
    const rows = await ctx.tx
      .selectFrom('location_group_places as m')
      .innerJoin('location_groups as g', 'g.id', 'm.group_id')
      .select('m.group_id')
      .distinct()
      .where('m.place_id', 'in', place_ids.slice(at, at + 500))
      .where('g.deleted_at', 'is', null)
      .execute()
    for (const { group_id } of rows) ids.add(group_id)
  }
  const groups = await heldGroups(ctx, [...ids])
  return { groups, activities: await activitiesOf(ctx, [...ids]) }
}
async function emitGroupsOf(ctx: Ctx, place_ids: readonly number[]): Promise<void> {
  const { groups, activities } = await groupsHolding(ctx, place_ids)
  emitGroups(ctx, groups, activities)
}

/** Deletes places softly and removes them from their groups, in the same change set. */
export async function removePlaces(ctx: Ctx<In<'location.remove'>>) {
  const ids = idsOf(ctx.input.id, ctx.input.ids, 'id', MESSAGES.chooseLocation)
  await assertPlaces(ctx as Ctx, ids)
  const first = await locationList.row(ctx, ids[0]!)
  const { groups, activities } = await groupsHolding(ctx as Ctx, ids)
  await dropPlaces(ctx as Ctx, ids)
  emitGroups(ctx as Ctx, groups, activities)
  const facts = ids.length === 1 ? { name: first.name } : ({ count: ids.length, noun: 'location' } as const)
  return {
    message: describeEffect(ctx, 'location.remove', facts),
    data: { locations: ids.length, groups: groups.length, activities: activities.length },
  }
}

async function dropPlaces(ctx: Ctx, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += 500)
    await ctx.tx
      .deleteFrom('location_group_places')
      .where('place_id', 'in', ids.slice(at, at + 500))
      .execute()
  for (const id of ids) await drop(ctx, 'places', { subject: 'location', id, change: { noun: 'location', audience: 'admin' } })
}

/** Adds each place to every group. */
export async function addToGroups(ctx: Ctx<In<'location.addToGroups'>>) {
  const ids = [...new Set(ctx.input.location_ids)]
  await assertPlaces(ctx as Ctx, ids)
  const groups = await heldGroups(ctx as Ctx, ctx.input.group_ids)
  const changed: HeldGroup[] = []
  let added = 0
  for (const group of groups) {
    const more = await addMembers(ctx as Ctx, group.id, ids)
    if (!more) continue
    added += more
    changed.push(group)
    await ctx.record({ subject: 'group', subject_id: group.id, after: { added: more } })
  }
  const activities = await activitiesOf(
    ctx as Ctx,
    changed.map(({ id }) => id),
  )
  emitGroups(ctx as Ctx, changed, activities)
  const rest = ` to ${groups.length === 1 ? quotedName(groups[0]!.name) : counted(groups.length, 'location group')}`
  return {
    message: added
      ? describeEffect(ctx, 'location.addToGroups', { count: ids.length, noun: 'location', rest })
      : unchangedOf('location.addToGroups'),
    data: { added, unchanged: ids.length * groups.length - added, activities: activities.length },
  }
}

/** The most duplicates that one write merges. */
const MOST_MERGED = 2000

/** Merges places: the oldest of each address remains, or a named one replaces all. */
export async function mergePlaces(ctx: Ctx<In<'location.merge'>>) {
  const clusters = await clustersOf(ctx as Ctx)
  const pairs = clusters.flatMap(({ kept, gone }) => gone.map((id) => ({ kept, id })))
  if (pairs.length > MOST_MERGED) {
    const sentence = `At most ${counted(MOST_MERGED, 'repeat')} can be merged at once: these are ${count(pairs.length)}.`
    throw new HttpError(422, 'invalid', sentence, { fields: { ids: sentence } })
  }
  if (!pairs.length) throw invalid('ids', 'None of these locations share an address.')
  const gone = pairs.map(({ id }) => id)
  const keptOf = new Map(pairs.map(({ id, kept }) => [id, kept]))
  const { groups, activities } = await groupsHolding(ctx as Ctx, gone)
  const links = await linksOfPlaces(ctx as Ctx, [...gone, ...clusters.map(({ kept }) => kept)])
  const there = new Set(links.map(({ place_id, group_id }) => `${place_id} ${group_id}`))
  const moved = links.flatMap(({ place_id, ...link }) => {
    const keptId = keptOf.get(place_id)
    const key = `${keptId} ${link.group_id}`
    if (keptId === undefined || there.has(key)) return []
    there.add(key)
    return [{ ...link, place_id: keptId }]
  })
  await insertMany(ctx.tx, 'location_group_places', moved)
  for (const { kept, gone } of clusters) {
    await ctx.tx
      .updateTable('activities')
      .set({ location_id: kept, updated_at: ctx.now })
      .where('location_id', 'in', gone)
      .execute()
    await ctx.record({ subject: 'location', subject_id: kept, after: { merged: gone } })
    ctx.emit({ noun: 'location', id: kept, audience: 'admin' })
  }
  await dropPlaces(ctx as Ctx, gone)
  emitGroups(ctx as Ctx, groups, activities)
  const skipped = (ctx.input.ids?.length ?? 0) && ctx.input.ids!.length - gone.length - clusters.length
  return {
    message: describeEffect(ctx, 'location.merge', {
      ...{ count: gone.length, words: ['repeat', 'repeats'] },
      rest: ` into ${counted(clusters.length, 'location')}`,
    }),
    data: {
      merged: gone.length,
      kept: clusters.length,
      groups: groups.length,
      skipped: Math.max(0, skipped),
      kept_ids: clusters.map(({ kept }) => kept),
    },
  }
}

interface Cluster {
  kept: number
  gone: number[]
}
/** The places to merge: all into a named one, else those that share an address. */
async function clustersOf(ctx: Ctx): Promise<Cluster[]> {
  const { ids: sentIds, into_id, all, group_id } = ctx.input as In<'location.merge'>
  if (into_id !== undefined) {
    const gone = [...new Set(sentIds)].filter((id) => id !== into_id)
    await assertPlaces(ctx, [into_id, ...gone])
    return gone.length ? [{ kept: into_id, gone }] : []
  }
  const ids = all
    ? await locationList.ids(ctx, {
        search: '',
        column: 'id',
        order: 'asc',
        state: '',
        position: '',
        repeated: 'yes',
        group_id,
        client_id: undefined,
      })
    : idsOf(undefined, sentIds, 'ids', MESSAGES.chooseLocation)
  const rows: { id: number; address_key: string; created_at: string }[] = []
  for (let at = 0; at < ids.length; at += 500)
    rows.push(
      ...(await ctx.tx
        .selectFrom('places')
        .select(['id', 'address_key', 'created_at'])
        .where('id', 'in', ids.slice(at, at + 500))
        .where('deleted_at', 'is', null)
        .execute()),
    )
  const strange = all ? undefined : ids.find((id) => !rows.some((row) => row.id === id))
  if (strange !== undefined) throw notFound(`Location ${strange}`)
  const alike = Map.groupBy(
    rows.filter((row) => row.address_key),
    (row) => row.address_key,
  )
  return [...alike.values()]
    .filter((cluster) => cluster.length > 1)
    .map((cluster) => {
      const [oldest, ...gone] = cluster.sort((a, b) =>
        a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : a.id - b.id,
      )
      return { kept: oldest!.id, gone: gone.map(({ id }) => id) }
    })
}

async function linksOfPlaces(ctx: Ctx, place_ids: readonly number[]) {
  const links = []
  for (let at = 0; at < place_ids.length; at += 500)
    links.push(
      ...(await ctx.tx
        .selectFrom('location_group_places')
        .selectAll()
        .where('place_id', 'in', place_ids.slice(at, at + 500))
        .execute()),
    )
  return links
}
