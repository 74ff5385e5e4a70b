import { useCallback } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { count, dollars, shortDate } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { PAGE } from '../../../contract/pages.ts'
import type { ClientStep } from '../../../contract/quoteRecord.ts'
import { CLIENT_STEP_WORDS, REQUEST_COLUMNS } from '../../../contract/requestColumns.ts'
import type { CommandId } from '../../commands/table.ts'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { useListView } from '../../list/listView.ts'
import { rowSource } from '../../list/rowSource.ts'
import { useToday } from '../../palette/useToday.ts'
import { href } from '../../routing/routes.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import type { Column } from '../../ui/grid/columns.ts'
import { Pill, type Shape, type Tone } from '../../ui/Pill.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { momentDay } from '../shared/momentDay.ts'
import { recordHref } from '../shared/projectSubject.ts'
import { StatusPill } from '../shared/StatusPill.tsx'
import { ClientSteps } from './ClientSteps.tsx'
import { useClientFilter, useMineFilter } from './projectFilters.ts'
import { untilOf } from './QuoteParts.tsx'
import { STEP_SENTENCES } from './RequestProgress.tsx'

type Row = Output<'campaign.requestList'>['data']['campaigns'][number]

const STEPS: Record<ClientStep, { tone: Tone; shape: Shape }> = {
  requirements: { tone: 'grey', shape: 'ring' },
  pricing: { tone: 'grey', shape: 'ring' },
  approval: { tone: 'blue', shape: 'dot' },
  expired: { tone: 'amber', shape: 'triangle' },
  approved: { tone: 'green', shape: 'diamond' },
  rejected: { tone: 'red', shape: 'cross' },
}

/** The step filter; requests waiting for the client come first. */
const STEP_FILTER = {
  name: 'step',
  label: 'Step',
  options: [
    { value: 'all', label: 'all' },
    ...(['approval', 'pricing', 'requirements', 'approved', 'rejected', 'expired'] as const).map((value) => ({
      value,
      label: CLIENT_STEP_WORDS[value].toLowerCase(),
    })),
  ],
}
const FILTERS = { step: 'all', mine: '', client: '' } as const

/** The last day a quote is valid; red from two days before. */
function Until({ row }: { row: Row }) {
  const today = useToday()
  if (!row.valid_until) return null
  const until = row.step === 'approval' || row.step === 'expired' ? untilOf(row.valid_until, today) : null
  return (
    <span className={cx('whitespace-nowrap', until?.tone === 'red' && 'font-medium text-red-ink')} title={until?.left}>
      {shortDate(row.valid_until)}
    </span>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'name',
    header: 'Project',
    min: 200,
    flex: 5,
    sortable: true,
    priority: 9,
    render: (row) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <span dir="auto" className="truncate font-medium">
          {row.name}
        </span>
        <span className="shrink-0 font-mono text-meta text-muted in-data-narrow:hidden">{codeOf('project', row.id)}</span>
      </span>
    ),
  },
  {
    id: 'step',
    header: 'Step',
    width: 148,
    sortable: true,
    priority: 9,
    narrow: 'aside',
    // An approved project's step is over: its status says whether it is in field.
    render: ({ step, status, status_shown }) =>
      step === 'approved' ? (
        <StatusPill stored={status} shown={status_shown} />
      ) : (
        <Pill tone={STEPS[step].tone} shape={STEPS[step].shape}>
          {CLIENT_STEP_WORDS[step]}
        </Pill>
      ),
  },
  {
    id: 'ordered',
    header: 'Completes',
    width: 100,
    align: 'right',
    sortable: true,
    priority: 5,
    narrow: 'hidden',
    render: (row) => count(row.ordered),
  },
  {
    id: 'cost',
    header: 'Cost',
    width: 116,
    align: 'right',
    sortable: true,
    priority: 8,
    narrow: 'meta',
    render: (row) => (row.cost_cents === null ? null : dollars(row.cost_cents)),
  },
  {
    id: 'cost_per_complete',
    header: 'Per complete',
    width: 116,
    align: 'right',
    sortable: true,
    priority: 4,
    narrow: 'hidden',
    render: (row) => (row.cost_per_complete_cents === null ? null : dollars(row.cost_per_complete_cents)),
  },
  {
    id: 'valid_until',
    header: 'Valid until',
    width: 112,
    sortable: true,
    priority: 7,
    narrow: 'meta',
    render: (row) => <Until row={row} />,
  },
  {
    id: 'quote_round',
    header: 'Round',
    width: 80,
    align: 'right',
    sortable: true,
    priority: 2,
    narrow: 'hidden',
    render: (row) => row.quote_round,
  },
  {
    id: 'requested',
    header: 'Requested',
    width: 112,
    sortable: true,
    figure: true,
    priority: 6,
    narrow: 'hidden',
    render: (row) => <span className="whitespace-nowrap">{momentDay(row.requested)}</span>,
  },
  {
    id: 'requested_by',
    header: 'Requested by',
    min: 120,
    flex: 2,
    priority: 3,
    narrow: 'meta',
    render: ({ user }) => <span className="truncate text-muted">{`${user.first_name} ${user.last_name}`}</span>,
  },
]

