import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../contract/access.ts'
import { seesAll } from '../../contract/actor.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { count } from '../../contract/format.ts'
import type { Paging } from '../../contract/listInput.ts'
import { reachText } from '../../contract/reach.ts'
import { scopeNeeded, scopesOf } from '../../contract/tokenScope.ts'
import type { webhookCalls } from '../../contract/webhook.ts'
import { readOfNoun, webhookNouns } from '../../contract/webhookNouns.ts'
import { unchangedOf } from '../../contract/writeEffects.ts'
import { change } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect, shownOnce, shownSecret } from '../core/describeEffect.ts'
import { assertAllowed, HttpError, invalid, missingScope } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { listOf } from '../core/listBuilder.ts'
import { changedSince } from '../core/listSearch.ts'
import { full, limitOf } from '../core/quotas.ts'
import { clientScope } from '../core/scope.ts'
import { insertMany } from '../db/connect.ts'
import { advisoryLock } from '../db/locked.ts'
import { userRow } from '../domain/user/records.ts'
import { deliveryOf, lastEvent } from '../domain/webhook/deliveryQueue.ts'
import { hostOf, reachOf, urlFault } from '../domain/webhook/receiverAddress.ts'
import { newSecret, SECRET } from '../domain/webhook/signature.ts'
import { emitWebhookChange } from '../domain/webhook/webhookState.ts'
import { tellOwner } from '../mail/tellOwner.ts'
import { named } from './account/keys.ts'

type Calls = typeof webhookCalls
type Filter = Omit<z.output<Calls['webhook.list']['input']>, Paging>
interface Row {
  id: number
  name: string
  url: string
  status: 'active' | 'paused' | 'disabled'
  reason: string
  owner: string
  owner_id: number
  nouns: string
  clients: string
  waiting_count: number
  failed_count: number
  failing_since: string | null
  last_delivered_at: string | null
  secret_before_until: string | null
  created_at: string
  updated_at: string
  lock_version: number
}
type DeliveryFilter = Omit<z.output<Calls['delivery.list']['input']>, Paging>
type Delivery = z.output<Calls['delivery.list']['output']>['data'][number]
type DeliveryRow = Omit<Delivery, 'allowed_actions' | 'refused_actions'> & { owner_id: number; webhook_status: string }

/** The most messages that one call sends again. */
const REPLAYED = 10_000
const HOUR = 3_600_000

/** Administrators see everybody's, because they are responsible for data that leaves the installation. */
const mine = ({ actor, caller: { token } }: Ctx) => {
  // A token manages what it made: others' messages hold what its scopes may not read.
  if (token) return sql<SqlBool>`webhooks.token_id = ${token.id}`
  return seesAll(actor) ? sql<SqlBool>`1 = 1` : sql<SqlBool>`webhooks.owner_id = ${actor.id}`
}
const counted = (status: string) =>
  sql`(select count(*) from webhook_deliveries d where d.webhook_id = webhooks.id and d.status = ${status})`

const webhooks = listOf<'webhook', Filter, Row, Awaited<ReturnType<typeof shown>>[number]>('webhook', {
  table: 'webhooks',
  changed: (_ctx, since) => changedSince(since, [sql`webhooks.updated_at`]),
  join: 'join users on users.id = webhooks.owner_id',
  scope: (ctx) => sql<SqlBool>`(webhooks.deleted_at is null and ${mine(ctx)})`,
  where: ({ status }) => [status ? sql<SqlBool>`webhooks.status = ${status}` : undefined],
  columns: () => ({
    owner: sql`trim(users.first_name || ' ' || users.last_name)`,
    waiting_count: counted('queued'),
    failed_count: counted('failed'),
  }),
  empty: ['last_delivered_at'],
  also: () =>
    ['owner_id', 'reason', 'failing_since', 'secret_before_until', 'updated_at', 'lock_version'].map(
      (column) => sql`${sql.ref(`webhooks.${column}`)}`,
    ),
  shown,
})

