import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor } from '../contract/access.ts'

/**
 * The one condition that says which projects a caller sees (decisions.md 6): lists, search, exports, files and live events all use it.
 * A client user sees a project when they are on a team linked to it, or its client is one of theirs and it has no team, or they requested it;
 * a child without a team of its own inherits its parent's. `alias` names the projects table in the query.
 */
export function projectScope(actor: Actor, alias = 'projects'): Expression<SqlBool> {
  const project = (column: string) => sql.ref(`${alias}.${column}`)
  if (actor.role === 'admin') return sql<SqlBool>`${project('deleted_at')} is null`
  const me = actor.id
  return sql<SqlBool>`(${project('deleted_at')} is null and (${project('requested_by')} = ${me} or exists (
    select 1 from projects seen where seen.id = case when ${project('parent_id')} is not null and not exists (select 1 from team_projects own where own.project_id = ${project('id')}) then ${project('parent_id')} else ${project('id')} end
    and (seen.requested_by = ${me}
      or exists (select 1 from team_projects tp join team_users tu on tu.team_id = tp.team_id where tp.project_id = seen.id and tu.user_id = ${me})
      or (seen.client_id in (select uc.client_id from user_clients uc where uc.user_id = ${me}) and not exists (select 1 from team_projects any_team where any_team.project_id = seen.id))))))`
}

/** The clients a caller sees: an admin all, a client user theirs. */
export function clientScope(actor: Actor, alias = 'clients'): Expression<SqlBool> {
  const client = (column: string) => sql.ref(`${alias}.${column}`)
  if (actor.role === 'admin') return sql<SqlBool>`${client('deleted_at')} is null`
  return sql<SqlBool>`(${client('deleted_at')} is null and ${client('id')} in (select uc.client_id from user_clients uc where uc.user_id = ${actor.id}))`
}
