import { nounOf } from '../../contract/nounOf.ts'
import { readBytes } from './apiClient.ts'
import { onLive } from './live.ts'
import type { LiveEvent } from './liveEvent.ts'

/** Streams the palette's index: all of it, or changes after `since`. Returns bytes, which the worker parses. */
export const openFeed = (since: number | null, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> =>
  readBytes('palette.index', since === null ? {} : { since }, signal)

/**
 * Visible data refreshes at once. Names wait a random time, because every open workspace reads them.
 * Later changes are batched.
 */
const SOON_MS = 250
const APART_MS = 550

/** True for an event that may change a name in the palette. */
export const concernsIndex = ({ noun, kind }: Pick<LiveEvent, 'noun' | 'kind'>): boolean =>
  kind === 'scope' || kind === 'missed' || (nounOf(noun)?.found !== undefined && kind !== 'counters')

/** Calls `changed` shortly after a change to the index, when the feed should be read from its cursor. */
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
