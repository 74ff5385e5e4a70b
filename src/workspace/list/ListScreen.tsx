import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { CommandButton } from '../../commands/CommandButton.tsx'
import { CommandMenu } from '../../commands/CommandMenu.tsx'
import type { Subject } from '../../commands/command.ts'
import type { CommandId } from '../../commands/table.ts'
import { api } from '../../data/client.ts'
import { Button } from '../../ui/Button.tsx'
import type { Column } from '../../ui/grid/columns.ts'
import { DataGrid, type GridHandle } from '../../ui/grid/DataGrid.tsx'
import { EmptyState, ErrorState } from '../../ui/States.tsx'
import type { ListDesk, Where } from '../desk.ts'
import { usePane } from '../pane.tsx'
import { desk } from '../theDesk.ts'
import type { FilterChoice } from './ListBar.tsx'
import { ListBar } from './ListBar.tsx'
import { type Gap, isGap, type Source } from './source.ts'
import { loadAll, useRows } from './useRows.tsx'
import type { ListView } from './view.ts'

export interface ListScreenProps<Row extends object> {
  title: string
  /** What is counted: "projects". */
  noun: string
  view: ListView
  source: Source<Row>
  /** The specification's page: what [ and ] move by, and the link's page. */
  pageSize: number
  columns: readonly Column<Row>[]
  subjectOf(row: Row): Subject
  /** Where a row leads; null for rows that open nothing. */
  hrefOf?(row: Row): string | null
  childrenOf?(row: Row): readonly Row[]
  filters?: readonly FilterChoice[]
  /** Commands beside the title: they act on nothing, or on the pane's subject. */
  actions?: readonly CommandId[]
  /** Commands of marked rows, in the bar that shows while there are some. */
  bulk?: readonly CommandId[]
  /** The one of them that is what people mark rows for. */
  primary?: CommandId
  /** Before the filters: a filter of another look. Its checked control takes the focus when somebody wants to filter. */
  lead?: ReactNode
  /** What stands behind "17 marked": their sum, say. `left` is how many "mark all" left out. */
  noteOf?(marked: readonly Subject[], left: number): string
  /** Marks are of one kind of rows: when this changes, they are cleared. */
  marksOf?: string
  /** Rows that "mark all" leaves to be marked one by one: they want a look. */
  leavesOut?(row: Row): boolean
  exportable?: ListDesk['exportable']
  /** When nothing is there at all: the sentence, and the command that fills the list. */
  empty: { sentence: string; command?: CommandId }
  /** Above the grid: a banner, totals. */
  children?: ReactNode
  /** Inside another screen (a tab of a client): no title of its own. */
  embedded?: boolean
}

type Shown<Row> = { row: Row; level: number; id: number } | Gap
const keyOf = <Row,>(shown: Shown<Row>) => (isGap(shown) ? `gap-${shown.gap}` : shown.id)

