import { count, dollars, longDate, shortDate } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { api } from '../../data/apiClient.ts'
import { may } from '../../data/permissions.ts'
import { PaceBar } from '../../ui/charts/PaceBar.tsx'
import { Sparkline } from '../../ui/charts/Sparkline.tsx'
import type { Column } from '../../ui/grid/columns.ts'
import { Mark, type Shape, type Tone } from '../../ui/Pill.tsx'
import { type ProjectRow, paceTone } from '../shared/projectSubject.ts'
import { StatusPill } from '../shared/StatusPill.tsx'

const PACES: Record<string, string> = {
  not_started: 'not started yet',
  no_dates: 'no dates',
  over: 'fieldwork is over',
  running: 'in field',
}

/** The fields that every project list shows, whichever names its rows use (decisions.md 1). */
export interface Listed {
  id: number
  name: string
  client: string
  stored: string
  shown: string
  pacing: number
  color: string
  state: string
  delivered: number
  ordered: number
  /** The project's own part of the order. */
  goal: number
  /** In cents; for a parent, the whole family's cost. */
  cents: number | null
  start: string | null
  end: string | null
  trend: readonly number[]
}

const ofProject = (row: ProjectRow): Listed => ({
  id: row.id,
  name: row.name,
  client: row.client_name,
  stored: row.stored_status,
  shown: row.status_shown,
  pacing: row.pacing,
  color: row.pacing_color,
  state: row.pacing_state,
  delivered: row.delivered,
  ordered: row.ordered,
  goal: row.goal,
  cents: row.family_cost_cents,
  start: row.start_dt,
  end: row.end_dt,
  trend: row.trend,
})

const DOTS: Record<Tone, readonly [shape: Shape, ink: string, word: string]> = {
  grey: ['ring', 'text-grey-ink', 'pending'],
  red: ['cross', 'text-red-ink', 'below 30%'],
  amber: ['triangle', 'text-amber-ink', 'below 70%'],
  green: ['dot', 'text-green-ink', 'from 70%'],
  blue: ['diamond', 'text-blue-ink', ''],
}

/** The pacing dot: grey, red, amber or green, each with its own shape (projects-area 4). */
function PaceDot({ row }: { row: Listed }) {
  const [shape, ink, usual] = DOTS[paceTone(row.color, row)]
  const word = row.stored === 'rejected' ? 'rejected' : row.state === 'not_started' ? PACES.not_started : usual
  return (
    <span className={`inline-flex shrink-0 ${ink}`} title={`Pacing: ${word}`}>
      <Mark shape={shape} />
      <span className="sr-only">{`Pacing ${word}: `}</span>
    </span>
  )
}

/** Beside a parent's own status, why the list has it. */
function ListedFor({ status }: { status: string }) {
  return (
    <span className="ml-1.5 min-w-0 truncate text-meta text-muted" title={`Listed for a child that is ${status}.`}>
      for a child
    </span>
  )
}

/** A change to one cell of a project list. */
export type Patch = { name: string } | { goal: number } | { end: string }

