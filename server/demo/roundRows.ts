import type { Insertable } from 'kysely'
import { addDays } from '../../contract/pacing.ts'
import type { ProfferTable, ProjectPartnerTable, QuoteShareTable, QuoteTable } from '../db/schema.ts'
import { addWorkingDays } from '../domain/quote/answerBy.ts'
import type { RequestTerms } from '../domain/quote/requestTerms.ts'
import { type ProjectPlan, reached } from './plan.ts'
import type { Cast, Part, Round } from './rounds.ts'
import { rowOf } from './rowDefaults.ts'

/** The rows of a project's rounds. */
export interface RoundRows {
  invited: Insertable<ProjectPartnerTable>[]
  proffers: Insertable<ProfferTable>[]
  quotes: Insertable<QuoteTable>[]
  shares: Insertable<QuoteShareTable>[]
}
interface RowContext {
  iso(at: number): string
  /** The civil day of a moment. */
  dayOf(at: number): string
  /** The current terms of the request to partners. */
  terms: RequestTerms
  validDays: number
}

const LINK_DAYS = 14
const ANSWER_DAYS = 5
const OFFER_DAYS = 30
const DAY_MS = 86_400_000
/** Ids in a project's own range, which don't depend on the number of other projects' rows. */
const idIn = (plan: ProjectPlan, nth: number): number => plan.id * 10 + nth

/** Invitations, answers, quotes and shares of a project's rounds, oldest first. */
export function rowsOfRounds(plan: ProjectPlan, cast: Cast, rounds: readonly Round[], telling: RowContext): RoundRows {
  const rows: RoundRows = { invited: [], proffers: [], quotes: [], shares: [] }
  for (const [at, round] of rounds.entries()) {
    for (const part of round.parts) {
      rows.invited.push(invitationRow(plan, cast, round, part, telling))
      const proffer = profferRow(plan, round, part, idIn(plan, rows.proffers.length), telling)
      if (proffer) rows.proffers.push(proffer)
    }
    if (!round.quote) continue
    const id = idIn(plan, rows.quotes.length)
    rows.quotes.push(quoteRow(plan, cast, round, id, at < rounds.length - 1, telling))
    for (const { partner_id, completes, cpi_cents } of round.quote.shares) {
      const proffer = rows.proffers.find((row) => row.round === round.round && row.partner_id === partner_id)
      rows.shares.push({ quote_id: id, proffer_id: proffer!.id!, completes, cpi_cents })
    }
  }
  return rows
}

function invitationRow(
  plan: ProjectPlan,
  cast: Cast,
  { round }: Round,
  { partner, assigned, mailed, opened, reminded, reply }: Part,
  { iso, dayOf }: RowContext,
): Insertable<ProjectPartnerTable> {
  const last = reminded ?? mailed
  const opened_at = opened === null ? null : iso(opened)
  return {
    project_id: plan.id,
    partner_id: partner.id,
    round,
    assigned_at: iso(assigned),
    mailed_at: iso(last),
    title: '',
    message: '',
    answer_by: addWorkingDays(dayOf(mailed), ANSWER_DAYS),
    files: '[]',
    invited_by: cast.admin,
    link_version: 1,
    link_until: new Date(Date.parse(iso(last)) + LINK_DAYS * DAY_MS).toISOString(),
    opened_at,
    last_opened_at: reply ? iso(reply.at) : opened_at,
    opens: opened === null ? 0 : reply ? 2 : 1,
    reminded_at: reminded === null ? null : iso(reminded),
    reminders: reminded === null ? 0 : 1,
    revoked_at: null,
    revoke_reason: '',
  }
}

function profferRow(
  plan: ProjectPlan,
  { round, ordered }: Round,
  { partner, opened, reply }: Part,
  id: number,
  { iso, dayOf, terms }: RowContext,
): Insertable<ProfferTable> | null {
  if (!reply) return null
  const at = iso(reply.at)
  const isDraft = reply.kind === 'draft'
  return {
    id,
    project_id: plan.id,
    partner_id: partner.id,
    round,
    fill_requirements: reply.kind === 'no' ? 'No' : 'Yes',
    reason: reply.reason,
    feasible_completes: reply.completes,
    cpi_cents: reply.cpi_cents,
    incidence: reply.incidence,
    loi_minutes: reply.loi_minutes,
    field_days: reply.field_days,
    valid_until: reply.kind === 'no' ? null : addDays(dayOf(reply.at), OFFER_DAYS),
    created_at: isDraft && opened !== null ? iso(opened) : at,
    state: isDraft ? 'draft' : 'sent',
    sent_at: isDraft ? null : at,
    corrections: 0,
    note: '',
    binding: 0,
    asked: JSON.stringify({ ...terms, completes: ordered }),
    entered_by: null,
    updated_at: at,
    lock_version: 1,
  }
}

function quoteRow(
  plan: ProjectPlan,
  cast: Cast,
  { round, ordered, quote }: Round,
  id: number,
  wasRejected: boolean,
  { iso, dayOf, terms, validDays }: RowContext,
): Insertable<QuoteTable> {
  const { cost_cents, priced, sent, opened, decided, reason } = quote!
  const isRefused = wasRejected || (plan.status === 'rejected' && decided !== null)
  const state = isRefused ? 'rejected' : reached(plan, 'approved') ? 'approved' : 'sent'
  const decided_at = state === 'sent' || decided === null ? null : iso(decided)
  const isOpened = opened !== null && cast.reader !== null
  const lapses = plan.scene === 'lapsing' || plan.scene === 'expired'
  return rowOf('quotes', iso(priced), {
    id,
    project_id: plan.id,
    ordered,
    round,
    cost_cents,
    valid_until: addDays(dayOf(sent), validDays),
    asked: JSON.stringify({ ...terms, completes: ordered }),
    state,
    sent_at: iso(sent),
    sent_by: cast.admin,
    opened_at: isOpened ? iso(opened) : null,
    opened_by: isOpened ? cast.reader : null,
    decided_at,
    decided_by: decided_at === null ? null : cast.requester,
    reason: state === 'approved' && !cast.requesterIsClient ? 'Approved by phone.' : reason,
    updated_at: decided_at ?? iso(sent),
    // Its reminder went out a day before the quote expires.
    lapse_mailed_at: lapses ? new Date(Date.parse(iso(sent)) + (validDays - 2) * DAY_MS).toISOString() : null,
  })
}
