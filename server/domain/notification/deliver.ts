import type { Selectable } from 'kysely'
import type { Ctx } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import { insertMany } from '../../db/connect.ts'
import { locked } from '../../db/locked.ts'
import type { NotificationTable } from '../../db/schema.ts'
import { nextRecipients, type Recipient } from './notificationAudience.ts'

type Written = Pick<Ctx, 'tx' | 'now' | 'services' | 'record' | 'notePrevious' | 'emit'>
/** Users in one transaction. */
const BATCH = 500

/** Adds a notification to the inboxes of the next users who lack it; null once all have it. */
export async function putIntoInboxes(
  ctx: Written,
  { id, job_id, after }: { id: number; job_id: number; after: number },
): Promise<{ notification: Selectable<NotificationTable>; people: Recipient[] } | null> {
  const query = ctx.tx.selectFrom('notifications').selectAll().where('id', '=', id).where('deleted_at', 'is', null)
  const notification = await locked(ctx.services.database, query).executeTakeFirst()
  if (notification?.job_id !== job_id) throw new HttpError(409, 'not_now', 'It was cancelled.')
  const people = await nextRecipients(ctx.tx, id, after, BATCH)
  if (!people.length) return null
  await insertMany(
    ctx.tx,
    'notices',
    people.map(({ id: user_id }) => ({ notification_id: id, user_id, read_at: null, created_at: ctx.now })),
  )
  return { notification, people }
}

/** Records when a notification was sent and to how many; open workspaces then recount their unread ones. */
export async function markSent(ctx: Written, id: number): Promise<number> {
  const found = await ctx.tx
    .selectFrom('notices')
    .select((eb) => eb.fn.countAll<number>().as('audience'))
    .where('notification_id', '=', id)
    .executeTakeFirstOrThrow()
  const audience = Number(found.audience)
  await ctx.tx
    .updateTable('notifications')
    .set((eb) => ({ sent_at: ctx.now, audience, updated_at: ctx.now, lock_version: eb('lock_version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  ctx.notePrevious('notification', id, { sent_at: null })
  ctx.emit({ noun: 'notification', id, audience: 'admin' })
  ctx.emit({ noun: 'notice', id, audience: 'scope' })
  return audience
}

/** Turns a notification back into a draft, because its job was cancelled before it started. */
export async function takeBack(ctx: Written, { id, job_id }: { id: number; job_id: number }): Promise<void> {
  await ctx.tx
    .updateTable('notifications')
    .set((eb) => ({
      ...{ job_id: null, sent_by: null, audience: 0, updated_at: ctx.now },
      lock_version: eb('lock_version', '+', 1),
    }))
    .where('id', '=', id)
    .where('job_id', '=', job_id)
    .execute()
  await ctx.record({ subject: 'notification', subject_id: id, after: { cancelled: true } })
  ctx.emit({ noun: 'notification', id, audience: 'admin' })
}
