import { z } from 'zod'
import { Allowed, call, EffectSentence, Id, Lock, listOf, one } from './call.ts'
import { ApiStatus, Generation, PacingColor, PacingState, Role, StoredStatus, UserStatus } from './enums.ts'
import { createShape, editShape, plainSchema } from './fieldInput.ts'
import { HistoryLines } from './historyLine.ts'
import { listInput, Named, paged } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { OwnPart } from './projectRecord.ts'
import { Effect } from './teamEffect.ts'
import { teamFields } from './teamFields.ts'

/** A team with its counts (people-area 3). */
export const Team = z.object({
  id: z.number(),
  name: z.string(),
  client_id: z.number(),
  client_name: z.string(),
  /** v1's name of `client_id`. */
  company_id: z.number(),
  users_count: z.number(),
  projects_count: z.number(),
  in_field_count: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
})
/** Users and projects for which this team is the only access. */
const OnlyHere = z.object({ users: z.number(), projects: z.number() })
const TeamDetail = Team.extend({ only_here: OnlyHere, updated_by: z.string() })

/** Why a user sees a project: through this team, another team, their own request, or their client if it has no team. */
export const WHYS = ['this', 'other', 'requested', 'client', 'none'] as const
const Why = z.enum(WHYS)

export const TeamUser = z.object({
  id: z.number(),
  user_id: z.number(),
  first_name: z.string(),
  last_name: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  role: Role,
  role_id: z.number(),
  status: UserStatus,
  team_id: z.number(),
  clients: z.array(Named),
  other_teams: z.array(Named),
  /** How many projects the user sees only through this team. */
  only_here: z.number(),
  last_seen_at: z.string().nullable(),
  added_at: z.string().nullable(),
  /** With `project_id`: whether the user sees it, why, and through which team. */
  sees: z.boolean().nullable(),
  why: Why.nullable(),
  why_team: Named.nullable(),
  ...Allowed,
})
/** How the team relates to the requested project. */
const AskedProject = Named.extend({ client_id: z.number(), linked: z.boolean(), same_client: z.boolean() })

const TeamProject = z.object({
  id: z.number(),
  project_id: z.number(),
  team_id: z.number(),
  name: z.string(),
  generation: Generation,
  parent_id: z.number().nullable(),
  parent_name: z.string(),
  /** A child without a team, which its parent's team opens; it has no link to remove. */
  inherits: z.boolean(),
  status: ApiStatus,
  stored_status: StoredStatus,
  status_shown: z.string(),
  ordered: z.number(),
  delivered: z.number(),
  pacing: z.number(),
  pacing_color: PacingColor,
  pacing_state: PacingState,
  own: OwnPart.nullable(),
  end_dt: z.string().nullable(),
  other_teams: z.array(Named),
  linked_at: z.string().nullable(),
  ...Allowed,
})

/** The result of a write of links: `unchanged` were linked already, `joined` became users of the client. */
const Linked = z.object({
  data: z.object({ team_id: z.number(), ids: z.array(z.number()), unchanged: z.number(), joined: z.array(Named) }),
  message: EffectSentence,
  effect: Effect,
})
const Written = one(TeamDetail).extend({ message: EffectSentence, effect: Effect })
const Removed = z.object({ message: EffectSentence, data: z.object({ users: z.number(), projects: z.number() }), effect: Effect })

const Ids = plainSchema(teamFields.user_ids)
const { client_id, ...made } = createShape(teamFields)
const edit = {
  id: Id,
  ...editShape(teamFields),
  /** A team can't move to another client; a different one is refused. */
  client_id: client_id.optional(),
  company_id: client_id.optional(),
  lock_version: Lock,
}
const users = { team_id: Id, user_id: Id.optional(), user_ids: Ids.optional() }
const projects = { team_id: Id, project_id: Id.optional(), project_ids: Ids.optional() }
/** One team, or several at once. */
const removed = { id: Id.optional(), ids: Ids.optional() }
const teams = {
  ...listInput(sortsOf('team')),
  client_id: Id.optional(),
  empty: z.enum(['', 'users', 'projects', 'neither']).default(''),
}
const members = {
  id: Id,
  ...listInput(sortsOf('member')),
  status: z.enum(['', 'invited', 'active']).default(''),
  project_id: Id.optional(),
  sees: z.enum(['', 'yes', 'no']).default(''),
}
const refreshes = ['project', 'client', 'user', 'palette', 'history'] as const

