import type { Selectable } from 'kysely'
import { webhookType } from '../../../contract/webhookNouns.ts'
import type { LiveEvent } from '../../core/ports.ts'
import { randomToken } from '../../core/secrets.ts'
import { tableOf } from '../../core/undo/tables.ts'
import { type Database, type Db, insertMany, type Tx } from '../../db/connect.ts'
import { locked } from '../../db/locked.ts'
import type { WebhookDeliveryTable, WebhookTable } from '../../db/schema.ts'

export type WebhookRow = Selectable<WebhookTable>
export type DeliveryRow = Selectable<WebhookDeliveryTable>

/** Days that messages are kept. */
const KEPT_DAYS = 30
const DAY = 86_400_000
/** Messages of one webhook sent at the same time, across all processes. */
const AT_ONCE = 4
/** Rows deleted in one transaction. */
const SWEPT = 2000

/** A new message's id, the same for receivers in every attempt and replay. */
const messageId = (): string => `msg_${randomToken(18)}`

/** The webhooks that follow events. */
export const activeWebhooks = (db: Db | Tx): Promise<WebhookRow[]> =>
  db.selectFrom('webhooks').selectAll().where('status', '=', 'active').where('deleted_at', 'is', null).orderBy('id').execute()

/** A webhook by id, deleted ones too. */
export const webhookOf = (db: Db | Tx, id: number): Promise<WebhookRow | undefined> =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()

/** True if some webhook is active. */
export async function anyWebhook(db: Db): Promise<boolean> {
  return (await db.selectFrom('webhooks').select('id').where('status', '=', 'active').limit(1).executeTakeFirst()) !== undefined
}

/** The last event that was processed; `hold` locks it, and other processes get null meanwhile. */
export async function cursorOf(db: Db | Tx, hold?: { database: Database }): Promise<number | null> {
  const row = db.selectFrom('webhook_cursor').select('event_id')
  const found = await (hold ? locked(hold.database, row, 'skip') : row).executeTakeFirst()
  return found?.event_id ?? null
}

/** Stores the last event that was processed. */
export const setCursor = (tx: Tx, event_id: number) => tx.updateTable('webhook_cursor').set({ event_id }).execute()

/** An event with the former values of its record as JSON; `isNew` if it created the record. */
export interface WebhookEvent extends LiveEvent {
  before: string
  isNew?: boolean
}

/** The events after a given one, in order, as a transaction sees them. */
export const eventsAfter = (tx: Db | Tx, id: number, limit: number): Promise<WebhookEvent[]> =>
  tx.selectFrom('events').selectAll().where('id', '>', id).orderBy('id').limit(limit).execute()

/** The same events, of which those that made their record are marked: it was created at the same time. */
export async function markNew(tx: Tx, events: readonly WebhookEvent[]): Promise<WebhookEvent[]> {
  const made = new Set<string>()
  for (const [noun, some] of Map.groupBy(events, ({ noun }) => noun)) {
    const table = tableOf(noun)
    const ids = [...new Set(some.filter(({ kind }) => kind === 'put').map(({ subject_id }) => subject_id))]
    if (!table || !ids.length) continue
    const rows = await tx
      .selectFrom(table as 'projects')
      .select(['id', 'created_at'])
      .where('id', 'in', ids)
      .execute()
    for (const { id, created_at } of rows) made.add(`${noun} ${id} ${created_at}`)
  }
  return events.map((event) => ({ ...event, isNew: made.has(`${event.noun} ${event.subject_id} ${event.at}`) }))
}

/** The newest event that a transaction sees; a webhook follows those after it. */
export async function lastEvent(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom('events')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst()
  return Number(row?.id ?? 0)
}

/** The client that each event belongs to, by the event's id: its own, or its project's. */
export async function clientsOf(db: Db | Tx, events: readonly LiveEvent[]): Promise<Map<number, number>> {
  const ids = [...new Set(events.flatMap(({ client_id, project_id }) => (client_id === null ? (project_id ?? []) : [])))]
  const projects = ids.length ? await db.selectFrom('projects').select(['id', 'client_id']).where('id', 'in', ids).execute() : []
  const ofProject = new Map(projects.map(({ id, client_id }) => [id, client_id]))
  return new Map(
    events.flatMap((event) => {
      const own = event.noun === 'client' ? event.subject_id : event.client_id
      const client = own ?? (event.project_id === null ? null : ofProject.get(event.project_id))
      return client ? [[event.id, client] as const] : []
    }),
  )
}

