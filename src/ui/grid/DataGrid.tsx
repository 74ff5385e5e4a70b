// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are placed by hand, which table rows cannot be
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus, aria-activedescendant names the row
// biome-ignore-all lint/a11y/useKeyWithClickEvents: keys reach rows through the dispatcher, by the grid's controlled props
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: the role is grid or treegrid, both have these
// biome-ignore-all lint/a11y/noStaticElementInteractions: a double click is a short way to what a key does
import {
  type MouseEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { cx } from '../cx.ts'
import { printedRows, usePrinting } from '../printState.ts'
import { Skeleton } from '../States.tsx'
import { useRowHeight } from '../useTokens.ts'
import { useWidth } from '../useWidth.ts'
import { type Column, type OpenHow, openHow, pinColumns, placeColumns, type RowId, type Sort } from './columns.ts'
import { GridHeader } from './GridHeader.tsx'
import { GridRow, narrowColumns, type RowActions } from './GridRow.tsx'
import { useNeeds } from './useNeeds.ts'
import { useVirtualRows } from './useVirtualRows.ts'

/** The rows of a grid: an array, or an object that creates each row on access. */
type RowList<Row> = {
  readonly length: number
  at: (index: number) => Row | undefined
  /** The loaded rows in order; by default all. */
  items?: () => Iterable<Row>
}

/** What the key dispatcher calls on a grid. */
export type GridHandle = {
  focus: () => void
  scrollTo: (index: number) => void
  rowsInView: () => number
  /** Ids of the columns visible at the current width. */
  visibleColumns: () => readonly string[]
  /** Ids of the columns whose cells the cursor can be on; none in two-line rows. */
  cells?: () => readonly string[]
  /** A column's current width in px; 0 if it isn't drawn. */
  widthOf?: (column: string) => number
  /** The screen position of the cursor's row, to open its menu; null if it isn't drawn. */
  cursorBox?: () => DOMRect | null
}

/** The props of a grid; the caller owns all state. */
export type DataGridProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: RowList<Row>
  rowId: (row: Row) => RowId
  /** Index of the cursor's row in `rows`; -1 for none. */
  cursor: number
  onCursor: (index: number) => void
  selected?: ReadonlySet<RowId>
  /** Selects one row, or with `range` from the last selected one to here. Omit it to disable selection. */
  onSelect?: (index: number, range: boolean) => void
  onSelectAll?: () => void
  /** All matches are selected, including ones not in `rows`. */
  allSelected?: boolean
  onOpen?: (row: Row, how: OpenHow) => void
  sort?: Sort
  /** `first` is the direction of the first click. */
  onSort?: (column: string, first: Sort['direction']) => void
  /** Depth from 1, and open or not (undefined for a leaf). Makes a treegrid; the caller flattens the tree. */
  tree?: (row: Row) => { level: number; expanded?: boolean }
  onExpand?: (row: Row, index: number) => void
  editing?: { id: RowId; column: string } | null
  onEdit?: (cell: { id: RowId; column: string } | null) => void
  /** Called with the reason why a row can't be edited. */
  onRefused?: (reason: string) => void
  /** Called when an edited cell leaves the list with unsaved text. */
  onLost?: (typed: string) => void
  rowMenu?: (row: Row) => ReactNode
  /** The URL that a row's name links to; null for rows that don't open. */
  hrefOf?: (row: Row) => string | null
  /** Called on a right click, to open the menu of the cursor's row at this position. */
  onMenu?: (at: { x: number; y: number }) => void
  /** The column of the cell under the cursor; without one, the cursor is on the whole row. */
  cell?: string | null
  /** Called with the width while a column's edge is dragged; null restores the default. */
  onResize?: (column: string, width: number | null) => void
  /** Called when a column is dropped before another one, or last (null). */
  onMove?: (column: string, before: string | null) => void
  /** Called with the number of columns drawn, because fewer fit into a narrow list. */
  onPlaced?: (columns: number) => void
  /** Called when the visible rows change, so that the caller can load missing ones. */
  onRange?: (first: number, last: number, top: number) => void
  /** The scroll position to restore, in px. */
  startTop?: number
  loading?: boolean
  /** Makes the grid as high as its rows; the pane scrolls. */
  fits?: boolean
  empty?: ReactNode
  error?: ReactNode
  className?: string
  ref?: Ref<GridHandle>
}

const NARROW = 560
/** The sticky header's height in px. */
const HEAD = 32

/** The sizes (px) of the lists shown last, by their labels: the next one with a label is usually as large. */
const shown = new Map<string, { width: number; room: number }>()
const UNKNOWN = { width: 0, room: 0 }

/**
 * A virtual list with cursor, selection, sorting, tree and inline edit; two-line rows below 560 px of own width.
 * It holds the DOM focus and names the cursor's row by aria-activedescendant; keys arrive through its props.
 */
