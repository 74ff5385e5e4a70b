import type { Output } from '../../../contract/calls.ts'
import { count, counted, dollars, longDate, percent, showDay } from '../../../contract/format.ts'
import { daysBetween } from '../../../contract/pacing.ts'
import { projectFields } from '../../../contract/projectFields.ts'
import { moment } from '../../data/format.ts'
import { useToday } from '../../palette/useToday.ts'
import { Pill, type Tone } from '../../ui/Pill.tsx'
import { Disclosure, type Fact, Facts } from './Disclosure.tsx'

/** A request as its client reads it, with the quotes they were sent. */
export type Request = Output<'campaign.requestInfo'>['data']
type Quote = NonNullable<Request['quote']>
/** A quote that was replaced while it was on screen. */
export interface Changed {
  was: Quote
  is: Quote
}

/** Returns how long a quote can still be approved, and how urgent that is. */
export function untilOf(valid_until: string, today: string): { left: string; tone: Tone } {
  const left = daysBetween(today, valid_until)
  if (left < 0) return { left: 'Expired', tone: 'red' }
  const words = left > 1 ? `${counted(left, 'day')} left` : left === 1 ? 'Until tomorrow' : 'Today is the last day'
  return { left: words, tone: left <= 2 ? 'red' : 'grey' }
}

const STATES: Record<Quote['state'], { word: string; tone: Tone }> = {
  sent: { word: 'Waiting for you', tone: 'blue' },
  approved: { word: 'Approved', tone: 'green' },
  rejected: { word: 'Rejected', tone: 'red' },
  replaced: { word: 'Replaced', tone: 'grey' },
  expired: { word: 'Expired', tone: 'amber' },
}

const decidedBy = ({ state, decided_by, decided_at }: Quote): string =>
  `${STATES[state].word}${decided_by ? ` by ${decided_by}` : ''}${decided_at ? ` on ${moment(decided_at)}` : ''}`

/** The price, what it covers, how long it is valid, and why it can't be approved now (`blocked`). */
export function Price({ request, blocked, changed }: { request: Request; blocked: string | null; changed: Changed | null }) {
  const today = useToday()
  const { quote } = request
  const until = quote?.state === 'sent' && quote.valid_until ? untilOf(quote.valid_until, today) : null
  const isDecided = quote?.state === 'approved' || quote?.state === 'rejected'
  return (
    <section aria-label="Price" className="pb-4">
      {quote ? (
        <>
          <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <span className="text-[32px] leading-10 font-semibold tracking-tight tabular-nums">{dollars(quote.cost_cents)}</span>
            <span className="text-muted tabular-nums">
              {count(quote.ordered)} completes
              {quote.cost_per_complete_cents !== null && ` at ${dollars(quote.cost_per_complete_cents)}`}
            </span>
          </p>
          {until && (
            <p className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1">
              Valid until {showDay(quote.valid_until!, 'day and year')}{' '}
              <Pill tone={until.tone} shape={until.tone === 'red' ? 'triangle' : 'ring'}>
                {until.left}
              </Pill>
            </p>
          )}
          {isDecided && <p className="mt-1">{decidedBy(quote)}</p>}
        </>
      ) : (
        <p className="text-figure">{request.step === 'rejected' ? 'Rejected' : 'No price yet'}</p>
      )}
      {changed && (
        <p role="status" className="mt-2 w-fit border-l-2 border-amber bg-amber-wash px-3 py-1.5 text-amber-ink">
          The quote changed from {dollars(changed.was.cost_cents)} to {dollars(changed.is.cost_cents)}
          {changed.is.sent_at ? ` on ${moment(changed.is.sent_at)}` : ''} while you were viewing it.
        </p>
      )}
      {blocked && quote?.state !== 'approved' && request.step !== 'rejected' && <p className="mt-2 text-muted">{blocked}.</p>}
    </section>
  )
}

/** Formats "+$150.00 (+18 %)" for two amounts or counts; empty for text. */
function differenceOf(was: string, is: string): string {
  const [before, now] = [was, is].map((text) =>
    /^\$?[\d,]+(\.\d+)?$/.test(text) ? Number(text.replace(/[$,]/g, '')) : Number.NaN,
  )
  if (before === undefined || now === undefined || !Number.isFinite(before) || !Number.isFinite(now)) return ''
  const by = now - before
  const sign = by < 0 ? '−' : '+'
  const amount = is.startsWith('$') ? dollars(Math.round(Math.abs(by) * 100)) : count(Math.abs(by))
  return `${sign}${amount}${before ? ` (${sign}${percent(Math.abs(Math.round((by / before) * 100)))})` : ''}`
}

