import { type RefObject, useEffect, useMemo, useRef } from 'react'
import type { Column } from '../../ui/grid/columns.ts'
import type { GridHandle } from '../../ui/grid/DataGrid.tsx'
import type { ListDesk, Where } from '../desk.ts'
import { usePane } from '../pane.tsx'
import { desk } from '../theDesk.ts'
import { isGap, type Shown } from './shown.ts'
import type { Cursor } from './useCursor.ts'
import type { ListMarks } from './useMarks.ts'
import { held } from './waiting.ts'

interface Parts<Row extends object> {
  shown: Shown<Row>
  cursor: Cursor<Row>
  marks: ListMarks
  bar: RefObject<HTMLElement | null>
  grid: RefObject<GridHandle | null>
  columns: readonly Column<Row>[]
  exportable: ListDesk['exportable']
  views: ListDesk['views']
  pageSize: number
  /** What shows belongs to another search, and the right rows are on their way. */
  stale: boolean
  /** They could not be read. */
  failed: boolean
  openRow(row: Row, where: Where): void
  search(): void
  edit(id: number, column: string): void
  expand(id: number, open: boolean): void
}

/** Offers a list to keys and commands, for as long as it is there: a new object whenever its cursor or marks change. */
export function useListDesk<Row extends object>(parts: Parts<Row>): void {
  const { shown, cursor, marks, bar, grid, columns, exportable, views, pageSize, stale, failed, openRow, search, edit, expand } =
    parts
  const { setList, pin } = usePane()
  const { row, here, moveTo } = cursor
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new object with each row, so that who shows the row under the cursor hears of it
  const list = useMemo<ListDesk>(
    () => ({
      get cursor() {
        return here().row?.subject ?? null
      },
      marked: marks.marked,
      exportable,
      views,
      columns: (inSight) => (inSight && grid.current ? grid.current.columnsInSight() : columns.map((column) => column.id)),
      move: (by) => moveTo(here().at + by),
      screen: (by) => moveTo(here().at + by * Math.max(1, (grid.current?.rowsInSight() ?? 1) - 1)),
      end: (which) => moveTo(which === 'first' ? 0 : shown.length - 1),
      open: (where) => {
        const { row } = here()
        if (row) openRow(row.row, where)
      },
      mark: () => marks.mark(here().at, false),
      markRange: (by) => {
        const { at } = here()
        if (by === 0) return marks.mark(at, true)
        const next = Math.max(0, Math.min(at + by, shown.length - 1))
        marks.extend(at, next)
        moveTo(next)
      },
      markAll: marks.markAll,
      clearMarks: marks.clear,
      search,
      filter: () => {
        const lead = bar.current?.querySelector<HTMLElement>('[data-filter] input:checked')
        if (lead) lead.focus()
        else bar.current?.querySelector<HTMLElement>('[data-filter] button')?.click()
      },
      sort: () => bar.current?.querySelector<HTMLElement>('[data-sort]')?.click(),
      page: (by) => {
        const page = Math.floor(Math.max(0, shown.recordAt(here().at)) / pageSize) + by
        moveTo(shown.indexAt(Math.max(0, page * pageSize)))
      },
      edit: () => {
        const column = columns.find((one) => one.edit)
        const { row } = here()
        if (!column || !row) return
        pin()
        edit(row.id, column.id)
      },
      expand: (open) => {
        const { at, row } = here()
        if (!row) return
        // From a child, "hide the children" means its parent's.
        if (!open && row.level > 1) {
          for (let index = at - 1; index >= 0; index--) {
            const above = shown.at(index)
            if (!above || isGap(above) || above.level > 1) continue
            expand(above.id, false)
            return moveTo(index)
          }
        }
        expand(row.id, open)
      },
      menu: () => desk.palette({ text: '>' }),
    }),
    [shown, row, here, moveTo, grid, marks, bar, columns, exportable, views, pageSize, openRow, search, edit, expand, pin],
  )
  const waiting = useRef<((list: ListDesk) => void)[]>([])
  useEffect(() => setList(stale ? held(list, waiting.current) : list), [list, stale, setList])
  useEffect(() => {
    if (stale) return
    const kept = waiting.current.splice(0)
    if (!failed) for (const act of kept) act(list)
  }, [list, stale, failed])
  useEffect(() => () => setList(null), [setList])
}
