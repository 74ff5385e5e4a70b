import { isAdmin } from '../../contract/actor.ts'
import type { messageCalls } from '../../contract/message.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { askedPartner, conversationsOf } from '../domain/message/conversations.ts'
import { messageList } from '../domain/message/list.ts'
import { seenProject } from '../domain/project/detail.ts'
import { sendMessage, writeAsAgency } from './message/writeMessage.ts'

export const messageHandlers: HandlersOf<typeof messageCalls> = {
  'message.list': async (ctx) => {
    await seenProject(ctx, ctx.input.id)
    return messageList.page(ctx, ctx.input)
  },

  'message.get': async (ctx) => ({ data: await messageList.get(ctx, ctx.input.id) }),

  'message.conversations': async (ctx) => {
    const data = await conversationsOf(ctx, await seenProject(ctx, ctx.input.id))
    return { data, count: data.length, page: 1 }
  },

  'message.send': async (ctx) => {
    const { id, partner_id, text } = ctx.input
    const record = await seenProject(ctx, id)
    // A client user can't learn of partners, not even by an error.
    if (partner_id !== undefined && !isAdmin(ctx.actor)) throw notFound(`The conversation with partner ${partner_id}`)
    const sent =
      partner_id === undefined
        ? await sendMessage(ctx, record, null, { side: isAdmin(ctx.actor) ? 'agency' : 'client', text })
        : await writeAsAgency(ctx, record, partner_id, text)
    const data = await messageList.get(ctx, sent)
    const { email } = partner_id === undefined ? { email: null } : await askedPartner(ctx, record, partner_id)
    const unmailed = email === '' ? [`${data.conversation} has no email address, and reads it on their page.`] : []
    return {
      data,
      message: describeEffect(ctx, 'message.send', { words: ['your message', 'your messages'], also: unmailed }),
    }
  },
}
