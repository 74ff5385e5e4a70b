import { z } from 'zod'
import { call, Effected, EffectSentence, Id, Lock, listOf, one } from './call.ts'
import { clientFields } from './clientFields.ts'
import { crudCalls } from './crudCalls.ts'
import { createShape } from './fieldInput.ts'
import { listInput, Named } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { GroupRow, groupName, LocationGroup } from './locationGroup.ts'
import { PAGE } from './pages.ts'
import { Team } from './team.ts'
import { Effect } from './teamEffect.ts'
import { User } from './user.ts'

/** A client with the counts its lists show (people-area 3). */
export const Client = z.object({
  id: z.number(),
  name: z.string(),
  users_count: z.number(),
  teams_count: z.number(),
  /** Counts of this client's v3 projects and older survey projects, as far as the caller sees them. */
  projects_count: z.number(),
  campaigns_count: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  allowed_actions: z.array(z.string()),
  refused_actions: z.record(z.string(), z.string()),
})
const Written = one(Client).extend({ message: EffectSentence })
/** One user or several. */
const People = { user_id: Id.optional(), user_ids: z.array(Id).max(1000).optional() }
const groups = {
  input: z.object({ id: Id, ...listInput(sortsOf('group')) }),
  output: listOf(GroupRow),
}

export const clientCalls = {
  ...crudCalls('client', {
    at: '/v3/portal/clients',
    record: Client,
    create: createShape(clientFields),
    edit: createShape(clientFields),
    refreshes: { edit: ['project'] },
    about: {
      list: 'Searches clients, 10 a page.',
      get: 'Returns one client; a client user sees their own.',
      create: 'Adds a client.',
      edit: 'Renames a client.',
    },
  }),
  'client.dropdown': call({
    method: 'GET',
    path: '/v3/portal/clients/dropdown',
    about: 'Lists every client by name.',
    input: z.object({}),
    output: listOf(Named),
  }),
  'client.doubles': call({
    method: 'GET',
    path: '/v3/portal/doubles',
    about:
      'Lists duplicate names of clients, partners, teams, location groups, brands and services, each with the IDs that share it.',
    input: z.object({}),
    output: listOf(z.object({ noun: z.string(), name: z.string(), ids: z.array(z.number()), client_id: z.number().nullable() })),
  }),
  'client.groups': call({
    method: 'GET',
    path: '/v3/portal/clients/{id}/groups',
    about: 'Lists the target location lists of a client.',
    ...groups,
  }),
  'client.locationGroups': call({
    method: 'GET',
    path: '/v3/portal/clients/{id}/locations_groups',
    about: 'Lists the location groups of a client.',
    ...groups,
  }),
  'client.teams': call({
    method: 'GET',
    path: '/v3/portal/clients/{id}/teams',
    about: 'Lists the teams of a client, 10 a page.',
    input: z.object({ id: Id, ...listInput(sortsOf('team')) }),
    output: listOf(Team),
  }),
  'client.users': call({
    method: 'GET',
    path: '/v3/portal/clients/{id}/users',
    about: 'Lists the users of a client, 100 a page.',
    input: z.object({
      id: Id,
      ...listInput(sortsOf('user'), PAGE.clientUsers),
    }),
    output: listOf(User),
  }),
  'client.remove': call({
    method: 'DELETE',
    path: '/v3/portal/clients',
    about:
      'Soft-deletes a client, unless it has running projects; its teams and memberships end with it. Returns how many users left, and how many teams.',
    undo: true,
    input: z.object({ id: Id }),
    output: Effected.extend({ data: z.object({ users: z.number(), teams: z.number() }) }),
    refreshes: ['user', 'team', 'project', 'history'],
  }),
  'client.restore': call({
    method: 'POST',
    path: '/v3/portal/clients/restore',
    about: 'Restores a deleted client with its teams and memberships.',
    undo: true,
    input: z.object({ id: Id }),
    output: Written,
    refreshes: ['user', 'team', 'project', 'history'],
  }),
  'client.addUser': call({
    method: 'POST',
    path: '/v3/portal/clients/adduser',
    about:
      'Adds client users to a client or several, and with team_ids also to their teams. Returns what each person can see afterwards.',
    undo: true,
    input: z.object({
      client_id: Id.optional(),
      client_ids: z.array(Id).max(100).optional(),
      ...People,
      team_ids: z.array(Id).max(1000).optional(),
    }),
    output: Effected.extend({
      data: z.object({ added: z.boolean(), ids: z.array(z.number()), unchanged: z.number() }),
      effect: Effect,
    }),
    refreshes: ['user', 'team', 'history'],
  }),
  'client.removeUser': call({
    method: 'DELETE',
    path: '/v3/portal/clients/user',
    about: 'Removes users from a client and its teams. Returns these teams, and what each person can see afterwards.',
    undo: true,
    input: z.object({ client_id: Id, ...People }),
    output: Effected.extend({
      data: z.object({ removed: z.boolean(), ids: z.array(z.number()), team_ids: z.array(z.number()) }),
      effect: Effect,
    }),
    refreshes: ['user', 'team', 'history'],
  }),
  'client.setApprovers': call({
    method: 'PUT',
    path: '/v3/portal/clients/{id}/approvers',
    about: 'Sets which users of a client decide on its quotes, in place of those before; without any, all of them do.',
    undo: true,
    input: z.object({ id: Id, user_ids: z.array(Id).max(100) }),
    output: Effected.extend({ data: z.object({ approvers: z.array(z.object({ id: z.number(), name: z.string() })) }) }),
    refreshes: ['user', 'project', 'history'],
  }),
  'client.colleagues': call({
    method: 'GET',
    path: '/v3/portal/clients/colleagues',
    about: 'Lists the people of the caller’s clients with their teams, whether they decide on quotes, and how much they see.',
    input: z.object({ client_id: Id.optional() }),
    output: listOf(
      z.object({
        id: z.number(),
        name: z.string(),
        email: z.string(),
        client_id: z.number(),
        client_name: z.string(),
        /** Their teams at this client. */
        teams: z.array(z.string()),
        /** True if they may approve this client's quotes. */
        approves: z.boolean(),
        /** How many of `of_projects` they see, too. */
        projects_count: z.number(),
        /** How many of this client's projects the caller sees, children left out. */
        of_projects: z.number(),
      }),
    ),
  }),
  'client.editLocationGroup': call({
    method: 'PUT',
    path: '/v3/portal/clients/location_group',
    about: "Renames a client's location group.",
    reads: { call: 'group.get', by: { id: 'location_group_id' } },
    undo: true,
    input: z.object({
      id: Id.optional(),
      location_group_id: Id.optional(),
      client_id: Id.optional(),
      ...groupName,
      lock_version: Lock,
    }),
    output: one(LocationGroup).extend({ message: EffectSentence }),
    refreshes: ['group', 'history'],
  }),
} as const
