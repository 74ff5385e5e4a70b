import { type ReactNode, useCallback, useState } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { CHANNEL_COLUMNS } from '../../../contract/channelColumns.ts'
import { decimalPercent } from '../../../contract/decimals.ts'
import { count, dollars, percent, roundDollars, shortDate } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { PAGE } from '../../../contract/pages.ts'
import type { ChannelStep } from '../../../contract/quoteRecord.ts'
import { profferId } from '../../commands/profferSubject.ts'
import type { Subject } from '../../commands/subject.ts'
import type { CommandId } from '../../commands/table.ts'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import type { FilterChoice } from '../../list/ListBar.tsx'
import { ListScreen } from '../../list/ListScreen.tsx'
import { useListView } from '../../list/listView.ts'
import { rowSource } from '../../list/rowSource.ts'
import { useToday } from '../../palette/useToday.ts'
import { href } from '../../routing/routes.ts'
import { cx } from '../../ui/cx.ts'
import type { Column } from '../../ui/grid/columns.ts'
import { Mark, Pill, type Shape, type Tone } from '../../ui/Pill.tsx'
import { DeletedRecord } from '../shared/DeletedRecord.tsx'
import { momentDay } from '../shared/momentDay.ts'
import { recordHref } from '../shared/projectSubject.ts'
import { useClientFilter } from './projectFilters.ts'
import { untilOf } from './QuoteParts.tsx'

type Answer = Output<'campaign.requestList'>
type Request = Answer['data']['campaigns'][number]
type Channel = NonNullable<Request['channel']>
type InvitedPartner = Channel['partners'][number]
/** A request, or a partner invited to it, below an expanded request. */
type Row = (Request & { invited?: undefined }) | { invited: InvitedPartner; of: Request }

const STEPS: Record<ChannelStep, { word: string; tone: Tone; shape: Shape }> = {
  invite: { word: 'Invite', tone: 'amber', shape: 'triangle' },
  waiting: { word: 'Waiting for answers', tone: 'grey', shape: 'ring' },
  answers: { word: 'Answers in', tone: 'blue', shape: 'dot' },
  quoted: { word: 'Quoted', tone: 'green', shape: 'diamond' },
  expired: { word: 'Expired', tone: 'red', shape: 'cross' },
}
const STEP_FILTER: FilterChoice = {
  name: 'step',
  label: 'Step',
  options: [
    { value: '', label: 'all waiting' },
    { value: 'ours', label: 'waiting for us' },
    ...Object.entries(STEPS).map(([value, { word }]) => ({ value, label: word.toLowerCase() })),
  ],
}
const flag = (name: string, label: string, word: string): FilterChoice => ({
  name,
  label,
  options: [
    { value: '', label: 'any' },
    { value: '1', label: word },
  ],
})
const OVERDUE = flag('overdue', 'Answers', 'overdue')
const LAPSING = flag('lapsing', 'Quote', 'expires within 2 days')
const MINE = flag('mine', 'Owner', 'me')
const FILTERS = { step: '', partner: '', client: '', overdue: '', lapsing: '', mine: '' } as const

const LONGEST_FIRST = { column: 'waiting_since', direction: 'asc' } as const

/** An empty cell, which takes no room in two-line rows. */
const none = null
const channelOf = (row: Request): Channel => row.channel!

/** The date the next step is due: the partners' answers, then the client's decision. */
function Due({ date, red, title }: { date: string | null; red: boolean; title: string }) {
  if (!date) return none
  return (
    <span className={cx('whitespace-nowrap', red && 'font-medium text-red-ink')} title={title}>
      {shortDate(date)}
    </span>
  )
}
function RequestDue({ row }: { row: Request }) {
  const today = useToday()
  const { step, answer_by } = channelOf(row)
  const quoted = step === 'quoted' || step === 'expired'
  const date = quoted ? row.valid_until : answer_by
  const until = date ? untilOf(date, today) : null
  return <Due date={date} red={until?.tone === 'red'} title={`${quoted ? 'Valid until' : 'Answer by'}: ${until?.left ?? ''}`} />
}

