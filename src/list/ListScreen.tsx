import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Subject } from '../commands/subject.ts'
import type { CommandId } from '../commands/table.ts'
import type { ListController } from '../commands/workspaceApi.ts'
import type { Where } from '../routing/layout.ts'
import { match } from '../routing/match.ts'
import { encodeQuery } from '../routing/routes.ts'
import { CommandRowMenu, ContextMenu } from '../runner/CommandMenu.tsx'
import type { Column } from '../ui/grid/columns.ts'
import { DataGrid, type DataGridProps, type GridHandle } from '../ui/grid/DataGrid.tsx'
import { loadable } from '../ui/loadable.tsx'
import { usePrinting } from '../ui/printState.ts'
import { announce } from '../workspace/announce.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { focusChanged } from '../workspace/focusLater.ts'
import { bufferKeys } from '../workspace/keys/typeahead.ts'
import { usePane } from '../workspace/pane.tsx'
import { usePrefetch } from '../workspace/preload.ts'
import { useFocusOnArrival } from '../workspace/useFocusOnArrival.ts'
import { altered, fitting, moved } from './columnChoice.ts'
import { type FlatRows, type Gap, type Item, isGap, itemMaker, shownOf } from './flattenRows.ts'
import { gridColumns } from './gridColumns.tsx'
import type { FilterChoice } from './ListBar.tsx'
import { ListBar, sortItems } from './ListBar.tsx'
import { type Empty, ListEmpty, ListTrouble } from './ListStates.tsx'
import { sameSort } from './listState.ts'
import type { ListView } from './listView.ts'
import { noteStep, offerList, recordKey, type Step } from './recordTrails.ts'
import type { RowSource } from './rowSource.ts'
import { placeOfList } from './scrollRestore.ts'
import type { KeyOf } from './selection.ts'
import { useColumns } from './useColumns.ts'
import { useCursor } from './useCursor.ts'
import { useHiddenSearch } from './useHiddenSearch.ts'
import { useLinkedCursor } from './useLinkedCursor.ts'
import { type ListPreview, menuSubjects, useListController } from './useListController.ts'
import { useListTitle } from './useListTitle.ts'
import { type Rows, useRows } from './useRows.ts'
import { useSelection } from './useSelection.ts'
import { useViews } from './useViews.ts'

/** What a map of a list's records gets from the list. */
export interface ListOfMap {
  /** The record under the cursor. */
  cursor: number | null
  selected: ReadonlySet<string | number>
  /** Moves the cursor to a record; does nothing if it isn't loaded. */
  moveTo(id: number): void
  selectIds(ids: readonly number[], toggles: boolean): void
}

export interface ListScreenProps<Row extends object> {
  title: string
  /** What the rows are, for the count: "projects". */
  noun: string
  view: ListView
  /** True if there are more matches than counted: "10,000+". */
  more?: boolean | undefined
  source: RowSource<Row>
  /** Rows per page in the specification: the step of [ and ], and the page in the URL. */
  pageSize: number
  columns: readonly Column<Row>[]
  subjectOf(row: Row): Subject
  /** Converts a record selected by the server, if this list's rows are members instead of the records. */
  adopt?(subject: Subject): Subject
  /** Returns a row's URL; null for rows that don't open. */
  hrefOf?(row: Row): string | null
  childrenOf?(row: Row): readonly Row[]
  /** True if a row can expand to children that are read then; by default, if it has children already. */
  hasChildren?(row: Row): boolean
  onExpand?(row: Row, open: boolean): void
  /** Children that are read when a row expands; while they load, keys for rows wait. */
  branches?: { toggle(row: Row, open: boolean): void; loading: boolean }
  /** Identifies a row if a record has several; defaults to its subject's id. */
  rowId?(row: Row): number
  filters?: readonly FilterChoice[]
  /** Commands next to the title: on nothing, or on the pane's subject. */
  actions?: readonly CommandId[]
  /** Commands for selected rows, shown in the selection's bar. */
  bulk?: readonly CommandId[] | ((selected: readonly Subject[]) => readonly CommandId[])
  /** The main bulk command. */
  primary?: CommandId
  /** A custom filter before the others. Its checked control gets the focus when the user goes to the filters. */
  lead?: ReactNode
  /** Text after "17 selected", such as a sum. `left` is how many rows "select all" left out. */
  noteOf?(selected: readonly Subject[], left: number): string
  /** The kind of rows a selection holds; a change clears it. */
  selectionKind?: string
  /** True for rows that "select all" leaves out, because each needs a look. */
  leavesOut?: ((subject: Subject) => boolean) | undefined
  /** Receives each response of the source, such as for totals in it. */
  onAnswer?(answer: never): void
  /** Reorders loaded rows by chunk, such as for an order that isn't saved yet. */
  arranged?(chunks: ReadonlyMap<number, readonly Row[]>): ReadonlyMap<number, readonly Row[]>
  /** The id of the row in the URL; the cursor moves there once it is loaded. */
  at?: number | null
  /** What Enter does on a row without a screen; a click only moves the cursor. */
  onEnter?: (row: Row) => void
  /** Where Enter opens a row; defaults to the same pane. */
  opens?: Where
  exportable?: ListController['exportable']
  /** Previews the cursor's row over the list; the pane draws it. Pass the same object while nothing changes. */
  preview?: ListPreview<Row> | undefined
  empty: Empty
  /** Content above the grid: a banner, totals. */
  children?: ReactNode
  /** True inside another screen, such as a client's tab; omits the title. */
  embedded?: boolean
  /** A map of the same records next to the rows or below; a screen either always has one or never. */
  map?: { below: boolean; draw(list: ListOfMap): ReactNode; toggle(): void }
  /** How many page links to show, if the specification says so. */
  pageLinks?: number
  /** Shows the rows in columns while `on`; the row in the next column is `step` rows away. */
  compact?: { on: boolean; step: number; draw(grid: CompactGrid<Row>): ReactNode; toggle(): void }
  /** Identifies a selected record, if records of two nouns have the same ids. */
  keyOf?: KeyOf
}