/** Lists changed fields, old → new, with the difference between figures. */
export function ChangedFields({ changes }: { changes: Quote['changes'] }) {
  return (
    <dl className="flex flex-col gap-1.5">
      {changes.map(({ field, was, is }) => (
        <div
          key={field}
          className="grid grid-cols-1 gap-x-3 @xs:grid-cols-[120px_minmax(0,1fr)] @sm:grid-cols-[128px_minmax(0,1fr)]"
        >
          <dt className="text-muted">{field}</dt>
          <dd className="min-w-0 break-words tabular-nums">
            <del className="text-faint">{was}</del> → <ins className="font-medium no-underline">{is}</ins>
            {differenceOf(was, is) && <span className="ml-2.5 whitespace-nowrap text-muted">{differenceOf(was, is)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Lists changes from the previous quote, and why that one was rejected. */
export function Changes({ request }: { request: Request }) {
  const { quote, quotes } = request
  const before = quote ? quotes[quotes.findIndex(({ id }) => id === quote.id) + 1] : undefined
  if (!quote || !before) return null
  const reason = before.state === 'rejected' ? before.reason : ''
  return (
    <Disclosure title="What changed" anchor="changes" aside={`since round ${before.round}`}>
      {quote.changes.length ? <ChangedFields changes={quote.changes} /> : <p className="text-muted">No changes.</p>}
      {reason && (
        <p className="mt-2 whitespace-pre-wrap border-l-2 border-line pl-3 text-muted">
          Reason for the last rejection: <bdi className="text-ink">{reason}</bdi>
        </p>
      )}
    </Disclosure>
  )
}

/** Lists what was requested: completes, type, dates, audience, markets, length, incidence. */
export function termRows(terms: Request['asked'], ordered = terms.completes): Fact[] {
  const { start, end } = terms
  const dates =
    start && end
      ? `${longDate(start)} to ${longDate(end)}`
      : start
        ? `From ${longDate(start)}`
        : end
          ? `Until ${longDate(end)}`
          : ''
  return [
    ['Completes', count(ordered)],
    ['Type', terms.campaign_type],
    ['Dates', dates, { wide: true }],
    ...terms.audience.map(({ label, value }) => [label, value] as const),
    ['Markets', terms.markets, { wide: true }],
    [projectFields.loi_minutes.label, terms.loi_minutes === null ? 'Not known yet' : `${terms.loi_minutes} min`],
    ['Incidence', terms.incidence === null ? 'Not known yet' : percent(terms.incidence)],
  ]
}

/** Lists what is bought, as of when the quote was made. */
export function Bought({ request }: { request: Request }) {
  const terms = request.quote?.asked ?? request.asked
  return (
    <Disclosure title="What you buy" anchor="bought">
      <Facts
        rows={[
          ...termRows(terms, request.quote?.ordered),
          [
            'Requirements',
            request.requirements && (
              <span key="requirements" dir="auto" className="whitespace-pre-wrap">
                {request.requirements}
              </span>
            ),
            { wide: true },
          ],
        ]}
      />
    </Disclosure>
  )
}

/** Earlier quotes, collapsed. */
export function Earlier({ request: { quote, quotes } }: { request: Request }) {
  const earlier = quotes.filter(({ id }) => id !== quote?.id)
  if (!earlier.length) return null
  return (
    <Disclosure title="Earlier quotes" anchor="earlier" aside={count(earlier.length)} folded={quote !== null}>
      <ul className="divide-y divide-line">
        {earlier.map((one) => (
          <li key={one.id} className="py-1.5">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span>Round {one.round}</span>
              <span className="font-medium tabular-nums">{dollars(one.cost_cents)}</span>
              <span className="text-muted tabular-nums">
                {count(one.ordered)} completes
                {one.cost_per_complete_cents !== null && ` at ${dollars(one.cost_per_complete_cents)}`}
              </span>
              <Pill tone={STATES[one.state].tone}>{one.state === 'sent' ? 'Sent' : STATES[one.state].word}</Pill>
              <span className="text-meta text-muted">{one.decided_at ? decidedBy(one) : `Sent ${moment(one.sent_at)}`}</span>
            </p>
            {one.reason && <p className="mt-0.5 whitespace-pre-wrap text-muted">{one.reason}</p>}
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}
