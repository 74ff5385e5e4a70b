import { useCallback, useMemo, useState } from 'react'
import { count, counted, dollars, percent, shortDate } from '../../../../contract/format.ts'
import { type Invitation, profferId, profferSubject, type Quote } from '../../../commands/profferSubject.ts'
import { moment } from '../../../data/format.ts'
import { type ShortColumn, ShortList } from '../../../list/ShortList.tsx'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { cx } from '../../../ui/cx.ts'
import { Mark, Pill } from '../../../ui/Pill.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { usePane } from '../../../workspace/pane.tsx'
import { InvitationDialog } from './InvitationDialog.tsx'
import { MixPart } from './MixPart.tsx'
import { type Best, bestOf, type Compared, offersOf, type StepProps, stateOf } from './quoteSteps.ts'

type Row = Invitation

/** A value of an answer, marked if it is the best in its column. */
function Value({ best, row, column, children }: { best: Best; row: Row; column: Compared; children: string | null }) {
  if (children === null) return null
  const is = best[column].has(row.partner_id)
  return (
    <span className={cx('inline-flex items-center gap-1.5', is && 'font-semibold')}>
      {is && (
        <>
          <Mark shape="diamond" className="text-accent-ink" />
          <span className="sr-only">best: </span>
        </>
      )}
      {children}
    </span>
  )
}

/** The share of ordered completes that an answer offers. */
function Completes({ best, row, ordered }: { best: Best; row: Row; ordered: number }) {
  const completes = row.answer?.feasible_completes
  if (completes == null) return null
  return (
    <span
      className="inline-grid grid-cols-[48px_auto] items-center gap-2"
      title={`${count(completes)} of ${count(ordered)} ordered`}
    >
      <span aria-hidden="true" className="block h-1 overflow-hidden rounded-full bg-track">
        <span
          className={cx('block h-full rounded-full', completes >= ordered ? 'bg-green' : 'bg-blue')}
          style={{ width: `${ordered > 0 ? Math.min(100, (completes / ordered) * 100) : 0}%` }}
        />
      </span>
      <Value best={best} row={row} column="completes">
        {count(completes)}
      </Value>
    </span>
  )
}

/** Counts the rounds a partner answered of those it was invited to: "1 of 2". */
function roundsOf(quote: Quote, { partner_id }: Row): { answered: number; asked: number } {
  const invited = quote.rounds.flatMap(({ invitations }) => invitations.filter((one) => one.partner_id === partner_id))
  return { asked: invited.length, answered: invited.filter(({ answer }) => answer !== null).length }
}

/** Returns why a partner declined or was revoked; empty otherwise. */
const reasonOf = ({ state, answer, revoke_reason }: Row): string =>
  state === 'no' ? (answer?.reason ?? '') : state === 'revoked' ? revoke_reason : ''

const figureOf = (row: Row, of: (answer: NonNullable<Row['answer']>) => number | null) => (row.answer ? of(row.answer) : null)
const shown = (value: number | null, as: (value: number) => string): string | null => (value === null ? null : as(value))