const subjectOf = (row: Row) => ({
  kind: row.generation,
  id: row.id,
  name: row.name,
  allowed_actions: row.allowed_actions,
  refused_actions:
    row.step === 'expired'
      ? { ...row.refused_actions, 'project.approve': `the quote expired on ${row.valid_until}. Ask for a new one` }
      : row.refused_actions,
  record: { ...row, stored_status: row.status },
})
/** Links to the results once it was live, else to the quote if there is one, else to the request. */
const hrefOf = (row: Row) =>
  IN_FIELD.has(row.status)
    ? recordHref(row.generation, row.id, 'overview')
    : row.quote_id !== null && row.cost_cents !== null
      ? href('clientApproval', { id: row.id })
      : recordHref(row.generation, row.id, 'specifications')

const IN_FIELD: ReadonlySet<string> = new Set(['active', 'paused', 'completed', 'reporting'])

const BULK: readonly CommandId[] = ['project.approve', 'project.rejectQuote', 'project.reject', 'project.askQuote']

/** Lists the client's requests and quotes, those waiting for them first; `?id=` confirms a new request. */
export default function RequestedPane() {
  const { query, setQuery } = usePane()
  const view = useListView(FILTERS)
  const clients = useClientFilter()
  const whose = useMineFilter()
  const { step, mine, client } = view.filters
  const filter = {
    search: view.search,
    step: step as 'all',
    ...(mine ? { mine: 1 } : {}),
    ...(client ? { client: Number(client) } : {}),
    column: view.sort?.column ?? '',
    order: view.sort?.direction ?? ('asc' as const),
  }
  const rows = rowSource({
    call: 'campaign.requestList',
    input: (page, per_page) => ({ ...filter, page, per_page }),
    rows: (answer) => answer.data.campaigns,
    count: (answer) => answer.data.count,
  })
  const hide = useCallback(() => setQuery({ id: null }), [setQuery])
  const arrived = /^[1-9]\d{0,14}$/.test(query.id ?? '') ? Number(query.id) : null
  return (
    <ListScreen<Row>
      title="Requests and quotes"
      noun="requests"
      view={view}
      source={rows}
      pageSize={PAGE.list}
      columns={COLUMNS}
      subjectOf={subjectOf}
      hrefOf={hrefOf}
      filters={[STEP_FILTER, whose, ...clients]}
      actions={['list.export', 'go.clientRequest']}
      bulk={BULK}
      primary="project.approve"
      exportable={{ source: 'requests', columns: REQUEST_COLUMNS, selects: false, filter }}
      empty={{ sentence: 'No requests yet.', command: 'go.clientRequest' }}
    >
      {arrived !== null && <Arrived id={arrived} hide={hide} />}
    </ListScreen>
  )
}

/** Confirms that a request arrived, with its progress and who is working on it. */
function Arrived({ id, hide }: { id: number; hide: () => void }) {
  const answer = useCall('campaign.requestInfo', { id }, { fresh: true })
  const request = answer.data?.data
  if (!request) return null
  return (
    <section aria-label="Your request" className="border-b border-line px-4 py-3">
      <p className="flex items-baseline gap-3">
        <span>
          Your request <b className="font-semibold">{request.name}</b> ({codeOf('project', id)}) has arrived.
        </span>
        <Button data-view="" variant="ghost" onClick={hide} className="ml-auto">
          Hide
        </Button>
      </p>
      <div className="mt-2">
        <ClientSteps step={request.step} />
      </div>
      <p className="mt-1 text-muted">
        {STEP_SENTENCES[request.step]} Since {moment(request.since)}.
      </p>
    </section>
  )
}