export const teamCalls = {
  'team.list': call({
    method: 'GET',
    path: '/v3/portal/teams',
    about: 'Lists teams by search, client, and what they lack, 10 a page.',
    input: z.object(teams),
    output: listOf(Team),
  }),
  'team.get': call({
    method: 'GET',
    path: '/v3/portal/teams/{id}',
    about: 'Returns one team, with the users and projects that only it gives access to.',
    input: z.object({ id: Id }),
    output: one(TeamDetail),
  }),
  'team.grid': call({
    method: 'GET',
    path: '/v3/portal/teams/{id}/grid',
    about:
      'Returns which of the client’s users see which of its projects, and why: 20 users by 20 projects, the team’s own first.',
    input: z.object({ id: Id, all: z.enum(['', '0', '1']).default('') }),
    output: z.object({
      data: z.object({
        users: z.array(Named.extend({ on_team: z.boolean() })),
        projects: z.array(Named.extend({ linked: z.boolean() })),
        /** The reason for each user (row) and project (cell). */
        cells: z.array(z.array(Why)),
        users_count: z.number(),
        projects_count: z.number(),
      }),
    }),
  }),
  'team.users': call({
    method: 'GET',
    path: '/v3/portal/teams/{id}/users',
    about: 'Lists the users of a team; with project_id also which of them see that project, and why.',
    input: z.object(members),
    output: listOf(TeamUser).extend({ project: AskedProject.nullable() }),
  }),
  'team.ofUser': call({
    method: 'GET',
    path: '/v1/user_teams/{id}',
    about: 'Lists the teams of a user; an ampersand where a question mark belongs is accepted.',
    input: z.object({ id: Id, ...paged(), search: teams.search }),
    output: z.object({ data: z.object({ count: z.number(), teams: z.array(Team) }) }),
  }),
  'team.projects': call({
    method: 'GET',
    path: '/v3/portal/projects/team/{id}',
    about: 'Lists the projects that a team gives access to; a client user reads those of their own teams.',
    input: z.object({ id: Id, ...listInput(sortsOf('teamProject')), status: z.string().max(40).default('all') }),
    output: listOf(TeamProject),
  }),
  'team.history': call({
    method: 'GET',
    path: '/v3/portal/teams/{id}/history',
    about: 'Lists the history of a team, newest first, 10 lines a page.',
    input: z.object({ id: Id, ...paged() }),
    output: HistoryLines,
  }),
  'team.create': call({
    method: 'POST',
    path: '/v3/portal/teams',
    about: 'Adds a team of a client, with users and projects if given. Returns what each person can see afterwards.',
    wraps: 'team',
    undo: true,
    input: z.object({ client_id, ...made }),
    output: Written,
    refreshes,
  }),
  'team.edit': call({
    method: 'PUT',
    path: '/v3/portal/teams',
    about: 'Renames a team.',
    wraps: 'team',
    reads: 'team.get',
    undo: true,
    input: z.object(edit),
    output: Written,
    refreshes,
  }),
  'team.remove': call({
    method: 'DELETE',
    path: '/v3/portal/teams',
    about: 'Deletes teams softly with their links; projects that have no team left are open to all users of their client.',
    undo: true,
    input: z.object(removed),
    output: Removed,
    refreshes,
  }),
  'team.addUsers': call({
    method: 'POST',
    path: '/v3/portal/teams/user',
    about: 'Adds client users to a team, and to its client where needed.',
    undo: true,
    input: z.object(users),
    output: Linked,
    refreshes,
  }),
  'team.removeUsers': call({
    method: 'DELETE',
    path: '/v3/portal/teams/user',
    about: 'Removes users from a team; they stay with its client.',
    undo: true,
    input: z.object(users),
    output: Linked,
    refreshes,
  }),
  'team.addProjects': call({
    method: 'POST',
    path: '/v3/portal/teams/addproject',
    about: 'Links projects of the team’s client to it.',
    undo: true,
    input: z.object(projects),
    output: Linked,
    refreshes,
  }),
  'team.removeProjects': call({
    method: 'DELETE',
    path: '/v3/portal/teams/project',
    about: 'Unlinks projects from a team; without any team a project is open to all users of its client.',
    undo: true,
    input: z.object(projects),
    output: Linked,
    refreshes,
  }),
} as const
