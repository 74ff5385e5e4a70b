import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'

/** Rows that are drawn beyond those in sight, at either end: a key or a turn of the wheel finds them there. */
const BEYOND = 10

/** Which rows of a long list are in sight, and which are drawn. */
export interface RowWindow {
  /** The first and last row in sight; -1 as last when there is none. */
  first: number
  last: number
  /** The places of the rows to draw, in order; the kept one is among them wherever it is. */
  drawn: readonly number[]
  /** Scrolls just as far as the row needs to be seen whole. */
  scrollTo(index: number): void
  /** Scrolls to so many px from the top. */
  setTop(px: number): void
}

/**
 * The window of a scroller over `count` rows of one height (px), below a head of `head` px that sticks to its upper edge. Rows of one height need
 * no measuring: where the scroller stands is remembered, so that no key asks the browser to lay out the page (docs/decisions/0007-lists.md).
 */
export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  height: number,
  head: number,
  kept: number,
): RowWindow {
  const at = useRef({ top: 0, room: 0 })
  const [{ first, last }, setSeen] = useState({ first: 0, last: -1 })

  const look = useCallback(() => {
    const { top, room } = at.current
    const first = Math.max(0, Math.min(count - 1, Math.floor(top / height)))
    const last = Math.min(count, Math.ceil((top + room) / height)) - 1
    setSeen((seen) => (seen.first === first && seen.last === last ? seen : { first, last }))
  }, [count, height])

  useLayoutEffect(() => {
    const box = scroller.current
    if (!box) return
    const scrolled = () => {
      at.current.top = box.scrollTop
      look()
    }
    const sized = () => {
      at.current.room = Math.max(0, box.clientHeight - head)
      scrolled()
    }
    sized()
    box.addEventListener('scroll', scrolled, { passive: true })
    const sizes = new ResizeObserver(sized)
    sizes.observe(box)
    return () => {
      box.removeEventListener('scroll', scrolled)
      sizes.disconnect()
    }
  }, [scroller, head, look])

  const setTop = useCallback(
    (px: number) => {
      const box = scroller.current
      if (!box) return
      box.scrollTop = px
      at.current.top = box.scrollTop
      look()
    },
    [scroller, look],
  )
  const scrollTo = useCallback(
    (index: number) => {
      const { top, room } = at.current
      const start = index * height
      if (start < top) setTop(start)
      else if (start + height > top + room) setTop(start + height - room)
    },
    [height, setTop],
  )
  const drawn = useMemo(() => {
    const from = Math.max(0, first - BEYOND)
    const to = Math.min(count - 1, last + BEYOND)
    const all = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
    if (kept < 0 || kept >= count || (kept >= from && kept <= to)) return all
    return kept < from ? [kept, ...all] : [...all, kept]
  }, [first, last, count, kept])
  return { first, last, drawn, scrollTo, setTop }
}