/** Webhooks with the names of the clients they are limited to. */
async function shown(ctx: Ctx, rows: readonly Row[]) {
  const limits = rows.map(({ clients }) => JSON.parse(clients) as number[])
  const names = await named(ctx, 'clients', limits.flat())
  return rows.map((row, at) => ({
    ...row,
    nouns: JSON.parse(row.nouns) as string[],
    clients: limits[at]!.map((id) => ({ id, name: names.get(id) ?? String(id) })),
    reach: reachText({ client: limits[at]!.length }, 'everything its owner sees', null),
    secret_before_until: row.secret_before_until && row.secret_before_until > ctx.now ? row.secret_before_until : null,
    ...allowedActions('webhook', ctx.actor, row),
  }))
}

const deliveries = listOf<'delivery', DeliveryFilter, DeliveryRow, Delivery>('delivery', {
  table: 'webhook_deliveries',
  changed: () => [{ table: 'webhook_deliveries', at: ['created_at', 'not_before', 'sent_at', 'ended_at'] }],
  join: 'join webhooks on webhooks.id = webhook_deliveries.webhook_id and webhooks.deleted_at is null',
  scope: mine,
  finds: (_ctx, word) => sql<SqlBool>`(webhook_deliveries.type like ${`${word}%`} or webhook_deliveries.message = ${word})`,
  where: ({ webhook_id, status }) => [
    webhook_id !== undefined && sql<SqlBool>`webhook_deliveries.webhook_id = ${webhook_id}`,
    status !== '' && sql<SqlBool>`webhook_deliveries.status = ${status}`,
  ],
  columns: () => ({
    webhook: sql`webhooks.name`,
    next_at: sql`case when webhook_deliveries.status = 'queued' then webhook_deliveries.not_before end`,
  }),
  empty: ['response_status', 'duration_ms', 'sent_at'],
  also: () => [
    ...['webhook_id', 'occurred_at'].map((column) => sql`${sql.ref(`webhook_deliveries.${column}`)}`),
    sql`webhook_deliveries.message as message_id`,
    sql`webhooks.owner_id`,
    sql`webhooks.status as webhook_status`,
  ],
  shown: ({ actor }, rows) =>
    rows.map(({ owner_id, webhook_status, ...row }) => ({
      ...row,
      ...allowedActions('delivery', actor, { owner_id, webhook_status, status: row.status }),
    })),
})

const emitWebhook = (ctx: Ctx, { id, owner_id }: Pick<Row, 'id' | 'owner_id'>) => emitWebhookChange(ctx, id, owner_id)

/** Throws a 422 for an address that this installation doesn't allow. */
function refuseUrl({ services }: Ctx, url: string): void {
  const fault = urlFault(url, reachOf(services.settings))
  if (fault) throw invalid('url', fault)
}

function refuseNouns({ caller: { token } }: Ctx, nouns: readonly string[]): void {
  const unknown = nouns.find((noun) => !(webhookNouns as readonly string[]).includes(noun))
  if (unknown !== undefined) throw invalid('nouns', `nouns: “${unknown}” can’t be sent. Choose from ${webhookNouns.join(', ')}`)
  for (const noun of token ? nouns : []) {
    const read = readOfNoun(noun) as CallId
    if (!scopesOf(read, calls[read]).some((scope) => token!.scopes.includes(scope)))
      throw missingScope(token!.name, scopeNeeded(read, calls[read]))
  }
}

/** Throws a 422 for a client that the caller can't see. */
async function refuseClients(ctx: Ctx, clients: readonly number[]): Promise<void> {
  if (!clients.length) return
  const rows = await ctx.db.selectFrom('clients').select('id').where('id', 'in', clients).where(clientScope(ctx.actor)).execute()
  const missing = clients.find((id) => !rows.some((row) => row.id === id))
  if (missing !== undefined) throw invalid('clients', `clients: there is no client ${missing}`)
}

