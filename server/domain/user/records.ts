import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, allowedActions, USER_RULES, type UserFacts } from '../../../contract/access.ts'
import { ageOn } from '../../../contract/birth.ts'
import type { Me } from '../../../contract/session.ts'
import { ROLE_IDS, type User } from '../../../contract/user.ts'
import type { Role } from '../../../contract/vocabulary.ts'
import type { Caller, Ctx, UserRow } from '../../core/context.ts'
import { holds, offsetOf, wordsOf } from '../../core/listing.ts'
import { notFound } from '../../core/refusal.ts'
import type { Database, Db } from '../../db/connect.ts'
import type { Schema } from '../../db/schema.ts'

type Spelling = keyof typeof ROLE_IDS
export type UserRecord = z.input<typeof User>

export const fullName = (user: Pick<UserRow, 'first_name' | 'last_name' | 'email'>): string =>
  `${user.first_name} ${user.last_name}`.trim() || user.email

/** Administrators who can sign in: the last of them can't be deleted or demoted. */
export async function activeAdmins(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map((row) => row.id)
}

/** What the access table asks of a user. */
export const factsOf = (user: UserRow, admins: readonly number[]): UserFacts => ({
  id: user.id,
  role: user.role,
  status: user.status,
  last_admin: admins.length === 1 && admins[0] === user.id,
})

/** Users as both spellings show them, with what the caller may do to each. */
export async function userRecords(
  db: Db,
  actor: Actor,
  today: string,
  rows: readonly UserRow[],
  spelling: Spelling = 'v3',
): Promise<UserRecord[]> {
  if (!rows.length) return []
  const ids = rows.map((row) => row.id)
  const [memberships, seen, admins] = await Promise.all([
    db
      .selectFrom('user_clients')
      .innerJoin('clients', 'clients.id', 'user_clients.client_id')
      .select(['user_clients.user_id', 'clients.id', 'clients.name'])
      .where('user_clients.user_id', 'in', ids)
      .where('clients.deleted_at', 'is', null)
      .orderBy('clients.id')
      .execute(),
    db
      .selectFrom('sessions')
      .select((eb) => ['user_id', eb.fn.max('last_seen_at').as('at')])
      .where('user_id', 'in', ids)
      .where('admin_id', 'is', null)
      .groupBy('user_id')
      .execute(),
    activeAdmins(db),
  ])
  const clients = Map.groupBy(memberships, (row) => row.user_id)
  const lastSeen = new Map(seen.map((row) => [row.user_id, row.at]))
  return rows.map((row) => {
    const own = (clients.get(row.id) ?? []).map(({ id, name }) => ({ id, name }))
    const { allowed_actions, refused_actions } = allowedActions(USER_RULES, actor, factsOf(row, admins))
    return {
      id: row.id,
      first_name: row.first_name,
      last_name: row.last_name,
      name: fullName(row),
      phone: row.phone,
      email: row.email,
      role: row.role,
      role_id: ROLE_IDS[spelling][row.role],
      status: row.status,
      company_id: own[0]?.id ?? null,
      company_name: own[0]?.name ?? row.company,
      company: row.company,
      clients: own,
      birth_date: row.birth_date,
      age: row.birth_date ? ageOn(row.birth_date, today) : null,
      last_seen_at: lastSeen.get(row.id) ?? null,
      created_at: row.created_at,
      updated_at: row.updated_at,
      lock_version: row.lock_version,
      allowed_actions,
      refused_actions: refused_actions as Record<string, string>,
    }
  })
}

/** One user who is not deleted, as a row; throws 404. */
export async function userRow(db: Db, where: { id: number } | { email: string }): Promise<UserRow> {
  const query = db.selectFrom('users').selectAll().where('deleted_at', 'is', null)
  const row = await ('id' in where ? query.where('id', '=', where.id) : query.where('email', '=', where.email)).executeTakeFirst()
  if (!row) throw notFound('This user')
  return row
}

/** One user as the caller sees them. */
export async function userRecord(ctx: Ctx, row: UserRow, spelling: Spelling = 'v3'): Promise<UserRecord> {
  const [record] = await userRecords(ctx.db, ctx.actor, ctx.today, [row], spelling)
  return record!
}

/** The client that a row shows: the first of theirs by id. */
const client =
  '(select clients.name from user_clients join clients on clients.id = user_clients.client_id where user_clients.user_id = users.id and clients.deleted_at is null order by clients.id limit 1)'
