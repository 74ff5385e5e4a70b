import type { z } from 'zod'
import type { ExportColumn } from '../../contract/exports.ts'
import type { RequestListInput } from '../../contract/quoteRecord.ts'
import { CLIENT_STEP_WORDS } from '../../contract/requestColumns.ts'
import type { Ctx } from '../core/context.ts'
import type { Cell } from '../core/csv.ts'
import { recordsOf } from '../domain/project/list.ts'
import { projectRows } from '../domain/project/projectRows.ts'
import { allRequests } from '../domain/quote/requestList.ts'
import { requestRows } from '../domain/quote/requestRows.ts'
import { among, type Listing, listing, money, type Selected } from './exportSource.ts'

/** Reads a page of requests: each project with the parts of its quote that the caller may see. */
export const requestReader = (ctx: Ctx) => async (some: readonly number[]) => {
  const records = await recordsOf(ctx, some)
  const [rows, quotes] = await Promise.all([projectRows(ctx, records), requestRows(ctx, records)])
  return rows.map((row) => ({ row, id: row.id, quote: quotes.get(row.id)! }))
}

/** Requests with the quotes sent to the caller, like their list. */
export async function requestsExport(
  ctx: Ctx,
  { ids: only, ...filter }: z.output<typeof RequestListInput> & Selected,
  columns: readonly string[],
): Promise<Listing> {
  // The list sorts by the older API's name for it.
  const column = filter.column === 'requested' ? 'created_at' : filter.column
  const ids = among(await allRequests(ctx, { ...filter, column }), only)
  const holds = new Set<number>()
  const page = requestReader(ctx)
  const read = async (some: readonly number[]) => {
    const rows = await page(some)
    for (const { id } of rows) holds.add(id)
    return rows
  }
  type Row = Awaited<ReturnType<typeof read>>[number]
  const cells: Record<ExportColumn<'requests'>, (row: Row) => Cell> = {
    id: ({ id }) => id,
    name: ({ row }) => row.name,
    step: ({ quote }) => CLIENT_STEP_WORDS[quote.step],
    ordered: ({ quote }) => quote.ordered,
    cost: ({ quote }) => money(quote.cost_cents),
    cost_per_complete: ({ quote }) => money(quote.cost_per_complete_cents),
    valid_until: ({ quote }) => quote.valid_until,
    quote_round: ({ quote }) => quote.quote_round,
    requested: ({ row }) => row.created_at,
    requested_by: ({ row: { requested_by } }) =>
      requested_by ? `${requested_by.first_name} ${requested_by.last_name}`.trim() : '',
    client: ({ row }) => row.client_name,
    generation: ({ quote }) => quote.generation,
  }
  return { ...listing('requests', 'Requests and quotes', { ids, columns, read }, cells), holds }
}
