import { type RefObject, useEffect, useLayoutEffect, useMemo } from 'react'
import type { Subject } from '../commands/subject.ts'
import type { ListController } from '../commands/workspaceApi.ts'
import type { Where } from '../routing/layout.ts'
import type { Column } from '../ui/grid/columns.ts'
import type { GridHandle } from '../ui/grid/DataGrid.tsx'
import { workspace } from '../workspace/currentWorkspace.ts'
import { bufferKeys } from '../workspace/keys/typeahead.ts'
import { usePane } from '../workspace/pane.tsx'
import { altered, fitting, nameColumn, STEP, stepped } from './columnChoice.ts'
import { type FlatRows, type Item, isGap } from './flattenRows.ts'
import type { ListColumns } from './useColumns.ts'
import type { Cursor } from './useCursor.ts'
import type { SearchVisibility } from './useHiddenSearch.ts'
import type { ListSelection } from './useSelection.ts'

/** A preview of the cursor's row over the list: Space opens and closes it, arrows move within it, Escape closes it. */
export interface ListPreview<Row> {
  isOpen: boolean
  show(row: Row | null): void
  zoomBy(by: 1 | -1): void
}

/** Returns what the menu of a row acts on: the row, or the whole selection if the row is in it. */
export const menuSubjects = (selection: ListSelection, row: { id: number; subject: Subject }): readonly Subject[] =>
  selection.selected.length > 1 && selection.selected.some(({ id, kind }) => id === row.subject.id && kind === row.subject.kind)
    ? selection.selected
    : [row.subject]

interface Parts<Row extends object> {
  shown: FlatRows<Row>
  cursor: Cursor<Row>
  selection: ListSelection
  bar: RefObject<HTMLElement | null>
  grid: RefObject<GridHandle | null>
  columns: readonly Column<Row>[]
  exportable: ListController['exportable']
  views: ListController['views']
  pageSize: number
  /** True if the visible rows belong to another search while the right ones load. */
  stale: boolean
  /** True while its first rows load. */
  loading: boolean
  openRow(row: Row, where: Where): void
  search?(): void
  searchVisibility?: SearchVisibility | undefined
  edit(id: number, column: string): void
  expand(id: number, open: boolean): void
  /** True if a row is a branch that → opens now. */
  opens?(row: Item<Row>): boolean
  /** Returns the index of the next row that passes a test; -1 if there is none. */
  next?(from: number, test: (subject: Subject) => boolean, signal: AbortSignal): Promise<number>
  preview?: ListPreview<Row> | undefined
  toggleMap?: (() => void) | undefined
  toggleCompact?: (() => void) | undefined
  /** How many rows away the row in the next column is, in a list that shows columns of rows; otherwise 0. */
  across?: number
  arranged?: Pick<ListColumns<Row>, 'chosen' | 'changed' | 'change' | 'reset'>
  openColumns?(): void
  orders?: ListController['orders'] | undefined
  clear?: ListController['clear'] | undefined
  /** The column of the cell under the cursor. */
  cell?: string | null
  setCell?(cell: string | null): void
  openMenu?(menu: { x: number; y: number; subjects: readonly Subject[] }): void
}

/** Opens a menu by its button; keys pressed before it appears go to the menu. */
function openByButton(button: HTMLElement | null | undefined): void {
  if (!button) return
  bufferKeys()
  button.click()
}

