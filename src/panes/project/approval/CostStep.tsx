import { count, dollars, percent, showDay } from '../../../../contract/format.ts'
import { refusedFor } from '../../../commands/availability.ts'
import type { Quote } from '../../../commands/profferSubject.ts'
import { type CommandId, commandOf } from '../../../commands/table.ts'
import { moment } from '../../../data/format.ts'
import { useToday } from '../../../palette/useToday.ts'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { cx } from '../../../ui/cx.ts'
import { Mark, Pill, type Shape, type Tone } from '../../../ui/Pill.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { Disclosure, Facts } from '../Disclosure.tsx'
import { untilOf } from '../QuoteParts.tsx'
import { latestRevision, type Revision, type StepProps } from './quoteSteps.ts'

const STATES: Record<Revision['state'], { word: string; tone: Tone; shape: Shape }> = {
  prepared: { word: 'Not sent', tone: 'grey', shape: 'ring' },
  sent: { word: 'With the client', tone: 'blue', shape: 'diamond' },
  approved: { word: 'Approved', tone: 'green', shape: 'tick' },
  rejected: { word: 'Rejected', tone: 'red', shape: 'cross' },
  replaced: { word: 'Replaced', tone: 'grey', shape: 'cross' },
  expired: { word: 'Expired', tone: 'amber', shape: 'triangle' },
}

/** Commands that change a price; those that decide on it are in the header. */
const NEXT: readonly CommandId[] = ['project.reprice', 'project.setCost', 'project.sendQuote']

/** Formats "Nov 20, 3:05 PM by Ana Diaz", or `none` if it hasn't happened. */
const done = (at: string | null, by: { name: string } | null, none: string): string =>
  at ? `${moment(at)}${by ? ` by ${by.name}` : ''}` : none

/** A figure below its label. */
function Figure({ name, children, aside, tone }: { name: string; children: string; aside?: string; tone?: 'red' }) {
  return (
    <div className="min-w-0">
      <dt className="text-meta text-muted">{name}</dt>
      <dd className={cx('mt-0.5 text-figure tabular-nums', tone === 'red' && 'text-red-ink')}>
        {tone === 'red' && <Mark shape="triangle" className="mr-1.5 inline" />}
        {children}
        {aside && <span className="ml-2 text-title font-normal whitespace-nowrap text-muted">{aside}</span>}
      </dd>
    </div>
  )
}

