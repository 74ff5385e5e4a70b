import { type RefObject, useEffect, useLayoutEffect, useMemo } from 'react'
import type { ListController } from '../../../commands/workspaceApi.ts'
import type { FlatRows } from '../../../list/flattenRows.ts'
import type { Cursor } from '../../../list/useCursor.ts'
import type { SearchVisibility } from '../../../list/useHiddenSearch.ts'
import type { Rows } from '../../../list/useRows.ts'
import type { ListSelection } from '../../../list/useSelection.ts'
import type { GridHandle } from '../../../ui/grid/DataGrid.tsx'
import { usePane } from '../../../workspace/pane.tsx'
import type { ContentItem } from '../../shared/ContentItem.tsx'
import type { usePreview } from '../../shared/preview.tsx'

/** Items per page. */
export const PAGE = 60

interface Gallery {
  shown: FlatRows<ContentItem>
  cursor: Cursor<ContentItem>
  rows: Rows<ContentItem>
  selection: ListSelection
  preview: ReturnType<typeof usePreview>
  exportable: ListController['exportable'] | undefined
  views: ListController['views']
  /** Tiles in a row. */
  across: number
  fresh: number
  onFresh(): void
  moveTo(index: number): void
  search(): void
  searchVisibility: SearchVisibility
  grid: RefObject<GridHandle | null>
  bar: RefObject<HTMLDivElement | null>
}

/** Publishes what keys and commands do in a gallery: its cursor moves along rows of tiles, or in the preview. */
export function useGalleryController({
  shown,
  cursor,
  rows,
  selection,
  preview,
  exportable,
  views,
  across,
  fresh,
  onFresh,
  moveTo,
  search,
  searchVisibility,
  grid,
  bar,
}: Gallery): void {
  const { setList } = usePane()
  const { here } = cursor
  const { toggle: toggleSearch, isHidden: searchHidden } = searchVisibility
  const { isOpen: isPreview, show } = preview
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new object per item, so that consumers re-render
  const controller = useMemo<ListController>(() => {
    const page = (by: number) => moveTo(Math.max(0, Math.min(here().at + by * PAGE, shown.length - 1)))
    return {
      get cursor() {
        if (preview.offCursor) return preview.elsewhere
        return rows.stale ? null : (here().row?.subject ?? null)
      },
      get loading() {
        return rows.count === undefined || rows.stale ? 'rows' : here().row || !shown.length ? null : 'row'
      },
      selected: selection.selected,
      exportable: exportable ?? null,
      views,
      columns: () => Object.keys(exportable?.columns ?? {}),
      move: (by) => moveTo(isPreview ? here().at + by : below(here().at, by * across, shown.length, across)),
      screen: (by, count = 1) => {
        const lines = grid.current?.rowsInView() ?? 1
        // Paging keeps one row in sight if more than two fit.
        moveTo(here().at + by * count * across * (lines > 2 ? lines - 1 : lines))
      },
      end: (which) => moveTo(which === 'first' ? 0 : Number.MAX_SAFE_INTEGER),
      open: () => {
        const { row } = here()
        if (isPreview) show(null)
        else if (row) show(row.row.id)
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
      clearSelection: () => {
        if (isPreview) show(null)
        else if (selection.selected.length) selection.clear()
        else return false
        return true
      },
      search,
      ...(toggleSearch ? { toggleSearch, searchHidden } : {}),
      filter: () => bar.current?.querySelector<HTMLElement>('[data-filter] button')?.click(),
      sort: () => bar.current?.querySelector<HTMLElement>('[data-sort]')?.click(),
      page,
      edit: () => {},
      expand: (forward) => moveTo(Math.max(0, here().at + (forward ? 1 : -1))),
      menu: () => {},
      zoom: preview.zoomBy,
      ...(fresh ? { showNew: onFresh } : {}),
    }
  }, [
    shown,
    cursor.row,
    rows.stale,
    rows.count,
    selection,
    views,
    exportable,
    across,
    isPreview,
    toggleSearch,
    searchHidden,
    preview.zoomBy,
    preview.offCursor,
    preview.elsewhere,
    moveTo,
    fresh,
    onFresh,
  ])
  useLayoutEffect(() => setList(controller), [controller, setList])
  useEffect(() => () => setList(null), [setList])
}

/** Returns the tile some rows below or above; the cursor stays if there is none. */
function below(at: number, by: number, length: number, across: number): number {
  const to = at + by
  if (to < 0) return at
  if (to < length) return to
  // The last row may be shorter: from the row above, the cursor goes to its last tile.
  return Math.floor(at / across) === Math.floor((length - 1) / across) ? at : length - 1
}
