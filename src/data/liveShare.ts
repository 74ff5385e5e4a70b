import type { Connection } from './connection.ts'
import type { LiveEvent } from './liveEvent.ts'

/** The messages of a stream, and its position. */
export interface Ear {
  take(event: LiveEvent): void
  say(connection: Connection): void
}
/** The id of the last event that was told, for resuming; null before the first. */
export interface At {
  id: string | null
}

type Word =
  | { type: 'event'; event: LiveEvent }
  | { type: 'at'; id: string }
  | { type: 'connection'; connection: Connection }
  | { type: 'hello'; tab: string; since: string | null }
  | { type: 'welcome'; tab: string; events: readonly LiveEvent[]; missed: boolean; connection: Connection }

/** Events that the tab which holds the stream keeps for tabs that are opened after it. */
const KEPT = 200

/**
 * One live stream for all tabs of a browser: over HTTP/1.1 a browser opens six connections to a host, and six streams
 * would leave none for a seventh tab. The tab with the lock holds the stream and relays it; when it closes, the next
 * one resumes from the shared position. `missed` means that events were lost. Without Web Locks (plain HTTP to another
 * machine) each tab holds its own stream.
 */
export function shareStream(
  name: string,
  stop: AbortSignal,
  at: At,
  ear: Ear,
  missed: LiveEvent,
  hold: (at: At, ear: Ear, moved: (id: string) => void) => Promise<void>,
): void {
  if (!navigator.locks || typeof BroadcastChannel === 'undefined') return void hold(at, ear, () => {})
  const channel = new BroadcastChannel(name)
  const tab = crypto.randomUUID()
  const kept: LiveEvent[] = []
  let holding: { from: number; connection: Connection } | null = null
  const tell = (word: Word) => channel.postMessage(word)

  const welcome = ({ tab, since }: { tab: string; since: string | null }) => {
    if (!holding) return
    const after = since === null ? Number.POSITIVE_INFINITY : Number(since)
    const events = kept.filter((event) => event.id > after)
    tell({ type: 'welcome', tab, events, missed: after < holding.from, connection: holding.connection })
  }
  channel.onmessage = ({ data: word }: MessageEvent<Word>) => {
    if (word.type === 'hello') welcome(word)
    else if (holding) return
    else if (word.type === 'event') ear.take(word.event)
    else if (word.type === 'at') at.id = word.id
    else if (word.type === 'connection') ear.say(word.connection)
    else if (word.tab === tab) {
      if (word.missed) ear.take(missed)
      for (const event of word.events) ear.take(event)
      ear.say(word.connection)
    }
  }
  tell({ type: 'hello', tab, since: at.id })

  const lead = () => {
    // Known to this tab, and so to be told to others: everything after this event.
    const now = { from: at.id === null ? Number.POSITIVE_INFINITY : Number(at.id), connection: 'connecting' as Connection }
    holding = now
    return hold(
      at,
      {
        take(event) {
          kept.push(event)
          if (kept.length > KEPT) now.from = kept.shift()!.id
          tell({ type: 'event', event })
          ear.take(event)
        },
        say(connection) {
          now.connection = connection
          tell({ type: 'connection', connection })
          ear.say(connection)
        },
      },
      (id) => {
        if (now.from === Number.POSITIVE_INFINITY) now.from = Number(id)
        tell({ type: 'at', id })
      },
    )
  }
  navigator.locks.request(name, { signal: stop }, lead).catch(() => {
    // Stopped before its turn came.
  })
  stop.addEventListener('abort', () => channel.close())
}
