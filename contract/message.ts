import { z } from 'zod'
import { Allowed, call, EffectSentence, Id, IdIfAny, listOf, needed, one } from './call.ts'
import { columnWord } from './enums.ts'
import { listInput } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { MESSAGE_BLANK, MESSAGE_MOST } from './messageText.ts'

/** The text of a message. */
export const MessageText = needed(MESSAGE_BLANK, MESSAGE_MOST)

/** A message as those who take part in its conversation read it. */
const Message = z.object({
  id: z.number(),
  project_id: z.number(),
  partner_id: z.number().nullable().meta({ description: 'The partner whose conversation it is; null for the client’s.' }),
  conversation: z.string().meta({ description: 'Whom the agency talks with: the client or the partner.' }),
  side: columnWord('message', 'side').meta({ description: 'Who wrote it.' }),
  author: z.string(),
  author_id: z.number().nullable().meta({ description: 'The user who wrote it; null for a partner.' }),
  text: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  ...Allowed,
})
export type Message = z.output<typeof Message>

/** A conversation with its last message. */
const Conversation = z.object({
  partner_id: z.number().nullable().meta({ description: 'Null for the client’s.' }),
  name: z.string(),
  messages: z.number().meta({ description: 'How many messages it has.' }),
  last_at: z.string().nullable().meta({ description: 'When its last message was written; null without one.' }),
  waiting: z.boolean().meta({ description: 'True if the last message waits for an answer of the caller’s side.' }),
  refusal: z.string().meta({ description: 'Why nothing can be written to this partner now; empty if it can.' }),
})
export type Conversation = z.output<typeof Conversation>

/** Whose messages: those of one conversation, or all that the caller may read. */
const whose = {
  with: z
    .enum(['anyone', 'client', 'partners'])
    .default('anyone')
    .meta({ description: 'Whose messages: of every conversation, of the client’s, or of those with partners.' }),
  partner_id: IdIfAny.meta({ description: 'The partner whose conversation is meant; only for administrators.' }),
}

/** Conversations about a project: one with its client, and one with each partner, apart from all others. */
export const messageCalls = {
  'message.list': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/messages',
    about: 'Lists the messages about a project that the caller may read, newest first: client users read their own conversation.',
    input: z.object({ id: Id, ...whose, ...listInput(sortsOf('message'), 20) }),
    output: listOf(Message),
  }),
  'message.get': call({
    method: 'GET',
    path: '/v3/portal/messages/{id}',
    about: 'Returns one message.',
    input: z.object({ id: Id }),
    output: one(Message),
  }),
  'message.conversations': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/conversations',
    about: 'Lists the conversations about a project: with its client and, for administrators, with each partner who was asked.',
    input: z.object({ id: Id }),
    output: listOf(Conversation),
  }),
  'message.send': call({
    method: 'POST',
    path: '/v3/portal/projects/{id}/messages',
    about:
      'Writes in a conversation about a project, and emails the other side: to its client, or with partner_id to a partner. Client users write to the agency.',
    undo: true,
    sends: 'email',
    input: z.object({
      id: Id,
      partner_id: IdIfAny.meta({ description: 'The partner to write to; only for administrators.' }),
      text: MessageText,
    }),
    output: one(Message).extend({ message: EffectSentence }),
    refreshes: ['history', 'outbox'],
  }),
} as const
