import { Virtualizer } from '@tanstack/virtual-core'
import type { Viewport, VirtualRows } from './plainRows.ts'

/**
 * The rows that TanStack Virtual measures at a time. It lays out every row of its list whenever their number changes (3 million: 110 ms and 72 MB),
 * so it is given the stretch around the viewport. A multiple of 4, far more than any window shows.
 */
export const STRETCH = 4096

const nothing = () => {}

/** The first row of the stretch around a row: it moves by half a stretch, so that a list is measured anew only after 2,048 rows. */
function stretchAt(row: number, count: number): number {
  const half = STRETCH / 2
  return Math.max(0, Math.min(Math.floor(row / half) * half - half / 2, count - STRETCH))
}

/**
 * Makes what says which rows of one list are drawn. TanStack Virtual computes it; what it would ask of the page is told to it instead: the place and
 * the viewport's height, which a drawing must know before the browser does (docs/decisions/0007-lists.md).
 */
export function createVirtualRows(): (viewport: Viewport) => VirtualRows {
  let rowHeight = 0
  const options = {
    count: 0,
    getScrollElement: () => null,
    estimateSize: () => rowHeight,
    scrollToFn: nothing,
    observeElementRect: nothing,
    observeElementOffset: nothing,
  }
  const virtualizer = new Virtualizer<Element, Element>(options)
  return ({ count, height, top, room, spare }) => {
    const base = stretchAt(Math.floor(top / height), count)
    const known = rowHeight === height
    rowHeight = height
    virtualizer.setOptions({ ...options, count: Math.min(count, STRETCH), paddingStart: base * height, overscan: spare })
    if (!known) virtualizer.measure()
    virtualizer.scrollOffset = top
    virtualizer.scrollRect = { width: 0, height: room }
    const rows = virtualizer.getVirtualItems().map(({ index, start }) => ({ index: base + index, start }))
    const { range } = virtualizer
    return range ? { first: base + range.startIndex, last: base + range.endIndex, rows } : { first: 0, last: -1, rows }
  }
}
