import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { percent, shortDate } from '../../../contract/format.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import type { Subject } from '../../commands/subject.ts'
import type { CommandId } from '../../commands/table.ts'
import { api } from '../../data/apiClient.ts'
import { useMay } from '../../data/permissions.ts'
import { useCall } from '../../data/useCall.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { type Cells, columnsOf, Name } from '../../list/nounColumns.tsx'
import type { RowSource } from '../../list/rowSource.ts'
import { useNounList } from '../../list/useNounList.ts'
import { href } from '../../routing/routes.ts'
import type { Column } from '../../ui/grid/columns.ts'
import { Pill } from '../../ui/Pill.tsx'
import { DayRange } from '../shared/DayRange.tsx'
import { COLUMN, RowColumns } from '../shared/RowColumns.tsx'
import {
  type Brand,
  brandSubject,
  Change,
  Figure,
  idIn,
  MOST,
  MoreThanShown,
  PAGE_SIZE,
  Progress,
  ProgressDot,
  type Service,
  STATUSES,
  serviceSubject,
  statusIn,
  useCompact,
} from './visitation.tsx'

/** A row of the list: a brand, or a service of an expanded one. */
type Line = Brand | Service
const isService = (line: Line): line is Service => 'brand_id' in line
const childrenOf = (line: Line): readonly Line[] => (isService(line) ? [] : line.children)
/** A service carries its brand as parent_id, so that it stays selected once the brand is collapsed. */
const subjectOf = (line: Line): Subject => {
  if (!isService(line)) return brandSubject(line)
  const subject = serviceSubject(line)
  return { ...subject, record: { ...subject.record, parent_id: line.brand_id } }
}
/** Negative for services, since brands and services share id numbers. */
const lineId = (line: Line): number => (isService(line) ? -line.id : line.id)
const hrefOf = (line: Line): string =>
  isService(line)
    ? href('brand', { id: line.brand_id, filter: 'none' }, { query: { service: line.id } })
    : href('brand', { id: line.id, filter: 'none' })
const keyOf = ({ kind, id }: Subject): number => (kind === 'service' ? -id : id)

const BULK = {
  brand: ['brand.compare', 'brand.setActive', 'brand.editField', 'brand.remove'],
  service: ['service.setActive', 'service.users', 'service.editField', 'service.remove'],
} as const satisfies Readonly<Record<string, readonly CommandId[]>>
/** Bulk actions for brands or for services; none for a mixed selection. */
const bulkOf = (selected: readonly Subject[], admin: boolean): readonly CommandId[] => {
  const isOnly = (kind: string) => selected.every((subject) => subject.kind === kind)
  if (!admin) return isOnly('brand') ? ['brand.compare'] : []
  return isOnly('brand') ? BULK.brand : isOnly('service') ? BULK.service : []
}
const ANY = { value: '', label: 'any' } as const
const PLAIN = <span className="text-faint">–</span>

/** Both kinds of row share the columns; `draw` handles figures that services don't have. */
const cells = (
  admin: boolean,
): Readonly<Record<string, Omit<Cells<Brand>, 'render' | 'edit'> & { draw(line: Line): ReactNode }>> => ({
  name: {
    min: 190,
    flex: 3,
    priority: 20,
    draw: (line) => (
      <span className="flex min-w-0 items-center gap-2">
        {!isService(line) && <ProgressDot color={line.ordered ? line.color : 'Gray'} />}
        <Name>{line.name}</Name>
      </span>
    ),
  },
  services_count: {
    width: 88,
    priority: 14,
    narrow: 'meta',
    draw: (line) => !isService(line) && <Figure value={line.services_count} noun="service" />,
  },
  venues_count: { width: 84, priority: 12, narrow: 'hidden', draw: (line) => <Figure value={line.venues_count} /> },
  visits_30: {
    width: 116,
    priority: 18,
    narrow: 'meta',
    draw: (line) => (isService(line) ? PLAIN : <Figure value={line.visits_30} noun="visit" />),
  },
  change_30: {
    width: 92,
    priority: 13,
    narrow: 'hidden',
    draw: (line) => (isService(line) ? PLAIN : <Change value={line.change_30} />),
  },
  ordered: { width: 100, priority: 9, narrow: 'hidden', draw: (line) => <Figure value={line.ordered} /> },
  completed: { width: 104, priority: 8, narrow: 'hidden', draw: (line) => <Figure value={line.completed} /> },
  percentage: { width: 148, priority: 16, narrow: 'meta', align: 'left', figure: true, draw: (line) => <Progress row={line} /> },
  start_dt: { width: 100, priority: 6, narrow: 'hidden', draw: (line) => <Day at={line.start_dt} /> },
  end_dt: { width: 100, priority: 5, narrow: 'hidden', draw: (line) => <Day at={line.end_dt} /> },
  ...(admin
    ? {
        users_count: {
          width: 76,
          priority: 10,
          narrow: 'hidden' as const,
          draw: (line: Line) => <Figure value={line.users_count ?? 0} />,
        },
      }
    : {}),
  status: {
    width: 104,
    priority: 17,
    narrow: 'aside',
    draw: (line) => (
      <Pill tone={line.status === 'active' ? 'green' : 'grey'}>{line.status === 'active' ? 'Active' : 'Inactive'}</Pill>
    ),
  },
  id: {
    width: 72,
    priority: 1,
    narrow: 'hidden',
    draw: (line) => <span className="font-mono text-meta text-muted">{`${isService(line) ? 'SV' : 'B'}-${line.id}`}</span>,
  },
})

