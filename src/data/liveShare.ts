import type { Connection } from './connection.ts'
import type { LiveEvent } from './liveEvent.ts'

/** Receives a stream's messages and position. */
export interface StreamListener {
  onEvent(event: LiveEvent): void
  onConnection(connection: Connection): void
}
/** The id of the last delivered event, for resuming; null before the first. */
export interface At {
  id: string | null
}

type Word =
  | { type: 'event'; event: LiveEvent }
  | { type: 'at'; id: string }
  | { type: 'connection'; connection: Connection }
  | { type: 'hello'; tab: string; since: string | null }
  | { type: 'welcome'; tab: string; events: readonly LiveEvent[]; missed: boolean; connection: Connection }

/** How many events the stream's tab keeps for tabs opened later. */
const KEPT = 200

/**
 * Shares one live stream among all tabs: HTTP/1.1 allows six connections to a host, so a seventh tab would block.
 * The tab with the lock reads and relays the stream; when it closes, another resumes at the shared position.
 * `missed` reports lost events. Without Web Locks (plain HTTP to another machine) each tab has its own stream.
 */
export function shareStream(
  name: string,
  stop: AbortSignal,
  at: At,
  listener: StreamListener,
  missed: LiveEvent,
  hold: (at: At, listener: StreamListener, moved: (id: string) => void) => Promise<void>,
): void {
  if (!navigator.locks || typeof BroadcastChannel === 'undefined') return void hold(at, listener, () => {})
  const channel = new BroadcastChannel(name)
  const tab = crypto.randomUUID()
  const kept: LiveEvent[] = []
  let holding: { from: number; connection: Connection } | null = null
  const post = (word: Word) => channel.postMessage(word)

  const welcome = ({ tab, since }: { tab: string; since: string | null }) => {
    if (!holding) return
    const after = since === null ? Number.POSITIVE_INFINITY : Number(since)
    const events = kept.filter((event) => event.id > after)
    post({ type: 'welcome', tab, events, missed: after < holding.from, connection: holding.connection })
  }
  channel.onmessage = ({ data: word }: MessageEvent<Word>) => {
    if (word.type === 'hello') welcome(word)
    else if (holding) return
    else if (word.type === 'event') listener.onEvent(word.event)
    else if (word.type === 'at') at.id = word.id
    else if (word.type === 'connection') listener.onConnection(word.connection)
    else if (word.tab === tab) {
      if (word.missed) listener.onEvent(missed)
      for (const event of word.events) listener.onEvent(event)
      listener.onConnection(word.connection)
    }
  }
  post({ type: 'hello', tab, since: at.id })

  const lead = () => {
    // This tab knows everything after this event, so it can relay it.
    const now = { from: at.id === null ? Number.POSITIVE_INFINITY : Number(at.id), connection: 'connecting' as Connection }
    holding = now
    return hold(
      at,
      {
        onEvent(event) {
          kept.push(event)
          if (kept.length > KEPT) now.from = kept.shift()!.id
          post({ type: 'event', event })
          listener.onEvent(event)
        },
        onConnection(connection) {
          now.connection = connection
          post({ type: 'connection', connection })
          listener.onConnection(connection)
        },
      },
      (id) => {
        if (now.from === Number.POSITIVE_INFINITY) now.from = Number(id)
        post({ type: 'at', id })
      },
    )
  }
  navigator.locks.request(name, { signal: stop }, lead).catch(() => {
    // Aborted while waiting for the lock.
  })
  stop.addEventListener('abort', () => channel.close())
}
