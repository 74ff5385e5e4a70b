import type { Call } from '../../../contract/call.ts'
import { type CallId, calls } from '../../../contract/calls.ts'
import { COMMON_NAMES } from '../../../contract/commonNames.ts'
import { nounOf, wordOf } from '../../../contract/nounOf.ts'
import type { NounId } from '../../../contract/nouns.ts'
import { readOfNoun, WEBHOOK_VERBS, type WebhookVerb, webhookTypes } from '../../../contract/webhookNouns.ts'
import { type Components, type Schema, schemaOf } from './jsonSchema.ts'

const header = (name: string, description: string, example: string) => ({
  ...{ name, in: 'header', required: true, description, example },
  schema: { type: 'string' },
})
/** The headers of every message, as in Standard Webhooks. */
const PARAMETERS = [
  header('webhook-id', 'The message’s id, the same in every try and replay.', 'msg_2fK9QmZx7cT1bN4sVw8ELrYa'),
  header(
    'webhook-timestamp',
    'When this try was made, in seconds since 1970; refuse it when it is five minutes off.',
    '1772375400',
  ),
  header(
    'webhook-signature',
    'v1, and the HMAC-SHA256 by the secret of id, timestamp and body with a dot between, in base64; two with a space between while a secret is exchanged.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
]
const RESPONSES = {
  200: { description: 'Any 2xx within 15 seconds: it is delivered.' },
  410: { description: 'The webhook is disabled.' },
  default: { description: 'It is tried again, for about a day.' },
}
const REMOVED = {
  type: 'object',
  properties: { id: { type: 'integer', description: 'The record’s id.', example: 4180 } },
  required: ['id'],
  additionalProperties: false,
}

/** An example of the former values of a message. */
function previousOf(noun: NounId, verb: WebhookVerb, record: Schema): object {
  const { status } = nounOf(noun)?.webhooks ?? {}
  if (verb === 'status_changed' && status) {
    const fields = record.properties as Record<string, { enum?: unknown[] }>
    const common = COMMON_NAMES[status] && fields[COMMON_NAMES[status]] ? COMMON_NAMES[status] : status
    return { [common]: fields[common]?.enum?.[1] ?? null }
  }
  return verb === 'updated' ? { name: 'Before' } : {}
}

/** The messages of webhooks, each with the record as its noun's read call returns it. */
export function webhooksOf(components: Components): Record<string, Schema> {
  return Object.fromEntries(
    webhookTypes.map(({ type, noun, verb }) => {
      const read = readOfNoun(noun) as CallId
      const answer = schemaOf((calls[read] as Call).output, 'output').properties as Record<string, Schema>
      const data = verb === 'removed' ? REMOVED : components.refer(answer.data!, `${read}>data`)
      const word = wordOf(noun)
      const description = `${/^[aeio]/.test(word) ? 'An' : 'A'} ${word} ${WEBHOOK_VERBS[verb]}.`
      const schema = {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'As in webhook-id.', example: 'msg_2fK9QmZx7cT1bN4sVw8ELrYa' },
          type: { type: 'string', const: type, description: 'What happened.', example: type },
          timestamp: {
            type: 'string',
            format: 'date-time',
            description: 'When it happened.',
            example: '2026-03-01T14:30:00.000Z',
          },
          sequence: { type: ['integer', 'null'], description: 'Grows in the order of the changes.', example: 48_213 },
          action: {
            type: ['string', 'null'],
            description: 'The call or job that made the change; null for client users.',
            example: `${noun}.${verb === 'created' ? 'create' : verb === 'removed' ? 'remove' : 'edit'}`,
          },
          data: { ...data, description: 'The record, as the webhook’s owner sees it when the message is first sent.' },
          previous: {
            type: 'object',
            additionalProperties: true,
            description: 'The former values of the fields that the change replaced; empty for other types and without any.',
            example: previousOf(noun, verb, answer.data!),
          },
        },
        required: ['id', 'type', 'timestamp', 'sequence', 'action', 'data', 'previous'],
        additionalProperties: false,
      }
      const post = {
        ...{
          operationId: `hear.${type}`,
          summary: description.slice(0, -1),
          description,
          tags: ['webhook'],
          security: [],
        },
        parameters: PARAMETERS,
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: RESPONSES,
      }
      return [type, { post }]
    }),
  )
}
