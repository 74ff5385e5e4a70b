import { useEffect } from 'react'
import { letsIn } from '../../contract/actor.ts'
import type { Role } from '../../contract/vocabulary.ts'
import { match } from '../routing/match.ts'
import type { RouteRow } from '../routing/route.ts'
import { routeIds, rowOf } from '../routing/routes.ts'
import { whenIdle } from '../ui/idle.ts'
import { paneOf } from './paneOf.tsx'

/** The longest wait (ms) after the previous preload, however busy the page is. */
const LATEST_MS = 6000

/** A record's own screen is opened most, then the sidebar's in order, then the rest. */
const rank = (row: RouteRow): number => (row.subject && row.tabs ? 0 : row.menu ? 1 : 2)

/** True if the browser asks pages not to fetch ahead. */
const savesData = (): boolean => (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true

/** Preloads the code of a ref's screen. A failed download is retried when the screen opens. */
function preloadScreen(ref: string): void {
  const found = match(ref)
  if (found)
    paneOf(found.id)
      ?.preload()
      .catch(() => {})
}

/** Fetches a ref's code, record and figures when the page is idle; returns a function that cancels it. */
function fetchAhead(ref: string): () => void {
  let take: (() => void) | null = () => {}
  // Beside other reads, because the user may open it any moment.
  const stop = whenIdle(
    () => {
      preloadScreen(ref)
      if (savesData()) return
      // Without it, the screen reads by itself.
      import('./prefetchScreen.ts').then(
        ({ prefetchScreen: askFor }) => {
          if (take) take = askFor(ref)
        },
        () => {},
      )
    },
    500,
    true,
  )
  return () => {
    stop()
    take?.()
    take = null
  }
}

/** Fetches what a ref opens once it was current for `rest` ms: the row under a cursor, or the palette's choice. */
export function usePrefetch(ref: string | null, rest = 100): void {
  useEffect(() => {
    if (!ref) return
    let stop = () => {}
    const timer = setTimeout(() => {
      stop = fetchAhead(ref)
    }, rest)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [ref, rest])
}

/**
 * Preloads the screens a role may open, one by one when idle, unless the browser saves data.
 * Returns a function that stops it.
 */
export function preloadScreens(role: Role): () => void {
  if (savesData()) return () => {}
  const waiting = routeIds
    .map((id) => ({ row: rowOf(id), pane: paneOf(id) }))
    .filter(({ row, pane }) => pane && !row.outside && letsIn(row.access, { role }))
    .sort((a, b) => rank(a.row) - rank(b.row))
  let stop = () => {}
  const next = () => {
    const pane = waiting.shift()?.pane
    if (!pane) return
    stop = whenIdle(() => {
      // A screen that failed loads when it is opened; the others continue.
      pane.preload().then(next, next)
    }, LATEST_MS)
  }
  next()
  return () => {
    waiting.length = 0
    stop()
  }
}
