import { nounOf } from '../../contract/nounOf.ts'
import { readBytes } from './apiClient.ts'
import { onLive } from './live.ts'
import type { LiveEvent } from './liveEvent.ts'

/** The palette's index, whole or what changed after `since`, scoped to the caller by the server; as bytes, to be read off the page's thread. */
export const openFeed = (since: number | null, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> =>
  readBytes('palette.index', since === null ? {} : { since }, signal)

/**
 * Reads what is on screen again at once, and the palette's names at a random moment later, because every open workspace
 * reads them. Later changes come in batches.
 */
const SOON_MS = 250
const APART_MS = 900

/** True for an event after which the palette's index may name something else. */
export const concernsIndex = ({ noun, kind }: Pick<LiveEvent, 'noun' | 'kind'>): boolean =>
  kind === 'scope' || kind === 'missed' || (nounOf(noun)?.found !== undefined && kind !== 'counters')

/** Calls `changed` a moment after something that the index holds has changed: the time to read the feed since its cursor. */
export function onFeed(changed: () => void): () => void {
  let waiting: ReturnType<typeof setTimeout> | null = null
  let last = Number.NEGATIVE_INFINITY
  const stop = onLive((events) => {
    if (!events.some(concernsIndex)) return
    waiting ??= setTimeout(
      () => {
        waiting = null
        last = performance.now()
        changed()
      },
      Math.max(SOON_MS, last + APART_MS - performance.now()) * (0.8 + Math.random() * 0.4),
    )
  })
  return () => {
    stop()
    if (waiting) clearTimeout(waiting)
  }
}
