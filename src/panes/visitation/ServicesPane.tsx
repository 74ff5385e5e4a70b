import { useCallback, useEffect, useMemo, useState } from 'react'
import { count, percent, shortDate } from '../../../contract/format.ts'
import type { CommandId } from '../../commands/table.ts'
import { moment } from '../../data/format.ts'
import { useMay } from '../../data/permissions.ts'
import { useCall } from '../../data/useCall.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { type Cells, columnsOf, Name } from '../../list/nounColumns.tsx'
import type { RowSource } from '../../list/rowSource.ts'
import { useNounList } from '../../list/useNounList.ts'
import { href } from '../../routing/routes.ts'
import { Sparkline } from '../../ui/charts/Sparkline.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { momentDay } from '../shared/momentDay.ts'
import { COLUMN, RowColumns } from '../shared/RowColumns.tsx'
import {
  Change,
  editService,
  Figure,
  idIn,
  MOST,
  MoreThanShown,
  PAGE_SIZE,
  Progress,
  ProgressDot,
  type Service,
  STATUS_LOOKS,
  STATUSES,
  serviceSubject,
  statusIn,
  useCompact,
} from './visitation.tsx'

const BULK: readonly CommandId[] = [
  'service.setActive',
  'service.users',
  'service.takeUsers',
  'service.editField',
  'service.remove',
]
const ANY = { value: '', label: 'any' } as const
/** The number of brands in the filter menu; a link may name any other. */
const MENU = 100

/** A week's unique devices: the exact count, or an estimate with its error. */
function Uniques({ of: { uniques_7: unique, uniques_7_error: error } }: { of: Service }) {
  if (unique === null) return <span className="text-faint">–</span>
  if (!error) return <Figure value={unique} />
  return (
    <span data-whole="">
      ≈ {count(unique)} <span className="text-meta text-muted">±{percent(Math.round(10_000 * error) / 100)}</span>
    </span>
  )
}

const CELLS: Readonly<Record<string, Cells<Service>>> = {
  name: {
    min: 170,
    flex: 3,
    priority: 20,
    render: (row) => <Name>{row.name}</Name>,
    edit: editService('name'),
  },
  brand: {
    min: 150,
    flex: 2,
    priority: 18,
    narrow: 'meta',
    render: (row) => (
      <PaneLink
        to={href('brand', { id: row.brand_id, filter: 'none' })}
        tabIndex={-1}
        className="inline-block max-w-full truncate align-middle text-muted hover:text-accent-ink hover:underline"
        onClick={(event) => event.stopPropagation()}
      >
        <bdi>{row.brand_name}</bdi>
      </PaneLink>
    ),
  },
  category: {
    min: 110,
    flex: 1.5,
    priority: 5,
    narrow: 'hidden',
    render: (row) => <span className="truncate text-muted">{row.category || '–'}</span>,
  },
  venues_count: { width: 80, priority: 11, narrow: 'hidden', render: (row) => <Figure value={row.venues_count} noun="venue" /> },
  visits_7: { width: 108, priority: 17, narrow: 'meta', render: (row) => <Figure value={row.visits_7} noun="visit" /> },
  change_7: { width: 88, priority: 14, narrow: 'hidden', render: (row) => <Change value={row.change_7} /> },
  uniques_7: {
    width: 140,
    align: 'right',
    priority: 8,
    narrow: 'hidden',
    render: (row) => <Uniques of={row} />,
  },
  trend: {
    width: 96,
    priority: 13,
    narrow: 'hidden',
    render: (row) => (
      <Sparkline
        today
        values={row.trend}
        label={`${count(row.trend.reduce((sum, value) => sum + value, 0))} visits in the last 14 days, with today so far`}
      />
    ),
  },
  ordered: {
    width: 96,
    priority: 9,
    narrow: 'hidden',
    render: (row) => <Figure value={row.ordered} />,
    edit: editService('ordered'),
  },
  completed: { width: 100, priority: 7, narrow: 'hidden', render: (row) => <Figure value={row.completed} /> },
  percentage: { width: 148, priority: 15, narrow: 'meta', align: 'left', figure: true, render: (row) => <Progress row={row} /> },
  start_dt: { width: 88, priority: 3, narrow: 'hidden' },
  end_dt: {
    width: 88,
    priority: 4,
    narrow: 'hidden',
    render: (row) => <span className="text-muted">{row.end_dt ? shortDate(row.end_dt) : '–'}</span>,
  },
  last_visit_at: { width: 128, priority: 12, narrow: 'hidden', render: (row) => <LastVisit row={row} /> },
  status: { width: 96, priority: 16, narrow: 'aside', looks: STATUS_LOOKS as never },
  users_count: { width: 72, priority: 6, narrow: 'hidden', render: (row) => <Figure value={row.users_count ?? 0} /> },
  id: { width: 72, priority: 1, narrow: 'hidden' },
}