export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { columns, rows, rowId, cursor, selected, onSelect, tree, rowMenu, editing } = props
  const gridId = useId()
  const printing = usePrinting()
  const scroller = useRef<HTMLDivElement>(null)
  const [likely] = useState(() => (!props.fits && shown.get(props.label)) || UNKNOWN)
  const width = useWidth(scroller, likely.width)
  const line = useRowHeight()
  // In a narrow list, columns shown on request keep it a table; those of a wider window don't.
  const narrow = width > 0 && width < NARROW && !columns.some((column) => column.always === 'narrow')
  const height = narrow ? line + 20 : line
  const selectable = Boolean(onSelect)
  const hasMenu = Boolean(rowMenu)
  const [drawnIds, setDrawnIds] = useState('')
  const ready = rows.length > 0 && width > 0
  const topRow = rows.at(0)
  const needs = useNeeds(
    scroller,
    props.label,
    ready && !narrow,
    `${drawnIds} ${topRow === undefined ? '' : String(rowId(topRow))}`,
  )
  const lead = selectable ? 40 : 0
  const end = hasMenu ? 40 : 8
  const placed = useMemo(() => {
    const fitted = placeColumns(columns, width - lead - end, needs)
    return sumOf(fitted) + lead + end > width ? pinColumns(fitted, lead, width) : fitted
  }, [columns, width, lead, end, needs])
  // A column that gets room is drawn before what it needs is known.
  const ids = placed.map(({ column }) => column.id).join()
  if (ids !== drawnIds) setDrawnIds(ids)

  const needed = sumOf(placed) + lead + end
  const minWidth = !narrow && needed > width && width > 0 ? needed : undefined
  const drawnColumns = narrow ? narrowColumns(columns).length : placed.length
  const { onPlaced } = props
  useEffect(() => {
    if (width > 0) onPlaced?.(drawnColumns)
  }, [drawnColumns, width, onPlaced])

  const viewport = useVirtualRows({
    scroller,
    count: ready ? rows.length : 0,
    height,
    head: HEAD,
    cursor,
    startTop: props.startTop ?? 0,
    likelyRoom: likely.room,
  })
  const { first, last, topNow } = viewport
  const { onRange } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: topNow reads what is so now
  useEffect(() => {
    // Excludes the cursor's row, which is drawn wherever it is.
    if (ready) onRange?.(first, last, topNow())
  }, [first, last, onRange, ready])

  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    if (width > 0 && !props.fits) shown.set(props.label, { width, room: viewport.roomNow() })
  })
  const focus = () => scroller.current?.focus({ preventScroll: true })
  useImperativeHandle(props.ref, () => ({
    focus,
    scrollTo: viewport.scrollTo,
    rowsInView: viewport.rowsInView,
    cells: () => (narrow ? [] : placed.map(({ column }) => column.id)),
    widthOf: (id) => placed.find(({ column }) => column.id === id)?.width ?? 0,
    cursorBox: () => scroller.current?.querySelector('[role=row][data-cursor]')?.getBoundingClientRect() ?? null,
    visibleColumns: () => (narrow ? narrowColumns(columns) : placed.map(({ column }) => column)).map(({ id }) => id),
  }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads what is latest, so that rows stay memoised
  const actions = useMemo<RowActions<Row>>(
    () => ({
      click(index, event) {
        const now = latest.current
        // Selecting text isn't a click on the row.
        if (!window.getSelection()?.isCollapsed && !event.shiftKey) return
        now.onCursor(index)
        focus()
        const row = now.rows.at(index)
        if (row !== undefined && event.detail < 2) now.onOpen?.(row, openHow(event))
      },
      select(index, range) {
        latest.current.onCursor(index)
        latest.current.onSelect?.(index, range)
        focus()
      },
      expand(index) {
        const row = latest.current.rows.at(index)
        latest.current.onCursor(index)
        if (row !== undefined) latest.current.onExpand?.(row, index)
        focus()
      },
      edit(index, column) {
        const row = latest.current.rows.at(index)
        if (row === undefined) return
        const refused = latest.current.columns.find(({ id }) => id === column)?.edit?.refused?.(row)
        if (refused) latest.current.onRefused?.(refused)
        else latest.current.onEdit?.(column === null ? null : { id: latest.current.rowId(row), column })
      },
      menu: (row) => latest.current.rowMenu?.(row),
      href: (row) => latest.current.hrefOf?.(row) ?? null,
      behind(index) {
        const row = latest.current.rows.at(index)
        if (row !== undefined) latest.current.onOpen?.(row, 'background')
      },
      focus,
      lost: (typed) => latest.current.onLost?.(typed),
    }),
    [],
  )

  const held = selected?.size ?? 0
  const rowKey = (index: number) => `${gridId}-${String(rowId(rows.at(index)!))}`
  const current = cursor >= 0 && cursor < rows.length ? rowKey(cursor) : undefined
  const cell = !narrow && props.cell && placed.some(({ column }) => column.id === props.cell) ? props.cell : null
  const stays = placed.findLast((one) => one.left !== undefined)
  // Scrolls sideways to the cell under the cursor; columns that stay cover what is below them.
  useEffect(() => {
    const box = scroller.current
    if (!box || !cell || minWidth === undefined) return
    const at = placed.findIndex(({ column }) => column.id === cell)
    if (at < 0 || placed[at]!.left !== undefined) return
    const left = lead + sumOf(placed.slice(0, at))
    const covered = stays ? stays.left! + stays.width : 0
    if (left < box.scrollLeft + covered) box.scrollLeft = left - covered
    else box.scrollLeft = Math.max(box.scrollLeft, left + placed[at]!.width - box.clientWidth)
  }, [cell, placed, stays, lead, minWidth])
  const openMenu = (event: MouseEvent<HTMLElement>) => {
    const target = event.target as Element
    // Shift+right click opens the browser's menu, as fields and selected text do.
    if (event.shiftKey || !props.onMenu || target.closest('input, textarea') || !window.getSelection()?.isCollapsed) return
    const row = target.closest('[role=row]')
    const index = row ? Number(row.getAttribute('aria-rowindex')) - 2 : cursor
    if (index < 0 || rows.at(index) === undefined) return
    event.preventDefault()
    if (row) props.onCursor(index)
    focus()
    props.onMenu({ x: event.clientX, y: event.clientY })
  }
  const grid = (
    <div
      ref={scroller}
      role={tree ? 'treegrid' : 'grid'}
      aria-label={props.label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + (selectable ? 1 : 0) + (hasMenu ? 1 : 0)}
      aria-multiselectable={selectable || undefined}
      aria-activedescendant={current && cell ? `${current}-${cell}` : current}
      onContextMenu={openMenu}
      aria-busy={props.loading || undefined}
      tabIndex={0}
      className={cx(
        'group/grid relative outline-none',
        // While useNeeds reads what columns need.
        'data-measuring:**:data-head:w-max! data-measuring:**:data-of:w-max!',
        minWidth === undefined ? 'overflow-x-hidden' : 'overflow-x-auto',
        props.fits ? 'overflow-y-hidden' : 'min-h-0 flex-1 overflow-y-auto short:h-[max(8rem,50dvh)] short:flex-none',
        props.className,
      )}
    >
      <GridHeader
        gridId={gridId}
        onResize={props.onResize}
        onMove={props.onMove}
        minWidth={minWidth}
        placed={placed}
        columns={columns}
        narrow={narrow}
        sort={props.sort}
        onSort={props.onSort}
        selectable={selectable}
        selected={held === 0 ? false : (props.allSelected ?? held === rows.length) ? true : 'some'}
        onSelectAll={props.onSelectAll}
        hasMenu={hasMenu}
      />
      {ready && (
        <div
          role="rowgroup"
          className={cx('relative', props.loading && 'opacity-60')}
          style={{ height: viewport.high, minWidth }}
        >
          {viewport.rows.map(({ index, start }) => {
            const row = rows.at(index)
            if (row === undefined) return null
            const id = rowId(row)
            const branch = tree?.(row)
            return (
              <GridRow
                key={String(id)}
                id={rowKey(index)}
                gridId={gridId}
                cell={index === cursor ? cell : null}
                row={row}
                index={index}
                ariaIndex={index + 2}
                top={start - viewport.ahead}
                height={height}
                placed={placed}
                columns={columns}
                narrow={narrow}
                isCursor={index === cursor}
                isSelected={selected?.has(id) ?? false}
                selectable={selectable}
                tree={Boolean(tree)}
                level={branch?.level}
                expanded={branch?.expanded}
                editing={editing?.id === id ? editing.column : null}
                hasMenu={hasMenu}
                actions={actions}
              />
            )
          })}
        </div>
      )}
      {rows.length === 0 && (
        <div role="rowgroup">
          <div role="row" aria-rowindex={2}>
            <div role="gridcell" aria-colindex={1}>
              {props.error ?? (props.loading ? <Skeleton rows={10} /> : props.empty)}
            </div>
          </div>
        </div>
      )}
    </div>
  )
  const PrintedRows = printing ? printedRows() : null
  if (!PrintedRows || rows.length === 0) return grid
  const printed =
    narrow || width === 0 ? columns.filter((column) => column.narrow !== 'hidden') : placed.map(({ column }) => column)
  return (
    <>
      {grid}
      <div data-paper-only="">
        <PrintedRows<Row>
          label={props.label}
          columns={printed}
          rows={loadedOf(rows)}
          rowId={rowId}
          all={rows.length}
          levelOf={tree && ((row) => tree(row).level)}
        />
      </div>
    </>
  )
}

const sumOf = (placed: readonly { width: number }[]): number => placed.reduce((sum, one) => sum + one.width, 0)

/** Returns the loaded rows in order. */
function loadedOf<Row>(rows: RowList<Row>): Row[] {
  if (rows.items) return [...rows.items()]
  return Array.from({ length: rows.length }, (_, index) => rows.at(index)).filter((row) => row !== undefined)
}
