import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { clientCalls } from '../../../contract/client.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { change } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { changed } from '../../core/input.ts'
import { listOf } from '../../core/list.ts'
import { refuseTakenName } from '../names.ts'
import { teamList } from '../team/lists.ts'

type TeamsQuery = z.output<(typeof clientCalls)['client.teams']['input']>
type GroupsQuery = z.output<(typeof clientCalls)['client.groups']['input']>
type GroupsFilter = Omit<GroupsQuery, 'page' | 'per_page'>
type GroupShown = z.input<(typeof clientCalls)['client.groups']['output']>['data'][number]
type GroupRow = Omit<GroupShown, 'location_group_id' | 'location_name'> & { client: string }

/** A client's name; throws 404. */
export async function nameOfClient(ctx: Ctx, id: number): Promise<string> {
  const row = await ctx.db
    .selectFrom('clients')
    .select('name')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFound('This client')
  return row.name
}

const of = (table: 'teams' | 'location_groups', client_id: number) =>
  sql<SqlBool>`${sql.ref(`${table}.client_id`)} = ${client_id}`
const clientName = (table: 'teams' | 'location_groups') =>
  sql`(select clients.name from clients where clients.id = ${sql.ref(`${table}.client_id`)})`

/** A page of a client's teams. */
export async function clientTeams(ctx: Ctx<TeamsQuery>) {
  const { id, ...asked } = ctx.input
  await nameOfClient(ctx, id)
  return teamList.page(ctx, { ...asked, client_id: id, empty: '' })
}

/** Location groups of the client `id` (its target location lists), with their numbers of places. */
export const groupList = listOf<'group', GroupsFilter, GroupRow, GroupShown>('group', {
  table: 'location_groups',
  scope: () => sql<SqlBool>`location_groups.deleted_at is null`,
  where: ({ id }) => [of('location_groups', id)],
  columns: () => ({
    client: clientName('location_groups'),
    locations_count: sql`(select count(*) from location_group_places join places on places.id = location_group_places.place_id where location_group_places.group_id = location_groups.id and places.deleted_at is null)`,
  }),
  also: () => [sql`location_groups.client_id`, sql`location_groups.lock_version`],
  // Under both its names (people-area 3).
  shown: (_ctx, rows) =>
    rows.map(({ client: _client, ...group }) => ({ ...group, location_group_id: group.id, location_name: group.name })),
  file: { title: async (ctx, { id }) => `${await nameOfClient(ctx, id)} location lists` },
})

/** A page of a client's location groups (its target location lists). */
export async function clientGroups(ctx: Ctx<GroupsQuery>) {
  await nameOfClient(ctx, ctx.input.id)
  return groupList.page(ctx, ctx.input)
}

/** One location group. */
export const locationGroup = async (ctx: Ctx<{ id: number }>) => ({ data: await groupList.get(ctx, ctx.input.id) })

/** Renames a location group; a given client_id must be its own. */
export async function editGroup(ctx: Ctx<z.output<(typeof clientCalls)['client.editLocationGroup']['input']>>) {
  const { client_id, lock_version } = ctx.input
  const id = ctx.input.location_group_id ?? ctx.input.id
  if (!id) throw invalid('location_group_id', 'location_group_id is required')
  const group = await groupList.get(ctx, id)
  if (client_id && group.client_id !== client_id) throw notFound('This location group')
  const name = changed(group.name, ctx.input, ['name', 'location_name'])
  if (name === undefined) throw invalid('name', MESSAGES.groupName)
  await refuseTakenName(ctx, 'location_groups', { id, name, was: group.name, client_id: group.client_id })
  const row = await change(ctx, 'location_groups', {
    subject: 'location',
    id,
    patch: { name },
    lock: lock_version,
    change: { noun: 'location', client_id: group.client_id },
  })
  return {
    data: { ...group, name: row.name, location_name: row.name, lock_version: row.lock_version },
    message: 'Location group updated.',
  }
}