/** The time of a service's last visit; red if an active service has been silent for too long. */
function LastVisit({ row }: { row: Service }) {
  if (!row.last_visit_at) return <span className={row.silent ? 'text-red-ink' : 'text-faint'}>no visits yet</span>
  return (
    <time
      dateTime={row.last_visit_at}
      title={`${moment(row.last_visit_at, 'full')}${row.silent ? ', silent since' : ''}`}
      className={row.silent ? 'font-medium text-red-ink' : 'text-muted'}
    >
      {momentDay(row.last_visit_at)}
      {row.silent && <span> · silent</span>}
    </time>
  )
}

/** Lists the user's services; a client user without any is redirected to the viewer (people-area 2). */
export default function ServicesPane() {
  const mayAll = useMay('service.ofUser')
  return mayAll ? <Services /> : <OwnServices />
}

function OwnServices() {
  const { replace } = usePane()
  const own = useCall('service.list', { status: '2', per_page: 1 })
  const none = own.data?.count === 0
  useEffect(() => {
    if (none) replace(href('visitationViewer'))
  }, [none, replace])
  // Errors show in the list, which makes the same call.
  return own.data?.count || own.error ? <Services /> : null
}

function Services() {
  const admin = useMay('service.ofUser')
  const [matching, setMatching] = useState(0)
  const list = useNounList('service', {
    filters: { status: '1', brand: '', category: '', silent: '' },
    where: ({ status, brand, category, silent }) => ({
      status: statusIn(status),
      ...(idIn(brand) ? { brand_id: idIn(brand)! } : {}),
      ...(idIn(category) ? { category_id: idIn(category)! } : {}),
      ...(silent === '1' ? { silent: true } : {}),
    }),
    pageSize: PAGE_SIZE,
    chunk: PAGE_SIZE,
  })
  const { view } = list
  const brands = useCall('brand.list', { status: '2', per_page: MENU, column: 'name' }).data?.data ?? []
  const categories = useCall('category.list', {}).data?.data ?? []
  const compact = useCompact('services')
  const columns = useMemo(() => {
    const { users_count, ...own } = CELLS
    const shown = admin
      ? { ...own, users_count: users_count! }
      : Object.fromEntries(Object.entries(own).map(([id, { edit: _, ...cell }]) => [id, cell]))
    return columnsOf('service', shown as Parameters<typeof columnsOf<'service'>>[1])
  }, [admin])
  const hrefOf = useCallback(
    (row: Service) => href('brand', { id: row.brand_id, filter: 'none' }, { query: { service: row.id } }),
    [],
  )
  const onAnswer = useCallback((answer: { count: number }) => setMatching(answer.count), [])
  const options = (all: readonly { id: number; name: string }[]) =>
    all.map(({ id, name }) => ({ value: String(id), label: name }))
  const status = statusIn(view.filters.status)
  const limited: RowSource<Service> = { ...list.source, count: (answer) => Math.min(MOST, list.source.count(answer) ?? 0) }
  return (
    <div className="@container h-full">
      <ListScreen<Service>
        {...list}
        source={limited}
        title="Services"
        columns={columns}
        subjectOf={serviceSubject}
        hrefOf={hrefOf}
        compact={{
          ...compact,
          step: COLUMN,
          draw: (grid) => <RowColumns<Service> grid={grid}>{(row) => <CompactService row={row} />}</RowColumns>,
        }}
        onAnswer={onAnswer as (answer: never) => void}
        more={matching > MOST}
        filters={[
          { name: 'status', label: 'Status', options: STATUSES },
          { name: 'brand', label: 'Brand', options: [ANY, ...options(brands)] },
          { name: 'category', label: 'Category', options: [ANY, ...options(categories)] },
          {
            name: 'silent',
            label: 'Silent',
            options: [
              { value: '', label: 'any' },
              { value: '1', label: 'only silent' },
            ],
          },
        ]}
        actions={['brand.compactView', 'list.export', ...(admin ? (['service.create'] as const) : [])]}
        bulk={admin ? BULK : undefined}
        primary="service.users"
        empty={{
          sentence:
            status === '2' ? (admin ? 'Add a brand, then a service.' : 'You have no services yet.') : 'No active services.',
          filtered: `No ${status === '0' ? 'inactive ' : status === '1' ? 'active ' : ''}services match these filters.`,
          ...(status === '2'
            ? { command: admin ? ('brand.create' as const) : ('service.request' as const) }
            : { widen: { label: 'Show all services', show: () => view.show('status=2') } }),
        }}
      >
        <MoreThanShown count={matching} />
      </ListScreen>
    </div>
  )
}

const CompactService = ({ row }: { row: Service }) => (
  <>
    <ProgressDot color={row.ordered ? row.color : 'Gray'} />
    <span className="min-w-0 flex-1 truncate" title={`${row.name}, ${row.brand_name}`}>
      <bdi>{row.name}</bdi> <bdi className="text-meta text-muted">{row.brand_name}</bdi>
    </span>
  </>
)
