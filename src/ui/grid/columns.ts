import type { ReactNode } from 'react'
import type { Option } from '../Select.tsx'

/** How a row was opened: here, beside this column, or here and pinned. */
export type OpenHow = 'here' | 'beside' | 'pinned'
/** What names a row among all pages. */
export type RowId = string | number
/** Which column sorts, and which way. */
export type Sort = { column: string; direction: 'asc' | 'desc' }

/** One column of a list. Give `width` (px, fixed) or `min` (px) with `flex` (share of what is left). */
export type Column<Row> = {
  id: string
  header: string
  align?: 'left' | 'right' | 'center'
  width?: number
  min?: number
  flex?: number
  sortable?: boolean
  /** Figures sort from the largest first; a right-aligned column counts as one by default. */
  figure?: boolean
  /** Columns of a lower priority go first when the list gets narrow; the first column never goes. Default 0. */
  priority?: number
  /** Where it stands in the two-line row of a narrow list: at the right of the first line, in the second line, or nowhere. */
  narrow?: 'aside' | 'meta' | 'hidden'
  render: (row: Row) => ReactNode
  /** Makes the cell editable in place: what it holds, and how that is saved. A rejection's message is shown at the cell. */
  edit?: {
    kind?: 'text' | 'select' | 'date'
    value: (row: Row) => string
    options?: readonly Option[]
    /** Filters the typed text: a phone keeps its digits. */
    keeps?: (text: string) => string
    save: (row: Row, value: string) => Promise<unknown> | undefined
  }
}

/** A column with the px it gets. */
export type Placed<Row> = { column: Column<Row>; width: number; index: number }

/** Which way a column sorts when it is chosen: figures from the largest, all else from the first. */
export const firstDirection = ({ figure, align }: { figure?: boolean; align?: string }): Sort['direction'] =>
  (figure ?? align === 'right') ? 'desc' : 'asc'

const least = (column: { width?: number; min?: number }) => column.width ?? column.min ?? 80

/** Lays the columns over `room` px: those of the lowest priority go until the rest fit at their least, then what is left is shared by flex. */
export function placeColumns<Row>(columns: readonly Column<Row>[], room: number): Placed<Row>[] {
  const kept = columns.map((column, at) => ({ column, index: at + 1 }))
  const needed = () => kept.reduce((sum, { column }) => sum + least(column), 0)
  while (kept.length > 1 && needed() > room) {
    let drop = 1
    for (let at = 2; at < kept.length; at++) {
      if ((kept[at]!.column.priority ?? 0) <= (kept[drop]!.column.priority ?? 0)) drop = at
    }
    kept.splice(drop, 1)
  }
  const shares = kept.reduce((sum, { column }) => sum + (column.width === undefined ? (column.flex ?? 1) : 0), 0)
  const spare = Math.max(0, room - needed())
  return kept.map(({ column, index }) => ({
    column,
    index,
    width: Math.floor(least(column) + (column.width === undefined && shares ? (spare * (column.flex ?? 1)) / shares : 0)),
  }))
}

/** How a click opens: Ctrl or ⌘ beside, Alt beside, Shift pinned, else here. */
export function openHow(event: { ctrlKey: boolean; metaKey: boolean; altKey: boolean; shiftKey: boolean }): OpenHow {
  if (event.ctrlKey || event.metaKey || event.altKey) return 'beside'
  return event.shiftKey ? 'pinned' : 'here'
}