const DOTS = {
  yes: { shape: 'dot', ink: 'text-green-ink' },
  no: { shape: 'cross', ink: 'text-red-ink' },
  waiting: { shape: 'ring', ink: 'text-muted' },
} as const satisfies Record<InvitedPartner['answer'], { shape: Shape; ink: string }>
const ORDER: readonly InvitedPartner['answer'][] = ['yes', 'no', 'waiting']
/** The most dots drawn; with more partners only the first ones get a dot. */
const MOST_DOTS = 8

/** Shows "2 of 3" with a dot for each partner: silent ones hollow, declined ones red. */
function Answers({ partners, answered, yes, declined, silent }: Channel) {
  if (!partners.length) return none
  const dots = ORDER.flatMap((answer) => partners.filter((one) => one.answer === answer)).slice(0, MOST_DOTS)
  return (
    <span className="flex items-center gap-2 whitespace-nowrap" title={`${yes} yes, ${declined} no, ${silent} silent`}>
      <span className="tabular-nums">
        {answered} of {partners.length}
      </span>
      <span className="flex items-center gap-0.5">
        {dots.map((one) => (
          <span key={one.partner_id} className={cx('flex', DOTS[one.answer].ink)}>
            <Mark shape={DOTS[one.answer].shape} />
          </span>
        ))}
      </span>
      <span className="sr-only">{`${yes} yes, ${declined} no, ${silent} silent`}</span>
    </span>
  )
}

const STATES: Record<InvitedPartner['answer'], { word: string; tone: Tone; shape: Shape }> = {
  yes: { word: 'Yes', tone: 'green', shape: 'tick' },
  no: { word: 'No', tone: 'red', shape: 'cross' },
  waiting: { word: 'Silent', tone: 'grey', shape: 'ring' },
}
function InvitedState({ invited }: { invited: InvitedPartner }) {
  const { word, tone, shape } = STATES[invited.answer]
  const opened = invited.answer === 'waiting' && invited.opened_at !== null
  return (
    <Pill tone={invited.ended ? 'amber' : opened ? 'blue' : tone} shape={invited.ended ? 'triangle' : shape}>
      {invited.ended ? 'Offer ended' : opened ? 'Opened' : word}
    </Pill>
  )
}

/** Builds a column of requests; `invited` renders its cell in partner rows. */
const column = ({
  render,
  invited,
  ...more
}: Omit<Column<Row>, 'render'> & {
  render: (row: Request) => ReactNode
  invited?: (invited: InvitedPartner, of: Request) => ReactNode
}): Column<Row> => ({
  ...more,
  render: (row) => (row.invited ? (invited?.(row.invited, row.of) ?? null) : render(row)),
})