const Day = ({ at }: { at: string | null }) => <span className="text-muted">{at ? shortDate(at) : '–'}</span>

async function rename(line: Line, name: string) {
  const change = { id: line.id, name: name.trim(), lock_version: line.lock_version }
  if (isService(line)) {
    if (!change.name) throw new Error(MESSAGES.serviceName)
    return (await api.write('service.edit', change)).data
  }
  if (!change.name) throw new Error(MESSAGES.brandName)
  return (await api.write('brand.edit', change)).data
}

function columnsFor(admin: boolean): readonly Column<Line>[] {
  const drawn = Object.entries(cells(admin)).map(([id, { draw, ...cell }]) => [id, { ...cell, render: draw }])
  const columns = columnsOf(
    'brand',
    Object.fromEntries(drawn) as Parameters<typeof columnsOf<'brand'>>[1],
  ) as unknown as readonly Column<Line>[]
  if (!admin) return columns
  return columns.map((column) =>
    column.id === 'name' ? { ...column, edit: { value: (line) => line.name, save: rename } } : column,
  )
}

const dayIn = (text: string | undefined) => (/^\d{4}-\d\d-\d\d$/.test(text ?? '') ? text : undefined)

const WITHOUT = 'You have no services yet. Visitation counts visits to a brand’s places by day, market and venue.'

/** Lists every brand with a visible service, or shows names in columns of 15 (screens-visitation.md, All brands). */
export default function BrandsPane() {
  const admin = useMay('brand.create')
  const [matching, setMatching] = useState(0)
  const list = useNounList('brand', {
    filters: { status: '1', category: '', from: '', to: '' },
    where: ({ status, category, from, to }) => ({
      status: statusIn(status),
      ...(idIn(category) ? { category_id: idIn(category)! } : {}),
      ...(dayIn(from) ? { start_from: dayIn(from)! } : {}),
      ...(dayIn(to) ? { start_to: dayIn(to)! } : {}),
    }),
    pageSize: PAGE_SIZE,
    chunk: PAGE_SIZE,
  })
  const { view } = list
  const isWithout = useCall('service.list', admin ? null : { status: '2', per_page: 1 }).data?.count === 0
  const categories = useCall('category.list', {}).data?.data ?? []
  const compact = useCompact('brands')
  const bulk = useCallback((selected: readonly Subject[]) => bulkOf(selected, admin), [admin])
  const columns = useMemo(() => columnsFor(admin), [admin])
  const onAnswer = useCallback((answer: { count: number }) => setMatching(answer.count), [])
  const status = statusIn(view.filters.status)
  const limited = {
    ...list.source,
    count: (answer: never) => Math.min(MOST, list.source.count(answer) ?? 0),
  } as unknown as RowSource<Line>
  return (
    <div className="@container h-full">
      <ListScreen<Line>
        {...list}
        source={limited}
        title="All brands"
        columns={columns}
        subjectOf={subjectOf}
        rowId={lineId}
        keyOf={keyOf}
        childrenOf={childrenOf}
        hrefOf={hrefOf}
        compact={{
          ...compact,
          step: COLUMN,
          draw: (grid) => <RowColumns<Line> grid={grid}>{(line) => <CompactBrand line={line} />}</RowColumns>,
        }}
        onAnswer={onAnswer as (answer: never) => void}
        more={matching > MOST}
        filters={[
          { name: 'status', label: 'Status', options: STATUSES },
          {
            name: 'category',
            label: 'Category',
            options: [ANY, ...categories.map(({ id, name }) => ({ value: String(id), label: name }))],
          },
        ]}
        actions={['brand.compactView', 'list.export', ...(admin ? (['brand.create'] as const) : [])]}
        bulk={bulk}
        primary="brand.compare"
        empty={{
          sentence: admin ? 'No brands yet' : WITHOUT,
          filtered: isWithout ? WITHOUT : `No ${status === '0' ? 'inactive ' : status === '1' ? 'active ' : ''}brands match.`,
          ...(isWithout || (status === '2' && !admin)
            ? { command: 'service.request' as const }
            : status === '2'
              ? { command: 'brand.create' as const }
              : { widen: { label: 'Show all brands', show: () => view.show('status=2') } }),
        }}
        lead={
          <span className="flex items-center gap-1.5 text-meta text-muted">
            Starts <DayRange view={view} />
          </span>
        }
      >
        <MoreThanShown count={matching} />
      </ListScreen>
    </div>
  )
}

const CompactBrand = ({ line }: { line: Line }) => (
  <>
    <ProgressDot color={line.ordered ? line.color : 'Gray'} />
    <span dir="auto" className="min-w-0 flex-1 truncate" title={line.name}>
      {line.name}
    </span>
    <span className="text-meta text-muted tabular-nums">{line.ordered ? percent(line.percentage) : '–'}</span>
  </>
)
