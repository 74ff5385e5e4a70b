import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import { civilDay, shortDate } from '../../../contract/format.ts'
import type { Paging } from '../../../contract/listInput.ts'
import type { Notice, noticeCalls } from '../../../contract/notice.ts'
import type { Notification, notificationCalls } from '../../../contract/notification.ts'
import type { NotificationFacts } from '../../../contract/recordAccess.ts'
import type { Ctx } from '../../core/context.ts'
import { listOf } from '../../core/listBuilder.ts'
import { changedSince } from '../../core/listSearch.ts'
import { inboxLines, newsBehind } from '../news/inbox.ts'

type Filter = Omit<z.output<(typeof notificationCalls)['notification.list']['input']>, Paging>
type Row = Omit<Notification, 'allowed_actions' | 'refused_actions'>

/** Being sent while its job is queued or running; a failed or cancelled job leaves a draft. */
const STATUS = sql`(case when notifications.sent_at is not null then 'sent'
  when exists (select 1 from jobs where jobs.id = notifications.job_id and jobs.status in ('queued', 'running')) then 'sending'
  else 'draft' end)`
const SENT_LAST = sql`(case when notifications.sent_at is null then '1' || notifications.created_at else '0' || notifications.sent_at end)`

/** The facts about a notification that the access rules need. */
export const notificationFacts = (
  { services }: Pick<Ctx, 'services'>,
  { status, sent_at }: Pick<Notification, 'status' | 'sent_at'>,
): NotificationFacts => ({
  status,
  sent_on: sent_at ? shortDate(civilDay(new Date(sent_at), services.settings.timeZone)) : '',
})

/** All notifications, for administrators. */
export const notificationList = listOf<'notification', Filter, Row, Notification>('notification', {
  table: 'notifications',
  join: 'left join users on users.id = notifications.sent_by',
  scope: () => sql<SqlBool>`notifications.deleted_at is null`,
  changed: (_ctx, since) => changedSince(since, [sql`notifications.updated_at`]),
  where: ({ status, action }) => [
    status ? sql<SqlBool>`${STATUS} = ${status}` : undefined,
    action ? sql<SqlBool>`notifications.message_action = ${action}` : undefined,
  ],
  columns: () => ({
    status: STATUS,
    by: sql`trim(coalesce(users.first_name || ' ' || users.last_name, ''))`,
    read_count: sql`(select count(*) from notices where notices.notification_id = notifications.id and notices.read_at is not null)`,
  }),
  // Drafts first, then the newest.
  sorts: { status: SENT_LAST },
  empty: ['sent_at'],
  also: () => [
    sql`notifications.custom`,
    sql`notifications.created_at`,
    sql`notifications.updated_at`,
    sql`notifications.lock_version`,
  ],
  shown: (ctx, rows) =>
    rows.map((row) => ({ ...row, ...allowedActions('notification', ctx.actor, notificationFacts(ctx, row)) })),
  file: { title: () => 'Notifications' },
})

type NoticeFilter = Omit<z.output<(typeof noticeCalls)['notice.list']['input']>, Paging>
type NoticeRow = Omit<Notice, 'news' | 'allowed_actions' | 'refused_actions'>

/** The caller's own inbox: announcements, and news about what they follow, one line a record. */
export const inboxList = listOf<'notice', NoticeFilter, NoticeRow, Notice>('notice', {
  table: 'inbox',
  derives: inboxLines,
  changed: (_ctx, since) => changedSince(since, [sql`inbox.changed_at`]),
  scope: () => sql<SqlBool>`1 = 1`,
  where: ({ unread }) => [unread && sql<SqlBool>`inbox.read_at is null`],
  columns: () => ({ status: sql`(case when inbox.read_at is null then 'unread' else 'read' end)` }),
  // Unread first, then the newest.
  sorts: { status: sql`((case when inbox.read_at is null then '1' else '0' end) || inbox.created_at)` },
  also: () => [sql`inbox.read_at`, sql`inbox.kind`, sql`inbox.subject_id`],
  async shown(ctx, rows) {
    const news = await newsBehind(
      ctx,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => ({ ...row, news: news.get(row.id) ?? [], ...allowedActions('notice', ctx.actor) }))
  },
  // A line says what happened, never a project's figures.
  file: { title: () => 'Inbox', holds: () => null },
})
