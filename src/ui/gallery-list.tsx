import { Inbox } from 'lucide-react'
import { useMemo, useState } from 'react'
import { count } from '../../contract/format.ts'
import { Button } from './Button.tsx'
import { Chip } from './Chip.tsx'
import { PaceBar } from './charts/PaceBar.tsx'
import { Sparkline } from './charts/Sparkline.tsx'
import type { Column, RowId, Sort } from './grid/columns.ts'
import { DataGrid } from './grid/DataGrid.tsx'
import { Kbd } from './Kbd.tsx'
import { RowMenu } from './Menu.tsx'
import { Pager } from './Pager.tsx'
import { Pill, type Tone } from './Pill.tsx'
import { SearchInput } from './SearchInput.tsx'
import { EmptyState } from './States.tsx'
import { wait } from './wait.ts'

type Sample = {
  id: number
  name: string
  client: string
  status: [string, Tone]
  pace: number
  delivered: number
  ordered: number
  ends: string
  days: number[]
  level: number
  open?: boolean
}

const names = [
  'Summer Snack Tracker W3',
  'Holiday Basket Diary',
  'Transit Ad Recall – Chicago',
  'QSR Loyalty Pulse',
  'Streaming Bundle Concept Test with a name that does not end',
  'EV Charging Habits',
]
const clients = ['Acme Beverage', 'Northwind Grocers', 'Metro Outdoor', 'Kibble & Co', 'Lumen Hotels']
const statuses: [string, Tone][] = [
  ['Active', 'green'],
  ['Pending', 'grey'],
  ['Approved', 'blue'],
  ['Paused', 'amber'],
  ['Rejected', 'red'],
]

const many: Sample[] = Array.from({ length: 100_000 }, (_, at) => {
  const ordered = 200 + ((at * 137) % 1300)
  const pace = (at * 29) % 113
  return {
    id: 1000 + at,
    name: names[at % names.length]!,
    client: clients[(at * 3) % clients.length]!,
    status: statuses[(at * 7) % statuses.length]!,
    pace,
    delivered: Math.round((ordered * pace) / 100),
    ordered,
    ends: `Nov ${1 + (at % 30)}`,
    days: Array.from({ length: 14 }, (_, day) => day * (1 + ((at * day) % 5))),
    level: at % 9 === 3 || at % 9 === 4 ? 2 : 1,
    open: at % 9 === 2 ? true : at % 9 === 5 ? false : undefined,
  }
})

const tone = (pace: number): Tone => (pace < 30 ? 'red' : pace < 70 ? 'amber' : 'green')

const columns: Column<Sample>[] = [
  {
    id: 'name',
    header: 'Project',
    min: 180,
    flex: 3,
    sortable: true,
    render: (row) => <span className="font-medium">{row.name}</span>,
    edit: {
      value: (row) => row.name,
      save: async () => {
        await wait(300)
        throw new Error('A project of this name exists already.')
      },
    },
  },
  {
    id: 'id',
    header: 'ID',
    width: 72,
    priority: 2,
    narrow: 'meta',
    render: (row) => <span className="font-mono text-meta text-muted">P-{row.id}</span>,
  },
  {
    id: 'client',
    header: 'Client',
    min: 120,
    flex: 1,
    priority: 5,
    sortable: true,
    narrow: 'meta',
    render: (row) => <span className="text-muted">{row.client}</span>,
  },
  {
    id: 'status',
    header: 'Status',
    width: 116,
    priority: 9,
    narrow: 'aside',
    render: (row) => <Pill tone={row.status[1]}>{row.status[0]}</Pill>,
  },
  {
    id: 'pace',
    header: 'Pacing',
    width: 136,
    priority: 8,
    sortable: true,
    narrow: 'meta',
    render: (row) => <PaceBar value={row.pace} tone={row.status[0] === 'Pending' ? 'grey' : tone(row.pace)} />,
  },
  {
    id: 'delivered',
    header: 'Delivered',
    width: 92,
    align: 'right',
    priority: 7,
    sortable: true,
    render: (row) => count(row.delivered),
  },
  {
    id: 'ordered',
    header: 'Ordered',
    width: 84,
    align: 'right',
    priority: 6,
    sortable: true,
    render: (row) => <span className="text-muted">{count(row.ordered)}</span>,
  },
  { id: 'ends', header: 'Ends', width: 76, priority: 4, sortable: true, render: (row) => row.ends },
  {
    id: 'days',
    header: 'Last 14 days',
    width: 104,
    priority: 1,
    narrow: 'hidden',
    render: (row) => <Sparkline values={row.days} />,
  },
]

