import { api } from './client.ts'
import { hearLive } from './live.ts'

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
const NAMED = new Set(['project', 'client', 'user', 'partner', 'team', 'survey', 'activity', 'location', 'place'])
const GATHER_MS = 1500

/** Calls `changed` a moment after something that the index holds has changed: the time to read the feed since its cursor. */
export function hearFeed(changed: () => void): () => void {
  let waiting: ReturnType<typeof setTimeout> | null = null
  const stop = hearLive((events) => {
    if (!events.some((event) => NAMED.has(event.noun) && event.kind !== 'counters')) return
    waiting ??= setTimeout(() => {
      waiting = null
      changed()
    }, GATHER_MS)
  })
  return () => {
    stop()
    if (waiting) clearTimeout(waiting)
  }
}
