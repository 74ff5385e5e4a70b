import { sql } from 'kysely'
import type { z } from 'zod'
import { denialOf } from '../../contract/access.ts'
import { pick } from '../../contract/fieldKinds.ts'
import { counted } from '../../contract/format.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { notificationCalls } from '../../contract/notification.ts'
import { notificationFields } from '../../contract/notificationFields.ts'
import { appliedFields } from '../core/appliedFields.ts'
import { change } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { assertAllowed, invalid, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { pageOf } from '../core/keyset.ts'
import { changedSince, matches } from '../core/listSearch.ts'
import { locked } from '../db/locked.ts'
import { crud } from '../domain/crud.ts'
import { notificationFacts, notificationList } from '../domain/notification/list.ts'
import { countAudience } from '../domain/notification/notificationAudience.ts'
import { fullName } from '../domain/user/records.ts'

type Of<Id extends keyof typeof notificationCalls> = z.output<(typeof notificationCalls)[Id]['input']>
const event = { noun: 'notification', audience: 'admin' } as const

/** Throws a 422 for a link that an action needs or refuses: `web` needs one, `feed` takes none (people-area 5). */
function checkLink(action: 'map' | 'feed' | 'web', { sent, url }: { sent: string; url: string }): void {
  if (action === 'feed' && sent) throw invalid('url', 'url must be blank with the action feed, which opens all projects')
  if (action === 'web' && !url) throw invalid('url', MESSAGES.notificationUrl)
}
/** The fields that depend on each other. */
const linked = pick(notificationFields, 'message_action', 'url')

const notifications = crud('notification', {
  table: 'notifications',
  list: notificationList,
  hold: heldRow,
  event: () => ({ audience: 'admin' }),
})

const create = (ctx: Ctx<Of<'notification.create'>>) => {
  const { message_action, url } = ctx.input
  checkLink(message_action, { sent: url, url })
  return notifications['notification.create'](ctx, appliedFields(ctx, linked, ctx.input))
}

async function edit(ctx: Ctx<Of<'notification.edit'>>) {
  const { id, lock_version, ...values } = ctx.input
  const now = await heldRow(ctx, id)
  const action = values.message_action ?? now.message_action
  checkLink(action, { sent: values.url ?? '', url: values.url ?? now.url })
  const patch = appliedFields(ctx, linked, values, now)
  const differs = Object.entries(patch).some(
    ([name, value]) => value !== undefined && value !== (now as unknown as Record<string, unknown>)[name],
  )
  // Writing a sent notification back unchanged is allowed.
  if (differs) assertAllowed(denialOf('notification.edit', ctx.actor, notificationFacts(ctx, now)))
  await change(ctx, 'notifications', { subject: 'notification', id, patch, lock: lock_version, change: event })
  return {
    data: await notificationList.get(ctx, id),
    message: describeEffect(ctx, 'notification.edit', { noun: 'notification' }),
  }
}

/** A notification, locked until the commit; throws 404. */
async function heldRow(ctx: Ctx, id: number) {
  const query = ctx.tx.selectFrom('notifications').select('id').where('id', '=', id).where('deleted_at', 'is', null)
  if (!(await locked(ctx.services.database, query).executeTakeFirst())) throw notFound('This notification')
  return notificationList.row(ctx, id)
}

const people = (number: number) => counted(number, 'person', 'people')

async function send(ctx: Ctx<Of<'notification.send'>>) {
  const { id, delay_seconds } = ctx.input
  const row = await heldRow(ctx, id)
  assertAllowed(denialOf('notification.send', ctx.actor, notificationFacts(ctx, row)))
  // A draft from before this rule may lack its address.
  checkLink(row.message_action, { sent: '', url: row.url })
  const counted = await countAudience(ctx.tx)
  const sends_at = new Date(ctx.services.now().getTime() + delay_seconds * 1000).toISOString()
  const job = await ctx.services.jobs.add(ctx, {
    kind: 'notification',
    title: `Send “${row.name}” to ${people(counted.audience)}`,
    input: { id },
    notBefore: sends_at,
  })
  await change(ctx, 'notifications', {
    subject: 'notification',
    id,
    patch: { job_id: job.id, sent_by: ctx.actor.id, audience: counted.audience },
    line: { before: {}, after: { audience: counted.audience, by_mail: counted.by_mail } },
    change: event,
  })
  const facts = { name: row.name, rest: ` to ${people(counted.audience)}`, seconds: delay_seconds }
  return {
    data: { ...counted, job_id: ctx.dry ? null : job.id, sends_at },
    message: describeEffect(ctx, 'notification.send', facts),
  }
}

async function readers(ctx: Ctx<Of<'notification.readers'>>) {
  const { id, page, search, updated_since } = ctx.input
  await notificationList.row(ctx, id)
  let query = ctx.db
    .selectFrom('notices')
    .innerJoin('users', 'users.id', 'notices.user_id')
    .where('notices.notification_id', '=', id)
    .where(matches(ctx.services.database, ["users.first_name || ' ' || users.last_name", 'users.email'], search))
  if (updated_since) query = query.where(changedSince(updated_since, [sql`notices.created_at`, sql`notices.read_at`]))
  const { count } = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await pageOf(
    ctx,
    query.select(['users.id', 'users.first_name', 'users.last_name', 'users.email', 'notices.read_at']),
    [
      { by: sql.ref('notices.read_at'), way: 'desc', nullsLast: true },
      { by: sql.ref('users.id'), way: 'asc', full: true },
    ],
    ctx.input,
  )
  const data = rows.map((row) => ({ user_id: row.id, name: fullName(row), email: row.email, read_at: row.read_at }))
  return { data, count: Number(count), page }
}

export const notificationHandlers: HandlersOf<typeof notificationCalls> = {
  ...notifications,
  'notification.readers': readers,
  'notification.audience': async (ctx) => ({ data: await countAudience(ctx.db) }),
  'notification.create': create,
  'notification.edit': edit,
  async 'notification.remove'(ctx) {
    const { id } = ctx.input
    const { sent_at } = await notificationList.row(ctx, id)
    const answer = await notifications['notification.remove'](ctx)
    // Removes it from every inbox.
    if (sent_at) ctx.emit({ noun: 'notice', id, audience: 'scope', kind: 'drop' })
    return answer
  },
  'notification.send': send,
}
