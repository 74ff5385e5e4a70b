import { sql } from 'kysely'
import type { z } from 'zod'
import { seesAll } from '../../../contract/actor.ts'
import { compareText } from '../../../contract/foldText.ts'
import type { locationGroupCalls } from '../../../contract/locationGroup.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import type { Ctx } from '../../core/context.ts'
import { describeEffect } from '../../core/describeEffect.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { projectScope } from '../../core/scope.ts'
import { insertMany } from '../../db/connect.ts'
import { groupList, marketsOf } from './groupList.ts'
import { heldGroups, idsOf, placesIn } from './members.ts'

type In<Id extends keyof typeof locationGroupCalls> = z.output<(typeof locationGroupCalls)[Id]['input']>

/** Activities of projects the caller can see, with their clients; throws a 404 for any other. */
async function seenActivities(ctx: Ctx, ids: readonly number[]) {
  const rows = await ctx.db
    .selectFrom('activities')
    .innerJoin('projects', 'projects.id', 'activities.project_id')
    .innerJoin('clients', 'clients.id', 'projects.client_id')
    .select(['activities.id', 'activities.name', 'activities.project_id', 'projects.client_id', 'projects.status'])
    .select(['projects.name as project_name', 'clients.name as client_name'])
    .where('activities.id', 'in', ids)
    .where('activities.deleted_at', 'is', null)
    .where(projectScope(ctx.actor))
    .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = found.get(id)
    if (!row) throw notFound(`Activity ${id}`)
    return row
  })
}

/** Links of activities to groups that aren't deleted. */
const linksOf = (ctx: Ctx, activity_ids: readonly number[]) =>
  ctx.db
    .selectFrom('activity_location_groups as link')
    .innerJoin('location_groups', 'location_groups.id', 'link.group_id')
    .select(['link.activity_id', 'link.group_id', 'link.linked_at'])
    .where('link.activity_id', 'in', activity_ids)
    .where('location_groups.deleted_at', 'is', null)
    .execute()

/** An activity's groups; client users get only names and counts. */
export async function groupsOfActivity(ctx: Ctx<In<'activity.groups'>>) {
  const [activity] = await seenActivities(ctx as Ctx, [ctx.input.id])
  const links = await linksOf(ctx as Ctx, [activity!.id])
  const ids = links.map(({ group_id }) => group_id)
  const { id, name, project_id, project_name, status } = activity!
  const rows = await groupList.shown(ctx, await groupList.rows(ctx, ids))
  const sorted = [...rows].sort((a, b) => compareText(a.name, b.name) || a.id - b.id)
  const all = seesAll(ctx.actor)
  const areas = new Map<number, number>()
  if (all) for (const group of ids) areas.set(group, (await marketsOf(ctx as Ctx, [group])).length)
  const data = sorted.map((group) => ({
    id: group.id,
    location_group_id: group.id,
    name: group.name,
    location_name: group.name,
    locations_count: group.locations_count,
    ...(all && {
      client_id: group.client_id,
      approximate_count: group.approximate_count,
      unplaced_count: group.unplaced_count,
      markets_count: areas.get(group.id)!,
      linked_at: links.find(({ group_id }) => group_id === group.id)!.linked_at,
      lock_version: group.lock_version,
    }),
  }))
  const locations = await placesIn(ctx as Ctx, ids)
  return {
    data,
    count: data.length,
    page: 1,
    locations,
    activity: { id, name, project_id, project_name, status, stored_status: status },
  }
}

/** The groups of the activity's client that aren't linked to it. */
export async function availableGroups(ctx: Ctx<In<'activity.availableGroups'>>) {
  const { id, ...filter } = ctx.input
  const [activity] = await seenActivities(ctx as Ctx, [id])
  return groupList.page(ctx, { ...filter, client_id: activity!.client_id, used: '', position: '', without_activity: id })
}

/** Links each group to each activity of the same client; returns the links that are new. */
export async function linkGroups(ctx: Ctx, activity_ids: readonly number[], group_ids: readonly number[]) {
  const activities = await seenActivities(ctx, activity_ids)
  const groups = await heldGroups(ctx, group_ids)
  for (const group of groups)
    if (activities.some(({ client_id }) => client_id !== group.client_id))
      throw invalid('location_group_id', `“${group.name}” belongs to another client.`)
  const before = await linksOf(ctx, activity_ids)
  const there = new Set(before.map(({ activity_id, group_id }) => `${activity_id} ${group_id}`))
  const added = activities.flatMap((activity) =>
    groups.filter((group) => !there.has(`${activity.id} ${group.id}`)).map((group) => ({ activity, group })),
  )
  await insertMany(
    ctx.tx,
    'activity_location_groups',
    added.map(({ activity, group }) => ({
      activity_id: activity.id,
      group_id: group.id,
      linked_at: ctx.now,
      linked_by: ctx.actor.id,
    })),
  )
  await recordLinks(ctx, activities, added, 'linked')
  for (const group of groups)
    if (added.some((one) => one.group === group))
      ctx.emit({ noun: 'group', id: group.id, client_id: group.client_id, audience: 'admin' })
  return { activities, groups, added, before }
}

