import { type RawBuilder, sql } from 'kysely'
import { type Actor, seesAll } from '../../../contract/actor.ts'
import { projectScope, topLevel } from '../../core/scope.ts'

/**
 * A client's counts as SQL over a row of `clients`, for lists, sorting and exports.
 * Projects are those in the caller's lists, by generation.
 * For a client user, they cover only their own teams and the users on them.
 */
export function clientCounts(actor: Actor) {
  const count = (from: RawBuilder<unknown>) => sql<number>`(select count(*) from ${from})`
  const team = sql`teams.client_id = clients.id and teams.deleted_at is null`
  const user = sql`user_clients join users on users.id = user_clients.user_id where user_clients.client_id = clients.id and users.deleted_at is null`
  const mine = sql`teams.id in (select team_id from team_users where user_id = ${actor.id})`
  const listed = (generation: 'project' | 'campaign') =>
    sql`projects where projects.client_id = clients.id and projects.generation = ${generation} and ${projectScope(actor)} and ${topLevel(actor)}`
  const all = seesAll(actor)
  return {
    users_count: count(
      all
        ? user
        : sql`${user} and (users.id = ${actor.id} or users.id in (select team_users.user_id from team_users join teams on teams.id = team_users.team_id where ${team} and ${mine}))`,
    ),
    teams_count: count(all ? sql`teams where ${team}` : sql`teams where ${team} and ${mine}`),
    projects_count: count(listed('project')),
    campaigns_count: count(listed('campaign')),
  }
}

/** Projects that are neither completed nor rejected; a client with one can't be deleted. */
export const RUNNING = sql<number>`(select count(*) from projects where projects.client_id = clients.id and projects.deleted_at is null
  and projects.status not in ('completed', 'reporting', 'rejected'))`
