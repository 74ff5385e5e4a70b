import { seesAll } from '../../contract/actor.ts'
import { ANONYMOUS } from '../core/caller.ts'
import { isWithin, SKEW_MS } from '../core/clockSkew.ts'
import type { JobKind, Queue, RunningJob, Services, WorkEnd } from '../core/context.ts'
import { WorkRefused } from '../core/errors.ts'
import { asSystem } from '../core/unitOfWork.ts'
import {
  anyOldDelivery,
  anyWebhook,
  type DeliveryRow,
  nextDeliveries,
  sweepDeliveries,
  type WebhookRow,
  webhookOf,
} from '../domain/webhook/deliveryQueue.ts'
import { isTokenValid, ownerOf } from '../domain/webhook/owner.ts'
import { reachOf } from '../domain/webhook/receiverAddress.ts'
import { signatureOf } from '../domain/webhook/signature.ts'
import { disableWebhook, emitWebhookChange, noteWebhook, renewSeals, signingSecrets } from '../domain/webhook/webhookState.ts'
import { links, webhookFails } from '../mail/letters.ts'
import { sendLetter } from '../mail/sendLetter.ts'
import { recordFor } from './deliveredRecord.ts'
import { followEvents, hearing } from './eventFollower.ts'
import { previousOf } from './previousValues.ts'
import { checkResponse, NoAnswer, type Outcome, post } from './sendMessage.ts'

/** The lease (ms) of a claimed message: longer than an attempt can take. */
const LEASE = 45_000
/** The pauses (s) before each retry, a day in all; up to a fifth is added at random to spread them. */
const PAUSES = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 21_600, 36_000].map((seconds) => seconds * 1000)
const JITTER = 0.2
/** A webhook without a successful delivery for this long (ms) is disabled. */
const PATIENCE = 3 * 86_400_000
/** How often (ms) the time of the last delivery is stored. */
const NOTED_EVERY = 60_000

/** What an attempt adds to its row, besides its status. */
const tries = new WeakMap<object, Partial<DeliveryRow>>()

/** The messages as a queue: a claimed one is `sending` until `not_before`. */
const DELIVERIES: Queue<DeliveryRow> = {
  table: 'webhook_deliveries',
  running: 'sending',
  many: true,
  kindOf: () => 'webhook',
  describe: (delivery) => ({ title: delivery.type, input: delivery, by: null }),
  claimed: (_worker, now) => ({ not_before: new Date(now.getTime() + LEASE).toISOString() }),
  holder: ({ not_before }) => ({ not_before }),
  lost: (now) => ({
    column: 'not_before',
    below: now.toISOString(),
    above: new Date(now.getTime() + LEASE + SKEW_MS).toISOString(),
  }),
  next: ({ database, now }, room) => nextDeliveries(database.db, now().toISOString(), room),
  ended,
  emitChange: (ctx, { webhook_id, owner_id }) => emitWebhookChange(ctx, webhook_id, owner_id),
}

/** Columns to write after an attempt. */
function ended(row: DeliveryRow, end: WorkEnd, at: string): Partial<DeliveryRow> {
  const tried = tries.get(row)
  if (end.status === 'queued') {
    const pause = end.not_before ? Date.parse(end.not_before) - Date.parse(at) : 0
    const later = new Date(Date.parse(at) + pause * (1 + Math.random() * JITTER)).toISOString()
    return {
      ...tried,
      status: 'queued',
      error: end.error ?? '',
      not_before: later,
      ...('attempts' in end ? { attempts: end.attempts! } : {}),
    }
  }
  if (end.status === 'failed') return { ...tried, status: 'failed', error: end.error.slice(0, 500), ended_at: at }
  const { skipped } = end.result as { skipped?: string }
  return { ...tried, status: skipped ? 'skipped' : 'delivered', error: skipped ?? '', ended_at: at }
}

/** Sends webhooks' messages: follows events, claims, posts, retries, and fails what can't be delivered. */
export const webhookKind: JobKind = {
  queue: DELIVERIES as unknown as Queue,
  width: 16,
  pauses: PAUSES,
  follows: ({ database }) => anyWebhook(database.db),
  async prepare(services) {
    await followEvents(services)
    return true
  },
  async sweep(services) {
    const { database, now } = services
    await asSystem(services, 'webhook.sweep', ANONYMOUS, renewSeals)
    while (await anyOldDelivery(database.db, now())) {
      const swept = await asSystem(services, 'webhook.sweep', ANONYMOUS, ({ tx }) => sweepDeliveries(tx, now()))
      if (!swept) break
    }
  },
  async run(job) {
    const { services } = job
    const row = job.input as DeliveryRow
    const webhook = await webhookOf(services.database.db, row.webhook_id)
    if (!webhook || webhook.deleted_at) return { skipped: 'The webhook was deleted.' }
    const owner = await ownerOf(services.database.db, webhook.owner_id)
    if (!owner) {
      await job.write((ctx) => disableWebhook(ctx, webhook, 'Its owner can’t sign in any more.'))
      return { skipped: 'The webhook’s owner can’t sign in any more.' }
    }
    if (!(await isTokenValid(services.database.db, webhook.token_id, services.now()))) {
      await job.write((ctx) => disableWebhook(ctx, webhook, TOKEN_ENDED))
      return { skipped: TOKEN_ENDED }
    }
    const data = await dataOf(services, webhook, owner, row)
    if (data === null) return { skipped: 'The record is gone, or the webhook’s owner doesn’t see it any more.' }
    const whole = seesAll(owner.actor)
    // One body for one id: a retry or replay repeats what was sent first, unless its owner sees less now.
    const isSame = row.event_id !== null && row.request !== '' && row.whole === (whole ? 1 : 0)
    return deliver(job, webhook, row, { body: isSame ? row.request : bodyOf(row, data, whole), whole: whole ? 1 : 0 })
  },
}

