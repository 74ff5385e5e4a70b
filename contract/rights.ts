import type { CallId } from './calls.ts'
import { OLDER_CALLS } from './olderCalls.ts'

/*
 * TABLE  which calls change who may do what: a role, an address, a password, who belongs where.
 * A token needs the right's own scope for them, which no `noun:write` and no `*:write` includes.
 * Assistants always confirm them.
 * The server refuses by what a write does, whichever call it comes from (server/core/rightsWatch.ts).
 * What a token never does isn't here: tokens, keys, sessions and the caller's own account (tokenScope.ts).
 */

export interface Right {
  /** Its words where a token is made. */
  label: string
  /** A sentence on what it lets a token do. */
  about: string
  /** `true`: the call does nothing else, so this scope alone opens it. Otherwise only these fields use the right. */
  calls: Readonly<Partial<Record<CallId, true | readonly string[]>>>
  /** It opens what is a person's alone otherwise, and shows the secrets of these calls. */
  persons?: true
}

export const RIGHTS = {
  'user:role': {
    label: 'Make administrators',
    about: 'Changes the role of a user, whose clients and teams end with it, and invites administrators.',
    calls: { 'user.edit': ['role', 'role_id'], 'user.inviteMany': ['role_id'] },
  },
  'user:invite': {
    label: 'Invite users',
    about: 'Invites people to an account, with a client and teams, and sends invitations again.',
    calls: { 'user.inviteMany': true, 'user.resendActivation': true },
  },
  'user:email': {
    label: 'Change addresses of users',
    about: 'Changes the email address that a user signs in with.',
    calls: { 'user.edit': ['email'], 'user.cancelEmail': true },
  },
  'user:password': {
    label: 'Reset passwords',
    about: 'Replaces the password of a user by a temporary one.',
    calls: { 'user.resetPassword': true },
  },
  'user:remove': {
    label: 'Delete users',
    about: 'Deletes users with all their access.',
    calls: { 'user.remove': true },
  },
  'user:access': {
    label: 'Change what users see',
    about: 'Changes which clients, teams and services users belong to, which teams open a project, and whose it is.',
    calls: {
      'user.edit': ['company_id', 'rejoin'],
      'user.setTeams': true,
      'client.addUser': true,
      'client.removeUser': true,
      'client.setApprovers': true,
      'client.remove': true,
      'client.restore': true,
      'team.create': ['user_ids', 'project_ids'],
      'team.addUsers': true,
      'team.removeUsers': true,
      'team.addProjects': true,
      'team.removeProjects': true,
      'team.remove': true,
      'team.restore': true,
      'project.removeTeam': true,
      'project.edit': ['client_id', 'parent_id'],
      'service.create': ['user_ids'],
      'service.addUser': true,
      'service.removeUser': true,
      'service.setUsers': true,
    },
  },
  'partner:address': {
    label: 'Change where partners’ links go',
    about: 'Changes the email address of a partner, and merges partners, whose links then answer for each other.',
    calls: { 'partner.edit': ['email'], 'partner.merge': true },
  },
  'organization:settings': {
    label: 'Change the organization',
    about: 'Changes the organization’s names, mail addresses and settings.',
    calls: { 'organization.edit': true },
  },
  'webhook:manage': {
    label: 'Manage its webhooks',
    about:
      'Makes webhooks for what its other scopes read, and changes, tests, replays and deletes those it made. They end with it.',
    persons: true,
    calls: {
      'webhook.list': true,
      'webhook.get': true,
      'webhook.create': true,
      'webhook.edit': true,
      'webhook.pause': true,
      'webhook.resume': true,
      'webhook.rotate': true,
      'webhook.test': true,
      'webhook.replayFailed': true,
      'webhook.remove': true,
      'delivery.list': true,
      'delivery.get': true,
      'delivery.replay': true,
    },
  },
} as const satisfies Readonly<Record<string, Right>>

export type RightId = keyof typeof RIGHTS

/** The scopes of rights. */
export const RIGHT_IDS = Object.keys(RIGHTS) as RightId[]

/** True for the scope of a right. */
export const isRight = (scope: string): scope is RightId => Object.hasOwn(RIGHTS, scope)

/** The uses of rights by a call; an older one has its twin's. */
const usesOf = (id: CallId) =>
  RIGHT_IDS.flatMap((right) => {
    const { calls }: Right = RIGHTS[right]
    const uses = calls[OLDER_CALLS[id] ?? id]
    return uses ? [{ right, uses }] : []
  })

/** The right that a call is all about, whose scope alone opens it; null if it does other things too. */
export const rightTo = (id: CallId): RightId | null => usesOf(id).find(({ uses }) => uses === true)?.right ?? null

/** Fields of a call that need a right, with its scope. */
export const rightsOfFields = (id: CallId): Readonly<Record<string, RightId>> =>
  Object.fromEntries(usesOf(id).flatMap(({ right, uses }) => (uses === true ? [] : uses.map((field) => [field, right]))))

/** True if a call changes who may do what with this input. */
export const changesRights = (id: CallId, input: Readonly<Record<string, unknown>>): boolean =>
  rightTo(id) !== null || Object.keys(rightsOfFields(id)).some((field) => input[field] !== undefined)
