import type { Output } from '../../../contract/calls.ts'

type Webhook = Output<'webhook.get'>['data']
type Delivery = Output<'delivery.list'>['data'][number]

const AT = '2026-11-20T15:00:00.000Z'
const ACTIONS = ['webhook.edit', 'webhook.rotate', 'webhook.test', 'webhook.pause', 'webhook.replayFailed', 'webhook.remove']

/** A webhook as its list shows it. */
export const webhookRow = (given: Partial<Webhook> & { id: number; name: string }): Webhook => ({
  ...{ url: 'https://board.example.com/hook', status: 'active', reason: '', owner: 'Sara Miller', owner_id: 1 },
  ...{
    nouns: ['project', 'client'],
    clients: [],
    reach: 'everything, for ever',
    waiting_count: 1,
    failed_count: 1,
    failing_since: null,
  },
  ...{ last_delivered_at: AT, secret_before_until: null, created_at: AT, updated_at: AT, lock_version: 3 },
  ...{ allowed_actions: ACTIONS, refused_actions: { 'webhook.resume': 'it is active' } },
  ...given,
})

/** Messages of a webhook: one that arrived, and one that failed for good. */
export function deliveryRows(webhook_id: number): Delivery[] {
  const row = (given: Partial<Delivery> & { id: number }): Delivery => ({
    ...{ webhook_id, webhook: 'Delivery board', message_id: `msg_${given.id}`, type: 'project.updated', subject_id: 4180 },
    ...{ status: 'delivered', attempts: 1, response_status: 200, duration_ms: 84, error: '', occurred_at: AT, sent_at: AT },
    ...{ next_at: null, created_at: AT, allowed_actions: ['delivery.replay'], refused_actions: {} },
    ...given,
  })
  return [
    row({ id: 12, status: 'failed', attempts: 11, response_status: 503, error: 'It answered 503.' }),
    row({ id: 11, type: 'client.updated', subject_id: 12 }),
  ]
}

/** A message with what was sent and answered. */
export const deliveryText = (id: number): Output<'delivery.get'>['data'] => ({
  ...deliveryRows(5).find((row) => row.id === id)!,
  request: JSON.stringify({ id: `msg_${id}`, type: 'project.updated', data: { id: 4180, name: 'Spring tracker' } }),
  response: 'Service Unavailable',
  hidden: false,
})
