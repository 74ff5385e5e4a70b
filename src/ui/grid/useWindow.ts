import { type RefObject, useEffect, useLayoutEffect, useReducer, useRef } from 'react'
import { flushSync } from 'react-dom'
import { drawnHigh, isScaled, scrolledTo, settled } from './scale.ts'

/** Rows drawn beyond the edges once the list rests, so that the wheel does not run ahead of them. */
const SPARE = 8
/** While it jumps, what it passes is not worth more than a glance. */
const SPARE_IN_A_JUMP = 1
const REST_MS = 120
/** Takes a list to a place, from outside of it: its bar may stand elsewhere. `detail` is in px of all its rows. */
export const SCROLL_LIST = 'fieldwork:scroll-list'

/** How far to scroll so that a row is in sight: not at all when it is, else just so far. All in px but the index. */
export function topFor(index: number, { top, room, height }: { top: number; room: number; height: number }): number {
  const above = index * height
  if (above < top || height > room) return above
  return above + height > top + room ? Math.max(0, above + height - room) : top
}

/** The first and the last row in sight, -1 as the last when there is none. */
export function sightOf(count: number, { top, room, height }: { top: number; room: number; height: number }) {
  const from = Math.max(0, Math.min(top, count * height - room))
  return { first: Math.floor(from / height), last: Math.min(count, Math.ceil((from + room) / height)) - 1 }
}

const later = (timer: ReturnType<typeof setTimeout> | undefined, then: () => void) => {
  clearTimeout(timer)
  return setTimeout(then, REST_MS)
}

interface Parts {
  scroller: RefObject<HTMLDivElement | null>
  count: number
  /** Of each row, in px. */
  height: number
  /** Of what sticks to the upper edge above the rows, in px; 0 for nothing. */
  head: number
  /** The row that is followed, and drawn wherever the list is scrolled to; -1 for none. */
  cursor: number
  /** How far it is scrolled to begin with, in px. */
  startTop: number
}

/**
 * Which rows of a list are drawn. All are of one height, so places are multiplied, never measured: the page is laid out once a frame. The list follows
 * its cursor, in the same drawing that moves it (docs/decisions/0007-lists.md).
 */
export function useWindow({ scroller, count, height, head, cursor, startTop }: Parts) {
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0)
  /** As the browser has it, noted when it says so: asking would lay out the page in the middle of a drawing. */
  const where = useRef({ top: 0, ahead: 0, room: 0, height })
  where.current.height = height
  const placedAt = useRef<number | null>(null)
  const drawn = useRef({ first: 0, last: -1, top: 0 })
  const jumping = useRef(false)

  const { room } = where.current
  const there = room > 0 && cursor >= 0 && cursor < count
  let { top } = where.current
  if (there && placedAt.current === null) {
    // Who comes back finds the list scrolled as it was.
    top = startTop
    if (topFor(cursor, { top, room, height }) !== top) top = Math.max(0, cursor * height - Math.max(0, (room - height) / 2))
  } else if (there && placedAt.current !== cursor) top = topFor(cursor, { top, room, height })
  const { first, last } = sightOf(count, { top, room, height })
  // A list that is higher than an element can be: its rows stand nearer to the top of it than they are.
  const { ahead } = room > 0 ? settled(top, where.current.ahead, { count, height, room }) : where.current

  useLayoutEffect(() => {
    drawn.current = { first, last, top }
    if (there) placedAt.current = cursor
    const now = where.current
    if ((top !== now.top || ahead !== now.ahead) && scroller.current) {
      const moves = top - ahead !== now.top - now.ahead
      where.current = { ...now, top, ahead }
      if (moves) scroller.current.scrollTop = top - ahead
      if (ahead) scroller.current.dataset.ahead = String(ahead)
      else delete scroller.current.dataset.ahead
    }
  })

  useLayoutEffect(() => {
    const box = scroller.current
    if (!box) return
    const measure = () => {
      const room = Math.max(0, box.clientHeight - head)
      if (room === where.current.room) return
      where.current.room = room
      redraw()
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  }, [scroller, head])

  const total = useRef(count)
  total.current = count
  const go = useRef((_top: number): void => {})
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    let rest: ReturnType<typeof setTimeout> | undefined
    const extent = () => ({ count: total.current, ...where.current })
    const put = (top: number, ahead: number) => {
      const moves = top - ahead !== box.scrollTop
      Object.assign(where.current, { top, ahead })
      if (ahead) box.dataset.ahead = String(ahead)
      else delete box.dataset.ahead
      if (moves) box.scrollTop = top - ahead
    }
    const rested = () => {
      jumping.current = false
      const { top, ahead } = settled(where.current.top, where.current.ahead, extent(), true)
      if (ahead !== where.current.ahead) put(top, ahead)
      flushSync(redraw)
    }
    const scrolled = () => {
      const before = drawn.current
      const was = where.current.ahead
      const next = scrolledTo(box.scrollTop, where.current, extent())
      const { top, ahead } = settled(next.top, next.ahead, extent())
      put(top, ahead)
      const { first, last } = sightOf(total.current, where.current)
      if (first > before.last || last < before.first) jumping.current = true
      if (jumping.current || isScaled(extent())) rest = later(rest, rested)
      if (first === before.first && last === before.last && ahead === was) return
      // In the frame that shows them: a frame later there would be a gap.
      flushSync(redraw)
    }
    go.current = (top) => {
      const next = settled(top, where.current.ahead, extent())
      if (next.top === where.current.top && next.ahead === where.current.ahead) return
      put(next.top, next.ahead)
      flushSync(redraw)
    }
    const taken = (event: Event) => go.current((event as CustomEvent<number>).detail)
    box.addEventListener('scroll', scrolled, { passive: true })
    box.addEventListener(SCROLL_LIST, taken)
    return () => {
      clearTimeout(rest)
      box.removeEventListener('scroll', scrolled)
      box.removeEventListener(SCROLL_LIST, taken)
    }
  }, [scroller])

  const spare = jumping.current ? SPARE_IN_A_JUMP : SPARE
  const from = Math.max(0, first - spare)
  const drawnRows = Array.from({ length: Math.max(0, Math.min(count - 1, last + spare) - from + 1) }, (_, at) => from + at)
  // The row that aria-activedescendant names must exist, wherever the list is scrolled to.
  if (cursor >= 0 && cursor < count && room > 0) {
    if (cursor < from) drawnRows.unshift(cursor)
    else if (cursor > from + drawnRows.length - 1) drawnRows.push(cursor)
  }
  return {
    first,
    last: Math.max(0, last),
    /** The rows to draw, in order. */
    rows: drawnRows,
    /** How high the element of all rows is, and by how much its rows stand nearer to its top than they are, in px. */
    high: drawnHigh({ count, height }),
    ahead,
    topNow: () => where.current.top,
    scrollTo: (index: number) => go.current(topFor(index, where.current)),
    rowsInSight: () => Math.max(1, Math.floor(where.current.room / height)),
  }
}