/** What a list draws in columns instead of a grid. */
export type CompactGrid<Row> = DataGridProps<Item<Row> | Gap>

const ColumnsDialog = loadable(() => import('./ColumnsDialog.tsx').then((module) => module.ColumnsDialog))
const keyOf = <Row,>(one: Item<Row> | Gap) => (isGap(one) ? `gap-${one.gap}` : one.id)

/** The list screen that every list uses, with its own source and columns (workspace.md, Lists). */
export function ListScreen<Row extends object>(props: ListScreenProps<Row>) {
  const { view, source, pageSize, subjectOf, rowId, childrenOf, hrefOf } = props
  const pane = usePane()
  const grid = useRef<GridHandle>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const list = `${pane.id} ${pane.match?.path ?? ''}`
  const [started] = useState(() => {
    const place = placeOfList(list, view.key)
    // A link to another page wins over the position that was left.
    return place && (view.page === 1 || Math.floor(place.at / pageSize) + 1 === view.page) ? place : null
  })
  const rows = useRows(source, started?.at ?? (view.page - 1) * pageSize, pane.visible, props.onAnswer)
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [editing, setEditing] = useState<{ id: string | number; column: string } | null>(null)
  const [searching, setSearching] = useState(view.search !== '')
  const searchVisibility = useHiddenSearch(props.noun, searching || view.typed !== '', () => {
    view.setSearch('')
    setSearching(false)
  })

  const itemOf = useMemo(() => itemMaker(subjectOf, rowId), [subjectOf, rowId])
  const { count = 0, chunk } = rows
  const { arranged, opens } = props
  const columned = props.compact?.on === true
  const chunks = useMemo(() => arranged?.(rows.chunks) ?? rows.chunks, [arranged, rows.chunks])
  const shown = useMemo(
    () => shownOf({ count, chunk, chunks, open, childrenOf: columned ? undefined : childrenOf, itemOf }),
    [count, chunk, chunks, open, childrenOf, columned, itemOf],
  )
  const cursor = useCursor(shown, view, pageSize, grid, {
    list,
    place: started,
    remembered: rows.remembered,
    active: pane.active,
  })
  usePrefetch(pane.active && cursor.row && !editing ? (hrefOf?.(cursor.row.row) ?? null) : null)
  const exportKey = props.exportable ? JSON.stringify(props.exportable) : null
  const exportable = useMemo(
    () => (exportKey ? (JSON.parse(exportKey) as NonNullable<ListController['exportable']>) : null),
    [exportKey],
  )
  const selection = useSelection({
    rows,
    shown,
    source,
    subjectOf,
    under: view.key,
    matching: exportable,
    kind: props.selectionKind,
    leavesOut: props.leavesOut,
    adopt: props.adopt,
    keyOf: props.keyOf,
  })

  const { onExpand, hasChildren, branches } = props
  const toggleBranch = branches?.toggle
  // A record with several rows is selected in each of them.
  const selectedLines = useMemo(
    () =>
      onExpand
        ? new Set([...shown.items()].flatMap(({ id, subject }) => (selection.ids.has(subject.id) ? id : [])))
        : selection.ids,
    [onExpand, shown, selection.ids],
  )

  const views = useViews(view, list)
  const unknownSort = useUnknownSort(view, props.columns)
  useSpokenSort(view, props.columns, pane.active)
  const table = useColumns(props.columns, props.noun, views.current !== null)
  const [arranging, setArranging] = useState(false)
  const [drawn, setDrawn] = useState(0)
  const [cell, setCell] = useState<string | null>(null)
  const [menu, setMenu] = useState<{ x: number; y: number; subjects: readonly Subject[] } | null>(null)
  const { state, settle } = view
  // Doesn't depend on the view, which is new in each render: a pane that follows its list would render forever.
  const savable = useMemo(
    () => views.workspace && { ...views.workspace, state: withColumns({ state, settle }, table.text) },
    [views.workspace, state, settle, table.text],
  )
  const { settle: settleCursor } = cursor
  const { settle: settleColumns } = table
  const stepOf = useStepsAlong(props, { list, shown, rows, open, itemOf, moveTo: cursor.moveTo })
  const openRow = useCallback(
    (row: Row, where: Where) => {
      const to = hrefOf?.(row)
      if (!to) return
      settleColumns()
      settleCursor()
      const step = stepOf.current((item) => item.row === row)
      if (step) noteStep(to, step)
      pane.go(to, where === 'here' && opens ? opens : where)
    },
    [hrefOf, pane.go, settleColumns, settleCursor, opens, stepOf],
  )
  const expand = useCallback(
    (id: number, is: boolean) => {
      const item = shown.at(shown.indexOf(id))
      if (item && !isGap(item)) {
        onExpand?.(item.row, is)
        toggleBranch?.(item.row, is)
      }
      setOpen((before) => withOpen(before, id, is))
    },
    [onExpand, toggleBranch, shown],
  )
  const search = useCallback(() => {
    const box = searchBox.current
    if (box && document.activeElement === box) return setSearching(box.value !== '')
    focusChanged(
      () => setSearching(true),
      () => searchBox.current,
    )
  }, [])
  const openColumns = useCallback(() => {
    bufferKeys()
    setArranging(true)
  }, [])
  const edit = useCallback((id: number, column: string) => setEditing({ id, column }), [])
  // Read when a command runs, because the published list must not change with each render.
  const now = useRef({ view, columns: props.columns })
  now.current = { view, columns: props.columns }
  const orders = useCallback(
    () =>
      sortItems(
        now.current.view,
        now.current.columns.filter((column) => column.sortable),
      ),
    [],
  )
  const clear = useCallback(() => {
    const { state, typed, show, reset } = now.current.view
    return state ? () => show('') : typed ? reset : null
  }, [])
  const { loader } = rows
  const next = useCallback(
    async (from: number, test: (subject: Subject) => boolean, signal: AbortSignal) =>
      (await import('./findNextRow.ts')).findNextRow({ shown, from, loader, subjectOf, test, signal }),
    [shown, loader, subjectOf],
  )
  const isBranch = useCallback(
    ({ row, id, level }: Item<Row>) =>
      Boolean(childrenOf) && level === 1 && !open.has(id) && Boolean(hasChildren?.(row) ?? childrenOf?.(row).length),
    [childrenOf, hasChildren, open],
  )
  useListController({
    shown,
    cursor,
    selection,
    bar,
    grid,
    columns: props.columns,
    exportable,
    views: savable,
    pageSize,
    arranged: table,
    cell,
    setCell,
    openColumns,
    orders,
    clear,
    openMenu: setMenu,
    stale: rows.stale,
    loading: (rows.count === undefined && !rows.error) || branches?.loading === true,
    openRow: props.onEnter ?? openRow,
    search,
    searchVisibility,
    edit,
    expand,
    opens: isBranch,
    next,
    preview: props.preview,
    toggleMap: props.map?.toggle,
    toggleCompact: props.compact?.toggle,
    across: props.compact?.on ? props.compact.step : 0,
  })
  const { row: under } = cursor
  const { isOpen, show } = props.preview ?? { isOpen: false, show: undefined }
  useEffect(() => {
    if (isOpen && under) show?.(under.row)
  }, [isOpen, under, show])

  useListTitle(props, views.current?.name)
  const leaveBar = useCallback(() => grid.current?.focus(), [])
  useFocusOnArrival(pane, leaveBar, rows.count !== undefined)

  const columns = useMemo(() => gridColumns(table.shown), [table.shown])
  const onMenu = useCallback(
    (at: { x: number; y: number }) => {
      const { row } = cursor.here()
      if (row) setMenu({ ...at, subjects: menuSubjects(selection, row) })
    },
    [cursor, selection],
  )
  const { chosen, change } = table
  const onResize = useCallback(
    (id: string, width: number | null) => change(altered(chosen, id, { width: width === null ? undefined : fitting(width) })),
    [chosen, change],
  )
  const onMove = useCallback((id: string, before: string | null) => change(moved(chosen, id, before)), [chosen, change])
  const { see } = rows.loader
  const { scrolled, moveTo } = cursor
  useLinkedCursor(props.at ?? null, shown, moveTo)
  const toPage = useCallback((page: number) => moveTo(shown.indexAt((page - 1) * pageSize)), [moveTo, shown, pageSize])
  const onRange = useCallback(
    (first: number, last: number, top: number) => {
      see(shown.recordAt(first), shown.recordAt(last))
      scrolled(top)
    },
    [see, scrolled, shown],
  )
  const gridProps: CompactGrid<Row> = {
    ref: grid,
    label: props.title,
    columns,
    rows: shown,
    rowId: keyOf,
    cursor: cursor.at,
    onCursor: cursor.moveTo,
    selected: selectedLines,
    allSelected: selection.all,
    onSelect: selection.select,
    onSelectAll: selection.selectAll,
    onOpen: (row, how) => !isGap(row) && openRow(row.row, how),
    onRange,
    startTop: started?.top ?? 0,
    ...(view.sort ? { sort: view.sort } : {}),
    onSort: view.setSort,
    cell,
    hrefOf: (one) => (isGap(one) ? null : (hrefOf?.(one.row) ?? null)),
    onMenu,
    onResize,
    onMove,
    onPlaced: setDrawn,
    ...(childrenOf
      ? {
          tree: (one: Item<Row> | Gap) =>
            isGap(one)
              ? { level: 1 }
              : {
                  level: one.level,
                  ...(one.level === 1 && (hasChildren?.(one.row) ?? childrenOf(one.row).length)
                    ? { expanded: open.has(one.id) }
                    : {}),
                },
        }
      : {}),
    onExpand: (one) => !isGap(one) && expand(one.id, !open.has(one.id)),
    editing,
    onEdit: setEditing,
    onRefused: (reason) => workspace.notice(reason, 'bad'),
    onLost: (typed) => workspace.notice(`Not saved, because its row left the list: ${typed}`, 'bad'),
    rowMenu: (one) => (isGap(one) ? null : <CommandRowMenu subject={one.subject} />),
    loading: (rows.count === undefined && !rows.error) || rows.stale || unknownSort,
    error:
      rows.error && !unknownSort ? <ListTrouble noun={props.noun} error={rows.error} retry={rows.loader.retry} /> : undefined,
    empty: <ListEmpty view={view} filters={props.filters ?? []} noun={props.noun} empty={props.empty} />,
  }
  const printing = usePrinting()
  const rowGrid = props.compact?.on && !printing ? props.compact.draw(gridProps) : <DataGrid {...gridProps} />
  const { map } = props
  return (
    <div className="flex h-full min-h-0 flex-1 flex-col short:h-auto short:flex-none">
      <ListBar
        ref={bar}
        {...props}
        views={views}
        count={rows.count}
        settled={!rows.stale}
        selected={selection.selected}
        note={props.noteOf && selection.selected.length ? props.noteOf(selection.selected, selection.leftOut) : null}
        onClearSelection={selection.clear}
        searching={searching || view.typed !== ''}
        onSearching={setSearching}
        searchVisibility={searchVisibility}
        searchBox={searchBox}
        onLeaveBar={leaveBar}
        page={cursor.page}
        onPage={toPage}
        drawn={props.compact?.on ? 0 : drawn}
        onColumns={openColumns}
      />
      {props.children}
      {rows.error && shown.length > 0 && <ListTrouble noun={props.noun} error={rows.error} retry={rows.loader.retry} slim />}
      {map ? (
        <div className={`flex min-h-0 flex-1 short:flex-none ${map.below ? 'flex-col' : ''}`}>
          {rowGrid}
          {map.draw({
            cursor: under?.id ?? null,
            selected: selection.ids,
            moveTo: (id) => shown.indexOf(id) >= 0 && moveTo(shown.indexOf(id)),
            selectIds: selection.selectIds,
          })}
        </div>
      ) : (
        rowGrid
      )}
      {menu && <ContextMenu at={menu} subjects={menu.subjects} onClose={() => setMenu(null)} onLeft={leaveBar} />}
      {arranging && (
        <ColumnsDialog
          open
          onClose={() => setArranging(false)}
          columns={props.columns}
          arranged={table}
          drawn={grid.current?.visibleColumns() ?? []}
          narrow={grid.current?.cells?.().length === 0}
          widthOf={(id) => Math.round(grid.current?.widthOf?.(id) ?? 0)}
        />
      )}
    </div>
  )
}

