import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { compareText, foldText } from '../../contract/foldText.ts'
import { count } from '../../contract/format.ts'
import { areasOn } from '../commands/commandAreas.ts'
import type { Subject } from '../commands/subject.ts'
import type { CommandId } from '../commands/table.ts'
import { named } from '../commands/words.ts'
import type { Where } from '../routing/layout.ts'
import { CommandButton } from '../runner/CommandButton.tsx'
import { CommandRowMenu, ContextMenu } from '../runner/CommandMenu.tsx'
import { Button } from '../ui/Button.tsx'
import type { Column, Sort } from '../ui/grid/columns.ts'
import { DataGrid, type DataGridProps, type GridHandle } from '../ui/grid/DataGrid.tsx'
import { SearchInput } from '../ui/SearchInput.tsx'
import { workspace } from '../workspace/currentWorkspace.ts'
import { focusChanged } from '../workspace/focusLater.ts'
import { usePane } from '../workspace/pane.tsx'
import { useFocusOnArrival } from '../workspace/useFocusOnArrival.ts'
import { type Gap, type Item, isGap, itemMaker, shownOf } from './flattenRows.ts'
import { gridColumns } from './gridColumns.tsx'
import { useListView } from './listView.ts'
import { noteStep, type Trail } from './recordTrails.ts'
import { SearchToggle } from './SearchToggle.tsx'
import { useCursor } from './useCursor.ts'
import { useHiddenSearch } from './useHiddenSearch.ts'
import { menuSubjects, useListController } from './useListController.ts'
import type { ListSelection } from './useSelection.ts'

/** A column of a short list; `by` makes it sortable by that value, with rows without a value last. */
export type ShortColumn<Row> = Omit<Column<Row>, 'sortable'> & { by?: (row: Row) => number | string | null }

interface Props<Row extends object> {
  title: string
  /** What the rows are, singular and plural. */
  nouns: readonly [one: string, many: string]
  /** All rows in their default order. */
  rows: readonly Row[]
  columns: readonly ShortColumn<Row>[]
  subjectOf(row: Row): Subject
  /** What Enter or a click on a row does; without it, Enter edits a row whose columns allow it. */
  onOpen?(row: Row): void
  /** Returns the URL that `onOpen` leads to; this list then decides the record's next one. */
  hrefOf?(row: Row): string
  /** Returns the text that a search looks in; omit it for no search. */
  textOf?(row: Row): string
  /** Commands above the rows: on nothing, or on the pane's subject. */
  actions?: readonly CommandId[]
  /** Commands for the selected rows, shown instead of the others. */
  bulk?: readonly CommandId[]
  /** The commands of a row's menu; defaults to all of its kind. */
  menu?: readonly CommandId[]
  /** Called with the number of selected rows. */
  onSelected?(rows: number): void
  empty: ReactNode
  /** The row with the initial cursor, by its subject's id. */
  begin?: number | null
  /** Rows per page in the specification: the step of [ and ]; defaults to all rows. */
  pageSize?: number
  /** A filter of the pane, next to the search. */
  lead?: ReactNode
  /** Shows the rows in columns; the row in the next column is `step` rows away. */
  compact?: { step: number; draw(grid: DataGridProps<Item<Row> | Gap>): ReactNode }
}

const NO_FILTERS = {}
const NOTHING_OPEN: ReadonlySet<number> = new Set()
const NO_VIEWS = null
const NOT_EXPORTED = null
const keyOf = <Row,>(one: Item<Row> | Gap) => (isGap(one) ? `gap-${one.gap}` : one.id)

