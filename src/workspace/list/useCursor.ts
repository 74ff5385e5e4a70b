import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { GridHandle } from '../../ui/grid/DataGrid.tsx'
import { keepPlace, type Place } from './place.ts'
import { type Item, isGap, type Shown } from './shown.ts'
import type { ListView } from './view.ts'

export interface Cursor<Row> {
  /** Its place among the shown rows; -1 in an empty list. */
  at: number
  /** The row under it, when it is loaded. */
  row: Item<Row> | null
  moveTo(index: number): void
  /** The specification's page that it is on, from 1. */
  page: number
  /** The grid was scrolled. */
  scrolled(top: number): void
}

interface Start {
  /** The rows are those of an earlier visit: nothing to take hold of yet. */
  remembered: boolean
  /** The list's pane has the focus. */
  active: boolean
  list: string
  place: Place | null
}

/** A list's cursor: it stays on its record when rows come, go or change their order; when the record is gone, it stays where it was. */
export function useCursor<Row extends object>(
  shown: Shown<Row>,
  view: ListView,
  pageSize: number,
  grid: RefObject<GridHandle | null>,
  { list, place: begun, remembered, active }: Start,
): Cursor<Row> {
  const [id, setId] = useState<number | null>(begun?.id ?? null)
  const [place, setPlace] = useState(begun?.at ?? (view.page - 1) * pageSize)
  const top = useRef(begun?.top ?? 0)
  const searched = useRef(view.key)
  if (searched.current !== view.key) {
    searched.current = view.key
    setPlace(0)
    top.current = 0
  }
  const at = useMemo(() => {
    const found = id === null ? -1 : shown.indexOf(id)
    return found >= 0 ? found : Math.min(place, shown.length - 1)
  }, [shown, id, place])
  const under = shown.at(at)
  const row = under && !isGap(under) ? under : null

  const moveTo = useCallback(
    (index: number) => {
      const next = Math.max(0, Math.min(index, shown.length - 1))
      const reached = shown.at(next)
      setPlace(next)
      setId(reached && !isGap(reached) ? reached.id : null)
      grid.current?.scrollTo(next)
    },
    [shown, grid],
  )
  // A cursor that went ahead of the rows takes hold of the record once it is there.
  const reached = id === null && active && !remembered ? (row?.id ?? null) : null
  useEffect(() => {
    if (reached !== null) setId(reached)
  }, [reached])

  // Nobody looks at it and it was never moved: then it waits at the top, whatever stands there by then.
  useEffect(() => {
    if (!active && at === 0 && top.current === 0) setId(null)
  }, [active, at])

  const page = Math.floor(Math.max(0, shown.recordAt(Math.max(0, at))) / pageSize) + 1
  const { setPage, key } = view
  const moved = useRef(false)
  useEffect(() => {
    if (shown.length === 0) return
    if (moved.current) setPage(page)
    moved.current = true
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
  return { at, row, moveTo, page, scrolled }
}
