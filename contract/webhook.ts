import { z } from 'zod'
import { Allowed, call, Effected, EffectSentence, Id, Lock, listOf, one, wholeNumber } from './call.ts'
import { columnWord, oneOf } from './enums.ts'
import { createShape, editShape } from './fieldInput.ts'
import { listInput, Moment, Named } from './listInput.ts'
import { sortsOf, valuesOf } from './lists.ts'
import { webhookFields } from './webhookFields.ts'
import { webhookNouns, webhookTypes } from './webhookNouns.ts'

/** A webhook as lists show it, without its secret. */
const Webhook = z.object({
  id: z.number(),
  name: z.string(),
  url: z.string(),
  status: columnWord('webhook', 'status'),
  reason: z.string(),
  owner: z.string(),
  owner_id: z.number(),
  nouns: z.array(oneOf(webhookNouns)),
  /** The clients it is limited to; empty for no limit. */
  clients: z.array(Named),
  /** What it reaches, in a sentence. */
  reach: z.string(),
  waiting_count: z.number(),
  failed_count: z.number(),
  failing_since: z.string().nullable(),
  last_delivered_at: z.string().nullable(),
  secret_before_until: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
})

const Delivery = z.object({
  id: z.number(),
  webhook_id: z.number(),
  webhook: z.string(),
  message_id: z.string(),
  type: oneOf(['webhook.test', ...webhookTypes.map(({ type }) => type)]),
  subject_id: z.number(),
  status: columnWord('delivery', 'status'),
  attempts: z.number(),
  response_status: z.number().nullable(),
  duration_ms: z.number().nullable(),
  error: z.string(),
  occurred_at: z.string(),
  sent_at: z.string().nullable(),
  next_at: z.string().nullable(),
  created_at: z.string(),
  ...Allowed,
})

const Nouns = z
  .array(z.string().trim().max(40))
  .min(1, 'Choose at least one noun')
  .max(60)
  .meta({ description: 'The nouns it follows: project, client, activity …' })
const Clients = z.array(Id).max(200).meta({ description: 'Limits it to records of these clients; empty for all.' })
const Shown = one(Webhook).extend({ message: EffectSentence })
const WithSecret = one(Webhook.extend({ signing_secret: z.string() })).extend({ message: EffectSentence })

export const webhookCalls = {
  'webhook.list': call({
    method: 'GET',
    path: '/v3/portal/webhooks',
    about: 'Lists your webhooks; administrators get everybody’s.',
    input: z.object({ ...listInput(sortsOf('webhook')), status: z.enum(['', ...valuesOf('webhook', 'status')]).default('') }),
    output: listOf(Webhook),
  }),
  'webhook.get': call({
    method: 'GET',
    path: '/v3/portal/webhooks/{id}',
    about: 'Returns one webhook.',
    input: z.object({ id: Id }),
    output: one(Webhook),
  }),
  'webhook.create': call({
    method: 'POST',
    path: '/v3/portal/webhooks',
    about: 'Creates a webhook and returns its secret, only once. It gets the changes from then on.',
    secret: true,
    undo: true,
    // A letter to its owner.
    sends: 'email',
    credential: { limits: ['clients', 'nouns'] },
    aliases: { client_ids: 'clients' },
    input: z.object({ ...createShape(webhookFields), nouns: Nouns, clients: Clients.default([]) }),
    output: WithSecret,
    refreshes: ['history'],
  }),
  'webhook.edit': call({
    method: 'PUT',
    path: '/v3/portal/webhooks/{id}',
    about: 'Changes one of your webhooks: its name, address and the nouns it follows.',
    undo: true,
    sends: 'email',
    sendsIf: ['url'],
    reads: 'webhook.get',
    // An edit takes a limit off by an empty list.
    credential: { limits: [] },
    aliases: { client_ids: 'clients' },
    input: z.object({
      id: Id,
      ...editShape(webhookFields),
      nouns: Nouns.optional(),
      clients: Clients.optional(),
      lock_version: Lock,
    }),
    output: Shown,
    refreshes: ['history'],
  }),
  'webhook.pause': call({
    method: 'POST',
    path: '/v3/portal/webhooks/{id}/pause',
    about: 'Pauses a webhook: queued messages stay queued, and changes made while it is paused aren’t sent.',
    undo: true,
    input: z.object({ id: Id }),
    output: Shown,
    refreshes: ['history'],
  }),
  'webhook.resume': call({
    method: 'POST',
    path: '/v3/portal/webhooks/{id}/resume',
    about: 'Resumes a paused or disabled webhook and sends its queued messages.',
    undo: true,
    input: z.object({ id: Id }),
    output: Shown,
    refreshes: ['history'],
  }),
  'webhook.rotate': call({
    method: 'POST',
    path: '/v3/portal/webhooks/{id}/secret',
    about: 'Creates a new secret and returns it, only once. The old one also signs for the given hours.',
    secret: true,
    credential: { limits: ['overlap_hours'] },
    input: z.object({
      id: Id,
      overlap_hours: wholeNumber(z.number().int().min(0).max(168).default(24)).meta({
        description: 'How long the old secret also signs, in hours; 0 ends it at once.',
        example: 24,
      }),
    }),
    output: WithSecret,
    refreshes: ['history'],
  }),
  'webhook.test': call({
    method: 'POST',
    path: '/v3/portal/webhooks/{id}/test',
    about: 'Sends a message of the type webhook.test at once, signed like any other.',
    input: z.object({ id: Id }),
    output: Shown.extend({ data: Delivery }),
    refreshes: ['delivery'],
  }),
  'webhook.replayFailed': call({
    method: 'POST',
    path: '/v3/portal/webhooks/{id}/replay',
    about: 'Sends messages again that failed for good since a time, with their ids; at most 10,000.',
    input: z.object({
      id: Id,
      since: Moment.optional().meta({ description: 'The time of the first message; without it, all that are stored.' }),
    }),
    output: Effected.extend({ replayed: z.number() }),
    refreshes: ['delivery'],
  }),
  'webhook.remove': call({
    method: 'DELETE',
    path: '/v3/portal/webhooks/{id}',
    about: 'Deletes a webhook. Queued messages aren’t sent.',
    undo: true,
    input: z.object({ id: Id }),
    output: Effected,
    refreshes: ['history', 'delivery'],
  }),
  'delivery.list': call({
    method: 'GET',
    path: '/v3/portal/webhook_deliveries',
    about: 'Lists the messages of your webhooks in the last 30 days, newest first; administrators get everybody’s.',
    input: z.object({
      ...listInput(sortsOf('delivery')),
      webhook_id: Id.optional(),
      status: z.enum(['', ...valuesOf('delivery', 'status')]).default(''),
    }),
    output: listOf(Delivery),
  }),
  'delivery.get': call({
    method: 'GET',
    path: '/v3/portal/webhook_deliveries/{id}',
    about: 'Returns one message with the body of its last attempt and the beginning of the response.',
    input: z.object({ id: Id }),
    output: one(
      Delivery.extend({
        request: z.string(),
        response: z.string(),
        /** True if the caller doesn't see the record now: then its message is left out. */
        hidden: z.boolean(),
      }),
    ),
  }),
  'delivery.replay': call({
    method: 'POST',
    path: '/v3/portal/webhook_deliveries/{id}/replay',
    about: 'Sends a message again as it was, with its id.',
    input: z.object({ id: Id }),
    output: one(Delivery).extend({ message: EffectSentence }),
    refreshes: ['webhook'],
  }),
} as const
