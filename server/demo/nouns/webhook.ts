import type { Insertable } from 'kysely'
import { webhookType } from '../../../contract/webhookNouns.ts'
import type { WebhookDeliveryTable, WebhookTable } from '../../db/schema.ts'
import type { Market } from '../market.ts'
import { demoNoun, type NounRows } from '../noun.ts'
import type { ProjectPlan } from '../plan.ts'
import type { Random } from '../random.ts'
import { rowOf } from '../rowDefaults.ts'

/** None is active, so a demo sends nothing; the addresses' names lead nowhere. */
export const webhook = demoNoun({
  tables: ['webhooks', 'webhook_deliveries'],
  after: ['project', 'user', 'client'],
  first: 9101,
  amount: { test: 2, demo: 4, mid: 4, large: 4 },
})

interface Sample {
  name: string
  url: string
  nouns: readonly string[]
  /** Owned by the demo's client user, whose receiver has failed for three days. */
  ofClient?: true
  /** Limited to the first clients. */
  clients: number
  messages: number
}
const SAMPLES: readonly Sample[] = [
  {
    ...{ name: 'Delivery board', url: 'https://board.fieldwork.example/hooks/fieldwork' },
    ...{ nouns: ['project', 'activity'], clients: 0, messages: 38 },
  },
  {
    ...{ name: 'Project status in chat', url: 'https://chat-bridge.example/in/projects', nouns: ['project'] },
    ...{ ofClient: true, clients: 1, messages: 16 },
  },
  {
    ...{ name: 'Data warehouse', url: 'https://ingest.warehouse.example/v1/events?source=fieldwork' },
    ...{ nouns: ['project', 'activity', 'survey', 'team', 'client', 'partner'], clients: 3, messages: 26 },
  },
  {
    ...{ name: 'Invoices', url: 'https://billing.fieldwork.example/webhooks', nouns: ['project', 'offer'] },
    ...{ clients: 0, messages: 0 },
  },
]

const HOUR = 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()
/** Calls that changed a project, beside the counts of its respondents. */
const ACTIONS = ['project.edit', 'project.goLive', 'project.setStatus', 'target.edit'] as const
const UNAVAILABLE = 'no healthy upstream'
const ID_LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']

export const rows: NounRows<'webhooks' | 'webhook_deliveries'> = {
  rows(random, market) {
    const { amounts, calendar, people } = market
    const now = calendar.now.getTime()
    const made: Insertable<WebhookTable>[] = []
    const deliveries: Insertable<WebhookDeliveryTable>[] = []
    for (const [nth, sample] of SAMPLES.slice(0, amounts.webhook).entries()) {
      const id = amounts.first.webhook + nth
      const owner = sample.ofClient ? people.usersOf[0]![0]! : people.admins[0]!
      const log = messagesOf(random, market, sample, { id, owner })
      const stopped = now - (sample.ofClient ? 20 : 3) * HOUR
      const failed = sample.ofClient && log.findLast(({ status }) => status === 'failed')
      made.push(
        rowOf('webhooks', iso(now - (60 - nth) * 24 * HOUR), {
          ...{ id, name: sample.name, url: sample.url, nouns: JSON.stringify(sample.nouns), owner_id: owner },
          clients: JSON.stringify(people.clients.slice(0, sample.clients).map((client) => client.id)),
          status: sample.ofClient ? 'disabled' : 'paused',
          reason: failed ? `Nothing was delivered for three days. The last try: ${failed.error}` : '',
          // Sealed by no key, so it signs nothing until its secret is renewed.
          ...{ secret: '', secret_before: null, secret_before_until: null, since_event: 0 },
          failing_since: failed ? iso(stopped - 73 * HOUR) : null,
          told_at: failed ? iso(stopped - 48 * HOUR) : null,
          last_delivered_at: log.findLast(({ status }) => status === 'delivered')?.sent_at ?? null,
          updated_at: iso(stopped),
          lock_version: 2,
        }),
      )
      deliveries.push(...log)
    }
    return { webhooks: made, webhook_deliveries: deliveries }
  },
}