/** Lets records opened from the list, or records it contains, move on to the next one. */
function useStepsAlong<Row extends object>(
  { source, noun, view, hrefOf, childrenOf }: ListScreenProps<Row>,
  now: {
    list: string
    shown: FlatRows<Row>
    rows: Rows<Row>
    open: ReadonlySet<number>
    itemOf(row: Row, level: number): Item<Row>
    moveTo(index: number): void
  },
) {
  const { list } = now
  const find = (test: (item: Item<Row>) => boolean): Step<Row> | null => {
    const { shown, rows, open, itemOf } = now
    if (!hrefOf || rows.stale || rows.count === undefined) return null
    for (const item of shown.items()) {
      if (!test(item)) continue
      const { count, chunks, remembered } = rows
      const place = { list, key: view.key }
      const trail = { source, noun, itemOf, hrefOf, childrenOf, open, count, chunks, remembered, place }
      const row = remembered ? null : item.row
      return { trail, id: item.id, record: shown.recordAt(shown.indexOf(item.id)), row }
    }
    return null
  }
  const latest = useRef(find)
  latest.current = find
  const around = useRef(now)
  around.current = now
  useEffect(
    () =>
      offerList(list, {
        find: (key) => latest.current(({ row }) => recordKey(match(hrefAt.current?.(row) ?? '')) === key) as Step | null,
        moveTo(id, record) {
          const { shown, moveTo } = around.current
          const index = shown.indexOf(id)
          moveTo(index >= 0 ? index : shown.indexAt(record))
        },
      }),
    [list],
  )
  const hrefAt = useRef(hrefOf)
  hrefAt.current = hrefOf
  return latest
}

