import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import { type Actor, isAdmin } from '../../../contract/actor.ts'
import type { Paging } from '../../../contract/listInput.ts'
import type { Message, messageCalls } from '../../../contract/message.ts'
import { listOf } from '../../core/listBuilder.ts'
import { projectScope } from '../../core/scope.ts'
import { seenProject } from '../project/detail.ts'

type Filter = Omit<z.output<(typeof messageCalls)['message.list']['input']>, Paging>
type Row = Omit<Message, 'allowed_actions' | 'refused_actions'>

/** The client's conversation, while the project is of the client who had it. */
const OF_CLIENT = sql<SqlBool>`(messages.partner_id = 0 and messages.client_id = projects.client_id)`
/** The messages that a signed-in caller may read: client users those of their own conversation. */
const readable = (actor: Actor) =>
  isAdmin(actor) ? projectScope(actor) : sql<SqlBool>`(${projectScope(actor)} and ${OF_CLIENT})`

/** Messages about projects, newest first. */
export const messageList = listOf<'message', Filter, Row, Message>('message', {
  table: 'messages',
  join: `join projects on projects.id = messages.project_id left join clients on clients.id = messages.client_id
    left join partners on partners.id = messages.partner_id left join users author on author.id = messages.author_id`,
  scope: ({ actor }) => readable(actor),
  where: ({ id, with: party, partner_id }) => [
    sql<SqlBool>`messages.project_id = ${id}`,
    party === 'client' && OF_CLIENT,
    party === 'partners' && sql<SqlBool>`messages.partner_id <> 0`,
    partner_id !== undefined && sql<SqlBool>`messages.partner_id = ${partner_id}`,
  ],
  columns: () => ({
    conversation: sql`case when messages.partner_id = 0 then coalesce(clients.name, '') else coalesce(partners.name, '') end`,
    author: sql`coalesce(nullif(trim(author.first_name || ' ' || author.last_name), ''), author.email, partners.name, '')`,
  }),
  also: () => [
    sql`messages.project_id`,
    sql`nullif(messages.partner_id, 0) as partner_id`,
    sql`messages.author_id`,
    sql`messages.updated_at`,
  ],
  shown: ({ actor }, rows) => rows.map((row) => ({ ...row, ...allowedActions('message', actor) })),
  file: { title: async (ctx, { id }) => `${(await seenProject(ctx, id)).name} messages`, holds: ({ project_id }) => project_id },
})
