import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useReducer, useRef } from 'react'
import { flushSync } from 'react-dom'
import { drawnHigh, isScaled, type Scroll, scrolledTo, settled } from './scale.ts'

/** Rows drawn beyond the edges, so the wheel doesn't outrun them. */
const SPARE = 8
const REST_MS = 120
/**
 * How many rows TanStack Virtual measures at a time; 3 million would take 110 ms and 72 MB per change of count.
 * It is a multiple of 4, and four times what any window shows.
 */
const STRETCH = 2048
/** Event that scrolls a list from outside, since its scroll bar may be scaled. `detail` is in px of all its rows. */
export const SCROLL_LIST = 'fieldwork:scroll-list'

/** Returns the first row of the stretch around `row`. It moves by half a stretch: it is measured every 1,024 rows. */
function stretchAt(row: number, count: number): number {
  const half = STRETCH / 2
  return Math.max(0, Math.min(Math.floor(row / half) * half - half / 2, count - STRETCH))
}

/** Returns the scroll position that shows a row with the least movement. All in px but the index. */
export function topFor(index: number, { top, room, height }: { top: number; room: number; height: number }): number {
  const above = index * height
  if (above < top || height > room) return above
  return above + height > top + room ? Math.max(0, above + height - room) : top
}

/** Scrolls a list and its bar, now at `at`, to a position. */
function put(box: HTMLElement, where: Scroll, { top, ahead }: Scroll, at: number): void {
  if (ahead) box.dataset.ahead = String(ahead)
  else if (where.ahead) delete box.dataset.ahead
  where.top = top
  where.ahead = ahead
  if (top - ahead !== at) box.scrollTop = top - ahead
}

interface Parts {
  scroller: RefObject<HTMLDivElement | null>
  count: number
  /** The height of each row in px. */
  height: number
  /** The height of the sticky part above the rows in px; 0 for none. */
  head: number
  /** The row to follow, drawn at any scroll position; -1 for none. */
  cursor: number
  /** The initial scroll position in px. */
  startTop: number
  /** The likely room for rows in px, until the browser has laid out the page; 0 if unknown. */
  likelyRoom?: number
}

/**
 * Returns the rows to draw. TanStack Virtual computes them from reported positions and sizes: renders read none.
 * The list follows its cursor in the render that moves it (docs/decisions/lists.md).
 */
export function useVirtualRows({ scroller, count, height, head, cursor, startTop, likelyRoom = 0 }: Parts) {
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0)
  /** Values the browser reported last; reading them during a render would force a layout. */
  const where = useRef({ top: 0, ahead: 0, room: likelyRoom, height, count })
  Object.assign(where.current, { height, count })
  const placedAt = useRef<number | null>(null)
  const go = useRef((_top: number): void => {})

  const { room } = where.current
  const there = room > 0 && cursor >= 0 && cursor < count
  let { top } = where.current
  if (there && placedAt.current === null) {
    // Restores the scroll position of a list that was left.
    top = startTop
    if (topFor(cursor, { top, room, height }) !== top) top = Math.max(0, cursor * height - Math.max(0, (room - height) / 2))
  } else if (there && placedAt.current !== cursor) top = topFor(cursor, { top, room, height })
  // In a list higher than an element can be, rows are drawn closer to its top.
  const { ahead } = room > 0 ? settled(top, where.current.ahead, { count, height, room }) : where.current

  const base = stretchAt(Math.floor(top / height), count)
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: Math.min(count, STRETCH),
    paddingStart: base * height,
    overscan: SPARE,
    estimateSize: () => height,
    getScrollElement: () => scroller.current,
    // A hidden or unmeasured list keeps the rows around its position.
    initialRect: { width: 0, height: Math.max(1, room) },
    observeElementRect(_, report) {
      const box = scroller.current!
      let isGuess = where.current.room > 0
      const measure = () => {
        const room = Math.max(0, box.clientHeight - head)
        if (room === where.current.room) return
        // The cursor's row was placed by a wrong guess.
        if (isGuess) placedAt.current = null
        where.current.room = room
        report({ width: 0, height: Math.max(1, room) })
        redraw()
      }
      if (!isGuess) measure()
      const observer = new ResizeObserver(() => {
        // Between layout and paint, so that a wrong guess isn't seen.
        if (isGuess) flushSync(measure)
        else measure()
        isGuess = false
      })
      observer.observe(box)
      return () => observer.disconnect()
    },
    observeElementOffset(_, report) {
      const box = scroller.current!
      let rest: ReturnType<typeof setTimeout> | undefined
      const rested = () => {
        const next = settled(where.current.top, where.current.ahead, where.current, true)
        if (next.ahead === where.current.ahead) return
        put(box, where.current, next, box.scrollTop)
        flushSync(redraw)
      }
      const scrolled = () => {
        const { ahead } = where.current
        const next = scrolledTo(box.scrollTop, where.current, where.current)
        put(box, where.current, settled(next.top, next.ahead, where.current), box.scrollTop)
        if (isScaled(where.current)) {
          clearTimeout(rest)
          rest = setTimeout(rested, REST_MS)
        }
        // Both render in the same frame, or there would be a gap.
        report(where.current.top, true)
        if (where.current.ahead !== ahead) flushSync(redraw)
      }
      const scrollTo = (event: Event) => go.current((event as CustomEvent<number>).detail)
      go.current = (top) => {
        const next = settled(top, where.current.ahead, where.current)
        if (next.top === where.current.top && next.ahead === where.current.ahead) return
        put(box, where.current, next, box.scrollTop)
        flushSync(redraw)
      }
      box.addEventListener('scroll', scrolled, { passive: true })
      box.addEventListener(SCROLL_LIST, scrollTo)
      return () => {
        clearTimeout(rest)
        box.removeEventListener('scroll', scrolled)
        box.removeEventListener(SCROLL_LIST, scrollTo)
      }
    },
    scrollToFn() {},
  })
  // A cursor that moves takes the list with it in this render, which the browser reports only afterwards.
  virtualizer.scrollOffset = top
  const rows = virtualizer.getVirtualItems().map(({ index, start }) => ({ index: base + index, start }))
  const { startIndex, endIndex } = virtualizer.range ?? { startIndex: 0, endIndex: 0 }

  const measuredHeight = useRef(height)
  useLayoutEffect(() => {
    if (measuredHeight.current === height) return
    measuredHeight.current = height
    virtualizer.measure()
  }, [virtualizer, height])

  useLayoutEffect(() => {
    if (there) placedAt.current = cursor
    const now = where.current
    if (scroller.current) put(scroller.current, now, { top, ahead }, now.top - now.ahead)
  })

  // The row named by aria-activedescendant must exist at any scroll position.
  if (there) {
    const placed = { index: cursor, start: cursor * height }
    if (cursor < rows[0]!.index) rows.unshift(placed)
    else if (cursor > rows.at(-1)!.index) rows.push(placed)
  }
  return {
    first: base + startIndex,
    last: base + endIndex,
    /** The rows to draw, in order, `start` px below the top of the first. */
    rows,
    /** The height of the rows' element, and how far rows are moved towards its top, in px. */
    high: drawnHigh({ count, height }),
    ahead,
    topNow: () => where.current.top,
    /** The room for rows in px. */
    roomNow: () => where.current.room,
    scrollTo: (index: number) => go.current(topFor(index, where.current)),
    rowsInView: () => Math.max(1, Math.floor(where.current.room / height)),
  }
}
