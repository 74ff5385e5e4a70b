import { sql } from 'kysely'
import type { z } from 'zod'
import type { clientCalls } from '../../../contract/client.ts'
import type { locationGroupCalls } from '../../../contract/locationGroup.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { quotedName } from '../../../contract/writeEffects.ts'
import { add, change, drop } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { describeEffect } from '../../core/describeEffect.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { changed } from '../../core/input.ts'
import { insertMany } from '../../db/connect.ts'
import { refuseTakenName } from '../names.ts'
import { linkGroups } from './activityGroups.ts'
import { groupDetail } from './groupList.ts'
import {
  activitiesOf,
  addMembers,
  assertPlaces,
  dropMembers,
  emitGroups,
  type HeldGroup,
  heldGroup,
  heldGroups,
  idsOf,
  liveOf,
  membersLine,
  placesIn,
  refuseTooMany,
  sizeOf,
  type Targeting,
} from './members.ts'

type In<Id extends keyof typeof locationGroupCalls> = z.output<(typeof locationGroupCalls)[Id]['input']>
type Rename = z.output<(typeof clientCalls)['client.editLocationGroup']['input']>

/** The response of a change to a group's places. */
const effectOf = (changed: number, unchanged: number, activities: readonly Targeting[], locations: number) => ({
  changed,
  unchanged,
  activities: activities.length,
  locations,
  live: liveOf(activities),
})

/** Adds a group to a client that isn't deleted; returns it. */
export async function makeGroup(ctx: Ctx, client_id: number, name: string): Promise<HeldGroup> {
  const client = await ctx.tx
    .selectFrom('clients')
    .select('id')
    .where('id', '=', client_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!client) throw notFound('This client')
  await refuseTakenName(ctx, 'group', { name, client_id })
  const change = { noun: 'group', client_id, audience: 'admin' } as const
  const id = await add(ctx, 'location_groups', { subject: 'group', values: { name, client_id }, change })
  return { id, name, client_id }
}

/** Adds a group, its locations and its link to an activity. */
export async function createGroup(ctx: Ctx<In<'group.create'>>) {
  const { client_id, location_ids, activity_id } = ctx.input
  const name = changed('', ctx.input as { name?: string; location_name?: string }, ['name', 'location_name'])
  if (!name) throw invalid('name', MESSAGES.groupName)
  const group = await makeGroup(ctx as Ctx, client_id, name)
  if (location_ids?.length) {
    const ids = [...new Set(location_ids)]
    await assertPlaces(ctx as Ctx, ids)
    await addMembers(ctx as Ctx, group.id, ids)
  }
  if (activity_id) await linkGroups(ctx as Ctx, [activity_id], [group.id])
  return { data: await groupDetail(ctx as Ctx, group.id), message: describeEffect(ctx, 'group.create', { noun: 'group' }) }
}

/** Renames a location group; a `client_id` other than its own is refused. */
export async function editGroup(ctx: Ctx<In<'group.edit'> | Rename>) {
  const { client_id, lock_version } = ctx.input
  const id = ctx.input.location_group_id ?? ctx.input.id
  if (!id) throw invalid('location_group_id', 'location_group_id is required')
  const group = await heldGroup(ctx as Ctx, id)
  if (client_id && group.client_id !== client_id) throw invalid('client_id', 'A group stays with its client.')
  const name = changed(group.name, ctx.input as { name?: string; location_name?: string }, ['name', 'location_name'])
  if (name === undefined) throw invalid('name', MESSAGES.groupName)
  await refuseTakenName(ctx as Ctx, 'group', { id, name, was: group.name, client_id: group.client_id })
  await change(ctx as Ctx, 'location_groups', {
    subject: 'group',
    id,
    patch: { name },
    lock: lock_version,
    change: { noun: 'group', client_id: group.client_id, audience: 'admin' },
  })
  return { data: await groupDetail(ctx as Ctx, id), message: describeEffect(ctx, 'group.edit', { noun: 'group' }) }
}