const TOKEN_ENDED = 'The token that made it was revoked or has expired.'

/** The record of a message as its owner sees it now; null if they may not see it. */
async function dataOf(
  services: Services,
  webhook: WebhookRow,
  owner: NonNullable<Awaited<ReturnType<typeof ownerOf>>>,
  row: DeliveryRow,
) {
  if (row.event_id === null) return { webhook_id: webhook.id, name: webhook.name }
  const { database } = services
  const event = { ...row, id: row.event_id, session_id: null, at: row.occurred_at }
  if (!(await hearing(database.db, webhook, owner, [event])).length) return null
  return row.kind === 'drop' ? { id: row.subject_id } : recordFor(services, owner, row.noun, row.subject_id)
}

/** The text that is signed and sent; only owners who see every record get the call and the values before the change. */
const bodyOf = (row: DeliveryRow, data: unknown, whole: boolean): string =>
  JSON.stringify({
    id: row.message,
    type: row.type,
    timestamp: row.occurred_at,
    sequence: row.event_id,
    action: whole && row.action ? row.action : null,
    data,
    previous:
      whole && row.before && row.kind === 'put'
        ? previousOf(row.noun, JSON.parse(row.before) as Record<string, unknown>, data)
        : {},
  })

async function deliver(
  job: RunningJob,
  webhook: WebhookRow,
  row: DeliveryRow,
  { body, whole }: { body: string; whole: number },
): Promise<object> {
  const { services } = job
  const now = services.now()
  const secrets = signingSecrets(services, webhook, now.toISOString())
  const tried: Partial<DeliveryRow> = {
    request: body,
    whole,
    sent_at: now.toISOString(),
    response_status: null,
    response: '',
    duration_ms: null,
  }
  tries.set(row, tried)
  try {
    if (!secrets.length)
      throw new NoAnswer('Its secret can’t be read, as the server’s signing key is another one. Make a new secret.')
    const seconds = Math.floor(now.getTime() / 1000)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Fieldwork-Webhooks/1',
      'webhook-id': row.message,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signatureOf(secrets, row.message, seconds, body),
    }
    const { wait, ...outcome }: Outcome = await post(webhook.url, headers, body, reachOf(services.settings), job.signal)
    Object.assign(tried, outcome)
    checkResponse({ wait, ...outcome })
  } catch (error) {
    if (!(error instanceof NoAnswer) && !(error instanceof WorkRefused)) throw error
    const refused = error instanceof WorkRefused ? error : new WorkRefused(error.message)
    // A test is sent once and doesn't change the webhook's state, unless its receiver is gone for good.
    if (row.event_id === null && !refused.final) throw new WorkRefused(refused.message, true)
    await failed(job, webhook, row, refused)
    throw refused
  }
  const fresh = !isWithin(webhook.last_delivered_at, now.toISOString(), NOTED_EVERY)
  if (fresh || webhook.failing_since !== null)
    await job.write((ctx) => noteWebhook(ctx, webhook.id, { failing_since: null, told_at: null, last_delivered_at: ctx.now }))
  return {}
}

/** Records a failure, emails the owner when a message failed for good, and disables the webhook after long failing. */
async function failed(job: RunningJob, webhook: WebhookRow, row: DeliveryRow, { final, message }: WorkRefused): Promise<void> {
  const isLast = final || row.attempts > PAUSES.length
  if (webhook.failing_since !== null && !isLast) return
  await job.write(async (ctx) => {
    const now = (await webhookOf(ctx.tx, webhook.id)) ?? webhook
    const since = now.failing_since ?? ctx.now
    await noteWebhook(ctx, webhook.id, { failing_since: since })
    if (!isLast || now.status !== 'active') return
    const tooLong = Date.parse(since) <= Date.parse(ctx.now) - PATIENCE
    const reason = final
      ? 'The receiver answered 410 Gone.'
      : tooLong
        ? `Nothing was delivered for three days. The last try: ${message}`
        : null
    const disabled = reason !== null && (await disableWebhook(ctx, webhook, reason))
    if (!disabled && now.told_at !== null) return
    const owner = await ownerOf(ctx.tx, webhook.owner_id)
    if (!owner?.user) return
    const { email, first_name } = owner.user
    await sendLetter(ctx, { to: email, about: `webhook:${webhook.id}` }, (organization) =>
      webhookFails(organization, {
        ...{ first_name, name: webhook.name, host: new URL(webhook.url).host, message, since, disabled },
        link: links.webhook(job.services.settings.publicUrl, webhook.id),
      }),
    )
    await noteWebhook(ctx, webhook.id, { told_at: ctx.now })
  })
}
