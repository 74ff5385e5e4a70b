import type { noticeCalls } from '../../contract/notice.ts'
import { unchangedOf } from '../../contract/writeEffects.ts'
import { describeEffect } from '../core/describeEffect.ts'
import type { HandlersOf } from '../core/handler.ts'
import { inboxList } from '../domain/notification/list.ts'
import { unreadOf } from '../domain/notification/notificationAudience.ts'

export const noticeHandlers: HandlersOf<typeof noticeCalls> = {
  'notice.list': (ctx) => inboxList.page(ctx, ctx.input),
  'notice.unread': async (ctx) => ({ data: { unread: await unreadOf(ctx.db, ctx.actor.id) } }),
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
    const marked = Number((await query.executeTakeFirstOrThrow()).numUpdatedRows)
    const [first] = ids ?? []
    if (marked) {
      ctx.emit({ noun: 'notice', id: first ?? 0, audience: 'user', user_id })
      // Updates the count of readers that administrators see.
      ctx.emit({ noun: 'notification', id: first ?? 0, audience: 'admin', kind: 'counters' })
    }
    const facts = { count: marked, noun: 'notice', rest: read ? ' read' : ' unread' } as const
    const data = { marked, unread: await unreadOf(ctx.db, user_id) }
    return { data, message: marked ? describeEffect(ctx, 'notice.mark', facts) : unchangedOf('notice.mark') }
  },
}