const columnsOf = (quote: Quote, best: Best): readonly ShortColumn<Row>[] => {
  const figure = (
    id: Compared,
    header: string,
    width: number,
    of: (answer: NonNullable<Row['answer']>) => number | null,
    as: (value: number) => string,
    place: Pick<ShortColumn<Row>, 'priority' | 'narrow'>,
  ): ShortColumn<Row> => ({
    id,
    header,
    width,
    align: 'right',
    ...place,
    by: (row) => figureOf(row, of),
    render: (row) => (
      <Value best={best} row={row} column={id}>
        {shown(figureOf(row, of), as)}
      </Value>
    ),
  })
  return [
    {
      id: 'name',
      header: 'Partner',
      min: 112,
      flex: 2,
      priority: 9,
      by: ({ name }) => name,
      render: ({ name }) => (
        <span dir="auto" className="truncate font-medium">
          {name}
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      min: 160,
      flex: 6,
      priority: 9,
      narrow: 'aside',
      by: ({ state }) => state,
      render: (row) => {
        const { tone, shape, words } = stateOf(row)
        const reason = reasonOf(row)
        return (
          <span className="flex min-w-0 items-center gap-2" title={reason || undefined}>
            <Pill tone={tone} shape={shape} className="shrink-0">
              {words}
            </Pill>
            {row.answer?.late && row.state !== 'revoked' && <span className="shrink-0 text-meta text-muted">late</span>}
            {reason && (
              <span dir="auto" className="truncate text-muted @max-[560px]:hidden">
                {reason}
              </span>
            )}
          </span>
        )
      },
    },
    {
      id: 'completes',
      header: 'Completes',
      width: 120,
      figure: true,
      priority: 8,
      narrow: 'meta',
      by: (row) => figureOf(row, (answer) => answer.feasible_completes),
      render: (row) => <Completes best={best} row={row} ordered={quote.ordered} />,
    },
    figure('cpi', 'CPI', 88, (answer) => answer.cpi_cents, dollars, { priority: 8, narrow: 'meta' }),
    figure('total', 'Total', 104, (answer) => answer.total_cents, dollars, { priority: 6, narrow: 'hidden' }),
    figure('incidence', 'Incidence', 84, (answer) => answer.incidence, percent, {
      priority: 4,
      narrow: 'hidden',
    }),
    figure(
      'loi',
      'Length',
      76,
      (answer) => answer.loi_minutes,
      (value) => `${value} min`,
      { priority: 3, narrow: 'hidden' },
    ),
    figure(
      'days',
      'Field days',
      88,
      (answer) => answer.field_days,
      (value) => counted(value, 'day'),
      { priority: 5, narrow: 'meta' },
    ),
    {
      id: 'valid',
      header: 'Valid until',
      width: 100,
      priority: 7,
      narrow: 'hidden',
      by: ({ answer }) => answer?.valid_until ?? null,
      render: (row) =>
        row.answer?.valid_until ? (
          <span
            className={cx('whitespace-nowrap', row.answer.ended && 'font-medium text-red-ink')}
            title={row.answer.ended ? `${row.name}’s offer ended on ${row.answer.valid_until}` : undefined}
          >
            <Value best={best} row={row} column="valid">
              {`${row.answer.ended ? '✕ ' : ''}${shortDate(row.answer.valid_until)}`}
            </Value>
          </span>
        ) : null,
    },
    {
      id: 'answered',
      header: 'Answered',
      width: 136,
      figure: true,
      priority: 2,
      narrow: 'hidden',
      by: ({ answer }) => answer && (answer.sent_at ?? answer.created_at),
      render: (row) =>
        row.answer && (
          <Value best={best} row={row} column="answered">
            {moment(row.answer.sent_at ?? row.answer.created_at)}
          </Value>
        ),
    },
    {
      id: 'rounds',
      header: 'Rounds',
      width: 64,
      align: 'right',
      priority: 1,
      narrow: 'hidden',
      by: (row) => roundsOf(quote, row).answered,
      render: (row) => {
        const { answered, asked } = roundsOf(quote, row)
        return <span title={`Answered in ${answered} of ${asked} rounds it was asked in`}>{`${answered} of ${asked}`}</span>
      },
    },
  ]
}

/** Compares the partners' answers side by side, with the mix that combines them. */
export function ResponsesStep({ quote, round, current, subject }: StepProps) {
  const { query } = usePane()
  const wanted = Number(query.partner) || null
  const [opened, setOpened] = useState<number | null>(
    round.invitations.some(({ partner_id }) => partner_id === wanted) ? wanted : null,
  )
  const invitation = round.invitations.find(({ partner_id }) => partner_id === opened)
  const best = useMemo(() => bestOf(round.invitations, quote.ordered), [round.invitations, quote.ordered])
  const columns = useMemo(() => columnsOf(quote, best), [quote, best])
  const live = current && quote.step === 'responses'
  const takes = current && quote.allowed_actions.includes('project.takeOffers')
  const [selected, setSelected] = useState(0)
  const subjectOf = useCallback(
    (row: Row) => {
      const own = profferSubject(quote, row)
      // With nothing selected, the mix on screen can be taken from any row.
      return takes ? { ...own, allowed_actions: [...row.allowed_actions, 'project.takeOffers'] } : own
    },
    [quote, takes],
  )
  const open = useCallback((row: Row) => setOpened(row.partner_id), [])
  const offers = useMemo(() => offersOf(round), [round])
  return (
    <>
      <ShortList<Row>
        title="Responses"
        nouns={['partner', 'partners']}
        rows={round.invitations}
        columns={columns}
        subjectOf={subjectOf}
        onOpen={open}
        onSelected={setSelected}
        begin={wanted && profferId(quote.id, wanted)}
        bulk={live ? ['project.remind', 'project.takeOffers'] : []}
        empty={
          <EmptyState action={current ? <CommandButton id="project.invitePartners" variant="primary" /> : undefined}>
            {current ? 'No partners invited yet.' : 'No partners were invited to this round.'}
          </EmptyState>
        }
      />
      <div className="px-4 pt-2">
        <NoOffersYet invitations={round.invitations} offers={offers.length} />
        {takes && offers.length > 0 && (
          <MixPart quote={quote} round={round} offers={offers} subject={subject} rowsSelected={selected > 0} />
        )}
      </div>
      {invitation && <InvitationDialog quote={quote} round={round} invitation={invitation} onClose={() => setOpened(null)} />}
    </>
  )
}

/** Explains why no offer can be taken yet: opened invitations, ended offers, reasons for declining. */
function NoOffersYet({ invitations, offers }: { invitations: readonly Invitation[]; offers: number }) {
  const active = invitations.filter(({ state }) => state !== 'revoked')
  if (!active.length || offers > 0) return null
  const declined = active.filter(({ state }) => state === 'no')
  const ended = active.filter(({ answer }) => answer?.ended)
  const openers = active.filter(({ opened_at }) => opened_at)
  return (
    <div className="space-y-3">
      {declined.length > 0 && (
        <section aria-label="Reasons">
          <h2 className="pb-2 font-medium">
            {declined.length === active.length
              ? active.length === 1
                ? 'The partner declined'
                : 'All partners declined'
              : `${count(declined.length)} of ${counted(active.length, 'partner')} declined`}
          </h2>
          <ul className="grid grid-cols-1 gap-3 @lg:grid-cols-2 @4xl:grid-cols-3">
            {declined.map(({ partner_id, name, answer }) => (
              <li key={partner_id} className="rounded-lg border border-line px-3 py-2">
                <p dir="auto" className="font-medium">
                  {name}
                </p>
                <p dir="auto" className="mt-0.5 whitespace-pre-wrap text-muted">
                  {answer?.reason || 'No reason given'}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {ended.length > 0 && (
        <ul className="space-y-1 text-muted">
          {ended.map(({ partner_id, name, answer }) => (
            <li key={partner_id}>
              <bdi>{name}</bdi>’s offer ended on {answer!.valid_until}
            </li>
          ))}
        </ul>
      )}
      {active.every(({ answer }) => answer === null) && (
        <p className="text-muted">
          No answers yet.{' '}
          {openers.length
            ? `Opened by ${openers.map(({ name, opened_at }) => `${name} (${moment(opened_at)})`).join(', ')}.`
            : 'Nobody has opened the request yet.'}
        </p>
      )}
    </div>
  )
}
