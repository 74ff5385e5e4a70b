import type { z } from 'zod'
import type { ExportColumn } from '../../contract/exports.ts'
import type { RequestListInput } from '../../contract/quoteRecord.ts'
import type { Ctx } from '../core/context.ts'
import type { Cell } from '../core/csv.ts'
import { allRequests } from '../domain/quote/requestList.ts'
import { among, type Listing, listing, money, type Selected } from './exportSource.ts'
import { requestReader } from './requests.ts'

/** Labels of the steps. */
const STEPS = {
  invite: 'Invite',
  waiting: 'Waiting for answers',
  answers: 'Answers in',
  quoted: 'Quoted',
  expired: 'Expired',
} as const

/** Requests with their answers, best mix and margin, for administrators. */
export async function channelExport(
  ctx: Ctx,
  { ids: only, ...filter }: z.output<typeof RequestListInput> & Selected,
  columns: readonly string[],
): Promise<Listing> {
  const ids = among(await allRequests(ctx, filter), only)
  const page = requestReader(ctx)
  const read = async (some: readonly number[]) => (await page(some)).map((one) => ({ ...one, channel: one.quote.channel! }))
  type Row = Awaited<ReturnType<typeof read>>[number]
  const cells: Record<ExportColumn<'channel'>, (row: Row) => Cell> = {
    id: ({ id }) => id,
    name: ({ row }) => row.name,
    client: ({ row }) => row.client_name,
    step: ({ channel }) => (channel.step ? STEPS[channel.step] : ''),
    waiting_since: ({ channel }) => channel.waiting_since,
    ordered: ({ quote }) => quote.ordered,
    answers: ({ channel }) => channel.answered,
    best: ({ channel: { best_cents, best_completes } }) =>
      best_cents !== null && best_completes ? money(Math.round(best_cents / best_completes)) : null,
    cost: ({ quote }) => money(quote.cost_cents),
    margin: ({ quote, channel }) => (quote.cost_cents === null ? null : channel.margin_percent),
    due: ({ quote, channel }) =>
      channel.step === 'quoted' || channel.step === 'expired' ? quote.valid_until : channel.answer_by,
    opened: ({ quote }) => (quote.opened ? 'Yes' : 'No'),
    owner: ({ channel }) => channel.owner?.name ?? '',
    invited: ({ channel }) => channel.invited,
    declined: ({ channel }) => channel.declined,
    fills: ({ channel }) => channel.fills,
    partner_cost: ({ channel }) => money(channel.partner_cost_cents),
    round: ({ quote }) => quote.quote_round,
    generation: ({ quote }) => quote.generation,
  }
  return listing('channel', 'Channel feasibility', { ids, columns, read }, cells)
}
