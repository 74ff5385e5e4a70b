/** Where a list is scrolled to: its rows, the height of each, the place and the height of its viewport, all in px but the count. */
export interface Viewport {
  count: number
  height: number
  top: number
  room: number
  /** Rows to draw beyond either edge of the viewport. */
  spare: number
}

/** A row to draw, `start` px below the upper edge of the first. */
export interface PlacedRow {
  index: number
  start: number
}

/** The rows to draw, in order, and the first and last of them that are in the viewport; -1 as the last when there is none. */
export interface VirtualRows {
  first: number
  last: number
  rows: readonly PlacedRow[]
}

/** The rows of a list that has just opened, before the code that virtualises it is here (virtualRows.ts says the same of equal rows). */
export function plainRows({ count, height, top, room, spare }: Viewport): VirtualRows {
  const from = Math.max(0, Math.min(top, count * height - room))
  const first = Math.floor(from / height)
  const last = Math.min(count, Math.ceil((from + room) / height)) - 1
  const start = Math.max(0, first - spare)
  const length = Math.min(count - 1, last + spare) - start + 1
  return { first, last, rows: Array.from({ length }, (_, at) => ({ index: start + at, start: (start + at) * height })) }
}