/** The list pattern: every list of the product is this screen with its own source and columns (workspace.md, Lists). */
export function ListScreen<Row extends object>(props: ListScreenProps<Row>) {
  const { view, source, pageSize, subjectOf, childrenOf, hrefOf, leavesOut } = props
  const pane = usePane()
  const grid = useRef<GridHandle>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const loaded = useRows(source, view.key, (view.page - 1) * pageSize)
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [cursorId, setCursorId] = useState<number | null>(null)
  const [place, setPlace] = useState((view.page - 1) * pageSize)
  const [marks, setMarks] = useState<ReadonlyMap<number, Subject>>(new Map())
  const [leftOut, setLeftOut] = useState(0)
  const [anchor, setAnchor] = useState(-1)
  const [editing, setEditing] = useState<{ id: string | number; column: string } | null>(null)
  const [searching, setSearching] = useState(view.search !== '')

  const shown = useMemo(() => {
    const all: Shown<Row>[] = []
    for (const row of loaded.rows) {
      if (isGap(row)) {
        all.push(row)
        continue
      }
      const id = subjectOf(row).id
      all.push({ row, level: 1, id })
      if (open.has(id)) for (const child of childrenOf?.(row) ?? []) all.push({ row: child, level: 2, id: subjectOf(child).id })
    }
    return all
  }, [loaded.rows, open, subjectOf, childrenOf])
  // The cursor stays on its record when rows come, go or change their order; when the record is gone, it stays where it was.
  const at = useMemo(() => {
    const found = cursorId === null ? -1 : shown.findIndex((row) => !isGap(row) && row.id === cursorId)
    return found >= 0 ? found : Math.min(place, shown.length - 1)
  }, [shown, cursorId, place])
  const cursorRow = shown[at]
  const cursor = useMemo(() => (cursorRow && !isGap(cursorRow) ? subjectOf(cursorRow.row) : null), [cursorRow, subjectOf])
  // A marked row that was loaded again is marked as it is now: what may be done with it can have changed.
  const marked = useMemo(() => {
    if (!marks.size) return []
    const now = new Map(shown.flatMap((row) => (isGap(row) || !marks.has(row.id) ? [] : [[row.id, subjectOf(row.row)] as const])))
    return [...marks].map(([id, subject]) => now.get(id) ?? subject)
  }, [marks, shown, subjectOf])

  // What left the list after something was done to it is marked no more; a search that hides it is no reason.
  const before = useRef<{ key: string; ids: ReadonlySet<number> }>({ key: view.key, ids: new Set() })
  useEffect(() => {
    if (loaded.stale || loaded.loading || shown.some(isGap)) return
    const ids = new Set(shown.map((row) => (row as { id: number }).id))
    const last = before.current
    before.current = { key: view.key, ids }
    if (last.key !== view.key) return
    setMarks((marks) =>
      [...marks.keys()].some((id) => last.ids.has(id) && !ids.has(id))
        ? new Map([...marks].filter(([id]) => ids.has(id) || !last.ids.has(id)))
        : marks,
    )
  }, [shown, loaded.stale, loaded.loading, view.key])

  const markedIds = useMemo(() => new Set<string | number>(marks.keys()), [marks])

  const moveTo = useCallback(
    (index: number) => {
      const next = Math.max(0, Math.min(index, shown.length - 1))
      const row = shown[next]
      setPlace(next)
      setCursorId(row && !isGap(row) ? row.id : null)
      grid.current?.scrollTo(next)
      loaded.see(next - 5, next + 5)
    },
    [shown, loaded.see],
  )
  const page = Math.floor(Math.max(0, at) / pageSize) + 1
  const { setPage } = view
  const moved = useRef(false)
  useEffect(() => {
    if (moved.current) setPage(page)
    moved.current = true
  }, [page, setPage])

  const openRow = useCallback(
    (row: Row, where: Where) => {
      const to = hrefOf?.(row)
      if (to) pane.go(to, where)
    },
    [hrefOf, pane.go],
  )
  const mark = useCallback(
    (index: number, range: boolean) => {
      const from = range && anchor >= 0 ? Math.min(anchor, index) : index
      const to = range && anchor >= 0 ? Math.max(anchor, index) : index
      setMarks((before) => {
        const next = new Map(before)
        for (const row of shown.slice(from, to + 1)) {
          if (isGap(row)) continue
          if (!range && next.has(row.id)) next.delete(row.id)
          else next.set(row.id, subjectOf(row.row))
        }
        return next
      })
      setAnchor(index)
    },
    [anchor, shown, subjectOf],
  )
  const clearMarks = useCallback(() => {
    setMarks(new Map())
    setLeftOut(0)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that clears them
  useEffect(clearMarks, [props.marksOf])
  const markAll = useCallback(async () => {
    if (marks.size && marks.size + leftOut >= (loaded.count ?? 0)) return clearMarks()
    try {
      const all = await loadAll(source, api.read as never, () => {})
      const rows = leavesOut ? all.filter((row) => !leavesOut(row)) : all
      setLeftOut(all.length - rows.length)
      setMarks(new Map(rows.map((row) => [subjectOf(row).id, subjectOf(row)])))
    } catch (error) {
      desk.notice(error instanceof Error ? error.message : 'Not all rows could be loaded.', 'bad')
    }
  }, [marks.size, leftOut, loaded.count, source, subjectOf, leavesOut, clearMarks])

  const list = useMemo<ListDesk>(
    () => ({
      cursor,
      marked,
      exportable: props.exportable ?? null,
      move: (by) => moveTo(at + by),
      end: (which) => moveTo(which === 'first' ? 0 : shown.length - 1),
      open: (where) => cursorRow && !isGap(cursorRow) && openRow(cursorRow.row, where),
      mark: () => mark(at, false),
      markRange: (by) => {
        if (by === 0) return mark(at, true)
        const next = Math.max(0, Math.min(at + by, shown.length - 1))
        setMarks(
          (before) =>
            new Map([
              ...before,
              ...[at, next].flatMap((index) =>
                isGap(shown[index]) || !shown[index]
                  ? []
                  : [[(shown[index] as { id: number }).id, subjectOf((shown[index] as { row: Row }).row)] as const],
              ),
            ]),
        )
        setAnchor(next)
        moveTo(next)
      },
      markAll,
      clearMarks,
      search: () => {
        setSearching((is) => {
          if (is && document.activeElement === searchBox.current) return view.typed !== ''
          requestAnimationFrame(() => searchBox.current?.focus())
          return true
        })
      },
      filter: () => {
        const lead = bar.current?.querySelector<HTMLElement>('[data-filter] input:checked')
        if (lead) lead.focus()
        else bar.current?.querySelector<HTMLElement>('[data-filter] button')?.click()
      },
      sort: () => bar.current?.querySelector<HTMLElement>('[data-sort]')?.click(),
      page: (by) => moveTo((page - 1 + by) * pageSize),
      edit: () => {
        const column = props.columns.find((one) => one.edit)
        if (column && cursorRow && !isGap(cursorRow)) {
          pane.pin()
          setEditing({ id: cursorRow.id, column: column.id })
        }
      },
      expand: (wanted) => cursor && setOpen((before) => toggled(before, cursor.id, wanted)),
      menu: () => desk.palette({ text: '>' }),
    }),
    [
      cursor,
      marked,
      props.exportable,
      props.columns,
      moveTo,
      at,
      shown,
      cursorRow,
      openRow,
      mark,
      markAll,
      clearMarks,
      page,
      pageSize,
      subjectOf,
      view.typed,
      pane.pin,
    ],
  )
  const { setList, setTitle } = pane
  useEffect(() => setList(list), [list, setList])
  useEffect(() => () => setList(null), [setList])
  useEffect(() => {
    if (!props.embedded) setTitle(null)
  }, [props.embedded, setTitle])
  const arrived = useRef(false)
  useEffect(() => {
    // A list that opens takes the focus, unless somebody is typing.
    if (arrived.current || loaded.count === undefined || !pane.active) return
    arrived.current = true
    if (!document.activeElement || document.activeElement === document.body || document.activeElement.closest('[data-pane]'))
      grid.current?.focus()
  }, [loaded.count, pane.active])

  const columns = useMemo(
    () =>
      props.columns.map((column) => ({
        ...column,
        render: (row: Shown<Row>) =>
          isGap(row) ? <span aria-hidden="true" className="inline-block h-2 w-3/5 rounded bg-line" /> : column.render(row.row),
        ...(column.edit
          ? {
              edit: {
                ...column.edit,
                value: (row: Shown<Row>) => (isGap(row) ? '' : column.edit!.value(row.row)),
                save: (row: Shown<Row>, value: string) => (isGap(row) ? undefined : column.edit!.save(row.row, value)),
              },
            }
          : {}),
      })) as Column<Shown<Row>>[],
    [props.columns],
  )
  const narrowed =
    view.search !== '' ||
    (props.filters ?? []).some((filter) => (view.filters[filter.name] ?? filter.options[0]?.value) !== filter.options[0]?.value)
  return (
    <div className="flex h-full min-h-0 flex-1 flex-col">
      {loaded.loaders}
      <ListBar
        ref={bar}
        {...props}
        count={loaded.count}
        marked={marked}
        note={props.noteOf && marked.length ? props.noteOf(marked, leftOut) : null}
        onClearMarks={clearMarks}
        searching={searching}
        onSearching={setSearching}
        searchBox={searchBox}
        onLeaveSearch={() => grid.current?.focus()}
        page={page}
        onPage={(wanted) => moveTo((wanted - 1) * pageSize)}
      />
      {props.children}
      <DataGrid
        ref={grid}
        label={props.title}
        columns={columns}
        rows={shown}
        rowId={keyOf}
        cursor={at}
        onCursor={moveTo}
        marked={markedIds}
        onMark={mark}
        onMarkAll={markAll}
        onOpen={(row, how) => !isGap(row) && openRow(row.row, how)}
        onRange={loaded.see}
        {...(view.sort ? { sort: view.sort } : {})}
        onSort={view.setSort}
        {...(childrenOf
          ? {
              tree: (row: Shown<Row>) =>
                isGap(row)
                  ? { level: 1 }
                  : {
                      level: row.level,
                      ...(row.level === 1 && childrenOf(row.row).length ? { expanded: open.has(row.id) } : {}),
                    },
            }
          : {})}
        onExpand={(row) => !isGap(row) && setOpen((before) => toggled(before, row.id, !before.has(row.id)))}
        editing={editing}
        onEdit={setEditing}
        rowMenu={(row) => (isGap(row) ? null : <CommandMenu subjects={[subjectOf(row.row)]} />)}
        total={loaded.count ?? 0}
        loading={loaded.loading || loaded.stale}
        error={
          loaded.error ? (
            <ErrorState
              title={`The ${props.noun} could not be loaded`}
              action={<Button onClick={loaded.retry}>Try again</Button>}
              {...(loaded.error.requestId ? { detail: loaded.error.requestId } : {})}
            >
              {loaded.error.message}
            </ErrorState>
          ) : undefined
        }
        empty={
          narrowed ? (
            <EmptyState
              action={
                <Button data-view="" onClick={view.reset}>
                  Show all {props.noun}
                </Button>
              }
            >
              No {props.noun} match this search and these filters.
            </EmptyState>
          ) : (
            <EmptyState action={props.empty.command ? <CommandButton id={props.empty.command} variant="primary" /> : undefined}>
              {props.empty.sentence}
            </EmptyState>
          )
        }
      />
    </div>
  )
}

function toggled(before: ReadonlySet<number>, id: number, wanted: boolean): ReadonlySet<number> {
  const next = new Set(before)
  if (wanted) next.add(id)
  else next.delete(id)
  return next
}
