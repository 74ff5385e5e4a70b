import type { Role } from '../../contract/vocabulary.ts'
import { letsIn } from '../../contract/who.ts'
import { match } from '../routing/match.ts'
import type { RouteRow } from '../routing/route.ts'
import { routeIds, rowOf } from '../routing/routes.ts'
import { whenIdle } from '../ui/idle.ts'
import { paneOf } from './paneOf.tsx'

/** The longest wait (ms) after the preload before, however busy the page is. */
const LATEST_MS = 6000

/** A record's own screen is opened most; then the sidebar's in order; then the rest. */
const rank = (row: RouteRow): number => (row.subject && row.tabs ? 0 : row.menu ? 1 : 2)

/** Preloads the code of a ref's screen. A failed download is retried when the screen opens. */
export function preloadScreen(ref: string): void {
  const found = match(ref)
  if (found)
    paneOf(found.id)
      ?.preload()
      .catch(() => {})
}

/**
 * Preloads the screens a role may open, one by one when idle, unless the browser saves data.
 * Returns the function that stops it.
 */
export function preloadScreens(role: Role): () => void {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  if (connection?.saveData) return () => {}
  const waiting = routeIds
    .map((id) => ({ row: rowOf(id), pane: paneOf(id) }))
    .filter(({ row, pane }) => pane && !row.outside && letsIn(row.access, { role }))
    .sort((a, b) => rank(a.row) - rank(b.row))
  let stop = () => {}
  const next = () => {
    const pane = waiting.shift()?.pane
    if (!pane) return
    stop = whenIdle(() => {
      // A failed one loads when it is opened; the others continue.
      pane.preload().then(next, next)
    }, LATEST_MS)
  }
  next()
  return () => {
    waiting.length = 0
    stop()
  }
}
