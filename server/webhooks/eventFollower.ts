import { seesAll } from '../../contract/actor.ts'
import { ANONYMOUS } from '../core/caller.ts'
import type { Caller, Services } from '../core/context.ts'
import type { LiveEvent } from '../core/ports.ts'
import { asSystem } from '../core/unitOfWork.ts'
import type { Db } from '../db/connect.ts'
import {
  activeWebhooks,
  clientsOf,
  cursorOf,
  eventsAfter,
  markNew,
  queueDeliveries,
  setCursor,
  toldOf,
  type WebhookRow,
} from '../domain/webhook/deliveryQueue.ts'
import { ownerOf } from '../domain/webhook/owner.ts'
import { seenBy } from '../live/reader.ts'
import { mayRead } from './deliveredRecord.ts'

/** Events read in one transaction. */
const BUNCH = 500
/** Events that no webhook follows are skipped in memory; the cursor is stored after this many. */
const NOTED_EVERY = 1000

/** The last event of each database that was skipped because no webhook follows it. */
const passed = new WeakMap<Services['live'], number>()

/**
 * Turns new events into messages, in order and each once.
 * Messages and cursor are one transaction, so a process that dies in between loses none.
 */
export async function followEvents(services: Services): Promise<void> {
  const { database, live } = services
  for (;;) {
    const webhooks = await activeWebhooks(database.db)
    if (!webhooks.length) return
    const noted = (await cursorOf(database.db)) ?? 0
    const from = Math.max(noted, Math.min(...webhooks.map(({ since_event }) => since_event)), passed.get(live) ?? 0)
    const events = await eventsAfter(database.db, from, BUNCH)
    const last = events.at(-1)?.id
    if (last === undefined) return
    const nouns = new Set(webhooks.flatMap((webhook) => JSON.parse(webhook.nouns) as string[]))
    if (!events.some(({ noun }) => nouns.has(noun)) && last - noted < NOTED_EVERY) {
      passed.set(live, last)
      if (events.length < BUNCH) return
      continue
    }
    if (!(await queueFrom(services, from))) return
  }
}

/** Queues messages for the events after `from` or the cursor, whichever is later; false if another process does. */
const queueFrom = (services: Services, from: number): Promise<boolean> =>
  asSystem(services, 'webhook.queue', ANONYMOUS, async (ctx) => {
    const noted = await cursorOf(ctx.tx, services)
    if (noted === null) return false
    const events = await eventsAfter(ctx.tx, Math.max(noted, from), BUNCH)
    const last = events.at(-1)?.id
    if (last === undefined) return true
    const webhooks = await activeWebhooks(ctx.tx)
    const nouns = new Set(webhooks.flatMap((webhook) => JSON.parse(webhook.nouns) as string[]))
    const followed = await markNew(
      ctx.tx,
      events.filter(({ noun }) => nouns.has(noun)),
    )
    for (const webhook of webhooks) {
      const subscribed = await eventsFor(ctx.tx, webhook, followed)
      if (subscribed.length) await queueDeliveries(ctx.tx, webhook, subscribed, ctx.now)
    }
    await setCursor(ctx.tx, last)
    return true
  })

/** The events that match what a webhook follows; visibility is checked afterwards. */
async function eventsFor<E extends LiveEvent>(db: Db, webhook: WebhookRow, events: readonly E[]): Promise<E[]> {
  const nouns = new Set(JSON.parse(webhook.nouns) as string[])
  const chosen = events.filter(({ id, noun }) => id > webhook.since_event && nouns.has(noun))
  if (!chosen.length) return []
  const owner = await ownerOf(db, webhook.owner_id)
  return owner ? hearing(db, webhook, owner, chosen) : []
}

/** Returns the events that the webhook's owner may see now, within the clients it is limited to. */
export async function hearing<E extends LiveEvent>(
  db: Db,
  webhook: Pick<WebhookRow, 'id' | 'clients'>,
  { actor }: Caller,
  events: readonly E[],
): Promise<E[]> {
  if (!actor) return []
  const limit = new Set(JSON.parse(webhook.clients) as number[])
  const clients = limit.size ? await clientsOf(db, events) : null
  const within = events.filter(({ id, noun }) => mayRead(noun, actor) && (!clients || limit.has(clients.get(id) ?? 0)))
  if (!within.length) return []
  if (seesAll(actor)) return within.filter(({ audience, user_id }) => audience !== 'user' || user_id === actor.id)
  // A client user gets a deletion only if they could see the project before.
  const dropped = within.flatMap(({ noun, kind, subject_id }) => (noun === 'project' && kind === 'drop' ? subject_id : []))
  const projects = await toldOf(db, webhook.id, dropped)
  const reader = {
    session: 0,
    actor,
    sight: { projects, clients: new Set<number>(), services: new Set<number>(), brands: new Set<number>() },
  }
  const { seen, gone } = await seenBy(db, reader, within)
  return within.filter(({ id, kind, noun }) => seen.has(id) || (gone.has(id) && kind === 'drop' && noun === 'project'))
}
