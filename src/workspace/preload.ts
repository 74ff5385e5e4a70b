import type { Role } from '../../contract/vocabulary.ts'
import { letsIn } from '../../contract/who.ts'
import { match } from '../routing/match.ts'
import type { RouteRow } from '../routing/route.ts'
import { routeIds, rowOf } from '../routing/routes.ts'
import { whenIdle } from '../ui/idle.ts'
import { paneOf } from './paneOf.tsx'

/** No later than this after the one before, in milliseconds, however busy the page is. */
const LATEST_MS = 6000

/** A record's own screen is opened most; then the sidebar's in their order; then the rest. */
const rank = (row: RouteRow): number => (row.subject && row.tabs ? 0 : row.menu ? 1 : 2)

/** Fetches the code of the screen that a ref names, so that opening it finds it there. A failed download is tried again when it is opened. */
export function preloadScreen(ref: string): void {
  const found = match(ref)
  if (found)
    paneOf(found.id)
      ?.preload()
      .catch(() => {})
}

/**
 * Fetches the code of every screen that somebody of this role may open, one after another while the page is idle, and not where the browser
 * was told to save data. Returns a way to stop.
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
      // One that fails is left to be fetched when it is opened; the others go on.
      pane.preload().then(next, next)
    }, LATEST_MS)
  }
  next()
  return () => {
    waiting.length = 0
    stop()
  }
}
