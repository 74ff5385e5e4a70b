/** A list's scroll state: row count, row height, position and viewport height; all but the count in px. */
export interface Viewport {
  count: number
  height: number
  top: number
  room: number
  /** Extra rows to draw beyond each edge. */
  spare: number
}

/** A row to draw, `start` px below the top of the first. */
interface PlacedRow {
  index: number
  start: number
}

/** The rows to draw, in order, and the first and last visible ones; last is -1 when there are none. */
export interface VirtualRows {
  first: number
  last: number
  rows: readonly PlacedRow[]
}

/** Places a new list's rows until the virtualizer has loaded; virtualRows.ts returns the same for equal heights. */
export function plainRows({ count, height, top, room, spare }: Viewport): VirtualRows {
  const from = Math.max(0, Math.min(top, count * height - room))
  const first = Math.floor(from / height)
  const last = Math.min(count, Math.ceil((from + room) / height)) - 1
  const start = Math.max(0, first - spare)
  const length = Math.min(count - 1, last + spare) - start + 1
  return { first, last, rows: Array.from({ length }, (_, at) => ({ index: start + at, start: (start + at) * height })) }
}