/** A webhook's messages of the last days, oldest first. */
function messagesOf(random: Random, market: Market, sample: Sample, of: { id: number; owner: number }) {
  const plans = market.plans.filter(({ activities, client }) => activities.length && (!sample.clients || client < sample.clients))
  const now = market.calendar.now.getTime()
  return Array.from({ length: plans.length ? sample.messages : 0 }, (_, nth): Insertable<WebhookDeliveryTable> => {
    const left = sample.messages - nth
    const at = now - (left * (sample.ofClient ? 15 : 5) + 20 + random.int(0, 4)) * HOUR - random.int(0, 3_540_000)
    const plan = random.pick(plans.slice(-40))
    const counted = random.chance(0.35)
    const noun = sample.nouns.includes('activity') && random.chance(0.3) ? 'activity' : 'project'
    const message = {
      noun,
      subject_id: noun === 'activity' ? plan.activities[0]!.id : plan.id,
      kind: counted ? 'counters' : 'put',
      action: counted ? '' : noun === 'activity' ? 'activity.edit' : random.pick(ACTIONS),
    }
    const id = `msg_${Array.from({ length: 24 }, () => random.pick(ID_LETTERS)).join('')}`
    const type = webhookType(message)
    const body = JSON.stringify({
      ...{ id, type, timestamp: iso(at), sequence: nth + 1 },
      action: sample.ofClient ? null : message.action || null,
      data: recordOf(market, noun, plan),
      previous: {},
    })
    return {
      ...{ webhook_id: of.id, owner_id: of.owner, message: id, type, ...message, event_id: nth + 1 },
      ...{ audience: sample.ofClient ? 'scope' : 'admin', user_id: null, project_id: plan.id, client_id: null },
      ...{ occurred_at: iso(at), created_at: iso(at), ...tryOf(random, sample, left, at, body) },
    }
  })
}

/** How a message fared: most arrive at once, the last ones of a failing receiver never. */
function tryOf(random: Random, sample: Sample, left: number, at: number, body: string) {
  const sent = at + random.int(180, 900)
  const took = random.int(48, 410)
  if (left === 1 && !sample.ofClient)
    return {
      ...{ status: 'queued' as const, attempts: 2, not_before: iso(sent + 35_000), sent_at: iso(sent + 5000), ended_at: null },
      ...{ error: 'It didn’t answer within 15 seconds.', request: body, response_status: null, response: '', duration_ms: null },
    }
  if (sample.ofClient && left <= 2)
    return {
      ...{ status: 'queued' as const, attempts: 8, not_before: iso(at + 15 * HOUR), sent_at: iso(at + 9 * HOUR), ended_at: null },
      ...{ error: 'It answered 503.', request: body, response_status: 503, response: UNAVAILABLE, duration_ms: took },
    }
  if (sample.ofClient ? left <= 5 : left === 9)
    return {
      ...{ status: 'failed' as const, attempts: 11, not_before: iso(at), sent_at: iso(at + 26 * HOUR) },
      ...{ ended_at: iso(at + 26 * HOUR + took), error: 'It answered 503.', request: body, response_status: 503 },
      ...{ response: UNAVAILABLE, duration_ms: took },
    }
  if (left === 6)
    return {
      ...{ status: 'skipped' as const, attempts: 1, not_before: iso(at), sent_at: null, ended_at: iso(sent) },
      error: 'The record is gone, or the webhook’s owner doesn’t see it any more.',
      ...{ request: '', response_status: null, response: '', duration_ms: null },
    }
  const again = random.chance(0.08)
  return {
    ...{ status: 'delivered' as const, attempts: again ? 2 : 1, not_before: iso(at), sent_at: iso(again ? sent + 5400 : sent) },
    ...{ ended_at: iso((again ? sent + 5400 : sent) + took), error: '', request: body },
    ...{ response_status: sample.ofClient ? 204 : 200, response: sample.ofClient ? '' : '{"ok":true}', duration_ms: took },
  }
}

/** The fields of a message's record that are known before its rows are made. */
function recordOf({ people }: Market, noun: string, plan: ProjectPlan): object {
  const activity = plan.activities[0]!
  if (noun === 'activity') return { id: activity.id, project_id: plan.id, activity_type: activity.type }
  const { id, name, status, start, end, delivered } = plan
  return { id, name, status, client_id: people.clients[plan.client]!.id, start_dt: start, end_dt: end, delivered }
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly webhook: typeof webhook
  }
}
