import type { z } from 'zod'
import type { receiverCalls } from '../../contract/receiver.ts'
import type { Ctx } from '../core/context.ts'
import type { HandlersOf } from '../core/handler.ts'
import { cursorOf } from '../core/keyset.ts'
import { offsetOf } from '../core/listSearch.ts'
import { countReceivers, receiverIds, receiversOnWire, receiverTotals } from '../domain/entry/receivers.ts'

type Input = z.output<(typeof receiverCalls)['receiver.list']['input']>

async function list(ctx: Ctx<Omit<Input, 'search'> & { search?: string }>) {
  const { page, per_page, cursor: _, after, counts, exact, ...listFilter } = ctx.input
  const filter = { search: '', ...listFilter }
  const from = cursorOf(ctx, 4) ?? after
  const { ids, next, end } = await receiverIds(ctx, filter, { limit: per_page, offset: offsetOf(ctx.input), after: from })
  ctx.endsAt(end)
  const answer = { data: await receiversOnWire(ctx, ids), page, page_size: per_page, next }
  if (!counts) return answer
  return { ...answer, ...(await countReceivers(ctx, filter, exact)), totals: await receiverTotals(ctx, filter) }
}

export const receiverHandlers: HandlersOf<typeof receiverCalls> = {
  'receiver.list': list,
  'receiver.all': list,
}