/** The list pattern: title, filters, the grid with a cursor and a selection, pages. */
export function GalleryList() {
  const [cursor, setCursor] = useState(3)
  const [selected, setSelected] = useState<ReadonlySet<RowId>>(new Set([1001, 1003]))
  const [sort, setSort] = useState<Sort>({ column: 'name', direction: 'asc' })
  const [editing, setEditing] = useState<{ id: RowId; column: string } | null>(null)
  const [search, setSearch] = useState('')
  const [said, setSaid] = useState('')
  const [page, setPage] = useState(3)
  const rows = useMemo(() => many.filter((row) => row.name.toLowerCase().includes(search.toLowerCase())), [search])
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-4 pt-3">
        <h2 className="text-title">All projects</h2>
        <span className="mr-auto text-meta text-muted tabular-nums">
          {count(rows.length)} projects · {selected.size} selected {said && `· ${said}`}
        </span>
        <Button kbd="x l">Export</Button>
        <Button variant="primary" kbd="n p">
          New project
        </Button>
      </div>
      <div className="flex items-center gap-1.5 overflow-x-auto px-4 py-2">
        <Chip label="Status" value="all" />
        <Chip label="Client" value="Acme Beverage" on onClear={() => {}} />
        <Chip label="Partner" value="any" />
        <SearchInput value={search} onChange={setSearch} kbd="/" className="ml-auto w-56 shrink-0" />
      </div>
      <DataGrid
        label="All projects"
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        cursor={cursor}
        onCursor={setCursor}
        selected={selected}
        onSelect={(index) => {
          const next = new Set(selected)
          const id = rows[index]!.id
          next.has(id) ? next.delete(id) : next.add(id)
          setSelected(next)
        }}
        onSelectAll={() => setSelected(selected.size ? new Set() : new Set(rows.map((row) => row.id)))}
        onOpen={(row, how) => setSaid(`${row.id} ${how}`)}
        sort={sort}
        onSort={(column) => setSort({ column, direction: sort.column === column && sort.direction === 'asc' ? 'desc' : 'asc' })}
        tree={(row) => ({ level: row.level, expanded: row.open })}
        onExpand={(row) => setSaid(`expand ${row.id}`)}
        editing={editing}
        onEdit={setEditing}
        rowMenu={(row) => (
          <RowMenu
            label={`Actions of ${row.name}`}
            items={() => [
              { id: 'open', label: 'Open beside', kbd: 'o', onSelect: () => {} },
              { id: 'live', label: 'Go live', kbd: 'g l', reason: 'no end date', onSelect: () => {} },
              null,
              { id: 'reject', label: 'Reject…', danger: true, onSelect: () => {} },
            ]}
          />
        )}
        empty={
          <EmptyState icon={<Inbox size={20} />} action={<Button kbd="n p">New project</Button>}>
            No project has this name.
          </EmptyState>
        }
      />
      <footer className="flex items-center gap-4 border-t border-line px-4">
        <span className="flex items-center gap-3 text-meta text-muted max-sm:hidden">
          <span>
            <Kbd keys="j k" /> move
          </span>
          <span>
            <Kbd keys="x" /> select
          </span>
        </span>
        <Pager page={page} size={10} total={182} onPage={setPage} className="flex-1" />
      </footer>
    </>
  )
}
