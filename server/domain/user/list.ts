import { type SqlBool, sql } from 'kysely'
import type { Role } from '../../../contract/vocabulary.ts'
import type { Ctx, UserRow } from '../../core/context.ts'
import { type Asked, listOf } from '../../core/list.ts'
import { holds } from '../../core/listSearch.ts'
import { type UserRecord, userRecords } from './records.ts'

/** The client that a row shows: the first of theirs by id. */
const CLIENT =
  '(select clients.name from user_clients join clients on clients.id = user_clients.client_id where user_clients.user_id = users.id and clients.deleted_at is null order by clients.id limit 1)'
/** What `company_name` answers: that client, else the company they named themselves. */
const COMPANY = `coalesce(${CLIENT}, users.company)`
const NAME = "users.first_name || ' ' || users.last_name"
/** When a user was last here themselves, and nobody in their name; null for never. */
export const LAST_SEEN = sql`(select max(sessions.last_seen_at) from sessions where sessions.user_id = users.id and sessions.admin_id is null)`

interface Filter extends Asked<'user'> {
  role?: Role | undefined
  status?: '' | 'invited' | 'active'
  client_id?: number | undefined
}

const users = (spelling: 'v1' | 'v3') =>
  listOf<'user', Filter, UserRow, UserRecord>('user', {
    table: 'users',
    scope: () => sql<SqlBool>`users.deleted_at is null`,
    where: ({ role, status, client_id }) => [
      role && sql<SqlBool>`users.role = ${role}`,
      status ? sql<SqlBool>`users.status = ${status}` : undefined,
      client_id !== undefined && sql<SqlBool>`users.id in (select user_id from user_clients where client_id = ${client_id})`,
    ],
    columns: () => ({ name: sql.raw(NAME), company_name: sql.raw(COMPANY), last_seen_at: LAST_SEEN }),
    sorts: {
      // A row without a name shows the e-mail in its place.
      name: sql.raw(`lower(case when trim(${NAME}) = '' then users.email else ${NAME} end)`),
      last_seen_at: sql`coalesce(${LAST_SEEN}, '')`,
    },
    last: {
      first_name: sql`case when trim(users.first_name) = '' then 1 else 0 end`,
      last_name: sql`case when trim(users.last_name) = '' then 1 else 0 end`,
      // Whoever belongs to no client shows none: the company that they named themselves is no client.
      company_name: sql.raw(`case when ${CLIENT} is null then 1 else 0 end`),
    },
    // Searches the name, the email, the names of the clients, or the company of users without a client.
    finds({ services: { database } }, word) {
      const client = holds(database, 'clients.name', word)
      return sql<SqlBool>`(${holds(database, NAME, word)} or ${holds(database, 'users.email', word)} or ${holds(database, COMPANY, word)} or exists (
        select 1 from user_clients join clients on clients.id = user_clients.client_id
        where user_clients.user_id = users.id and clients.deleted_at is null and ${client}))`
    },
    only: 'users.*',
    shown: (ctx, rows) => userRecords(ctx.db, ctx.actor, ctx.today, rows, spelling),
    file: {
      title: (_ctx, { role }) => (role === 'admin' ? 'Administrators' : role === 'client' ? 'Client users' : 'Users'),
      more: withClients,
    },
    ...(spelling === 'v1' ? { spelling: true as const } : {}),
  })

/** Users with every client of theirs, and when they were last seen. */
async function withClients(ctx: Ctx, users: readonly UserRow[]) {
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
    .orderBy('name')
    .execute()
  const clients = Map.groupBy(links, (link) => link.user_id)
  const last = new Map(seen.map((row) => [row.id, row.last_seen_at]))
  return users.map((user) => ({
    ...user,
    company_name: (clients.get(user.id) ?? []).map((link) => link.name).join('; '),
    last_seen_at: last.get(user.id) ?? null,
  }))
}

/** The users, with the role ids of each spelling. */
export const userLists = { v1: users('v1'), v3: users('v3') }