/** Returns the column that commands change: that of the cell, or of the focused header. */
function columnsAt<Row extends object>(
  { chosen, changed, change, reset }: NonNullable<Parts<Row>['arranged']>,
  open: () => void,
  columns: readonly Column<Row>[],
  cell: string | null,
  setCell: ((cell: string | null) => void) | undefined,
  grid: RefObject<GridHandle | null>,
): NonNullable<ListController['columnsAt']> {
  const now = () => {
    const id = cell ?? document.activeElement?.closest<HTMLElement>('[data-head]')?.dataset.head
    return id !== undefined && chosen.some((one) => one.id === id) ? id : null
  }
  const on = (work: (id: string) => void) => () => {
    const id = now()
    if (id !== null) work(id)
  }
  const wider = (by: number) =>
    on((id) => change(altered(chosen, id, { width: fitting((grid.current?.widthOf?.(id) || 120) + by) })))
  return {
    open,
    changed,
    reset,
    all: columns.filter((column) => column !== nameColumn(columns)),
    chosen,
    change,
    get header() {
      const id = now()
      return columns.find((column) => column.id === id)?.header ?? null
    },
    get isName() {
      return now() === nameColumn(columns)?.id
    },
    wider: wider(STEP),
    narrower: wider(-STEP),
    left: on((id) => change(stepped(chosen, id, -1))),
    right: on((id) => change(stepped(chosen, id, 1))),
    get isPinned() {
      const id = now()
      return chosen.some((one) => one.id === id && one.pinned === true)
    },
    pin: on((id) => change(altered(chosen, id, { pinned: !chosen.find((one) => one.id === id)?.pinned }))),
    hide: on((id) => {
      const cells = grid.current?.cells?.() ?? []
      const at = cells.indexOf(id)
      // Moves the cell cursor to the column next to it.
      if (id === cell) setCell?.(cells[at + 1] ?? cells[at - 1] ?? null)
      change(chosen.filter((one) => one.id !== id))
    }),
  }
}