const COLUMNS: readonly Column<Row>[] = [
  column({
    id: 'name',
    header: 'Project',
    min: 260,
    flex: 5,
    sortable: true,
    priority: 20,
    render: (row) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <span dir="auto" className="truncate font-medium">
          {row.name}
        </span>
        <span className="shrink-0 font-mono text-meta text-muted in-data-narrow:hidden">{codeOf('project', row.id)}</span>
      </span>
    ),
    invited: ({ name, reason }) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <span dir="auto" className="shrink-0 truncate">
          {name}
        </span>
        {reason && <span className="truncate text-meta text-muted">{reason}</span>}
      </span>
    ),
  }),
  column({
    id: 'client',
    header: 'Client',
    min: 92,
    flex: 2,
    sortable: true,
    priority: 9,
    narrow: 'meta',
    render: (row) => <span className="truncate text-muted">{row.company_name}</span>,
  }),
  column({
    id: 'step',
    header: 'Step',
    width: 162,
    sortable: true,
    priority: 19,
    narrow: 'aside',
    render: (row) => {
      const { step } = channelOf(row)
      return step ? (
        <Pill tone={STEPS[step].tone} shape={STEPS[step].shape}>
          {STEPS[step].word}
        </Pill>
      ) : null
    },
    invited: (invited) => <InvitedState invited={invited} />,
  }),
  column({
    id: 'waiting_since',
    header: 'Waiting',
    width: 78,
    align: 'right',
    sortable: true,
    priority: 18,
    narrow: 'meta',
    render: (row) => {
      const { waiting_days, waiting_since, aged } = channelOf(row)
      if (waiting_days === null) return none
      return (
        <span
          className={cx('whitespace-nowrap', aged && 'font-medium text-red-ink')}
          title={waiting_since ? `Since ${moment(waiting_since)}${aged ? ', overdue' : ''}` : undefined}
        >
          {waiting_days === 0 ? 'today' : `${count(waiting_days)} day${waiting_days === 1 ? '' : 's'}`}
        </span>
      )
    },
    invited: ({ answer, answered_at, invited_at }) => (
      <span className="whitespace-nowrap text-muted" title={answer === 'waiting' ? 'Invited' : 'Answered'}>
        {momentDay(answered_at ?? invited_at)}
      </span>
    ),
  }),
  column({
    id: 'ordered',
    header: 'Completes',
    width: 88,
    align: 'right',
    sortable: true,
    priority: 12,
    narrow: 'hidden',
    render: (row) => count(row.ordered),
    invited: ({ completes }) => (completes === null ? none : count(completes)),
  }),
  column({
    id: 'answers',
    header: 'Answers',
    width: 108,
    sortable: true,
    figure: true,
    priority: 17,
    narrow: 'meta',
    render: (row) => <Answers {...channelOf(row)} />,
  }),
  column({
    id: 'best',
    header: 'Best mix',
    width: 118,
    align: 'right',
    priority: 14,
    narrow: 'hidden',
    render: (row) => {
      const { best_cents, best_completes, fills } = channelOf(row)
      if (best_cents === null || !best_completes) return none
      return (
        <span className="whitespace-nowrap">
          {fills !== null && fills < 100 && <span className="mr-2 text-meta text-amber-ink">fills {percent(fills)}</span>}
          {dollars(Math.round(best_cents / best_completes))}
        </span>
      )
    },
    invited: ({ cpi_cents }) => (cpi_cents === null ? none : dollars(cpi_cents)),
  }),
  column({
    id: 'cost',
    header: 'Cost',
    width: 78,
    align: 'right',
    sortable: true,
    priority: 15,
    narrow: 'meta',
    render: (row) =>
      row.cost_cents === null ? (
        none
      ) : (
        <span title={channelOf(row).held ? 'Target cost, hidden from the client' : undefined}>
          {channelOf(row).held && <span className="mr-1.5 text-meta text-muted">target</span>}
          {roundDollars(row.cost_cents)}
        </span>
      ),
    invited: ({ cpi_cents, completes }) =>
      cpi_cents === null || completes === null ? none : roundDollars(cpi_cents * completes),
  }),
  column({
    id: 'margin',
    header: 'Margin',
    width: 72,
    align: 'right',
    priority: 13,
    narrow: 'hidden',
    render: (row) => {
      const { margin_percent, margin_cents, low_margin } = channelOf(row)
      if (margin_percent === null || row.cost_cents === null) return none
      return (
        <span
          className={cx(low_margin && 'font-medium text-red-ink')}
          title={margin_cents === null ? undefined : `${dollars(margin_cents)}${low_margin ? ', below the least margin' : ''}`}
        >
          {decimalPercent(margin_percent, 1)}
        </span>
      )
    },
  }),
  column({
    id: 'due',
    header: 'Due',
    width: 78,
    sortable: true,
    priority: 16,
    narrow: 'hidden',
    render: (row) => <RequestDue row={row} />,
    invited: ({ answer, answer_by, valid_until }, of) =>
      answer === 'waiting' ? (
        <Due date={answer_by} red={channelOf(of).overdue} title="Answer by" />
      ) : (
        <Due date={valid_until} red={false} title="Its offer is valid until" />
      ),
  }),
  column({
    id: 'opened',
    header: 'Opened',
    width: 72,
    priority: 7,
    narrow: 'hidden',
    render: (row) => {
      const { step } = channelOf(row)
      if (step !== 'quoted' && step !== 'expired') return none
      return row.opened ? 'Yes' : <span className="text-muted">No</span>
    },
    invited: ({ opened_at }) => (opened_at ? <span title={moment(opened_at)}>Yes</span> : <span className="text-muted">No</span>),
  }),
  column({
    id: 'owner',
    header: 'Owner',
    min: 84,
    flex: 1.2,
    priority: 8,
    narrow: 'hidden',
    render: (row) => <span className="truncate text-muted">{channelOf(row).owner?.name ?? '–'}</span>,
  }),
]

