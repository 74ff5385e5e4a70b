import type { ReactNode } from 'react'
import type { Option } from '../Select.tsx'

/** Where a row opens: here, in a column beside, here and pinned, or in a background tab. */
export type OpenHow = 'here' | 'beside' | 'pinned' | 'background'
/** Identifies a row across all pages. */
export type RowId = string | number
/** The sorting column and its direction. */
export type Sort = { column: string; direction: 'asc' | 'desc' }

/** Where a column shown on request never disappears: in tables, or also in a list too narrow for one. */
export type Always = 'table' | 'narrow'

/** A list column: either a fixed `width` in px, or a `min` in px with `flex`, its share of the rest. */
export type Column<Row> = {
  id: string
  header: string
  align?: 'left' | 'right' | 'center'
  width?: number
  min?: number
  flex?: number
  sortable?: boolean
  /** Sorts largest first; the default for right-aligned columns. */
  figure?: boolean
  /** Lower priorities disappear first as the list narrows; the first column always stays. Default 0. */
  priority?: number
  /** It shows the records' names, which are links. */
  name?: boolean
  /** True if this row's cell has a link of its own, so that the name doesn't need one. */
  linksItself?: (row: Row) => boolean
  /** The column never disappears as the list narrows. */
  keeps?: boolean
  /** Set if the user brought the column back: the list then scrolls sideways instead of hiding it. */
  always?: Always
  /** Its place in a two-line row: after a small first column, at the first line's end, in the second, or hidden. */
  narrow?: 'lead' | 'aside' | 'meta' | 'hidden'
  render: (row: Row) => ReactNode
  /** Makes the cell editable: its current value, and how to save. A rejection's message shows at the cell. */
  edit?: {
    kind?: 'text' | 'lines' | 'select' | 'date'
    value: (row: Row) => string
    options?: readonly Option[]
    /** Filters typed text: a phone number keeps only digits. */
    keeps?: (text: string) => string
    /** Why this row can't be edited; null if it can. */
    refused?: (row: Row) => string | null
    save: (row: Row, value: string) => Promise<unknown> | undefined
  }
}

/** A column with its width in px. */
export type Placed<Row> = { column: Column<Row>; width: number; index: number }

/** A column's first sort direction: figures descending, everything else ascending. */
export const firstDirection = ({ figure, align }: { figure?: boolean; align?: string }): Sort['direction'] =>
  (figure ?? align === 'right') ? 'desc' : 'asc'

const least = (column: { width?: number; min?: number }) => column.width ?? column.min ?? 80

/** Fits columns into `room` px: drops the lowest priorities until the minimums fit, then shares the rest by flex. */
export function placeColumns<Row>(columns: readonly Column<Row>[], room: number): Placed<Row>[] {
  const kept = columns.map((column, at): Placed<Row> => ({ column, index: at + 1, width: 0 }))
  const needed = () => kept.reduce((sum, { column }) => sum + least(column), 0)
  const rank = ({ column }: Placed<Row>, at: number) =>
    at === 0 || column.keeps || column.always ? Number.POSITIVE_INFINITY : (column.priority ?? 0)
  while (kept.length > 1 && needed() > room) {
    let drop = 0
    for (let at = 1; at < kept.length; at++) if (rank(kept[at]!, at) <= rank(kept[drop]!, drop)) drop = at
    if (rank(kept[drop]!, drop) === Number.POSITIVE_INFINITY) break
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

/** Maps a click to how it opens: Ctrl, ⌘ or Alt beside, Shift pinned, otherwise here. */
export function openHow(event: { ctrlKey: boolean; metaKey: boolean; altKey: boolean; shiftKey: boolean }): OpenHow {
  if (event.ctrlKey || event.metaKey || event.altKey) return 'beside'
  return event.shiftKey ? 'pinned' : 'here'
}
