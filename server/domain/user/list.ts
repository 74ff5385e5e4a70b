import { type SqlBool, sql } from 'kysely'
import type { Role } from '../../../contract/vocabulary.ts'
import type { Ctx, UserRow } from '../../core/context.ts'
import { type ListQuery, listOf } from '../../core/listBuilder.ts'
import { holds } from '../../core/listSearch.ts'
import { byText } from '../../db/foldedText.ts'
import { type UserRecord, userRecords } from './records.ts'

/** The client a row shows: the user's first by id. */
const CLIENT =
  '(select clients.name from user_clients join clients on clients.id = user_clients.client_id where user_clients.user_id = users.id and clients.deleted_at is null order by clients.id limit 1)'
/** The `company_name` of a row: that client, or else the company the user typed. */
export const COMPANY = `coalesce(${CLIENT}, users.company)`
export const NAME = "users.first_name || ' ' || users.last_name"
/** A row without a name shows the email instead, and sorts by it. */
export const NAME_SORT = sql.raw(`case when trim(${NAME}) = '' then users.email else ${NAME} end`)
/** When a user was last seen, without administrators acting as them; null for never. */
export const LAST_SEEN = sql`(select max(sessions.last_seen_at) from sessions where sessions.user_id = users.id and sessions.admin_id is null)`

interface Filter extends ListQuery<'user'> {
  role?: Role | undefined
  status?: '' | 'invited' | 'active'
  client_id?: number | undefined
}

export const userList = listOf<'user', Filter, UserRow, UserRecord>('user', {
  table: 'users',
  scope: () => sql<SqlBool>`users.deleted_at is null`,
  where: ({ role, status, client_id }) => [
    role && sql<SqlBool>`users.role = ${role}`,
    status ? sql<SqlBool>`users.status = ${status}` : undefined,
    client_id !== undefined && sql<SqlBool>`users.id in (select user_id from user_clients where client_id = ${client_id})`,
  ],
  columns: () => ({ name: sql.raw(NAME), company_name: sql.raw(COMPANY), teams: sql`null`, last_seen_at: LAST_SEEN }),
  sorts: {
    name: NAME_SORT,
    last_seen_at: sql`coalesce(${LAST_SEEN}, '')`,
  },
  last: {
    first_name: sql`case when trim(users.first_name) = '' then 1 else 0 end`,
    last_name: sql`case when trim(users.last_name) = '' then 1 else 0 end`,
    // Users without a client come last, because the company they typed isn't a client.
    company_name: sql.raw(`case when ${CLIENT} is null then 1 else 0 end`),
  },
  // Searches name, email, client names, and the company of users without a client.
  finds({ services: { database } }, word) {
    const client = holds(database, 'clients.name', word)
    return sql<SqlBool>`(${holds(database, NAME, word)} or ${holds(database, 'users.email', word)} or (${sql.raw(CLIENT)} is null and ${holds(database, 'users.company', word)}) or exists (
      select 1 from user_clients join clients on clients.id = user_clients.client_id
      where user_clients.user_id = users.id and clients.deleted_at is null and ${client}))`
  },
  only: 'users.*',
  shown: (ctx, rows) => userRecords(ctx.db, ctx.actor, ctx.today, rows),
  file: {
    title: (_ctx, { role }) => (role === 'admin' ? 'Administrators' : role === 'client' ? 'Client users' : 'Users'),
    more: withMemberships,
  },
})

/** Users with their clients and teams, and when they were last seen. */
async function withMemberships(ctx: Ctx, users: readonly UserRow[]) {
  const some = users.map((user) => user.id)
  const seen = await ctx.db
    .selectFrom('users')
    .where('users.id', 'in', some)
    .select(['id', sql<string | null>`${LAST_SEEN}`.as('last_seen_at')])
    .execute()
  const links = await ctx.db
    .selectFrom('user_clients')
    .innerJoin('clients', 'clients.id', 'client_id')
    .select(['user_id', 'name'])
    .where('user_id', 'in', some)
    .where('clients.deleted_at', 'is', null)
    .orderBy(byText(ctx.db, 'name'))
    .execute()
  const onTeams = await ctx.db
    .selectFrom('team_users')
    .innerJoin('teams', 'teams.id', 'team_id')
    .select(['user_id', 'name'])
    .where('user_id', 'in', some)
    .where('teams.deleted_at', 'is', null)
    .orderBy(byText(ctx.db, 'name'))
    .execute()
  const clients = Map.groupBy(links, (link) => link.user_id)
  const teams = Map.groupBy(onTeams, (link) => link.user_id)
  const last = new Map(seen.map((row) => [row.id, row.last_seen_at]))
  return users.map((user) => ({
    ...user,
    company_name: (clients.get(user.id) ?? []).map((link) => link.name).join('; '),
    teams: (teams.get(user.id) ?? []).map((link) => link.name).join('; '),
    last_seen_at: last.get(user.id) ?? null,
  }))
}
