import {
  ColumnNode,
  type InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  RawNode,
  type RootOperationNode,
  TableNode,
  type UpdateQueryNode,
  ValueNode,
} from 'kysely'
import type { CallId } from '../../contract/calls.ts'
import { type RightId, rightTo } from '../../contract/rights.ts'
import { type Tx, txOf } from '../db/connect.ts'
import type { CallerToken } from './context.ts'
import { forbidden, missingScope } from './errors.ts'

/*
 * Rights follow the effect: what a token's write does to these tables needs the right of that effect.
 * It doesn't matter which call it comes from, or how its input is spelled.
 * A value that is sent but stays the same writes nothing, so it needs none.
 */

/**
 * TABLE  the right that a write needs: `table+` adds a row, `table-` deletes one, `table.column` changes one.
 * `never`: no scope of a token allows it. tests/api/rights.test.ts compares this with what each call was seen to write.
 * A deleted or restored project, brand or service isn't here: it goes and comes back for everybody alike.
 * Who saw it sees it again, and nobody sees anything else by it, unlike by a client or team.
 */
export const RIGHT_OF = {
  'users+': 'user:invite',
  'users.role': 'user:role',
  'users.email': 'user:email',
  'users.pending_email': 'user:email',
  'users.password_hash': 'user:password',
  'users.must_change_password': 'user:password',
  'users.password_expires_at': 'user:password',
  'users.invitation_hash': 'user:invite',
  'users.reset_hash': 'user:password',
  'users.status': 'never',
  'users.deleted_at': 'user:remove',
  'user_clients+': 'user:access',
  'user_clients-': 'user:access',
  'user_clients.approves': 'user:access',
  'team_users+': 'user:access',
  'team_users-': 'user:access',
  'team_projects+': 'user:access',
  'team_projects-': 'user:access',
  'service_users+': 'user:access',
  'service_users-': 'user:access',
  'teams.deleted_at': 'user:access',
  'clients.deleted_at': 'user:access',
  'projects.client_id': 'user:access',
  'projects.parent_id': 'user:access',
  'projects.requested_by': 'user:access',
  'partners.email': 'partner:address',
  'proffers.partner_id': 'partner:address',
  'organizations+': 'organization:settings',
  'organizations.': 'organization:settings',
  'api_keys+': 'never',
  'webhooks+': 'webhook:manage',
  'webhooks.url': 'webhook:manage',
  'webhooks.nouns': 'webhook:manage',
  'webhooks.clients': 'webhook:manage',
  'webhooks.secret': 'webhook:manage',
  'webhooks.status': 'webhook:manage',
  'webhooks.deleted_at': 'webhook:manage',

  'sessions+': 'never',
  'account_tokens+': 'never',
} as const satisfies Readonly<Record<string, RightId | 'never'>>

/** TABLE  effects that only follow from another of the same write, whose right they need no more. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  'user_clients+': ['users+'],
  'user_clients-': ['users.role', 'users.deleted_at'],
  'team_users+': ['users+'],
  'team_users-': ['users.role', 'users.deleted_at'],
  'service_users-': ['users.role', 'users.deleted_at'],
  // A copy of a project is seen by those who see the original.
  'team_projects+': ['projects+'],
  // A deleted account keeps none of these, and a new password ends an email that waits.
  // Links that were mailed end with an address or an account.
  'users.password_hash': ['users.deleted_at'],
  'users.pending_email': ['users.password_hash', 'users.deleted_at'],
  'users.invitation_hash': ['users.email', 'users.pending_email', 'users.deleted_at'],
  // A new password, and the end of an account, pause its webhooks.
  'webhooks.status': ['users.password_hash', 'users.deleted_at', 'users.role', 'users.email', 'users.pending_email'],
  'users.reset_hash': ['users.email', 'users.pending_email', 'users.deleted_at'],
}

/** The name of a table that a statement writes. */
const tableOf = (node: OperationNode | undefined): string => (node && TableNode.is(node) ? node.table.identifier.name : '')

/** The table of a raw statement that writes one; its columns aren't known. */
function rawEffects({ sqlFragments, parameters }: RawNode): string[] {
  const [, verb = '', name] = /^\s*(insert\s+into|update|delete\s+from)\s+"?(\w*)/i.exec(sqlFragments[0] ?? '') ?? []
  if (!verb) return []
  let [node] = parameters
  while (node && RawNode.is(node)) [node] = node.parameters
  const table = name || tableOf(node)
  if (/^insert/i.test(verb)) return [`${table}+`]
  if (/^delete/i.test(verb)) return [`${table}-`]
  return Object.keys(RIGHT_OF).filter((effect) => effect.startsWith(`${table}.`))
}

const columnsOf = ({ updates = [] }: UpdateQueryNode): string[] =>
  updates.flatMap(({ column }) => (ColumnNode.is(column) ? [column.column.name] : []))

/** The effect of adding users, some of whom may be administrators from the start. */
function userEffects({ columns = [], values }: InsertQueryNode): string[] {
  const at = columns.findIndex(({ column }) => column.name === 'role')
  const lists = (values as { values?: readonly { values: readonly unknown[] }[] } | undefined)?.values ?? []
  const roles = lists.map(({ values }) => values[at]).map((one) => (ValueNode.is(one as never) ? (one as ValueNode).value : one))
  return roles.length && roles.every((role) => role === 'client') ? ['users+'] : ['users.role', 'users+']
}

/** What a statement does to tables of rights, as the keys of RIGHT_OF, besides `projects+`. */
function effectsOf(node: RootOperationNode): string[] {
  switch (node.kind) {
    case 'InsertQueryNode': {
      const table = tableOf(node.into)
      return table === 'users' ? userEffects(node) : [`${table}+`]
    }
    case 'UpdateQueryNode': {
      const table = tableOf(node.table)
      return columnsOf(node).flatMap((column) => [`${table}.${column}`, `${table}.`])
    }
    case 'DeleteQueryNode':
      return node.from.froms.map((from) => `${tableOf(from)}-`)
    case 'RawNode':
      return rawEffects(node)
    default:
      return []
  }
}

/** The transaction of a token's write; throws a 403 at the first statement whose right the token doesn't have. */
export function withRights(tx: Tx, call: string, token: CallerToken): Tx {
  const done = new Set<string>()
  const holds = (right: RightId) =>
    token.scopes.includes(right) || (rightTo(call as CallId) === right && token.scopes.includes(call))
  const check = (effect: string) => {
    if (!Object.hasOwn(RIGHT_OF, effect) || FOLLOWS[effect]?.some((first) => done.has(first))) return
    const right = RIGHT_OF[effect as keyof typeof RIGHT_OF]
    if (right === 'never') throw forbidden('This is for the person alone, not for a token.')
    if (!holds(right)) throw missingScope(token.name, right)
  }
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      const effects = effectsOf(node)
      for (const effect of effects) done.add(effect)
      effects.forEach(check)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return txOf(tx.withPlugin(plugin) as never)
}