/** What `company_name` answers: that client, else the company they named themselves. */
const company = `coalesce(${client}, users.company)`
const NAME = "users.first_name || ' ' || users.last_name"
/** Whether a row shows no name: such stand last, whichever way a list is sorted. */
const nameless = (name: string) => `case when trim(${name}) = '' then 1 else 0 end`
const SORTS = {
  // A row without a name shows the e-mail in its place.
  name: `lower(case when trim(${NAME}) = '' then users.email else ${NAME} end)`,
  first_name: 'lower(users.first_name)',
  last_name: 'lower(users.last_name)',
  email: 'users.email',
  role: 'users.role',
  status: 'users.status',
  company_name: `lower(${company})`,
  created_at: 'users.created_at',
  last_seen_at:
    "coalesce((select max(sessions.last_seen_at) from sessions where sessions.user_id = users.id and sessions.admin_id is null), '')",
  id: 'users.id',
}
const LAST: Partial<Record<keyof typeof SORTS, string>> = {
  first_name: nameless('users.first_name'),
  last_name: nameless('users.last_name'),
  // Whoever belongs to no client shows none: the company that they named themselves is no client.
  company_name: `case when ${client} is null then 1 else 0 end`,
}
interface Matching {
  search: string
  role?: Role | undefined
  status?: '' | 'invited' | 'active'
}
interface Sorting {
  column: '' | keyof typeof SORTS
  order: 'asc' | 'desc'
}
interface ListQuery extends Matching, Sorting {
  page: number
  per_page: number
}

/** A page of users that match; `count` is of all that do. */
export async function listUsers(
  ctx: Ctx,
  input: ListQuery,
  more: { client_id?: number; spelling?: Spelling } = {},
): Promise<{ data: UserRecord[]; count: number; page: number }> {
  const query = matching(ctx, input, more)
  const [{ count }, rows] = await Promise.all([
    query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    sorted(query.selectAll('users'), input).limit(input.per_page).offset(offsetOf(input)).execute(),
  ])
  return { data: await userRecords(ctx.db, ctx.actor, ctx.today, rows, more.spelling), count: Number(count), page: input.page }
}

/** Every id that matches, in the order of the list. */
export async function userIds(
  ctx: Ctx,
  input: Matching & Sorting,
  more: { client_id?: number | undefined } = {},
): Promise<number[]> {
  return (await sorted(matching(ctx, input, more).select('users.id'), input).execute()).map((row) => row.id)
}

function sorted<O>(query: SelectQueryBuilder<Schema, 'users', O>, { column, order }: Sorting) {
  const by = column || 'name'
  const last = LAST[by]
  const placed = last ? query.orderBy(sql.raw(last), 'asc') : query
  return placed.orderBy(sql.raw(SORTS[by]), order).orderBy('users.id', order)
}

/** True where a word stands in the name, the e-mail, one of the clients, or the company of who has none. */
function hasWord(database: Pick<Database, 'like'>, word: string): Expression<SqlBool> {
  const client = holds(database, 'clients.name', word)
  return sql<SqlBool>`(${holds(database, NAME, word)} or ${holds(database, 'users.email', word)} or ${holds(database, company, word)} or exists (
    select 1 from user_clients join clients on clients.id = user_clients.client_id
    where user_clients.user_id = users.id and clients.deleted_at is null and ${client}))`
}

function matching(ctx: Ctx, input: Matching, more: { client_id?: number | undefined }) {
  let query = ctx.db
    .selectFrom('users')
    .where('users.deleted_at', 'is', null)
    .where((eb) => eb.and(wordsOf(input.search).map((word) => hasWord(ctx.house.database, word))))
  if (input.role) query = query.where('users.role', '=', input.role)
  if (input.status) query = query.where('users.status', '=', input.status)
  if (more.client_id)
    query = query.where('users.id', 'in', (eb) =>
      eb.selectFrom('user_clients').select('user_id').where('client_id', '=', more.client_id!),
    )
  return query
}

/** The signed-in user in full: preferences, whether the password must be changed, and the admin behind them. */
export async function meOf(
  db: Db,
  today: string,
  caller: Pick<Caller, 'user' | 'actor'> & { session: { id: number } | null },
  spelling: Spelling = 'v3',
): Promise<z.input<typeof Me>> {
  const user = caller.user!
  const [record] = await userRecords(db, caller.actor!, today, [user], spelling)
  const acting =
    caller.actor?.admin_id && caller.session
      ? await db
          .selectFrom('sessions')
          .innerJoin('users', 'users.id', 'sessions.admin_id')
          .select(['users.id', 'users.first_name', 'users.last_name', 'users.email', 'sessions.reason', 'sessions.expires_at'])
          .where('sessions.id', '=', caller.session.id)
          .executeTakeFirst()
      : undefined
  return {
    ...record!,
    preferences: preferencesOf(user),
    must_change_password: user.must_change_password === 1,
    acting: acting
      ? { admin_id: acting.id, admin_name: fullName(acting), reason: acting.reason ?? '', expires_at: acting.expires_at }
      : null,
  }
}

/** A user's preferences; a text that is no JSON object counts as none. */
export function preferencesOf(user: Pick<UserRow, 'preferences'>): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(user.preferences)
    return value && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
