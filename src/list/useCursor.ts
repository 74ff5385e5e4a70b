import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { GridHandle } from '../ui/grid/DataGrid.tsx'
import { type FlatRows, type Item, isGap } from './flattenRows.ts'
import type { ListView } from './listView.ts'
import { keepPlace, type Place } from './scrollRestore.ts'

export interface Cursor<Row> {
  /** Its index among the rows; -1 in an empty list. */
  at: number
  /** The row at the cursor, if loaded. */
  row: Item<Row> | null
  /** The current position, including keys since the last frame that aren't rendered yet. */
  here(): { at: number; row: Item<Row> | null }
  /** Moves at once, or with the next frame if it has moved in this one: a held key moves by the sum. */
  moveTo(index: number): void
  /** Updates the page in the URL at once, because the list is being left. */
  settle(): void
  /** The page of the cursor by the specification's page size, from 1. */
  page: number
  /** Called when the grid scrolls. */
  scrolled(top: number): void
}

interface Start {
  /** True if the rows are from an earlier visit; the cursor then doesn't follow any of them. */
  remembered: boolean
  /** True if the list's pane has the focus. */
  active: boolean
  list: string
  place: Place | null
}

const REST_MS = 150

/** A list's cursor. It follows its record through changes; if the record is gone, it keeps its index. */
export function useCursor<Row extends object>(
  shown: FlatRows<Row>,
  view: ListView,
  pageSize: number,
  grid: RefObject<GridHandle | null>,
  { list, place: initial, remembered, active }: Start,
): Cursor<Row> {
  const [id, setId] = useState<number | null>(initial?.id ?? null)
  const [place, setPlace] = useState(initial?.at ?? (view.page - 1) * pageSize)
  const top = useRef(initial?.top ?? 0)
  const searched = useRef(view.key)
  const order = view.sort ? `${view.sort.column} ${view.sort.direction}` : ''
  const ordered = useRef(order)
  const topped = useRef(order)
  /** The rows of the previous order while new ones load; the cursor doesn't follow any of them. */
  const before = useRef<FlatRows<Row> | null>(null)
  if (searched.current !== view.key) {
    searched.current = view.key
    setPlace(0)
    top.current = 0
    if (ordered.current !== order) {
      // A new sort order starts at the top; following the record would jump to its page.
      ordered.current = order
      before.current = shown
      setId(null)
    }
  }
  useEffect(() => {
    if (order === topped.current) return
    topped.current = order
    grid.current?.scrollTo(0)
  }, [order, grid])
  const at = useMemo(() => {
    const under = shown.at(place)
    // The record is usually where it was, which saves searching all loaded rows.
    if (id !== null && under && !isGap(under) && under.id === id) return place
    const found = id === null ? -1 : shown.indexOf(id)
    return found >= 0 ? found : Math.min(place, shown.length - 1)
  }, [shown, id, place])
  const under = shown.at(at)
  const row = under && !isGap(under) ? under : null

  const latest = useRef({ shown, at })
  /** Where keys have moved it in this frame, and how much of that is rendered. */
  const going = useRef<{ to: number; drawn: number } | null>(null)
  /** The number of the last move that is rendered, and of the last one made. */
  const [move, setMove] = useState(0)
  const moves = useRef({ drawn: 0, made: 0 })
  useLayoutEffect(() => {
    moves.current.drawn = move
    // Rows were added or removed within the frame; the remaining distance stays.
    if (latest.current.shown !== shown && going.current)
      going.current = { to: at + going.current.to - going.current.drawn, drawn: at }
    latest.current = { shown, at }
  })
  const frame = useRef(0)
  useEffect(() => () => cancelAnimationFrame(frame.current), [])
  const here = useCallback(() => {
    const { shown, at } = latest.current
    const to = going.current ? Math.max(0, Math.min(going.current.to, shown.length - 1)) : at
    const under = shown.at(to)
    return { at: to, row: under && !isGap(under) ? under : null }
  }, [])
  const moveTo = useCallback(
    (index: number) => {
      const show = (next: number) => {
        const { shown, at } = latest.current
        const reached = shown.at(next)
        going.current = { to: next, drawn: next }
        setPlace(next)
        setId(reached && !isGap(reached) ? reached.id : null)
        setMove(++moves.current.made)
        if (next === at) grid.current?.scrollTo(next)
        const framed = () => {
          // A move made outside of an event is rendered after this frame; until then the next key adds to it.
          if (moves.current.drawn < moves.current.made) {
            frame.current = requestAnimationFrame(framed)
            return
          }
          frame.current = 0
          const { to, drawn } = going.current ?? { to: next, drawn: next }
          going.current = null
          if (to !== drawn) flushSync(() => show(Math.max(0, Math.min(to, latest.current.shown.length - 1))))
        }
        frame.current = requestAnimationFrame(framed)
      }
      const next = Math.max(0, Math.min(index, latest.current.shown.length - 1))
      if (frame.current && going.current) going.current.to = next
      else show(next)
    },
    [grid],
  )
  // A cursor ahead of the loaded rows follows the record once it is loaded.
  const reached = id === null && active && !remembered && shown !== before.current ? (row?.id ?? null) : null
  useEffect(() => {
    if (reached !== null) setId(reached)
  }, [reached])

  // While inactive and never moved, it stays at the top, whichever row is there.
  useEffect(() => {
    if (!active && at === 0 && top.current === 0) setId(null)
  }, [active, at])

  const page = Math.floor(Math.max(0, shown.recordAt(Math.max(0, at))) / pageSize) + 1
  const { setPage, key } = view
  const moved = useRef(false)
  const settling = useRef<(() => void) | null>(null)
  const settle = useCallback(() => settling.current?.(), [])
  useEffect(() => {
    if (shown.length === 0) return
    if (!moved.current) {
      moved.current = true
      return
    }
    // The URL changes once the cursor rests, because a new URL renders the whole workspace.
    const publish = () => {
      settling.current = null
      clearTimeout(timer)
      setPage(page)
    }
    const timer = setTimeout(publish, REST_MS)
    settling.current = publish
    return () => {
      settling.current = null
      clearTimeout(timer)
    }
  }, [page, setPage, shown.length])

  const held = row?.id ?? null
  useEffect(() => {
    if (at >= 0) keepPlace(list, { key, id: held, at, top: top.current })
  }, [list, key, held, at])
  const now = useRef({ list, key, held, at })
  now.current = { list, key, held, at }
  const scrolled = useCallback((pixels: number) => {
    top.current = pixels
    const { list, key, held, at } = now.current
    if (at >= 0) keepPlace(list, { key, id: held, at, top: pixels })
  }, [])
  return useMemo(() => ({ at, row, here, moveTo, settle, page, scrolled }), [at, row, here, moveTo, settle, page, scrolled])
}
