import { sql } from 'kysely'
import type { z } from 'zod'
import type { clientCalls } from '../../contract/client.ts'
import { labelOf, ROLES } from '../../contract/vocabulary.ts'
import type { Ctx } from '../core/context.ts'
import { clientList } from '../domain/client/list.ts'
import { groupIds, groupsNamed, nameOfClient, teamIds, teamsNamed } from '../domain/client/parts.ts'
import { LAST_SEEN, userLists } from '../domain/user/list.ts'
import { among, type Listing, listExport, listing, type Marked } from './listing.ts'

type Filter<Id extends keyof typeof clientCalls> = z.output<(typeof clientCalls)[Id]['input']> & Marked

/** The clients that match. */
export const clientsExport = listExport(clientList, { title: 'Clients' })

/** Users with every client of theirs, and when they were last seen. */
async function usersWithClients(ctx: Ctx, some: readonly number[]) {
  const rows = await ctx.db
    .selectFrom('users')
    .where('users.id', 'in', some)
    .select(['id', 'first_name', 'last_name', 'email', 'phone', 'company', 'role', 'status', 'created_at'])
    .select(sql<string | null>`${LAST_SEEN}`.as('last_seen_at'))
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
  return rows.map((row) => ({ ...row, company_name: (clients.get(row.id) ?? []).map((link) => link.name).join('; ') }))
}

/** The users that match, of everybody or of one client. */
export const usersExport = listExport(userLists.v3, {
  title: (_ctx, { role }) => (role === 'admin' ? 'Administrators' : role === 'client' ? 'Client users' : 'Users'),
  read: usersWithClients,
  cells: { role: (row) => labelOf(ROLES, row.role) },
})

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