/** Builds the columns of a project list, whichever field names its rows use. */
export function columnsOf<Row extends { id: number; name: string; lock_version: number; part?: 'own'; listed_for?: string }>(
  of: (row: Row) => Listed,
  save: (row: Row, patch: Patch) => Promise<{ data: { lock_version: number } }>,
  dots: boolean,
): readonly Column<Row>[] {
  return [
    {
      id: 'name',
      header: 'Project',
      min: 224,
      flex: 5,
      sortable: true,
      priority: 9,
      render: (row) => {
        const name = (
          <span dir="auto" className={row.part ? 'block truncate text-muted' : 'block truncate font-medium'}>
            {row.part ? 'Own part' : row.name}
          </span>
        )
        return dots ? (
          <span className="flex min-w-0 items-center gap-2">
            <PaceDot row={of(row)} />
            {name}
          </span>
        ) : (
          name
        )
      },
      edit: {
        value: (row) => row.name,
        async save(row, name) {
          // Imported on demand: the list is in the first load, its error messages aren't.
          if (!name.trim()) throw new Error((await import('../../../contract/messages.ts')).MESSAGES.projectName)
          return (await save(row, { name })).data
        },
      },
    },
    {
      id: 'id',
      header: 'ID',
      width: 64,
      sortable: true,
      priority: 1,
      narrow: 'hidden',
      render: (row) => (row.part ? null : <span className="font-mono text-meta text-muted">{codeOf('project', row.id)}</span>),
    },
    {
      id: 'client',
      header: 'Client',
      min: 116,
      flex: 2,
      sortable: true,
      priority: 5,
      narrow: 'meta',
      render: (row) => (row.part ? null : <span className="truncate text-muted">{of(row).client}</span>),
    },
    {
      id: 'status',
      header: 'Status',
      width: 158,
      sortable: true,
      priority: 8,
      narrow: 'aside',
      render: (row) =>
        row.part ? null : (
          <>
            <StatusPill stored={of(row).stored} shown={of(row).shown} />
            {row.listed_for && <ListedFor status={row.listed_for.toLowerCase()} />}
          </>
        ),
    },
    {
      id: 'pacing',
      header: 'Pacing',
      width: 128,
      sortable: true,
      figure: true,
      priority: 7,
      narrow: 'meta',
      render: (row) => {
        const { pacing, color, state, stored } = of(row)
        return (
          <span data-whole="">
            <PaceBar
              value={pacing}
              tone={paceTone(color, { state, stored })}
              title={PACES[state] ?? ''}
              className="in-data-narrow:grid-cols-[32px_auto]!"
            />
          </span>
        )
      },
    },
    {
      id: 'delivered',
      header: 'Delivered',
      width: 84,
      align: 'right',
      sortable: true,
      priority: 6,
      narrow: 'meta',
      render: (row) => (
        <>
          {count(of(row).delivered)}
          <span className="hidden whitespace-nowrap in-data-narrow:inline"> of {count(of(row).ordered)}</span>
        </>
      ),
    },
    {
      id: 'ordered',
      header: 'Ordered',
      width: 76,
      align: 'right',
      sortable: true,
      priority: 4,
      render: (row) => <span className="text-muted">{count(of(row).ordered)}</span>,
      edit: {
        // A parent's cell shows the family's order, but only its own part can be edited.
        value: (row) => String(of(row).goal),
        keeps: (text) => text.replace(/[^\d]/g, ''),
        async save(row, goal) {
          if (!Number(goal)) throw new Error('Goal must be a positive number')
          return (await save(row, { goal: Number(goal) })).data
        },
      },
    },
    {
      id: 'cost',
      header: 'Cost',
      width: 92,
      align: 'right',
      sortable: true,
      priority: 0,
      render: (row) => {
        const { cents } = of(row)
        return <span className="text-muted">{cents === null ? '–' : dollars(cents)}</span>
      },
    },
    {
      id: 'end_dt',
      header: 'Ends',
      width: 100,
      sortable: true,
      priority: 3,
      render: (row) => (
        <time dateTime={of(row).end ?? ''} title={longDate(of(row).end)} className="whitespace-nowrap text-muted">
          {shortDate(of(row).end)}
        </time>
      ),
      edit: {
        kind: 'date',
        value: (row) => of(row).end ?? '',
        async save(row, end) {
          const { notADate, readDate } = await import('../../../contract/dates.ts')
          if (!readDate(end)) throw new Error(end ? notADate(end) : 'End date is required')
          return (await save(row, { end })).data
        },
      },
    },
    {
      id: 'trend',
      header: 'Last 14 days',
      width: 96,
      priority: 2,
      narrow: 'hidden',
      render: (row) => {
        const { trend } = of(row)
        return (
          <Sparkline
            today
            values={trend}
            label={`${count(trend.reduce((sum, value) => sum + value, 0))} completes in the last 14 days, with today so far`}
          />
        )
      },
    },
  ]
}

const saveProject = ({ id, lock_version }: ProjectRow, patch: Patch) =>
  api.write('project.edit', { id, lock_version, ...('end' in patch ? { end_dt: patch.end } : patch) })

/** Makes columns editable for callers who may edit projects. */
export const forCaller =
  <Row,>(columns: readonly Column<Row>[]) =>
  (): readonly Column<Row>[] =>
    may('project.edit') ? columns : plain(columns)
const kept = new WeakMap<object, unknown>()
function plain<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  if (!kept.has(columns))
    kept.set(
      columns,
      columns.map(({ edit: _, ...column }) => column),
    )
  return kept.get(columns) as readonly Column<Row>[]
}

/** The columns of v3 project lists (projects-area 2). */
export const projectColumns = forCaller(columnsOf(ofProject, saveProject, false))
/** The columns of v3 survey projects, with a pacing dot. */
export const dottedColumns = forCaller(columnsOf(ofProject, saveProject, true))
