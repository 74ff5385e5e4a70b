import { Virtualizer } from '@tanstack/virtual-core'
import type { Viewport, VirtualRows } from './plainRows.ts'

/**
 * The rows that TanStack Virtual measures at a time. It lays out every row of its list whenever their number changes (3 million: 110 ms and 72 MB),
 * so it is given the stretch around the viewport: a multiple of 4, and four times what any window shows.
 */
export const STRETCH = 2048

const nothing = () => {}

/** The first row of the stretch around a row: it moves by half a stretch, so that a list is measured anew only after 1,024 rows. */
function stretchAt(row: number, count: number): number {
  const half = STRETCH / 2
  return Math.max(0, Math.min(Math.floor(row / half) * half - half / 2, count - STRETCH))
}

/**
 * Makes what says which rows of one list are drawn. TanStack Virtual computes it; what it would ask of the page is told to it instead: the place and
 * the viewport's height, which a drawing must know before the browser does (docs/decisions/0007-lists.md).
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