/** Partner cost, price and margin, and the quote's state. */
export function CostStep({ quote, round, current, subject }: StepProps) {
  const revision = latestRevision(round)
  const earlier = round.quotes.slice(1)
  const next = current ? NEXT.filter((id) => !refusedFor(id, commandOf(id), subject)) : []
  return (
    <div className="px-4">
      {revision ? (
        <Price quote={quote} revision={revision} current={current} />
      ) : (
        <EmptyState
          action={
            current ? (
              <span className="flex flex-wrap justify-center gap-1.5">
                <CommandButton id="project.setCost" subjects={[subject]} />
                <CommandButton id="project.takeOffers" subjects={[subject]} variant="primary" />
              </span>
            ) : undefined
          }
        >
          {current ? 'No cost yet. Take partners’ offers, or set the cost yourself.' : 'This round had no cost.'}
        </EmptyState>
      )}
      {revision && next.length > 0 && (
        <div className="flex flex-wrap gap-1.5 py-3">
          {next.map((id) => (
            <CommandButton key={id} id={id} subjects={[subject]} />
          ))}
        </div>
      )}
      {revision && revision.shares.length > 0 && <Shares revision={revision} />}
      {earlier.length > 0 && (
        <Disclosure title="Earlier prices of this round" anchor="prices" aside={count(earlier.length)} folded>
          <ul className="divide-y divide-line">
            {earlier.map((one) => (
              <li key={one.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
                <span className="font-medium tabular-nums">{dollars(one.cost_cents)}</span>
                <span className="text-muted tabular-nums">
                  {count(one.ordered)} completes
                  {one.margin_percent !== null && `, margin ${percent(one.margin_percent)}`}
                </span>
                <Pill tone={STATES[one.state].tone} shape={STATES[one.state].shape}>
                  {STATES[one.state].word}
                </Pill>
                <span className="text-meta text-muted">
                  {one.sent_at ? `Sent ${done(one.sent_at, one.sent_by, '')}` : `Set ${moment(one.created_at)}`}
                </span>
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </div>
  )
}

function Price({ quote, revision, current }: { quote: Quote; revision: Revision; current: boolean }) {
  const today = useToday()
  const target = current && quote.target_cost_cents !== null
  const { margin_cents, margin_percent, partner_cost_cents, cost_per_complete_cents, valid_until, state } = revision
  const low = margin_percent !== null && margin_percent < quote.margin_floor
  const until = (state === 'sent' || state === 'prepared') && valid_until ? untilOf(valid_until, today) : null
  const look = STATES[state]
  return (
    <section aria-label="Cost" className="pt-2">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 @xl:grid-cols-4">
        <Figure name={target ? 'Target cost' : 'Cost'}>{dollars(revision.cost_cents)}</Figure>
        <Figure name="Per complete">{cost_per_complete_cents === null ? '–' : dollars(cost_per_complete_cents)}</Figure>
        <Figure name="Partner cost">{partner_cost_cents === null ? '–' : dollars(partner_cost_cents)}</Figure>
        <Figure
          name="Margin"
          tone={low ? 'red' : undefined}
          {...(margin_percent === null ? {} : { aside: percent(margin_percent) })}
        >
          {margin_cents === null ? '–' : dollars(margin_cents)}
        </Figure>
      </dl>
      {low && (
        <p className="mt-2 text-red-ink">
          {margin_cents! < 0
            ? 'The partners cost more than the client pays.'
            : `Below the least margin of ${percent(quote.margin_floor)}.`}
        </p>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Pill tone={look.tone} shape={look.shape}>
          {target ? 'Kept as target' : look.word}
        </Pill>
        {until && (
          <Pill tone={until.tone} shape={until.tone === 'red' ? 'triangle' : 'ring'}>
            {until.left}
          </Pill>
        )}
      </div>
      <div className="mt-3 pb-1">
        <Facts
          rows={[
            ['Completes', count(revision.ordered)],
            ['Valid until', valid_until ? showDay(valid_until, 'day and year') : 'No date'],
            ['Sent', done(revision.sent_at, revision.sent_by, target ? 'Only admins see a target cost' : 'Not sent yet')],
            ['Opened', done(revision.opened_at, revision.opened_by, revision.sent_at ? 'Not opened yet' : '')],
            [
              'Decided',
              revision.decided_at
                ? `${look.word}, ${done(revision.decided_at, revision.decided_by, '')}`
                : state === 'expired'
                  ? 'Expired before a decision'
                  : 'Not yet',
            ],
            ...(revision.reason
              ? ([
                  [
                    'Reason',
                    <span key="reason" dir="auto" className="whitespace-pre-wrap">
                      {revision.reason}
                    </span>,
                    { wide: true },
                  ],
                ] as const)
              : []),
          ]}
        />
      </div>
    </section>
  )
}

/** Lists each partner's share of the completes in the price. */
function Shares({ revision }: { revision: Revision }) {
  return (
    <table className="mt-1 mb-3 w-full max-w-3xl border-collapse text-left">
      <caption className="sr-only">Partners of this price</caption>
      <thead>
        <tr className="h-8 border-b border-line text-meta text-muted">
          <th className="pr-2 font-medium">Partner</th>
          <th className="px-2 text-right font-medium">Completes</th>
          <th className="px-2 text-right font-medium">CPI</th>
          <th className="pl-2 text-right font-medium">Cost</th>
        </tr>
      </thead>
      <tbody>
        {revision.shares.map((share) => (
          <tr key={share.proffer_id} className="h-(--row) border-b border-line">
            <td className="max-w-0 w-2/5 truncate pr-2" dir="auto" title={share.name}>
              {share.name}
            </td>
            <td className="px-2 text-right tabular-nums">{count(share.completes)}</td>
            <td className="px-2 text-right tabular-nums">
              {dollars(share.cpi_cents)}
              {share.corrected && (
                <span className="block text-meta text-amber-ink">
                  <Mark shape="triangle" className="mr-1 inline" />
                  {share.now_cpi_cents !== null && share.now_cpi_cents !== share.cpi_cents
                    ? `corrected to ${dollars(share.now_cpi_cents)}`
                    : 'corrected since'}
                </span>
              )}
            </td>
            <td className="pl-2 text-right tabular-nums">{dollars(share.cost_cents)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
