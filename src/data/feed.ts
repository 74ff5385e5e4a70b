import { api } from './client.ts'
import { hearLive, type LiveEvent } from './live.ts'

/** Something the palette finds: a record by its name, with a second line. */
export interface FeedEntity {
  key: string
  kind: string
  id: number
  name: string
  detail: string
}
/** What the index has to take in: everything (`full`) or what changed since a cursor. */
export interface Feed {
  cursor: number
  full: boolean
  put: FeedEntity[]
  drop: string[]
}

/** Reads the palette's index, whole or what changed after `since`, scoped to the caller by the server. */
export async function readFeed(since: number | null, signal?: AbortSignal): Promise<Feed> {
  const { cursor, full, put, drop } = await api.read('palette.index', since === null ? {} : { since }, signal)
  return {
    cursor,
    full,
    put: put.map(([kind, id, name, detail]) => ({ key: `${kind}:${id}`, kind, id, name, detail })),
    drop: drop.map(([kind, id]) => `${kind}:${id}`),
  }
}

/** Nouns whose changes rename, add or remove what the palette finds. */
const NAMED = new Set(['project', 'client', 'user', 'partner', 'team', 'survey', 'activity', 'location', 'place', 'view'])
/** What shows is read anew first; the names follow, each workspace at a moment of its own: all of them ask. Later changes come in bunches. */
const SOON_MS = 250
const APART_MS = 900

/** Calls `changed` a moment after something that the index holds has changed: the time to read the feed since its cursor. */
export function hearFeed(changed: () => void): () => void {
  let waiting: ReturnType<typeof setTimeout> | null = null
  let last = Number.NEGATIVE_INFINITY
  const concerns = ({ noun, kind }: LiveEvent) =>
    kind === 'scope' || kind === 'missed' || (NAMED.has(noun) && kind !== 'counters')
  const stop = hearLive((events) => {
    if (!events.some(concerns)) return
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