/** Deletes groups softly, but keeps their places and links for an undo. */
export async function removeGroups(ctx: Ctx<In<'group.remove'>>) {
  const ids = idsOf(ctx.input.id ?? ctx.input.location_group_id, ctx.input.ids, 'id', MESSAGES.chooseGroup)
  const groups = await heldGroups(ctx as Ctx, ids)
  const activities = await activitiesOf(ctx as Ctx, ids)
  const locations = await placesIn(ctx as Ctx, ids)
  for (const group of groups) await dropGroup(ctx as Ctx, group)
  emitGroups(ctx as Ctx, [], activities)
  const facts = groups.length === 1 ? { name: groups[0]!.name } : ({ count: groups.length, noun: 'group' } as const)
  return {
    message: describeEffect(ctx, 'group.remove', facts),
    data: { groups: groups.length, activities: activities.length, locations, live: liveOf(activities) },
  }
}

const dropGroup = (ctx: Ctx, { id, client_id }: HeldGroup) =>
  drop(ctx, 'location_groups', { subject: 'group', id, change: { noun: 'group', client_id, audience: 'admin' } })

/** Adds places to a group. */
export async function addLocations(ctx: Ctx<In<'group.addLocations'>>) {
  const { location_group_id, location_id, location_ids } = ctx.input
  const ids = idsOf(location_id, location_ids, 'location_id', MESSAGES.chooseLocation)
  const group = await heldGroup(ctx as Ctx, location_group_id)
  await assertPlaces(ctx as Ctx, ids)
  const before = await sizeOf(ctx as Ctx, group.id)
  const added = await addMembers(ctx as Ctx, group.id, ids)
  const activities = await activitiesOf(ctx as Ctx, [group.id])
  if (added) {
    await ctx.record(membersLine(group, before, before + added))
    emitGroups(ctx as Ctx, [group], activities)
  }
  const facts = { count: added, noun: 'location', rest: ` to “${group.name}”` } as const
  return {
    message: describeEffect(ctx, 'group.addLocations', facts),
    data: effectOf(added, ids.length - added, activities, before + added),
  }
}

/** Removes places from a group. */
export async function removeLocations(ctx: Ctx<In<'group.removeLocations'>>) {
  const { location_group_id, location_id, location_ids } = ctx.input
  const ids = idsOf(location_id, location_ids, 'location_id', MESSAGES.chooseLocation)
  const group = await heldGroup(ctx as Ctx, location_group_id)
  const before = await sizeOf(ctx as Ctx, group.id)
  const dropped = await dropMembers(ctx as Ctx, group.id, ids)
  const activities = await activitiesOf(ctx as Ctx, [group.id])
  if (dropped) {
    await ctx.record(membersLine(group, before, before - dropped))
    emitGroups(ctx as Ctx, [group], activities)
  }
  const facts = { count: dropped, noun: 'location', rest: ` “${group.name}”` } as const
  const message = describeEffect(ctx, 'group.removeLocations', facts)
  return { message, data: effectOf(dropped, ids.length - dropped, activities, before - dropped) }
}

/** Moves places from one group to another. */
export async function moveLocations(ctx: Ctx<In<'group.moveLocations'>>) {
  const { location_group_id, to_id, location_ids } = ctx.input
  if (location_group_id === to_id) throw invalid('to_id', 'Choose another location group')
  const [from, to] = (await heldGroups(ctx as Ctx, [location_group_id, to_id])) as [HeldGroup, HeldGroup]
  const wanted = [...new Set(location_ids)]
  const inside: number[] = []
  for (let at = 0; at < wanted.length; at += 500) {
    const rows = await ctx.tx
      .selectFrom('location_group_places')
      .select('place_id')
      .where('group_id', '=', from.id)
      .where('place_id', 'in', wanted.slice(at, at + 500))
      .execute()
    inside.push(...rows.map((row) => row.place_id))
  }
  const [left, right] = [await sizeOf(ctx as Ctx, from.id), await sizeOf(ctx as Ctx, to.id)]
  const added = await addMembers(ctx as Ctx, to.id, inside)
  await dropMembers(ctx as Ctx, from.id, inside)
  const activities = await activitiesOf(ctx as Ctx, [from.id, to.id])
  if (inside.length) {
    await ctx.record([membersLine(from, left, left - inside.length), ...(added ? [membersLine(to, right, right + added)] : [])])
    emitGroups(ctx as Ctx, [from, to], activities)
  }
  const facts = { count: inside.length, noun: 'location', rest: ` to ${quotedName(to.name)}` } as const
  const message = describeEffect(ctx as Ctx, 'group.moveLocations', facts)
  return { message, data: effectOf(inside.length, wanted.length - inside.length, activities, right + added) }
}

