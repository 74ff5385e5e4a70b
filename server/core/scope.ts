import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Actor, type Only, seesAll } from '../../contract/actor.ts'

/** Ids of a user's clients, without deleted ones. */
export const clientsOfUser = (user_id: number | RawBuilder<number>): RawBuilder<number> =>
  sql<number>`(select uc.client_id from user_clients uc join clients home on home.id = uc.client_id and home.deleted_at is null where uc.user_id = ${user_id})`

/**
 * The one condition for which projects a caller sees (decisions.md 6); lists, search, exports, files and events use it.
 * A client user sees projects of their teams, their clients' projects without a team, and their own requests.
 * A request counts only while they belong to its client; a child without a team inherits its parent's.
 * A deleted client or team gives no access, but a deleted team still hides its projects from other users.
 * `alias` names the projects table in the query.
 */
export function projectScope(actor: Actor, alias = 'projects'): Expression<SqlBool> {
  if (actor.only) return limitedScope(actor, actor.only, alias)
  if (seesAll(actor)) return sql<SqlBool>`${sql.ref(`${alias}.deleted_at`)} is null`
  return clientUserScope(actor.id, alias)
}

/** What a token limited to clients and projects sees, and never more than its owner. */
function limitedScope({ id }: Actor, { clients, projects, all }: Only, alias: string): Expression<SqlBool> {
  const project = (column: string) => sql.ref(`${alias}.${column}`)
  const within = sql<SqlBool>`(${project('id')} in ${idsIn(projects)} or ${project('parent_id')} in ${idsIn(projects)}
    or ${project('client_id')} in (select id from clients where id in ${idsIn(clients)} and deleted_at is null))`
  const seen = all ? sql<SqlBool>`${project('deleted_at')} is null` : clientUserScope(id, alias)
  return sql<SqlBool>`(${seen} and ${within})`
}

/** Ids as a list of SQL, which may be empty. */
const idsIn = (ids: readonly number[]) => sql`(${sql.join(ids.length ? ids : [0])})`

/** The same condition for a client user, given by id or as a column, to find out who sees something. */
export function clientUserScope(me: number | RawBuilder<number>, alias = 'projects'): Expression<SqlBool> {
  const project = (column: string) => sql.ref(`${alias}.${column}`)
  const mine = clientsOfUser(me)
  return sql<SqlBool>`(${project('deleted_at')} is null and ((${project('requested_by')} = ${me} and ${project('client_id')} in ${mine}) or exists (
    select 1 from projects seen where seen.id = case when ${project('parent_id')} is not null and not exists (select 1 from team_projects own where own.project_id = ${project('id')}) then ${project('parent_id')} else ${project('id')} end
    and ((seen.requested_by = ${me} and seen.client_id in ${mine})
      or exists (select 1 from team_projects tp join team_users tu on tu.team_id = tp.team_id
        join teams team on team.id = tp.team_id and team.deleted_at is null join clients owner on owner.id = team.client_id and owner.deleted_at is null
        where tp.project_id = seen.id and tu.user_id = ${me})
      or (seen.client_id in ${mine} and not exists (select 1 from team_projects any_team where any_team.project_id = seen.id))))))`
}

/** Selects projects that are rows of their own: a child is only if the caller can't see its parent. */
export function topLevel(actor: Actor, alias = 'projects'): Expression<SqlBool> {
  const parent = sql.ref(`${alias}.parent_id`)
  // Administrators miss only deleted parents; the few are read once instead of once for each child.
  if (seesAll(actor))
    return sql<SqlBool>`(${parent} is null or ${parent} in (select id from projects where deleted_at is not null))`
  return sql<SqlBool>`(${parent} is null or not exists (
    select 1 from projects parent where parent.id = ${parent} and ${projectScope(actor, 'parent')}))`
}

/** The clients a caller sees: all for an admin, their own for a client user. */
export function clientScope(actor: Actor, alias = 'clients'): Expression<SqlBool> {
  const client = (column: string) => sql.ref(`${alias}.${column}`)
  if (actor.only) {
    const { clients, all } = actor.only
    const seen = all ? sql`` : sql` and ${client('id')} in ${clientsOfUser(actor.id)}`
    return sql<SqlBool>`(${client('deleted_at')} is null and ${client('id')} in ${idsIn(clients)}${seen})`
  }
  if (seesAll(actor)) return sql<SqlBool>`${client('deleted_at')} is null`
  return sql<SqlBool>`(${client('deleted_at')} is null and ${client('id')} in ${clientsOfUser(actor.id)})`
}