/** Publishes a list to keys and commands while mounted; a new object whenever cursor or selection changes. */
export function useListController<Row extends object>(parts: Parts<Row>): void {
  const {
    shown,
    cursor,
    selection,
    bar,
    grid,
    columns,
    exportable,
    views,
    pageSize,
    stale,
    loading,
    openRow,
    search,
    searchVisibility,
    edit,
    expand,
    opens,
    next,
    preview,
    toggleMap,
    toggleCompact,
    across = 0,
    arranged,
    openColumns,
    orders,
    clear,
    cell = null,
    setCell,
    openMenu,
  } = parts
  const toggleSearch = searchVisibility?.toggle
  const { selectNext } = selection
  const searchHidden = searchVisibility?.isHidden === true
  const { setList, pin } = usePane()
  const { row, here, moveTo } = cursor
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new object with each row, so that who shows the row under the cursor hears of it
  const list = useMemo<ListController>(
    () => ({
      get cursor() {
        // Until its rows load, the visible ones aren't those requested.
        return stale ? null : (here().row?.subject ?? null)
      },
      get loading() {
        return loading || stale ? 'rows' : here().row || !shown.length ? null : 'row'
      },
      selected: selection.selected,
      exportable,
      views,
      columns: (visibleOnly) =>
        visibleOnly && grid.current ? grid.current.visibleColumns() : columns.map((column) => column.id),
      move: (by) => moveTo(here().at + by),
      screen: (by, count = 1) => moveTo(here().at + by * count * Math.max(1, (grid.current?.rowsInView() ?? 1) - 1)),
      end: (which) => moveTo(which === 'first' ? 0 : Number.MAX_SAFE_INTEGER),
      open: (where) => {
        const { row } = here()
        if (preview && where === 'glance') preview.show(preview.isOpen ? null : (row?.row ?? null))
        else if (row) openRow(row.row, where)
      },
      select: () => selection.select(here().at, false),
      selectRange: (by) => {
        const { at } = here()
        if (by === 0) return selection.select(at, true)
        const next = Math.max(0, Math.min(at + by, shown.length - 1))
        if (Math.abs(by) > 1) selection.span(at, next)
        else selection.extend(at, next)
        moveTo(next)
      },
      selectAll: selection.selectAll,
      ...(selectNext
        ? {
            async selectNext(count: number) {
              const last = await selectNext(Math.max(0, here().at), count)
              if (last !== null) moveTo(last)
            },
          }
        : {}),
      ...(selection.leavesFlagged ? { leavesFlagged: true } : {}),
      ...(selection.selectThese ? { selectThese: selection.selectThese } : {}),
      ...(selection.selectMatching ? { selectMatching: selection.selectMatching } : {}),
      ...(next
        ? {
            async seek(test, signal) {
              const found = await next(here().at, test, signal)
              if (found >= 0) moveTo(found)
              return found >= 0
            },
          }
        : {}),
      clearSelection: () => {
        // Leaves a filter that the `f` key went to.
        if (bar.current?.contains(document.activeElement)) grid.current?.focus()
        else if (preview?.isOpen) preview.show(null)
        else if (cell !== null) setCell?.(null)
        else if (selection.selected.length) selection.clear()
        else return false
        return true
      },
      ...(arranged && openColumns ? { columnsAt: columnsAt(arranged, openColumns, columns, cell, setCell, grid) } : {}),
      ...(orders ? { orders } : {}),
      ...(clear ? { clear } : {}),
      ...(openMenu
        ? {
            rowMenu() {
              const { row } = here()
              const box = grid.current?.cursorBox?.()
              if (!row || !box) return
              bufferKeys()
              openMenu({ x: box.left + 48, y: box.bottom, subjects: menuSubjects(selection, row) })
            },
          }
        : {}),
      ...(preview ? { zoom: preview.zoomBy } : {}),
      ...(toggleMap ? { toggleMap } : {}),
      ...(toggleCompact ? { toggleCompact, compact: across > 0 } : {}),
      ...(toggleSearch ? { toggleSearch, searchHidden } : {}),
      search,
      filter: () => {
        const lead = bar.current?.querySelector<HTMLElement>('[data-filter] input:checked')
        if (lead) lead.focus()
        else openByButton(bar.current?.querySelector<HTMLElement>('[data-filter] button'))
      },
      sort: () => openByButton(bar.current?.querySelector<HTMLElement>('[data-sort]')),
      page: (by) => {
        const page = Math.floor(Math.max(0, shown.recordAt(here().at)) / pageSize) + by
        moveTo(shown.indexAt(Math.max(0, page * pageSize)))
      },
      edit: () => {
        const column = columns.find((one) => one.edit && one.id === cell) ?? columns.find((one) => one.edit)
        const { row } = here()
        if (!column || !row) return
        const refused = column.edit?.refused?.(row.row)
        if (refused) return workspace.notice(refused, 'bad')
        pin()
        bufferKeys()
        edit(row.id, column.id)
      },
      expand: (open) => {
        const { at, row } = here()
        if (preview?.isOpen) return moveTo(Math.max(0, at + (open ? 1 : -1)))
        if (across) return moveTo(Math.max(0, at + (open ? across : -across)))
        if (!row) return
        // As in the ARIA tree grid: → opens a branch, then moves through the cells; ← goes back the same way.
        const cells = setCell ? (grid.current?.cells?.() ?? []) : []
        const on = cell === null ? -1 : cells.indexOf(cell)
        if (on >= 0) return setCell?.(cells[Math.min(cells.length - 1, on + (open ? 1 : -1))] ?? null)
        if (open && !(opens?.(row) ?? false)) return setCell?.(cells[0] ?? null)
        if (!open && row.level > 1) {
          for (let index = at - 1; index >= 0; index--) {
            const above = shown.at(index)
            if (above && !isGap(above) && above.level === 1) return moveTo(index)
          }
        }
        expand(row.id, open)
      },
      menu: () => workspace.palette({ text: '>' }),
    }),
    [
      shown,
      row,
      here,
      moveTo,
      loading,
      stale,
      grid,
      selection,
      bar,
      columns,
      exportable,
      views,
      pageSize,
      openRow,
      search,
      edit,
      expand,
      next,
      pin,
      preview,
      toggleMap,
      toggleCompact,
      toggleSearch,
      searchHidden,
      across,
      opens,
      arranged,
      openColumns,
      orders,
      clear,
      cell,
      setCell,
      openMenu,
    ],
  )
  // Runs together with the rows; a key in between would reach the previous list.
  useLayoutEffect(() => setList(list), [list, setList])
  useEffect(() => () => setList(null), [setList])
}
