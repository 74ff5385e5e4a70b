import type { noticeCalls } from '../../contract/notice.ts'
import { unchangedOf } from '../../contract/writeEffects.ts'
import { describeEffect } from '../core/describeEffect.ts'
import type { HandlersOf } from '../core/handler.ts'
import { markNews, unreadLines } from '../domain/news/inbox.ts'
import { kindsOfLink, stopMail } from '../domain/news/mailLink.ts'
import { inboxList } from '../domain/notification/list.ts'

export const noticeHandlers: HandlersOf<typeof noticeCalls> = {
  'notice.list': (ctx) => inboxList.page(ctx, ctx.input),
  'notice.unread': async (ctx) => ({ data: { unread: await unreadLines(ctx) } }),
  async 'notice.mark'(ctx) {
    const { ids, all, read } = ctx.input
    const user_id = ctx.actor.id
    let query = ctx.tx
      .updateTable('notices')
      .set({ read_at: read ? ctx.now : null })
      .where('user_id', '=', user_id)
      .where('read_at', read ? 'is' : 'is not', null)
      // Deleted notifications no longer count as unread.
      .where('notification_id', 'in', (eb) => eb.selectFrom('notifications').select('id').where('deleted_at', 'is', null))
    if (!all) query = query.where('notification_id', 'in', ids ?? [])
    const announcements = Number((await query.executeTakeFirstOrThrow()).numUpdatedRows)
    const marked = announcements + (await markNews(ctx, all ? null : (ids ?? []), read))
    const [first] = ids ?? []
    if (marked) ctx.emit({ noun: 'notice', id: first ?? 0, audience: 'user', user_id })
    // Updates the count of readers that administrators see.
    if (announcements) ctx.emit({ noun: 'notification', id: first ?? 0, audience: 'admin', kind: 'counters' })
    const facts = { count: marked, noun: 'notice', rest: read ? ' read' : ' unread' } as const
    const data = { marked, unread: await unreadLines(ctx) }
    return { data, message: marked ? describeEffect(ctx, 'notice.mark', facts) : unchangedOf('notice.mark') }
  },
  'notice.mailKinds': async (ctx) => ({ data: await kindsOfLink(ctx, ctx.input.token) }),
  async 'notice.stopMail'(ctx) {
    const { token, kind } = ctx.input
    const { changed, ...data } = await stopMail(ctx, token, kind)
    const message = changed.length
      ? describeEffect(ctx, 'notice.stopMail', { words: [changed.join(', '), changed.join(', ')], count: changed.length })
      : unchangedOf('notice.stopMail')
    return { data, message }
  },
}
