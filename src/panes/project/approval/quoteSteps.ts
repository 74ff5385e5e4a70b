import { count, counted, dollars } from '../../../../contract/format.ts'
import type { Offer } from '../../../../contract/mix.ts'
import type { Invitation, Quote } from '../../../commands/profferSubject.ts'
import type { Subject } from '../../../commands/subject.ts'
import { moment } from '../../../data/format.ts'
import type { Shape, Tone } from '../../../ui/Pill.tsx'

export type Round = Quote['rounds'][number]
export type Revision = Round['quotes'][number]
export type Document = Quote['documents'][number]
/** A step of the flow; the status decides which one opens (screens-quote-flow.md, Approval). */
export type StepId = Quote['step']

export const STEPS = ['invite', 'responses', 'cost', 'documents'] as const satisfies readonly StepId[]

/** Converts a signed document to a command subject; the last one can't be removed. */
export const documentSubject = (quote: Quote, document: Document): Subject => ({
  kind: 'file',
  id: document.id,
  name: document.name,
  ...(quote.documents.length > 1 ? {} : { allowed_actions: ['file.link'], refused_actions: { 'file.remove': LAST_SIGNED } }),
  record: { ...document, project_id: quote.id, kind: 'docsign' },
})
const LAST_SIGNED = 'The last signed document cannot be removed.'

/** Returns the offer of a Yes that can be taken: neither ended nor withdrawn, with completes and a price. */
function offerOf({ answer, state }: Pick<Invitation, 'answer' | 'state'>): Offer | null {
  if (state !== 'yes' || !answer || answer.ended || answer.feasible_completes === null || answer.cpi_cents === null) return null
  return { id: answer.id, completes: answer.feasible_completes, cpi_cents: answer.cpi_cents, field_days: answer.field_days }
}

/** Returns a round's offers that can be taken now. */
export const offersOf = ({ invitations }: Pick<Round, 'invitations'>): Offer[] =>
  invitations.flatMap((invitation) => offerOf(invitation) ?? [])

/** Returns a round's latest price; undefined without one. */
export const latestRevision = ({ quotes }: Pick<Round, 'quotes'>): Revision | undefined => quotes[0]

const LOOKS: Record<Invitation['state'], { tone: Tone; shape: Shape; word: string }> = {
  invited: { tone: 'grey', shape: 'ring', word: 'Invited' },
  mailed: { tone: 'grey', shape: 'ring', word: 'Emailed' },
  opened: { tone: 'blue', shape: 'diamond', word: 'Opened' },
  draft: { tone: 'blue', shape: 'pause', word: 'Draft' },
  yes: { tone: 'green', shape: 'tick', word: 'Yes' },
  no: { tone: 'red', shape: 'cross', word: 'No' },
  silent: { tone: 'amber', shape: 'triangle', word: 'Silent' },
  revoked: { tone: 'grey', shape: 'cross', word: 'Revoked' },
}

/** Describes an invitation's state: "Silent 4 days", "Opened Nov 20", "Yes". */
export function stateOf(invitation: Invitation): { tone: Tone; shape: Shape; words: string } {
  const { tone, shape, word } = LOOKS[invitation.state]
  const { state, silent_days, opened_at, mailed_at } = invitation
  const more =
    state === 'silent' && silent_days
      ? ` ${counted(silent_days, 'day')}`
      : state === 'opened'
        ? ` ${moment(opened_at, 'day')}`
        : state === 'mailed'
          ? ` ${moment(mailed_at, 'day')}`
          : ''
  return { tone, shape, words: `${word}${more}` }
}

/** How each comparable column is read, and whether most or least is best. */
const BETTER = {
  completes: [(answer) => answer.feasible_completes, 'most'],
  cpi: [(answer) => answer.cpi_cents, 'least'],
  total: [(answer) => answer.total_cents, 'least'],
  incidence: [(answer) => answer.incidence, 'most'],
  loi: [(answer) => answer.loi_minutes, 'least'],
  days: [(answer) => answer.field_days, 'least'],
  valid: [(answer) => (answer.valid_until ? Date.parse(answer.valid_until) : null), 'most'],
  answered: [(answer) => (answer.sent_at ? Date.parse(answer.sent_at) : null), 'least'],
} as const satisfies Record<string, readonly [(answer: NonNullable<Invitation['answer']>) => number | null, 'most' | 'least']>

export type Compared = keyof typeof BETTER
export type Best = Readonly<Record<Compared, ReadonlySet<number>>>

/**
 * Returns the partners with the best value per column among takeable offers; none if all are equal.
 * Only offers that fill the order compete for the least total, because fewer completes always cost less.
 */
export function bestOf(invitations: readonly Invitation[], ordered: number): Best {
  const offers = invitations.filter((invitation) => offerOf(invitation) !== null)
  const bestIn = (column: Compared): ReadonlySet<number> => {
    const [read, way] = BETTER[column]
    const rows = offers.flatMap(({ partner_id, answer }) => {
      const value = read(answer!)
      const counts = column !== 'total' || (answer!.feasible_completes ?? 0) >= ordered
      return value === null || !counts ? [] : [{ partner_id, value }]
    })
    const values = rows.map(({ value }) => value)
    const best = way === 'most' ? Math.max(...values) : Math.min(...values)
    if (rows.length < 2 || values.every((value) => value === best)) return new Set()
    return new Set(rows.filter(({ value }) => value === best).map(({ partner_id }) => partner_id))
  }
  return Object.fromEntries((Object.keys(BETTER) as Compared[]).map((column) => [column, bestIn(column)])) as unknown as Best
}

/** Summarizes each step: "3 partners", "2 of 3 answered", "$12,400.00", "2 signed". */
export function summaryOf(quote: Quote, round: Round): Record<StepId, string> {
  const invited = round.invitations.filter(({ state }) => state !== 'revoked')
  const answered = invited.filter(({ state }) => state === 'yes' || state === 'no').length
  const revision = latestRevision(round)
  const target = quote.target_cost_cents !== null && round.round === quote.round
  const signed = quote.documents.length
  return {
    invite: invited.length ? counted(invited.length, 'partner') : 'Nobody invited yet',
    responses: invited.length ? `${count(answered)} of ${count(invited.length)} answered` : 'No answers yet',
    cost: !revision ? 'No cost yet' : target ? `Target ${dollars(revision.cost_cents)}` : dollars(revision.cost_cents),
    documents: signed ? `${count(signed)} signed` : 'None signed yet',
  }
}

/** The props of every step. */
export interface StepProps {
  quote: Quote
  round: Round
  /** True for the latest round; older ones are read-only. */
  current: boolean
  subject: Subject
}
