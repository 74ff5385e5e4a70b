import { sql } from 'kysely'
import { labelOf, ROLES } from '../../contract/vocabulary.ts'
import type { Ctx } from '../core/context.ts'
import { clientList } from '../domain/client/list.ts'
import { groupList, nameOfClient, teamList } from '../domain/client/parts.ts'
import { LAST_SEEN, userLists } from '../domain/user/list.ts'
import { listExport } from './exportSource.ts'

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
export const teamsExport = listExport(teamList, { title: async (ctx, { id }) => `${await nameOfClient(ctx, id)} teams` })

/** The target location lists of a client that match. */
export const groupsExport = listExport(groupList, {
  title: async (ctx, { id }) => `${await nameOfClient(ctx, id)} location lists`,
})
