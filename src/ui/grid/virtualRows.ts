import { Virtualizer } from '@tanstack/virtual-core'
import type { Viewport, VirtualRows } from './plainRows.ts'

/**
 * How many rows TanStack Virtual measures at a time; 3 million would take 110 ms and 72 MB per change of count.
 * It is a multiple of 4, and four times what any window shows.
 */
export const STRETCH = 2048

const nothing = () => {}

/** Returns the first row of the stretch around `row`. It moves by half a stretch: it is measured every 1,024 rows. */
function stretchAt(row: number, count: number): number {
  const half = STRETCH / 2
  return Math.max(0, Math.min(Math.floor(row / half) * half - half / 2, count - STRETCH))
}

/**
 * Creates the function that places one list's rows. TanStack Virtual gets position and height instead of reading them:
 * a render must know them before the browser does (docs/decisions/lists.md).
 */
export function createVirtualRows(): (viewport: Viewport) => VirtualRows {
  const options = {
    count: 0,
    paddingStart: 0,
    overscan: 0,
    getScrollElement: () => null,
    estimateSize: () => rowHeight,
    scrollToFn: nothing,
    observeElementRect: nothing,
    observeElementOffset: nothing,
  }
  let rowHeight = 0
  const virtualizer = new Virtualizer<Element, Element>(options)
  return ({ count, height, top, room, spare }) => {
    const base = stretchAt(Math.floor(top / height), count)
    const next = { count: Math.min(count, STRETCH), paddingStart: base * height, overscan: spare }
    if (next.count !== options.count || next.paddingStart !== options.paddingStart || spare !== options.overscan)
      virtualizer.setOptions(Object.assign(options, next))
    if (height !== rowHeight) {
      rowHeight = height
      virtualizer.measure()
    }
    virtualizer.scrollOffset = top
    virtualizer.scrollRect = { width: 0, height: room }
    const rows = virtualizer.getVirtualItems().map(({ index, start }) => ({ index: base + index, start }))
    const { range } = virtualizer
    return range ? { first: base + range.startIndex, last: base + range.endIndex, rows } : { first: 0, last: -1, rows }
  }
}