/** Adds the columns of this user to a list's state, so that a view keeps them. */
const withColumns = ({ state, settle }: Pick<ListView, 'state' | 'settle'>, columns: string | null): string =>
  columns === null || /(^|&)columns=/.test(state) ? state : settle(`${state}${state ? '&' : ''}columns=${encodeQuery(columns)}`)

/** If no column has the order of the URL, resets it to the default and reports that. */
function useUnknownSort<Row>(view: ListView, columns: readonly Column<Row>[]): boolean {
  const { sort, usualSort, sortBy } = view
  const unknown =
    sort !== undefined && !sameSort(sort, usualSort) && !columns.some(({ id, sortable }) => sortable && id === sort.column)
  const name = sort?.column
  useEffect(() => {
    if (!unknown) return
    workspace.notice(`This list can’t be sorted by “${name}”, so it’s in its default order`)
    sortBy(null)
  }, [unknown, name, sortBy])
  return unknown
}

/** Announces a new order of the list, which only the header shows. */
function useSpokenSort<Row>({ sort }: ListView, columns: readonly Column<Row>[], active: boolean): void {
  const column = sort && columns.find(({ id }) => id === sort.column)
  const words = column
    ? `Sorted by ${column.header}, ${sort.direction === 'asc' ? 'ascending' : 'descending'}.`
    : 'In the default order.'
  const last = useRef(words)
  useEffect(() => {
    if (active && words !== last.current) announce(() => words)
    last.current = words
  }, [words, active])
}

function withOpen(before: ReadonlySet<number>, id: number, open: boolean): ReadonlySet<number> {
  if (before.has(id) === open) return before
  const next = new Set(before)
  if (open) next.add(id)
  else next.delete(id)
  return next
}