/** Queues a message for each event, due at once; a queued count covers later ones. */
export async function queueDeliveries(
  tx: Tx,
  webhook: WebhookRow,
  events: readonly WebhookEvent[],
  now: string,
): Promise<number> {
  const counted = events.filter(({ kind }) => kind === 'counters')
  const waiting = counted.length
    ? await tx
        .selectFrom('webhook_deliveries')
        .select(['noun', 'subject_id'])
        .where('webhook_id', '=', webhook.id)
        .where('status', '=', 'queued')
        .where('attempts', '=', 0)
        .where('kind', '=', 'counters')
        .execute()
    : []
  const known = new Set(waiting.map(({ noun, subject_id }) => `${noun} ${subject_id} counters`))
  const fresh = events.filter(({ noun, subject_id, kind, at, action }) => {
    // One change is one event for administrators and one for client users, of the same noun, record, time and call.
    const key = kind === 'counters' ? `${noun} ${subject_id} counters` : `${noun} ${subject_id} ${kind} ${at} ${action}`
    if (known.has(key)) return false
    known.add(key)
    return true
  })
  await insertMany(
    tx,
    'webhook_deliveries',
    fresh.map((event) => deliveryOf(webhook, event, now)),
  )
  return fresh.length
}

/** A message's row before its first attempt. */
export const deliveryOf = (
  { id, owner_id }: Pick<WebhookRow, 'id' | 'owner_id'>,
  event: Omit<WebhookEvent, 'id' | 'session_id' | 'before'> & { id: number | null; before?: string },
  now: string,
) => ({
  webhook_id: id,
  owner_id,
  message: messageId(),
  type:
    event.id === null
      ? 'webhook.test'
      : webhookType({ ...event, before: event.before ? (JSON.parse(event.before) as object as Record<string, unknown>) : {} }),
  noun: event.noun,
  subject_id: event.subject_id,
  kind: event.kind,
  audience: event.audience,
  user_id: event.user_id,
  project_id: event.project_id,
  client_id: event.client_id,
  event_id: event.id,
  action: event.action,
  before: event.before ?? '',
  occurred_at: event.at,
  not_before: now,
  created_at: now,
  sent_at: null,
  ended_at: null,
  response_status: null,
  duration_ms: null,
})

/** Returns the projects about which the webhook got messages before. */
export async function toldOf(db: Db, webhook: number, projects: readonly number[]): Promise<Set<number>> {
  if (!projects.length) return new Set()
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select('subject_id')
    .distinct()
    .where('webhook_id', '=', webhook)
    .where('noun', '=', 'project')
    .where('status', '=', 'delivered')
    .where('subject_id', 'in', projects)
    .execute()
  return new Set(rows.map(({ subject_id }) => subject_id))
}

/** The next messages: each active webhook's oldest, so that a slow receiver doesn't delay the others. */
export async function nextDeliveries(db: Db, now: string, room: number): Promise<number[]> {
  const webhooks = await db
    .selectFrom('webhooks')
    .select((eb) => [
      'id',
      eb
        .selectFrom('webhook_deliveries as busy')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('busy.webhook_id', '=', 'webhooks.id')
        .where('busy.status', '=', 'sending')
        .as('busy'),
    ])
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhook_deliveries as due')
          .select('due.id')
          .whereRef('due.webhook_id', '=', 'webhooks.id')
          .where('due.status', '=', 'queued')
          .where('due.not_before', '<=', now),
      ),
    )
    .execute()
  const open = webhooks.flatMap(({ id, busy }) => (Number(busy) < AT_ONCE ? [{ id, free: AT_ONCE - Number(busy) }] : []))
  const share = Math.max(1, Math.floor(room / Math.max(1, open.length)))
  const ids: number[] = []
  for (const { id, free } of open) {
    if (ids.length >= room) break
    const rows = await db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('webhook_id', '=', id)
      .where('status', '=', 'queued')
      .where('not_before', '<=', now)
      .orderBy('not_before')
      .orderBy('id')
      .limit(Math.min(free, share, room - ids.length))
      .execute()
    ids.push(...rows.map((row) => row.id))
  }
  return ids
}

/** Deletes a batch of expired messages; returns how many. */
export async function sweepDeliveries(tx: Tx, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * DAY).toISOString()
  const old = tx.selectFrom('webhook_deliveries').select('id').where('created_at', '<', before).limit(SWEPT)
  return Number((await tx.deleteFrom('webhook_deliveries').where('id', 'in', old).executeTakeFirstOrThrow()).numDeletedRows)
}

/** True if messages have expired; cheap, because it runs every minute. */
export async function anyOldDelivery(db: Db, now: Date): Promise<boolean> {
  const before = new Date(now.getTime() - KEPT_DAYS * DAY).toISOString()
  const row = await db.selectFrom('webhook_deliveries').select('id').where('created_at', '<', before).limit(1).executeTakeFirst()
  return row !== undefined
}
