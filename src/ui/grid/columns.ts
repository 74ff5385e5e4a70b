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
  /** The user set the width: content doesn't change it. */
  own?: boolean
  sortable?: boolean
  /** Sorts largest first; the default for right-aligned columns. */
  figure?: boolean
  /** Lower priorities disappear first as the list narrows; the first column always stays. Default 0. */
  priority?: number
  /** It shows the records' names, which are links. */
  name?: boolean
  /** Its texts say nothing when they are cut: email addresses. */
  whole?: boolean
  /** True if this row's cell has a link of its own, so that the name doesn't need one. */
  linksItself?: (row: Row) => boolean
  /** The column never disappears as the list narrows. */
  keeps?: boolean
  /** The user pinned it: it stays in sight while the list scrolls sideways, as names do. */
  pinned?: boolean
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

/** A column with its width in px, and where it stays while the list scrolls sideways, in px from its left edge. */
export type Placed<Row> = { column: Column<Row>; width: number; index: number; left?: number }

/** A column's first sort direction: figures descending, everything else ascending. */
export const firstDirection = ({ figure, align }: { figure?: boolean; align?: string }): Sort['direction'] =>
  (figure ?? align === 'right') ? 'desc' : 'asc'

/** The widths in px that columns need to show their content whole, by id; a column that was never drawn has none. */
export type Needs = ReadonlyMap<string, number>

/** How much wider than its usual width a fixed column gets for its content: enough for WCAG's text spacing. */
const STRETCH = 1.75
/** The share of a list that each column of names or addresses gets before lesser columns. */
const WHOLE_SHARE = 0.36

/** The width that a column has at least: what its content needs, within what is usual for it. */
function least(column: Omit<Column<never>, 'render' | 'edit' | 'linksItself'>, room: number, needs: Needs): number {
  const usual = column.width ?? column.min ?? 80
  const need = needs.get(column.id)
  if (need === undefined || column.own) return usual
  if (column.width !== undefined) return Math.min(need, column.width * STRETCH)
  return Math.min(need, column.name || column.whole ? Math.max(usual, room * WHOLE_SHARE) : usual)
}

/**
 * Fits columns into `room` px: drops the lowest priorities until all have their least width.
 * Cut columns get the rest first, as far as their content needs it; then it is shared by flex.
 */
export function placeColumns<Row>(columns: readonly Column<Row>[], room: number, needs: Needs = new Map()): Placed<Row>[] {
  const kept = columns.map((column, at): Placed<Row> => ({ column, index: at + 1, width: least(column, room, needs) }))
  const used = () => kept.reduce((sum, { width }) => sum + width, 0)
  const rank = ({ column }: Placed<Row>, at: number) =>
    at === 0 || column.keeps || column.always || column.pinned ? Number.POSITIVE_INFINITY : (column.priority ?? 0)
  while (kept.length > 1 && used() > room) {
    let drop = 0
    for (let at = 1; at < kept.length; at++) if (rank(kept[at]!, at) <= rank(kept[drop]!, drop)) drop = at
    if (rank(kept[drop]!, drop) === Number.POSITIVE_INFINITY) break
    kept.splice(drop, 1)
  }
  share(kept, room - used(), ({ column, width }) => Math.max(0, (needs.get(column.id) ?? 0) - width), true)
  share(kept, room - used(), ({ column }) => column.flex ?? 1, false)
  return kept.map((one) => ({ ...one, width: Math.floor(one.width) }))
}

/** How many px scroll beside the columns that stay. */
const SCROLLING = 120

/** Lets names and pinned columns stay while a list of `room` px scrolls sideways, if the others have room left. */
export function pinColumns<Row>(placed: readonly Placed<Row>[], lead: number, room: number): Placed<Row>[] {
  let left = lead
  return placed.map((one) => {
    if (!(one.column.name || one.column.pinned) || left + one.width > room - SCROLLING) return one
    left += one.width
    return { ...one, left: left - one.width }
  })
}

/** Adds `spare` px to the columns that stretch, by weight; if `capped`, to none more than its weight. */
function share<Row>(placed: Placed<Row>[], spare: number, weigh: (one: Placed<Row>) => number, capped: boolean): void {
  const weights = placed.map((one) => (one.column.width === undefined ? weigh(one) : 0))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  if (all === 0 || spare <= 0) return
  const part = capped ? Math.min(1, spare / all) : spare / all
  for (const [at, one] of placed.entries()) one.width += weights[at]! * part
}

/** Maps a click to how it opens: Ctrl, ⌘ or Alt beside, Shift pinned, otherwise here. */
export function openHow(event: { ctrlKey: boolean; metaKey: boolean; altKey: boolean; shiftKey: boolean }): OpenHow {
  if (event.ctrlKey || event.metaKey || event.altKey) return 'beside'
  return event.shiftKey ? 'pinned' : 'here'
}