type Activity = Awaited<ReturnType<typeof seenActivities>>[number]
type Changed = readonly { activity: Activity; group: { id: number; name: string } }[]

/** Records the changes of each activity, and emits them. */
async function recordLinks(
  ctx: Ctx,
  activities: readonly Activity[],
  changed: Changed,
  how: 'linked' | 'unlinked',
): Promise<void> {
  for (const activity of activities) {
    const names = changed.filter((one) => one.activity === activity).map(({ group }) => group.name)
    if (!names.length) continue
    await ctx.record({
      subject: 'activity',
      subject_id: activity.id,
      project_id: activity.project_id,
      ...(how === 'linked' ? { after: { location_groups: names } } : { before: { location_groups: names } }),
    })
    ctx.emit({ noun: 'activity', id: activity.id, project_id: activity.project_id })
  }
}

const liveNames = (activities: readonly Activity[]) =>
  activities.filter(({ status }) => status === 'active').map(({ name }) => name)
const askedActivities = (input: In<'activity.linkGroups'>) =>
  idsOf(input.activity_id, input.activity_ids, 'activity_id', MESSAGES.chooseActivity)
const askedGroups = (input: In<'activity.linkGroups'>) =>
  idsOf(input.location_group_id, input.location_group_ids, 'location_group_id', MESSAGES.chooseGroup)

/** Links groups to activities; returns where they are fielded from now on. */
export async function linkActivityGroups(ctx: Ctx<In<'activity.linkGroups'>>) {
  const { activities, groups, added, before } = await linkGroups(ctx as Ctx, askedActivities(ctx.input), askedGroups(ctx.input))
  const fresh = [...new Set(added.map(({ group }) => group.id))]
  const already = [...new Set(before.map(({ group_id }) => group_id))]
  const [locations, areas, targeted] = await Promise.all([
    placesIn(ctx as Ctx, fresh),
    marketsOf(ctx as Ctx, fresh),
    inBoth(ctx as Ctx, fresh, already),
  ])
  const unchanged = activities.length * groups.length - added.length
  const data = { linked: added.length, unchanged, locations, markets: areas.length, targeted, live: liveNames(activities) }
  return { message: describeEffect(ctx as Ctx, 'activity.linkGroups', { count: added.length, noun: 'group' }), data }
}

/** How many places the two sets of groups have in common. */
async function inBoth(ctx: Ctx, some: readonly number[], others: readonly number[]): Promise<number> {
  const rest = others.filter((id) => !some.includes(id))
  if (!some.length || !rest.length) return 0
  const { rows } = await sql<{ count: number }>`select count(distinct m.place_id) as count from location_group_places m
    where m.group_id in (${sql.join(some)}) and exists (select 1 from location_group_places o
      where o.place_id = m.place_id and o.group_id in (${sql.join(rest)}))`.execute(ctx.db)
  return Number(rows[0]!.count)
}

/** Unlinks groups from activities; returns how many places they no longer target. */
export async function unlinkActivityGroups(ctx: Ctx<In<'activity.unlinkGroup'>>) {
  const ids = askedActivities(ctx.input)
  const group_ids = askedGroups(ctx.input)
  const activities = await seenActivities(ctx as Ctx, ids)
  const groups = await heldGroups(ctx as Ctx, group_ids)
  const before = await linksOf(ctx as Ctx, ids)
  const gone = activities.flatMap((activity) =>
    groups
      .filter((group) => before.some((link) => link.activity_id === activity.id && link.group_id === group.id))
      .map((group) => ({ activity, group })),
  )
  const linkedBefore = [...new Set(before.map(({ group_id }) => group_id))]
  const targeted = await placesIn(ctx as Ctx, linkedBefore)
  await ctx.tx.deleteFrom('activity_location_groups').where('activity_id', 'in', ids).where('group_id', 'in', group_ids).execute()
  await recordLinks(ctx as Ctx, activities, gone, 'unlinked')
  for (const group of groups)
    if (gone.some((one) => one.group === group))
      ctx.emit({ noun: 'group', id: group.id, client_id: group.client_id, audience: 'admin' })
  const left = await placesIn(ctx as Ctx, [...new Set((await linksOf(ctx as Ctx, ids)).map(({ group_id }) => group_id))])
  const data = {
    unlinked: gone.length,
    unchanged: activities.length * groups.length - gone.length,
    lost: targeted - left,
    locations: left,
    live: liveNames(activities),
  }
  return { message: describeEffect(ctx as Ctx, 'activity.unlinkGroup', { count: gone.length, noun: 'group' }), data }
}