/** Sorts by a column's value; equal rows and those without a value keep their order. */
export function sortedBy<Row>(
  rows: readonly Row[],
  columns: readonly ShortColumn<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const by = sort && columns.find(({ id }) => id === sort.column)?.by
  if (!sort || !by) return rows
  const sign = sort.direction === 'asc' ? 1 : -1
  return [...rows].sort((a, b) => {
    const [x, y] = [by(a), by(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return sign * (typeof x === 'string' || typeof y === 'string' ? compareText(String(x), String(y)) : x - y)
  })
}

/** A selection of rows that are all loaded. */
function useShortSelection(items: readonly { id: number; subject: Subject }[]): ListSelection {
  const [ids, setIds] = useState<ReadonlySet<number>>(NOTHING_OPEN)
  const anchor = useRef(-1)
  const latest = useRef(items)
  latest.current = items
  // Rows that are gone are no longer selected.
  const there = useMemo(() => items.filter(({ id }) => ids.has(id)), [items, ids])
  const between = useCallback((from: number, to: number) => {
    const [first, last] = [Math.min(from, to), Math.max(from, to)]
    const ids = latest.current.slice(first, last + 1).map(({ id }) => id)
    setIds((before) => new Set([...before, ...ids]))
  }, [])
  const select = useCallback(
    (index: number, range: boolean) => {
      const started = anchor.current
      anchor.current = index
      if (range && started >= 0) return between(started, index)
      const id = latest.current[index]?.id
      if (id === undefined) return
      setIds((before) => {
        const next = new Set(before)
        if (!next.delete(id)) next.add(id)
        return next
      })
    },
    [between],
  )
  const extend = useCallback(
    (from: number, to: number) => {
      between(from, to)
      anchor.current = to
    },
    [between],
  )
  const clear = useCallback(() => setIds(NOTHING_OPEN), [])
  const all = items.length > 0 && there.length === items.length
  const selectAll = useCallback(() => (all ? clear() : setIds(new Set(latest.current.map(({ id }) => id)))), [all, clear])
  return useMemo(
    () => ({
      selected: there.map(({ subject }) => subject),
      ids: new Set<string | number>(there.map(({ id }) => id)),
      leftOut: 0,
      all,
      select,
      extend,
      // All rows are loaded, so that a range is given by its two ends.
      span: extend,
      selectAll,
      // Short lists have no map.
      selectIds: () => {},
      clear,
    }),
    [there, all, select, extend, selectAll, clear],
  )
}

/** A list of rows that a pane has read, with cursor, selection, sorting and row commands, as high as its rows. */
export function ShortList<Row extends object>(props: Props<Row>) {
  const {
    title,
    nouns,
    rows,
    columns,
    subjectOf,
    onOpen,
    hrefOf,
    textOf,
    bulk = [],
    actions = [],
    menu,
    onSelected,
    begin = null,
  } = props
  const pane = usePane()
  const view = useListView(NO_FILTERS)
  const grid = useRef<GridHandle>(null)
  const whole = useRef<HTMLDivElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const wanted = textOf ? foldText(view.typed).trim() : ''
  const found = useMemo(
    () => sortedBy(wanted ? rows.filter((row) => foldText(textOf!(row)).includes(wanted)) : rows, columns, view.sort),
    [rows, wanted, textOf, columns, view.sort],
  )
  const itemOf = useMemo(() => itemMaker(subjectOf), [subjectOf])
  const shown = useMemo(
    () =>
      shownOf<Row>({
        count: found.length,
        chunk: Math.max(1, found.length),
        chunks: new Map([[1, found]]),
        open: NOTHING_OPEN,
        childrenOf: undefined,
        itemOf,
      }),
    [found, itemOf],
  )
  const items = useMemo(() => [...shown.items()], [shown])
  const [place] = useState(() => {
    const at = begin === null ? -1 : shown.indexOf(begin)
    return at < 0 ? null : { key: view.key, id: begin, at, top: 0 }
  })
  const cursor = useCursor(shown, view, Math.max(1, found.length), grid, {
    list: `${pane.id} ${title}`,
    place,
    remembered: false,
    active: pane.active,
  })
  const selection = useShortSelection(items)
  /** The current list, for records that were opened from it. */
  const latest = useRef(found)
  latest.current = found
  const trail = useRef<Trail<Row> | null>(null)
  const noun = nouns[1]
  const [editing, setEditing] = useState<{ id: string | number; column: string } | null>(null)
  const edit = useCallback((id: number, column: string) => setEditing({ id, column }), [])
  const editable = columns.find((column) => column.edit)?.id
  const open = useCallback(
    (row: Row, where?: Where) => {
      if (!onOpen) {
        const { id, subject } = itemOf(row, 0)
        if (editable && where !== 'glance') return edit(id, editable)
        return workspace.notice(`There is nothing to open for ${named(subject)}.`)
      }
      if (hrefOf) {
        trail.current ??= {
          ...{ source: null, rows: () => latest.current, noun, itemOf, hrefOf, childrenOf: undefined },
          ...{ open: NOTHING_OPEN, count: latest.current.length, chunks: new Map(), place: null },
        }
        noteStep(hrefOf(row), { trail: trail.current, id: itemOf(row, 0).id, record: latest.current.indexOf(row), row: null })
      }
      onOpen(row)
    },
    [onOpen, hrefOf, itemOf, noun, editable, edit],
  )
  const [searching, setSearching] = useState(false)
  const searchVisibility = useHiddenSearch(nouns[1], searching || view.typed !== '', () => {
    view.setSearch('')
    setSearching(false)
  })
  const search = useCallback(
    () =>
      focusChanged(
        () => setSearching(true),
        () => box.current,
      ),
    [],
  )
  const leaveSearch = () => {
    setSearching(false)
    grid.current?.focus()
  }
  const nothing = useCallback(() => {}, [])
  const [opened, setOpened] = useState<{ x: number; y: number; subjects: readonly Subject[] } | null>(null)
  const { here } = cursor
  const openMenu = useCallback(
    (at: { x: number; y: number }) => {
      const { row } = here()
      if (row && areasOn(row.subject.kind).length) setOpened({ ...at, subjects: menuSubjects(selection, row) })
    },
    [here, selection],
  )
  const forGrid = useMemo(
    () => gridColumns<Row>(columns.map(({ by, ...column }) => ({ ...column, ...(by ? { sortable: true } : {}) }))),
    [columns],
  )
  useListController<Row>({
    shown,
    cursor,
    selection,
    bar,
    grid,
    columns,
    exportable: NOT_EXPORTED,
    views: NO_VIEWS,
    pageSize: props.pageSize ?? Math.max(1, found.length),
    stale: false,
    loading: false,
    openRow: open,
    ...(textOf ? { search, searchVisibility } : {}),
    edit,
    expand: nothing,
    across: props.compact?.step ?? 0,
    openMenu,
  })
  useScrolled(whole, cursor.at, pane.active)
  // Leaves the focus on the tabs of steps, whose arrow keys lead here.
  useFocusOnArrival(pane, () => grid.current?.focus())
  const { selected } = selection
  const many = selected.length
  useEffect(() => onSelected?.(many), [many, onSelected])
  const onRows = selected.length > 0 && bulk.length > 0
  const shownCommands = onRows ? bulk : actions
  const gridProps: DataGridProps<Item<Row> | Gap> = {
    ref: grid,
    label: title,
    fits: true,
    columns: forGrid,
    rows: shown,
    rowId: keyOf,
    cursor: cursor.at,
    onCursor: cursor.moveTo,
    selected: selection.ids,
    allSelected: selection.all,
    onSelect: selection.select,
    onSelectAll: selection.selectAll,
    onOpen: (one) => onOpen && !isGap(one) && open(one.row),
    onMenu: openMenu,
    ...(view.sort ? { sort: view.sort } : {}),
    onSort: view.setSort,
    editing,
    onEdit: setEditing,
    rowMenu: (one) => (isGap(one) ? null : <CommandRowMenu subject={one.subject} {...(menu ? { ids: menu } : {})} />),
    empty: wanted ? <p className="px-4 py-6 text-center text-muted">Nothing found.</p> : props.empty,
  }
  return (
    <div ref={whole} className="[&_[role=row]]:scroll-mt-32 [&_[role=row]]:scroll-mb-8">
      <div ref={bar} className="@container flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1.5 px-4 py-1.5">
        <span className="text-meta whitespace-nowrap text-muted tabular-nums" aria-live="polite" aria-atomic="true">
          {count(found.length)} {nouns[found.length === 1 ? 0 : 1]}
          {selected.length > 0 && ` · ${count(selected.length)} selected`}
        </span>
        {textOf && !searchVisibility.isHidden && (
          <SearchInput
            ref={box}
            className="w-48 @max-md:w-auto @max-md:min-w-36 @max-md:flex-1"
            label={`Search ${nouns[1]}`}
            placeholder={`Search ${nouns[1]}`}
            kbd="/"
            value={view.typed}
            onChange={view.setSearch}
            onEnter={leaveSearch}
            onClose={leaveSearch}
          />
        )}
        {textOf && <SearchToggle {...searchVisibility} />}
        {props.lead}
        {(selected.length > 0 || actions.length > 0) && (
          <span className="ml-auto flex flex-wrap items-center justify-end gap-1.5">
            {shownCommands.map((id) => (
              <CommandButton key={id} id={id} {...(onRows ? { subjects: selected } : {})} />
            ))}
            {selected.length > 0 && (
              <Button data-command="list.clearMarks" onClick={selection.clear} kbd="Esc">
                Clear selection
              </Button>
            )}
          </span>
        )}
      </div>
      {props.compact ? props.compact.draw(gridProps) : <DataGrid {...gridProps} />}
      {opened && (
        <ContextMenu
          at={opened}
          subjects={opened.subjects}
          {...(menu && opened.subjects.length === 1 ? { ids: menu } : {})}
          onClose={() => setOpened(null)}
          onLeft={() => grid.current?.focus()}
        />
      )}
    </div>
  )
}

/** Keeps the cursor's row visible, because the pane scrolls instead of the list. */
function useScrolled(whole: { current: HTMLElement | null }, at: number, active: boolean): void {
  const before = useRef(at)
  useEffect(() => {
    if (before.current === at) return
    before.current = at
    if (active) whole.current?.querySelector(`[role=row][aria-rowindex="${at + 2}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [whole, at, active])
}