const requestSubject = (row: Request): Subject => ({
  kind: row.generation,
  id: row.id,
  name: row.name,
  allowed_actions: row.allowed_actions,
  refused_actions: row.refused_actions,
  record: { ...row, stored_status: row.status },
})
const subjectOf = (row: Row): Subject =>
  row.invited
    ? { kind: 'proffer', id: profferId(row.of.id, row.invited.partner_id), name: row.invited.name }
    : requestSubject(row)
const hrefOf = (row: Row): string => {
  const { generation, id } = row.invited ? row.of : row
  return recordHref(generation, id, 'approval')
}
const childrenOf = (row: Row): readonly Row[] =>
  row.invited ? [] : channelOf(row).partners.map((invited): Row => ({ invited, of: row }))

const BULK: readonly CommandId[] = ['project.takeOffers', 'project.invitePartners', 'project.remind', 'project.sendQuote']

/** The partner filter, in alphabetical order. */
function usePartnerFilter(): FilterChoice {
  const { data } = useCall('partner.dropdown', {})
  return {
    name: 'partner',
    label: 'Partner',
    options: [{ value: '', label: 'any' }, ...(data?.data ?? []).map((one) => ({ value: String(one.id), label: one.name }))],
  }
}

/** Lists requests waiting for partners, for us or for the client, longest wait first (screens-quote-flow.md). */
export default function ChannelPane() {
  const view = useListView(FILTERS, LONGEST_FIRST)
  const clients = useClientFilter()
  const partners = usePartnerFilter()
  const [totals, setTotals] = useState<Answer['data']['totals'] | null>(null)
  const { step, partner, client, overdue, lapsing, mine } = view.filters
  const filter = {
    search: view.search,
    step: step as ChannelStep,
    ...(partner ? { partner: Number(partner) } : {}),
    ...(client ? { client: Number(client) } : {}),
    ...(overdue ? { overdue: 1 } : {}),
    ...(lapsing ? { lapsing: 1 } : {}),
    ...(mine ? { mine: 1 } : {}),
    column: view.sort?.column ?? '',
    order: view.sort?.direction ?? ('asc' as const),
  }
  const rows = rowSource({
    call: 'campaign.requestList',
    input: (page, per_page) => ({ ...filter, page, per_page }),
    rows: (answer): readonly Row[] => answer.data.campaigns,
    count: (answer) => answer.data.count,
  })
  const onAnswer = useCallback((answer: Answer) => setTotals(answer.data.totals), [])
  const isGone = partner !== '' && partners.options.length > 1 && !partners.options.some(({ value }) => value === partner)
  return (
    <div className="@container flex h-full flex-col short:h-auto short:min-h-full">
      {isGone && (
        <DeletedRecord noun="partner" id={Number(partner)} what="This partner" home={href('approve')} homeTitle="all requests" />
      )}
      <div className="min-h-0 min-w-0 flex-1 short:flex-none">
        <ListScreen<Row>
          title="Channel feasibility"
          noun="requests"
          view={view}
          source={rows}
          pageSize={PAGE.list}
          columns={COLUMNS}
          subjectOf={subjectOf}
          hrefOf={hrefOf}
          childrenOf={childrenOf}
          filters={[STEP_FILTER, partners, ...clients, OVERDUE, LAPSING, MINE]}
          actions={['list.export']}
          bulk={BULK}
          primary="project.takeOffers"
          onAnswer={onAnswer}
          exportable={{ source: 'channel', columns: CHANNEL_COLUMNS, filter, selects: false }}
          empty={{ sentence: 'Nothing waits. New requests appear here.', command: 'add.newSurveyRequest' }}
        />
      </div>
      {totals !== null && totals.requests > 0 && (
        <section
          aria-label="Totals"
          className="flex shrink-0 flex-wrap gap-x-6 gap-y-0.5 border-t border-line px-4 py-1.5 text-meta text-muted tabular-nums"
        >
          <span>
            <b className="font-semibold text-ink">{count(totals.requests)}</b> request{totals.requests === 1 ? '' : 's'}
          </span>
          <span>
            <b className="font-semibold text-ink">{count(totals.ordered)}</b> completes ordered
          </span>
          <span>
            <b className="font-semibold text-ink">{roundDollars(totals.cost_cents)}</b> in costs
          </span>
        </section>
      )}
    </div>
  )
}
