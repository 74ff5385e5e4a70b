import type { Offer as MixOffer } from '../../../contract/mix.ts'
import type { Ctx } from '../../core/context.ts'

/** A sent answer of a project's current round; `offer` is null if it can't be chosen. */
export interface Offer {
  project_id: number
  partner_id: number
  yes: boolean
  offer: MixOffer | null
  /** The answer as it was sent. */
  sent: {
    reason: string
    completes: number | null
    cpi_cents: number | null
    field_days: number | null
    valid_until: string | null
    sent_at: string
  }
}

/** Returns the sent answers of these projects' current rounds, those of revoked invitations left out. */
export async function offersOf(ctx: Pick<Ctx, 'db' | 'today'>, ids: readonly number[]): Promise<Offer[]> {
  const rows = await ctx.db
    .selectFrom('proffers')
    .innerJoin('projects', (join) =>
      join.onRef('projects.id', '=', 'proffers.project_id').onRef('projects.quote_round', '=', 'proffers.round'),
    )
    .leftJoin('project_partners', (join) =>
      join
        .onRef('project_partners.project_id', '=', 'proffers.project_id')
        .onRef('project_partners.partner_id', '=', 'proffers.partner_id')
        .onRef('project_partners.round', '=', 'proffers.round'),
    )
    .select([
      'proffers.id',
      'proffers.project_id',
      'proffers.partner_id',
      'fill_requirements',
      'feasible_completes',
      'cpi_cents',
      'field_days',
      'valid_until',
      'reason',
      'sent_at',
      'proffers.created_at',
    ])
    .where('proffers.project_id', 'in', [0, ...ids])
    .where('state', '=', 'sent')
    .where('revoked_at', 'is', null)
    .orderBy('proffers.id')
    .execute()
  return rows.map((row) => {
    const { feasible_completes: completes, cpi_cents, field_days, valid_until } = row
    const yes = row.fill_requirements === 'Yes'
    const stands = yes && completes !== null && cpi_cents !== null && (valid_until === null || valid_until >= ctx.today)
    return {
      project_id: row.project_id,
      partner_id: row.partner_id,
      yes,
      offer: stands ? { id: row.id, completes, cpi_cents, field_days } : null,
      // Older releases leave `sent_at` empty.
      sent: { reason: row.reason, completes, cpi_cents, field_days, valid_until, sent_at: row.sent_at ?? row.created_at },
    }
  })
}
