import { count, dollars, longDate, shortDate } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { PROJECT_COLUMNS } from '../../../contract/projectHeadings.ts'
import { may } from '../../data/permissions.ts'
import { PaceBar } from '../../ui/charts/PaceBar.tsx'
import { Sparkline } from '../../ui/charts/Sparkline.tsx'
import type { Column } from '../../ui/grid/columns.ts'
import { Mark, type Shape, type Tone } from '../../ui/Pill.tsx'
import { type ProjectRow, paceTone } from '../shared/projectSubject.ts'
import { StatusPill } from '../shared/StatusPill.tsx'
import type { projectEdits } from './projectEdits.ts'

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
  owner: string
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
  owner: row.owner?.name ?? '',
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

/** Columns that only files have; a file has a child's parent, and the screen the child below it. */
const FILE_ONLY = ['parent', 'start_dt', 'own_cost', 'created_at']
/** A field that a project list edits in its cells; other fields of the list have a cell by their name. */
type EditedField = 'name' | 'goal' | 'end_dt' | (string & {})
type Edit<Row> = NonNullable<Column<Row>['edit']>

/**
 * Edits a field of a project list in its cell.
 * What a field is gets loaded on demand: the list is in the first load, and the fields aren't.
 */
export const cellEdit =
  (noun: keyof typeof projectEdits, spelled: Readonly<Record<string, string>> = {}) =>
  <Row extends { id: number; lock_version: number }>(field: EditedField): Edit<Row> => {
    const name = spelled[field] ?? field
    return {
      value: (row) => String(held(row, name) ?? ''),
      save: async (row, typed) => (await import('./projectEdits.ts')).projectEdits[noun](name).save(row, typed),
    }
  }
const held = (row: object, name: string): unknown => (row as Readonly<Record<string, unknown>>)[name]

/** Builds the columns of a project list, whichever field names its rows use. */
export function columnsOf<Row extends { id: number; name: string; lock_version: number; part?: 'own'; listed_for?: string }>(
  of: (row: Row) => Listed,
  edit: (field: EditedField) => Edit<Row>,
  dots: boolean,
): readonly Column<Row>[] {
  const drawn = drawnColumns(of, edit, dots)
  const others = Object.entries(PROJECT_COLUMNS).filter(
    ([id]) => !FILE_ONLY.includes(id) && !drawn.some((column) => column.id === id),
  )
  return [
    ...drawn,
    ...others.map(
      ([id, header]): Column<Row> => ({
        id,
        header,
        width: 120,
        sortable: true,
        priority: -1,
        narrow: 'hidden',
        render: (row) => (row.part ? null : <span className="truncate text-muted">{String(held(row, id) ?? '')}</span>),
        edit: edit(id),
      }),
    ),
  ]
}

/** The columns that are drawn by what they mean. */
function drawnColumns<Row extends { id: number; name: string; part?: 'own'; listed_for?: string }>(
  of: (row: Row) => Listed,
  edit: (field: EditedField) => Edit<Row>,
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
      edit: edit('name'),
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
      id: 'owner',
      header: 'Owner',
      min: 96,
      flex: 1.2,
      sortable: true,
      priority: 0.75,
      narrow: 'hidden',
      render: (row) => (row.part ? null : <span className="truncate text-muted">{of(row).owner || '–'}</span>),
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
      // A parent's cell shows the family's order, but only its own part can be edited.
      edit: { ...edit('goal'), value: (row) => String(of(row).goal), keeps: (text) => text.replace(/[^\d]/g, '') },
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
      edit: { ...edit('end_dt'), kind: 'date', value: (row) => of(row).end ?? '' },
    },
    {
      id: 'trend',
      header: 'Last 14 days',
      width: 96,
      priority: 0.5,
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

/** Makes columns editable for callers who may edit projects; only administrators see owners. */
export const forCaller =
  <Row,>(columns: readonly Column<Row>[]) =>
  (): readonly Column<Row>[] =>
    may('project.edit') ? columns : plain(columns)
const kept = new WeakMap<object, unknown>()
function plain<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  if (!kept.has(columns))
    kept.set(
      columns,
      columns.filter(({ id }) => id !== 'owner').map(({ edit: _, ...column }) => column),
    )
  return kept.get(columns) as readonly Column<Row>[]
}

/** The columns of v3 project lists (projects-area 2). */
export const projectColumns = forCaller(columnsOf(ofProject, cellEdit('project'), false))
/** The columns of v3 survey projects, with a pacing dot. */
export const dottedColumns = forCaller(columnsOf(ofProject, cellEdit('project'), true))