/** The row if the caller may do this to it; otherwise throws a 404 or the rule's refusal. */
async function allowed(ctx: Ctx, id: number, action: string): Promise<Row> {
  const row = await webhooks.row(ctx, id)
  assertAllowed(allowedActions('webhook', ctx.actor, row).refused_actions[action] ?? null)
  return row
}

/** Sets a status with its reason; an active one starts without earlier failures. */
async function setStatus(ctx: Ctx, id: number, status: Row['status'], more: object = {}) {
  await change(ctx, 'webhooks', {
    ...{ subject: 'webhook', id, patch: { status, reason: '', ...more } },
    line: { before: {}, after: { status } },
  })
}

export const webhookHandlers: HandlersOf<Calls> = {
  'webhook.list': (ctx) => webhooks.page(ctx, ctx.input),
  'webhook.get': async (ctx) => ({ data: await webhooks.get(ctx, ctx.input.id) }),

  async 'webhook.create'(ctx) {
    const { name, url } = ctx.input
    const [nouns, clients] = [[...new Set(ctx.input.nouns)], [...new Set(ctx.input.clients)]]
    refuseUrl(ctx as Ctx, url)
    refuseNouns(ctx as Ctx, nouns)
    await refuseClients(ctx as Ctx, clients)
    await advisoryLock(ctx.services.database, ctx.tx, 'webhooks', ctx.actor.id)
    const most = limitOf(ctx as Ctx, 'webhooks')
    const held = await ctx.tx
      .selectFrom('webhooks')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('owner_id', '=', ctx.actor.id)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(held.count) >= most) throw full(`You can have ${count(most)} webhooks. Delete one first.`)
    const secret = newSecret()
    const { id } = await ctx.tx
      .insertInto('webhooks')
      .values({
        ...{ name, url, owner_id: ctx.actor.id, secret: ctx.services.secrets.seal(SECRET, secret) },
        ...{ nouns: JSON.stringify(nouns), clients: JSON.stringify(clients), since_event: await lastEvent(ctx.tx) },
        ...{ secret_before: null, secret_before_until: null, failing_since: null, told_at: null, last_delivered_at: null },
        ...{ deleted_at: null, created_at: ctx.now, updated_at: ctx.now, token_id: ctx.caller.token?.id ?? null },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    // An address may contain a secret of the receiver, so the history only has its host.
    const host = hostOf(new URL(url))
    await ctx.record({ subject: 'webhook', subject_id: id, after: { name, host, nouns, ...(clients.length ? { clients } : {}) } })
    emitWebhook(ctx as Ctx, { id, owner_id: ctx.actor.id })
    await tellOwner(ctx as Ctx, ctx.user, 'new webhook', { name, detail: host })
    return {
      data: { ...(await webhooks.get(ctx as Ctx, id)), signing_secret: shownSecret(ctx as Ctx, secret) },
      message: describeEffect(ctx as Ctx, 'webhook.create', { noun: 'webhook', also: shownOnce(ctx as Ctx, 'secret') }),
    }
  },

  async 'webhook.edit'(ctx) {
    const { id, lock_version, nouns, clients, ...patch } = ctx.input
    const row = await allowed(ctx as Ctx, id, 'webhook.edit')
    if (patch.url !== undefined) refuseUrl(ctx as Ctx, patch.url)
    if (nouns) refuseNouns(ctx as Ctx, nouns)
    if (clients) await refuseClients(ctx as Ctx, clients)
    const lists = {
      ...(nouns ? { nouns: JSON.stringify([...new Set(nouns)]) } : {}),
      ...(clients ? { clients: JSON.stringify([...new Set(clients)]) } : {}),
    }
    const host = patch.url !== undefined && patch.url !== row.url ? hostOf(new URL(patch.url)) : undefined
    const after = { ...(patch.name === undefined ? {} : { name: patch.name }), ...(host ? { host } : {}), ...lists }
    await change(ctx as Ctx, 'webhooks', {
      ...{ subject: 'webhook', id, patch: { ...patch, ...lists }, lock: lock_version },
      line: { before: { name: row.name }, after },
    })
    if (patch.url !== undefined && patch.url !== row.url) {
      const owner = await userRow(ctx.tx, { id: row.owner_id })
      await tellOwner(ctx as Ctx, owner, 'webhook moved', { name: patch.name ?? row.name, detail: hostOf(new URL(patch.url)) })
    }
    if (ctx.wrote) emitWebhook(ctx as Ctx, row)
    return { data: await webhooks.get(ctx as Ctx, id), message: describeEffect(ctx as Ctx, 'webhook.edit', { noun: 'webhook' }) }
  },

  async 'webhook.pause'(ctx) {
    const row = await allowed(ctx as Ctx, ctx.input.id, 'webhook.pause')
    await setStatus(ctx as Ctx, row.id, 'paused')
    emitWebhook(ctx as Ctx, row)
    return {
      data: await webhooks.get(ctx as Ctx, row.id),
      message: describeEffect(ctx as Ctx, 'webhook.pause', { name: row.name, noun: 'webhook' }),
    }
  },

  async 'webhook.resume'(ctx) {
    const row = await allowed(ctx as Ctx, ctx.input.id, 'webhook.resume')
    await setStatus(ctx as Ctx, row.id, 'active', {
      ...{ since_event: await lastEvent(ctx.tx), failing_since: null, told_at: null },
    })
    emitWebhook(ctx as Ctx, row)
    ctx.after(() => ctx.services.jobs.wake())
    return {
      data: await webhooks.get(ctx as Ctx, row.id),
      message: describeEffect(ctx as Ctx, 'webhook.resume', { name: row.name, noun: 'webhook' }),
    }
  },

  async 'webhook.rotate'(ctx) {
    const { id, overlap_hours } = ctx.input
    const row = await allowed(ctx as Ctx, id, 'webhook.rotate')
    const current = await ctx.tx.selectFrom('webhooks').select('secret').where('id', '=', id).executeTakeFirstOrThrow()
    const secret = newSecret()
    const until = overlap_hours ? new Date(Date.parse(ctx.now) + overlap_hours * HOUR).toISOString() : null
    await change(ctx as Ctx, 'webhooks', {
      ...{ subject: 'webhook', id },
      patch: {
        ...{ secret: ctx.services.secrets.seal(SECRET, secret), secret_before: until ? current.secret : null },
        secret_before_until: until,
      },
      line: { before: {}, after: { overlap_hours } },
    })
    emitWebhook(ctx as Ctx, row)
    return {
      data: { ...(await webhooks.get(ctx as Ctx, id)), signing_secret: shownSecret(ctx as Ctx, secret) },
      message: describeEffect(ctx as Ctx, 'webhook.rotate', {
        name: row.name,
        noun: 'webhook',
        also: shownOnce(ctx as Ctx, 'secret'),
      }),
    }
  },

  async 'webhook.test'(ctx) {
    const row = await allowed(ctx as Ctx, ctx.input.id, 'webhook.test')
    const event = {
      ...{ id: null, noun: 'webhook', subject_id: row.id, kind: 'put', audience: 'user' as const, user_id: row.owner_id },
      ...{ project_id: null, client_id: null, at: ctx.now, action: 'webhook.test' },
    }
    await insertMany(ctx.tx, 'webhook_deliveries', [deliveryOf(row, event, ctx.now)])
    const { id } = await ctx.tx
      .selectFrom('webhook_deliveries')
      .select((eb) => eb.fn.max('id').as('id'))
      .where('webhook_id', '=', row.id)
      .executeTakeFirstOrThrow()
    emitWebhook(ctx as Ctx, row)
    ctx.after(() => ctx.services.jobs.wake())
    return {
      data: await deliveries.get(ctx as Ctx, Number(id)),
      message: describeEffect(ctx as Ctx, 'webhook.test', { words: ['a test', 'tests'] }),
    }
  },

  async 'webhook.replayFailed'(ctx) {
    const row = await allowed(ctx as Ctx, ctx.input.id, 'webhook.replayFailed')
    const since = ctx.input.since ?? ''
    const failed = ctx.tx
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('webhook_id', '=', row.id)
      .where('status', '=', 'failed')
      .where('occurred_at', '>=', since)
      .orderBy('id')
      .limit(REPLAYED)
    const done = await ctx.tx
      .updateTable('webhook_deliveries')
      .set({ status: 'queued', attempts: 0, error: '', not_before: ctx.now, ended_at: null })
      .where('id', 'in', failed)
      .where('status', '=', 'failed')
      .executeTakeFirstOrThrow()
    const replayed = Number(done.numUpdatedRows)
    if (replayed) await ctx.record({ subject: 'webhook', subject_id: row.id, after: { replayed } })
    emitWebhook(ctx as Ctx, row)
    ctx.after(() => ctx.services.jobs.wake())
    const message = replayed
      ? describeEffect(ctx as Ctx, 'webhook.replayFailed', { count: replayed, words: ['message', 'messages'] })
      : unchangedOf('webhook.replayFailed')
    return { replayed, message }
  },

  async 'webhook.remove'(ctx) {
    const row = await allowed(ctx as Ctx, ctx.input.id, 'webhook.remove')
    await change(ctx as Ctx, 'webhooks', {
      ...{ subject: 'webhook', id: row.id, patch: { deleted_at: ctx.now } },
      line: { before: { name: row.name }, after: { deleted_at: ctx.now } },
    })
    ctx.emit({ noun: 'webhook', id: row.id, audience: 'admin', kind: 'drop' })
    ctx.emit({ noun: 'webhook', id: row.id, audience: 'user', user_id: row.owner_id, kind: 'drop' })
    return { message: describeEffect(ctx as Ctx, 'webhook.remove', { name: row.name, noun: 'webhook' }) }
  },

  'delivery.list': (ctx) => deliveries.page(ctx, ctx.input),
  async 'delivery.get'(ctx) {
    const data = await deliveries.get(ctx, ctx.input.id)
    const { whole, event_id, noun, kind, ...text } = await ctx.db
      .selectFrom('webhook_deliveries')
      .select(['request', 'response', 'whole', 'event_id', 'noun', 'kind'])
      .where('id', '=', ctx.input.id)
      .executeTakeFirstOrThrow()
    // The receiver's response may repeat what it was sent.
    const isTest = event_id === null
    const seen =
      isTest ||
      ((seesAll(ctx.actor) || !whole) &&
        (kind === 'drop' || (await ctx.services.readRecord(ctx.caller, noun, data.subject_id)) !== null))
    const hidden = !seen && text.request !== ''
    return { data: { ...data, ...(hidden ? { request: '', response: '' } : text), hidden } }
  },

  async 'delivery.replay'(ctx) {
    const row = await deliveries.row(ctx as Ctx, ctx.input.id)
    assertAllowed(allowedActions('delivery', ctx.actor, row).refused_actions['delivery.replay'] ?? null)
    const done = await ctx.tx
      .updateTable('webhook_deliveries')
      .set({ status: 'queued', attempts: 0, error: '', not_before: ctx.now, ended_at: null })
      .where('id', '=', row.id)
      .where('status', 'not in', ['queued', 'sending'])
      .executeTakeFirstOrThrow()
    if (!Number(done.numUpdatedRows)) throw new HttpError(409, 'refused', 'It is on its way already.')
    await ctx.record({ subject: 'webhook', subject_id: row.webhook_id, after: { message_id: row.message_id } })
    emitWebhookChange(ctx as Ctx, row.webhook_id, row.owner_id)
    ctx.after(() => ctx.services.jobs.wake())
    return {
      data: await deliveries.get(ctx as Ctx, row.id),
      message: describeEffect(ctx as Ctx, 'delivery.replay', { words: ['the message', 'messages'] }),
    }
  },
}
