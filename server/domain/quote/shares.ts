import { count } from '../../../contract/format.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError, invalid } from '../../core/errors.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import type { ProjectRecord } from '../project/storedProject.ts'

/** A partner's share of an order, as sent. */
export interface ShareGiven {
  proffer_id: number
  completes: number
}

/** The same with the partner's current price. */
export interface TakenShare extends ShareGiven {
  cpi_cents: number
}

/**
 * Prices shares by the answers of the project's current round.
 * Throws a 422 naming a share that can't be used, or a 409 if an offer has expired or was withdrawn.
 */
export async function priceShares(ctx: Ctx, record: ProjectRecord, shares: readonly ShareGiven[]): Promise<TakenShare[]> {
  const ids = shares.map(({ proffer_id }) => proffer_id)
  if (new Set(ids).size < ids.length) throw invalid('shares', 'shares names an answer twice')
  const rows = await ctx.tx
    .selectFrom('proffers')
    .innerJoin('partners', 'partners.id', 'proffers.partner_id')
    .leftJoin('project_partners', (join) =>
      join
        .onRef('project_partners.project_id', '=', 'proffers.project_id')
        .onRef('project_partners.partner_id', '=', 'proffers.partner_id')
        .onRef('project_partners.round', '=', 'proffers.round'),
    )
    .select(['proffers.id', 'name', 'fill_requirements', 'feasible_completes', 'cpi_cents', 'valid_until', 'revoked_at'])
    .where('proffers.id', 'in', [0, ...ids])
    .where('proffers.project_id', '=', record.id)
    .where('proffers.round', '=', record.quote_round)
    .where('state', '=', 'sent')
    .execute()
  const taken = shares.map(({ proffer_id, completes }, at) => {
    const row = rows.find(({ id }) => id === proffer_id)
    const field = `shares.${at}.proffer_id`
    if (!row) throw invalid(field, `${field} is not an answer of this round: ${proffer_id}`)
    if (row.fill_requirements !== 'Yes' || row.cpi_cents === null || row.feasible_completes === null)
      throw invalid(field, `${row.name} offered no completes at a price`)
    if (row.revoked_at) throw new HttpError(409, 'not_now', `${row.name}’s invitation is revoked.`)
    if (row.valid_until !== null && row.valid_until < ctx.today)
      throw new HttpError(409, 'not_now', `${row.name}’s offer ended on ${row.valid_until}.`)
    if (completes > row.feasible_completes)
      throw invalid(`shares.${at}.completes`, `${row.name} offered ${count(row.feasible_completes)} completes`)
    return { proffer_id, completes, cpi_cents: row.cpi_cents }
  })
  const sum = taken.reduce((total, { completes }) => total + completes, 0)
  if (sum > record.ordered)
    throw invalid('shares', `shares add up to ${count(sum)} completes, but ${count(record.ordered)} are ordered`)
  return taken
}

/** The cost of shares to us. */
export const partnerCost = (shares: readonly Pick<TakenShare, 'completes' | 'cpi_cents'>[]): number =>
  shares.reduce((sum, { completes, cpi_cents }) => sum + completes * cpi_cents, 0)

/** The shares of a quote. */
export const sharesOfQuote = (ctx: Pick<Ctx, 'db'>, quote_id: number): Promise<TakenShare[]> =>
  ctx.db.selectFrom('quote_shares').select(['proffer_id', 'completes', 'cpi_cents']).where('quote_id', '=', quote_id).execute()

/** Replaces the shares of a quote. A share with unchanged completes keeps its price. */
export async function writeShares(ctx: Ctx, quote_id: number, shares: readonly TakenShare[]): Promise<void> {
  const there = await sharesOfQuote(ctx, quote_id)
  for (const { proffer_id } of there) {
    if (shares.some((share) => share.proffer_id === proffer_id)) continue
    await ctx.tx.deleteFrom('quote_shares').where('quote_id', '=', quote_id).where('proffer_id', '=', proffer_id).execute()
  }
  for (const share of shares) {
    const before = there.find(({ proffer_id }) => proffer_id === share.proffer_id)
    if (!before)
      await ctx.tx
        .insertInto('quote_shares')
        .values(onlyColumns('quote_shares', { quote_id, ...share }))
        .execute()
    else if (before.completes !== share.completes)
      await ctx.tx
        .updateTable('quote_shares')
        .set({ completes: share.completes, cpi_cents: share.cpi_cents })
        .where('quote_id', '=', quote_id)
        .where('proffer_id', '=', share.proffer_id)
        .execute()
  }
}