/** Merges groups of one client: duplicate addresses are dropped, and the merged groups deleted. */
export async function mergeGroups(ctx: Ctx<In<'group.merge'>>) {
  const { into_id } = ctx.input
  const others = [...new Set(ctx.input.ids)].filter((id) => id !== into_id)
  if (!others.length) throw invalid('ids', 'Choose another location group')
  const [into, ...merged] = (await heldGroups(ctx as Ctx, [into_id, ...others])) as [HeldGroup, ...HeldGroup[]]
  const strange = merged.find(({ client_id }) => client_id !== into.client_id)
  if (strange) throw invalid('ids', `“${strange.name}” belongs to another client.`)
  let total = 0
  for (const group of merged) {
    total += await sizeOf(ctx as Ctx, group.id)
    refuseTooMany(group.name, total)
  }
  const before = await sizeOf(ctx as Ctx, into_id)
  const activities = await activitiesOf(ctx as Ctx, [into_id, ...others])
  const { added, repeated } = await takeMembers(ctx as Ctx, into_id, others)
  await takeLinks(ctx as Ctx, into_id, others)
  for (const group of merged) await dropGroup(ctx as Ctx, group)
  await ctx.record({
    ...membersLine(into, before, before + added),
    after: { locations: before + added, merged: merged.map(({ name }) => name) },
  })
  emitGroups(ctx as Ctx, [into], activities)
  return {
    data: await groupDetail(ctx as Ctx, into_id),
    message: describeEffect(ctx, 'group.merge', { count: merged.length, noun: 'group', rest: ` into “${into.name}”` }),
    effect: { merged: merged.length, added, repeated, activities: activities.length, live: liveOf(activities) },
  }
}

/** Adds the places of groups to one, each address once; the first of the lowest group is kept. */
async function takeMembers(ctx: Ctx, into_id: number, from: readonly number[]): Promise<{ added: number; repeated: number }> {
  const { rows } = await sql<{ id: number; address_key: string; mine: number }>`
    select places.id, places.address_key, max(case when m.group_id = ${into_id} then 1 else 0 end) as mine
    from location_group_places m join places on places.id = m.place_id
    where m.group_id in (${sql.join([into_id, ...from])}) group by places.id, places.address_key order by places.id`.execute(
    ctx.tx,
  )
  const mine = rows.filter((row) => Number(row.mine))
  const keys = new Set(mine.map((row) => row.address_key))
  const added: number[] = []
  for (const row of rows) {
    if (Number(row.mine) || (row.address_key && keys.has(row.address_key))) continue
    keys.add(row.address_key)
    added.push(row.id)
  }
  await addMembers(ctx, into_id, added)
  return { added: added.length, repeated: rows.length - mine.length - added.length }
}

/** Links the activities of several groups to one. */
async function takeLinks(ctx: Ctx, into_id: number, from: readonly number[]): Promise<void> {
  const links = await ctx.tx
    .selectFrom('activity_location_groups')
    .select(['activity_id', 'group_id'])
    .where('group_id', 'in', [into_id, ...from])
    .execute()
  const there = new Set(links.filter(({ group_id }) => group_id === into_id).map(({ activity_id }) => activity_id))
  const ids = new Set(links.map(({ activity_id }) => activity_id).filter((id) => !there.has(id)))
  await insertMany(
    ctx.tx,
    'activity_location_groups',
    [...ids].map((activity_id) => ({ activity_id, group_id: into_id, linked_at: ctx.now, linked_by: ctx.actor.id })),
  )
}

/** Copies a group with its places, for the same client under another name, or for another client. */
export async function copyGroup(ctx: Ctx<In<'group.copy'>>) {
  const id = ctx.input.id ?? ctx.input.location_group_id
  if (!id) throw invalid('id', MESSAGES.chooseGroup)
  const group = await heldGroup(ctx as Ctx, id)
  refuseTooMany(group.name, await sizeOf(ctx as Ctx, id))
  const client_id = ctx.input.client_id ?? group.client_id
  const usual = client_id === group.client_id ? `${group.name.slice(0, 190)} (copy)` : group.name
  const made = await makeGroup(ctx as Ctx, client_id, ctx.input.name ?? usual)
  const rows = await ctx.tx.selectFrom('location_group_places').select('place_id').where('group_id', '=', id).execute()
  await addMembers(
    ctx as Ctx,
    made.id,
    rows.map((row) => row.place_id),
  )
  return { data: await groupDetail(ctx as Ctx, made.id), message: describeEffect(ctx, 'group.copy', { name: made.name }) }
}
