import { addDays } from '../../../contract/pacing.ts'
import type { Ctx } from '../../core/context.ts'

/** Days before a quote expires on which the client is reminded. */
const REMINDER_DAYS = 2

/** Sent quotes that expire soon and whose client hasn't been reminded yet. */
export const expiringQuotes = (ctx: Pick<Ctx, 'db' | 'today'>): Promise<{ id: number; project_id: number }[]> =>
  ctx.db
    .selectFrom('quotes')
    .innerJoin('projects', (join) => join.onRef('projects.id', '=', 'project_id').onRef('projects.quote_round', '=', 'round'))
    .select(['quotes.id', 'project_id'])
    .where('quotes.state', '=', 'sent')
    .where('quotes.lapse_mailed_at', 'is', null)
    .where('quotes.valid_until', '>=', ctx.today)
    .where('quotes.valid_until', '<=', addDays(ctx.today, REMINDER_DAYS))
    .where('projects.status', '=', 'submit_approval')
    .where('projects.deleted_at', 'is', null)
    .limit(100)
    .execute()

/**
 * Marks a quote as reminded and returns the data of its mail.
 * Null if another process marked it first, or if the quote was sent so late that its mail said the same.
 */
export async function markReminded(ctx: Ctx, id: number): Promise<{ cost_cents: number; valid_until: string } | null> {
  const quote = await ctx.tx
    .updateTable('quotes')
    .set({ lapse_mailed_at: ctx.now })
    .where('id', '=', id)
    .where('lapse_mailed_at', 'is', null)
    .where('state', '=', 'sent')
    .returning(['cost_cents', 'valid_until', 'sent_at'])
    .executeTakeFirst()
  if (!quote?.valid_until) return null
  const { cost_cents, valid_until, sent_at } = quote
  return sent_at && addDays(sent_at, REMINDER_DAYS) >= valid_until ? null : { cost_cents, valid_until }
}
