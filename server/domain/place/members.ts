import { sql } from 'kysely'
import { count } from '../../../contract/format.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError, invalid, notFound } from '../../core/errors.ts'
import { insertMany } from '../../db/connect.ts'
import { locked } from '../../db/locked.ts'

/** A location group locked for a write. */
export interface HeldGroup {
  id: number
  name: string
  client_id: number
}

/** The most links one write may add or remove: it locks the rows until its end, and an undo has to list each. */
const MOST_LINKS = 25_000

/** Groups by id in the order of the ids, locked; throws a 404 for one that doesn't exist. */
export async function heldGroups(ctx: Ctx, ids: readonly number[]): Promise<HeldGroup[]> {
  if (!ids.length) return []
  const query = ctx.tx
    .selectFrom('location_groups')
    .select(['id', 'name', 'client_id'])
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .orderBy('id')
  const rows = new Map((await locked(ctx.services.database, query).execute()).map((row) => [row.id, row]))
  return [...new Set(ids)].map((id) => {
    const row = rows.get(id)
    if (!row) throw notFound(ids.length === 1 ? 'This location group' : `Location group ${id}`)
    return row
  })
}

/** One group, locked; throws 404. */
export const heldGroup = async (ctx: Ctx, id: number): Promise<HeldGroup> => (await heldGroups(ctx, [id]))[0]!

/** Throws a 404 that names the first id without a place. */
export async function assertPlaces(ctx: Ctx, ids: readonly number[]): Promise<void> {
  const found = new Set<number>()
  for (let at = 0; at < ids.length; at += 500) {
    const rows = await ctx.tx
      .selectFrom('places')
      .select('id')
      .where('id', 'in', ids.slice(at, at + 500))
      .where('deleted_at', 'is', null)
      .execute()
    for (const { id } of rows) found.add(id)
  }
  const strange = ids.find((id) => !found.has(id))
  if (strange !== undefined) throw notFound(ids.length === 1 ? 'This location' : `Location ${strange}`)
}

/** The ids that a call was sent in one field or as a list; throws a 422 with `message` without any. */
export function idsOf(one: number | undefined, several: readonly number[] | undefined, field: string, message: string): number[] {
  const ids = [...new Set([...(one === undefined ? [] : [one]), ...(several ?? [])])]
  if (!ids.length) throw invalid(field, message)
  return ids
}

/** Adds places to a group; returns how many weren't in it. */
export async function addMembers(ctx: Ctx, group_id: number, place_ids: readonly number[]): Promise<number> {
  const there = new Set<number>()
  for (let at = 0; at < place_ids.length; at += 500) {
    const rows = await ctx.tx
      .selectFrom('location_group_places')
      .select('place_id')
      .where('group_id', '=', group_id)
      .where('place_id', 'in', place_ids.slice(at, at + 500))
      .execute()
    for (const { place_id } of rows) there.add(place_id)
  }
  const rows = place_ids
    .filter((place_id) => !there.has(place_id))
    .map((place_id) => ({ group_id, place_id, added_at: ctx.now, added_by: ctx.actor.id, import_id: null, line: null }))
  await insertMany(ctx.tx, 'location_group_places', rows)
  return rows.length
}

/** Removes places from a group; returns how many were in it. */
export async function dropMembers(ctx: Ctx, group_id: number, place_ids: readonly number[]): Promise<number> {
  let dropped = 0
  for (let at = 0; at < place_ids.length; at += 500) {
    const { numDeletedRows } = await ctx.tx
      .deleteFrom('location_group_places')
      .where('group_id', '=', group_id)
      .where('place_id', 'in', place_ids.slice(at, at + 500))
      .executeTakeFirst()
    dropped += Number(numDeletedRows)
  }
  return dropped
}

/** How many places a group has. */
export async function sizeOf(ctx: Ctx, group_id: number): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('location_group_places')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('group_id', '=', group_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Throws a 422 for a group with more places than one write may link. */
export function refuseTooMany(name: string, size: number): void {
  if (size <= MOST_LINKS) return
  const sentence = `“${name}” has ${count(size)} locations. At most ${count(MOST_LINKS)} can be merged or copied at once.`
  throw new HttpError(422, 'invalid', sentence, { fields: { id: sentence } })
}

/** An activity that targets a group. */
export interface Targeting {
  id: number
  name: string
  project_id: number
  live: boolean
}

/** The activities that target any of these groups. */
export async function activitiesOf(ctx: Ctx, group_ids: readonly number[]): Promise<Targeting[]> {
  if (!group_ids.length) return []
  const rows = await ctx.db
    .selectFrom('activities')
    .innerJoin('projects', 'projects.id', 'activities.project_id')
    .select(['activities.id', 'activities.name', 'activities.project_id', 'projects.status'])
    .where('activities.deleted_at', 'is', null)
    .where('projects.deleted_at', 'is', null)
    .where((eb) =>
      eb(
        'activities.id',
        'in',
        eb.selectFrom('activity_location_groups').select('activity_id').where('group_id', 'in', group_ids),
      ),
    )
    .orderBy('activities.id')
    .execute()
  return rows.map(({ status, ...row }) => ({ ...row, live: status === 'active' }))
}

/** The names of activities in field. */
export const liveOf = (activities: readonly Targeting[]): string[] =>
  activities.filter(({ live }) => live).map(({ name }) => name)

/** How many distinct places the groups have together. */
export async function placesIn(ctx: Ctx, group_ids: readonly number[]): Promise<number> {
  if (!group_ids.length) return 0
  const { rows } = await sql<{ count: number }>`select count(distinct m.place_id) as count from location_group_places m
    where m.group_id in (${sql.join(group_ids)})`.execute(ctx.db)
  return Number(rows[0]!.count)
}

/** Emits the change of groups, and of activities that target them. */
export function emitGroups(ctx: Ctx, groups: readonly HeldGroup[], activities: readonly Targeting[]): void {
  for (const { id, client_id } of groups) ctx.emit({ noun: 'group', id, client_id, audience: 'admin' })
  for (const { id, project_id } of activities.slice(0, 100)) ctx.emit({ noun: 'activity', id, project_id, kind: 'counters' })
}

/** The history line for a group whose places changed. */
export const membersLine = (group: HeldGroup, before: number, after: number) => ({
  subject: 'group',
  subject_id: group.id,
  before: { locations: before },
  after: { locations: after },
})
