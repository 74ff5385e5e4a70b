import { sql } from 'kysely'
import type { z } from 'zod'
import type { clientCalls } from '../../../contract/client.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { change } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { changed } from '../../core/input.ts'
import { matches, offsetOf } from '../../core/listing.ts'
import { invalid, notFound } from '../../core/refusal.ts'
import { refuseTakenName } from '../names.ts'

type TeamsQuery = z.output<(typeof clientCalls)['client.teams']['input']>
type GroupsQuery = z.output<(typeof clientCalls)['client.groups']['input']>

/** What a client is called; throws 404. */
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

const USERS =
  '(select count(*) from team_users join users on users.id = team_users.user_id where team_users.team_id = teams.id and users.deleted_at is null)'
const PROJECTS =
  '(select count(*) from team_projects join projects on projects.id = team_projects.project_id where team_projects.team_id = teams.id and projects.deleted_at is null)'

const TEAM_SORTS = {
  '': 'lower(teams.name)',
  name: 'lower(teams.name)',
  created_at: 'teams.created_at',
  users_count: USERS,
  projects_count: PROJECTS,
  id: 'teams.id',
}
const matchingTeams = (ctx: Ctx, input: Pick<TeamsQuery, 'id' | 'search'>) =>
  ctx.db
    .selectFrom('teams')
    .where('teams.client_id', '=', input.id)
    .where('teams.deleted_at', 'is', null)
    .where(matches(ctx.house.database, ['teams.name'], input.search))
const orderedTeams = (ctx: Ctx, input: Omit<TeamsQuery, 'page' | 'per_page'>) =>
  matchingTeams(ctx, input).orderBy(sql.raw(TEAM_SORTS[input.column]), input.order).orderBy('teams.id', input.order)
const TEAM_COLUMNS = [
  'teams.id',
  'teams.name',
  'teams.client_id',
  'teams.created_at',
  'teams.lock_version',
  sql<number>`${sql.raw(USERS)}`.as('users_count'),
  sql<number>`${sql.raw(PROJECTS)}`.as('projects_count'),
] as const

/** Every id of a client's teams that match, in the order of the list. */
export const teamIds = async (ctx: Ctx, input: Parameters<typeof orderedTeams>[1]): Promise<number[]> =>
  (await orderedTeams(ctx, input).select('teams.id').execute()).map((row) => row.id)

/** Some teams, with how many users and projects each has. */
export const teamsNamed = (ctx: Ctx, ids: readonly number[]) =>
  ctx.db.selectFrom('teams').where('teams.id', 'in', ids).select(TEAM_COLUMNS).execute()

/** The teams of a client. */
export async function clientTeams(ctx: Ctx<TeamsQuery>) {
  const { input } = ctx
  const client_name = await nameOfClient(ctx, input.id)
  const [{ count }, rows] = await Promise.all([
    matchingTeams(ctx, input)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    orderedTeams(ctx, input).select(TEAM_COLUMNS).limit(input.per_page).offset(offsetOf(input)).execute(),
  ])
  const data = rows.map((row) => ({
    ...row,
    client_name,
    users_count: Number(row.users_count),
    projects_count: Number(row.projects_count),
  }))
  return { data, count: Number(count), page: input.page }
}

const PLACES = sql<number>`(select count(*) from location_group_places join places on places.id = location_group_places.place_id where location_group_places.group_id = location_groups.id and places.deleted_at is null)`
const groupsOf = (ctx: Ctx) =>
  ctx.db
    .selectFrom('location_groups')
    .where('location_groups.deleted_at', 'is', null)
    .select(['location_groups.id', 'name', 'client_id', 'created_at', 'lock_version', PLACES.as('locations_count')])
/** A location group under both of its names (people-area 3). */
const shown = (row: Awaited<ReturnType<ReturnType<typeof groupsOf>['executeTakeFirstOrThrow']>>) => ({
  ...row,
  location_group_id: row.id,
  location_name: row.name,
  locations_count: Number(row.locations_count),
})

const matchingGroups = (ctx: Ctx, input: Pick<GroupsQuery, 'id' | 'search'>) =>
  ctx.db
    .selectFrom('location_groups')
    .where('location_groups.deleted_at', 'is', null)
    .where('location_groups.client_id', '=', input.id)
    .where(matches(ctx.house.database, ['location_groups.name'], input.search))

function orderedGroups(ctx: Ctx, input: Omit<GroupsQuery, 'page' | 'per_page'>) {
  const by =
    input.column === 'created_at' || input.column === 'id'
      ? sql.ref(`location_groups.${input.column}`)
      : input.column === 'locations_count'
        ? PLACES
        : sql`lower(location_groups.name)`
  return matchingGroups(ctx, input)
    .orderBy(by, input.order)
    .orderBy('location_groups.id', input.order)
    .select('location_groups.id')
}

/** Every id of a client's location groups that match, in the order of the list. */
export const groupIds = async (ctx: Ctx, input: Parameters<typeof orderedGroups>[1]): Promise<number[]> =>
  (await orderedGroups(ctx, input).execute()).map((row) => row.id)

/** Some location groups, with how many places each has. */
export const groupsNamed = (ctx: Ctx, ids: readonly number[]) => groupsOf(ctx).where('location_groups.id', 'in', ids).execute()

/** The location groups of a client, which are its target location lists. */
export async function clientGroups(ctx: Ctx<GroupsQuery>) {
  const { input } = ctx
  await nameOfClient(ctx, input.id)
  const [{ count }, wanted] = await Promise.all([
    matchingGroups(ctx, input)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    orderedGroups(ctx, input).limit(input.per_page).offset(offsetOf(input)).execute(),
  ])
  const ids = wanted.map((row) => row.id)
  const rows = new Map((await groupsNamed(ctx, ids.length ? ids : [0])).map((row) => [row.id, row]))
  const data = ids.flatMap((id) => {
    const row = rows.get(id)
    return row ? [shown(row)] : []
  })
  return { data, count: Number(count), page: input.page }
}

/** A location group that is there; throws 404. */
async function groupOf(ctx: Ctx, id: number) {
  const group = await groupsOf(ctx).where('location_groups.id', '=', id).executeTakeFirst()
  if (!group) throw notFound('This location group')
  return group
}

/** One location group. */
export const locationGroup = async (ctx: Ctx<{ id: number }>) => ({ data: shown(await groupOf(ctx, ctx.input.id)) })

/** Renames a location group; with a client_id, one of that client. */
export async function editGroup(ctx: Ctx<z.output<(typeof clientCalls)['client.editLocationGroup']['input']>>) {
  const { client_id, lock_version } = ctx.input
  const id = ctx.input.location_group_id ?? ctx.input.id
  if (!id) throw invalid('location_group_id', 'location_group_id is required')
  const group = await groupOf(ctx, id)
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
  return { data: shown({ ...group, name: row.name, lock_version: row.lock_version }), message: 'Location group updated.' }
}
