import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react'
import { flushSync } from 'react-dom'
import { whenIdle } from '../idle.ts'
import { plainRows } from './plainRows.ts'
import { drawnHigh, type Extent, isScaled, type Scroll, scrolledTo, settled } from './scale.ts'

/** Rows drawn beyond the edges at rest, so the wheel doesn't outrun them. */
const SPARE = 8
/** During a jump, rows passing by are barely seen. */
const SPARE_IN_A_JUMP = 1
const REST_MS = 120
/** The latest time in ms after the first list to load the code for long lists; it loads earlier when idle. */
const LATEST_MS = 1000
/** Event that scrolls a list from outside, since its scroll bar may be scaled. `detail` is in px of all its rows. */
export const SCROLL_LIST = 'fieldwork:scroll-list'

let createVirtualRows: (() => typeof plainRows) | null = null
/** Loads the virtualizer. A failed download is retried with the next list. */
const loadVirtualRows = () =>
  import('./virtualRows.ts').then(
    (module) => {
      createVirtualRows = module.createVirtualRows
    },
    () => {},
  )

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

const later = (timer: ReturnType<typeof setTimeout> | undefined, then: () => void) => {
  clearTimeout(timer)
  return setTimeout(then, REST_MS)
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
 * Returns the rows to draw, using TanStack Virtual without reading layout: one layout per frame.
 * The list follows its cursor in the render that moves it (docs/decisions/lists.md).
 */
export function useVirtualRows({ scroller, count, height, head, cursor, startTop, likelyRoom = 0 }: Parts) {
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0)
  /** Values the browser reported last; reading them during a render would force a layout. */
  const where = useRef({ top: 0, ahead: 0, room: likelyRoom, height })
  where.current.height = height
  const placedAt = useRef<number | null>(null)
  const drawn = useRef({ first: 0, last: -1 })
  const jumping = useRef(false)
  /** False until the first rows have been painted: nobody waits for those beyond the edges. */
  const painted = useRef(false)
  const virtual = useRef<typeof plainRows | null>(null)
  const rowsAt = useCallback((extent: Extent & { top: number }) => {
    virtual.current ??= createVirtualRows?.() ?? null
    return (virtual.current ?? plainRows)({
      ...extent,
      // A hidden or unmeasured list keeps the rows around its position.
      room: Math.max(1, extent.room),
      spare: jumping.current || !painted.current ? SPARE_IN_A_JUMP : SPARE,
    })
  }, [])

  const { room } = where.current
  const there = room > 0 && cursor >= 0 && cursor < count
  let { top } = where.current
  if (there && placedAt.current === null) {
    // Restores the scroll position of a list that was left.
    top = startTop
    if (topFor(cursor, { top, room, height }) !== top) top = Math.max(0, cursor * height - Math.max(0, (room - height) / 2))
  } else if (there && placedAt.current !== cursor) top = topFor(cursor, { top, room, height })
  const { first, last, rows } = rowsAt({ count, height, top, room })
  // In a list higher than an element can be, rows are drawn closer to its top.
  const { ahead } = room > 0 ? settled(top, where.current.ahead, { count, height, room }) : where.current

  useLayoutEffect(() => {
    drawn.current = { first, last }
    if (there) placedAt.current = cursor
    const now = where.current
    if (scroller.current) put(scroller.current, now, { top, ahead }, now.top - now.ahead)
  })

  useLayoutEffect(() => {
    const box = scroller.current
    if (!box) return
    let isGuess = where.current.room > 0
    const measure = () => {
      const room = Math.max(0, box.clientHeight - head)
      if (room === where.current.room) return
      // The cursor's row was placed by a wrong guess.
      if (isGuess) placedAt.current = null
      where.current.room = room
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
  }, [scroller, head])

  const some = count > 0 && room > 0
  useEffect(() => {
    if (!some || painted.current) return
    return whenIdle(
      () => {
        painted.current = true
        redraw()
      },
      LATEST_MS,
      true,
    )
  }, [some])

  useEffect(() => {
    // Keeps the virtualizer out of the first load; a new list is drawn without it.
    if (!createVirtualRows) return whenIdle(loadVirtualRows, LATEST_MS)
  }, [])

  const total = useRef(count)
  total.current = count
  const go = useRef((_top: number): void => {})
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    let rest: ReturnType<typeof setTimeout> | undefined
    const extent = () => ({ count: total.current, ...where.current })
    const rested = () => {
      jumping.current = false
      const next = settled(where.current.top, where.current.ahead, extent(), true)
      if (next.ahead !== where.current.ahead) put(box, where.current, next, box.scrollTop)
      flushSync(redraw)
    }
    const scrolled = () => {
      const before = drawn.current
      const was = where.current.ahead
      const next = scrolledTo(box.scrollTop, where.current, extent())
      put(box, where.current, settled(next.top, next.ahead, extent()), box.scrollTop)
      const { first, last } = rowsAt(extent())
      if (first > before.last || last < before.first) jumping.current = true
      if (jumping.current || isScaled(extent())) rest = later(rest, rested)
      if (first === before.first && last === before.last && where.current.ahead === was) return
      // Renders in the same frame; one frame later there would be a gap.
      flushSync(redraw)
    }
    go.current = (top) => {
      const next = settled(top, where.current.ahead, extent())
      if (next.top === where.current.top && next.ahead === where.current.ahead) return
      put(box, where.current, next, box.scrollTop)
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
  }, [scroller, rowsAt])

  const drawnRows = [...rows]
  // The row named by aria-activedescendant must exist at any scroll position.
  if (there) {
    const placed = { index: cursor, start: cursor * height }
    if (cursor < rows[0]!.index) drawnRows.unshift(placed)
    else if (cursor > rows.at(-1)!.index) drawnRows.push(placed)
  }
  return {
    first,
    last: Math.max(0, last),
    /** The rows to draw, in order, `start` px below the top of the first. */
    rows: drawnRows,
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
