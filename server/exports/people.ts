import type { z } from 'zod'
import type { clientCalls } from '../../contract/client.ts'
import type { userCalls } from '../../contract/user.ts'
import { labelOf, ROLES } from '../../contract/vocabulary.ts'
import type { Ctx } from '../core/context.ts'
import { clientIds, clientsOf } from '../domain/client/list.ts'
import { groupIds, groupsNamed, nameOfClient, teamIds, teamsNamed } from '../domain/client/parts.ts'
import { userIds } from '../domain/user/records.ts'
import { among, type Listing, listing, type Marked } from './listing.ts'

type Filter<Id extends keyof typeof clientCalls> = z.output<(typeof clientCalls)[Id]['input']> & Marked

/** The clients that match. */
export async function clientsExport(ctx: Ctx, filter: Filter<'client.list'>, columns: readonly string[]): Promise<Listing> {
  const ids = among(await clientIds(ctx, filter), filter.ids)
  const read = (some: readonly number[]) => clientsOf(ctx).where('clients.id', 'in', some).execute()
  return listing(
    'clients',
    'Clients',
    { ids, columns, read },
    {
      id: (row) => row.id,
      name: (row) => row.name,
      users_count: (row) => Number(row.users_count),
      projects_count: (row) => Number(row.projects_count),
      campaigns_count: (row) => Number(row.campaigns_count),
      teams_count: (row) => Number(row.teams_count),
      created_at: (row) => row.created_at,
    },
  )
}

type UserFilter = z.output<(typeof userCalls)['user.list']['input']> & Marked & { client_id?: number | undefined }

/** The users that match, of everybody or of one client. */
export async function usersExport(
  ctx: Ctx,
  { client_id, ids: only, ...filter }: UserFilter,
  columns: readonly string[],
): Promise<Listing> {
  const ids = among(await userIds(ctx, filter, { client_id }), only)
  const read = async (some: readonly number[]) => {
    const rows = await ctx.db
      .selectFrom('users')
      .where('users.id', 'in', some)
      .select(['id', 'first_name', 'last_name', 'email', 'phone', 'company', 'role', 'status', 'created_at'])
      .select((eb) =>
        eb
          .selectFrom('sessions')
          .whereRef('sessions.user_id', '=', 'users.id')
          .where('sessions.admin_id', 'is', null)
          .select((of) => of.fn.max('sessions.last_seen_at').as('at'))
          .as('last_seen_at'),
      )
      .execute()
    const links = await ctx.db
      .selectFrom('user_clients')
      .innerJoin('clients', 'clients.id', 'client_id')
      .select(['user_id', 'name'])
      .where('user_id', 'in', some)
      .where('clients.deleted_at', 'is', null)
      .orderBy('name')
      .execute()
    const clients = Map.groupBy(links, (link) => link.user_id)
    return rows.map((row) => ({ ...row, clients: (clients.get(row.id) ?? []).map((link) => link.name).join('; ') }))
  }
  const title = filter.role === 'admin' ? 'Administrators' : filter.role === 'client' ? 'Client users' : 'Users'
  return listing(
    'users',
    title,
    { ids, columns, read },
    {
      id: (row) => row.id,
      first_name: (row) => row.first_name,
      last_name: (row) => row.last_name,
      email: (row) => row.email,
      phone: (row) => row.phone,
      company: (row) => row.company,
      role: (row) => labelOf(ROLES, row.role),
      status: (row) => row.status,
      company_name: (row) => row.clients,
      last_seen_at: (row) => row.last_seen_at,
      created_at: (row) => row.created_at,
    },
  )
}

/** The teams of a client that match. */
export async function teamsExport(ctx: Ctx, filter: Filter<'client.teams'>, columns: readonly string[]): Promise<Listing> {
  const client = await nameOfClient(ctx, filter.id)
  const ids = among(await teamIds(ctx, filter), filter.ids)
  return listing(
    'teams',
    `${client} teams`,
    { ids, columns, read: (some) => teamsNamed(ctx, some) },
    {
      id: (row) => row.id,
      name: (row) => row.name,
      client: () => client,
      users_count: (row) => Number(row.users_count),
      projects_count: (row) => Number(row.projects_count),
      created_at: (row) => row.created_at,
    },
  )
}

/** The target location lists of a client that match. */
export async function groupsExport(ctx: Ctx, filter: Filter<'client.groups'>, columns: readonly string[]): Promise<Listing> {
  const client = await nameOfClient(ctx, filter.id)
  const ids = among(await groupIds(ctx, filter), filter.ids)
  return listing(
    'groups',
    `${client} location lists`,
    { ids, columns, read: (some) => groupsNamed(ctx, some) },
    {
      id: (row) => row.id,
      name: (row) => row.name,
      client: () => client,
      locations_count: (row) => Number(row.locations_count),
      created_at: (row) => row.created_at,
    },
  )
}
