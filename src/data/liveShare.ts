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
  | { type: 'ping' }
  | { type: 'beat' }

/** How many events the stream's tab keeps for tabs opened later. */
const KEPT = 200
/** How often (ms) a visible tab asks whether the stream's tab still answers, and how long it waits for that. */
const PING_MS = 5000
const BEAT_MS = 2000

/**
 * Shares one live stream among all tabs: HTTP/1.1 allows six connections to a host, so a seventh tab would block.
 * The tab with the lock reads and relays the stream; when it closes, another resumes at the shared position.
 * A tab with a message box open answers nothing and keeps its lock, so another takes it.
 * `missed` reports lost events. Without Web Locks (plain HTTP to another machine) each tab has its own stream.
 */
export function shareStream(
  name: string,
  stop: AbortSignal,
  at: At,
  listener: StreamListener,
  missed: LiveEvent,
  hold: (at: At, listener: StreamListener, moved: (id: string) => void, stop: AbortSignal) => Promise<void>,
): void {
  if (!navigator.locks || typeof BroadcastChannel === 'undefined') return void hold(at, listener, () => {}, stop)
  const channel = new BroadcastChannel(name)
  const tab = crypto.randomUUID()
  const kept: LiveEvent[] = []
  let holding: { from: number; connection: Connection; end: AbortController } | null = null
  /** When the stream's tab was last heard. */
  let heardAt = 0
  const post = (word: Word) => channel.postMessage(word)

  const welcome = ({ tab, since }: { tab: string; since: string | null }) => {
    if (!holding) return
    const after = since === null ? Number.POSITIVE_INFINITY : Number(since)
    const events = kept.filter((event) => event.id > after)
    post({ type: 'welcome', tab, events, missed: after < holding.from, connection: holding.connection })
  }
  channel.onmessage = ({ data: word }: MessageEvent<Word>) => {
    if (word.type === 'hello') return welcome(word)
    if (word.type === 'ping') return void (holding && post({ type: 'beat' }))
    if (holding) return
    heardAt = performance.now()
    if (word.type === 'beat') return
    if (word.type === 'event') listener.onEvent(word.event)
    else if (word.type === 'at') at.id = word.id
    else if (word.type === 'connection') listener.onConnection(word.connection)
    else if (word.type === 'welcome' && word.tab === tab) {
      if (word.missed) listener.onEvent(missed)
      for (const event of word.events) listener.onEvent(event)
      listener.onConnection(word.connection)
    }
  }
  const follow = () => post({ type: 'hello', tab, since: at.id })
  follow()

  const lead = () => {
    // This tab knows everything after this event, so it can relay it.
    const from = at.id === null ? Number.POSITIVE_INFINITY : Number(at.id)
    const now = { from, connection: 'connecting' as Connection, end: new AbortController() }
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
      AbortSignal.any([stop, now.end.signal]),
    )
  }
  let alone = false
  const readAlone = () => {
    clearInterval(pinging)
    if (!alone) void hold(at, listener, () => {}, stop)
    alone = true
  }
  let queued = new AbortController()
  const wait = () => {
    queued = new AbortController()
    navigator.locks.request(name, { signal: AbortSignal.any([stop, queued.signal]) }, lead).catch(taken)
  }
  /** Another tab took the lock, the request was withdrawn, or the browser refuses locks: then each tab reads alone. */
  const taken = (error: DOMException) => {
    if (error.name === 'SecurityError') return readAlone()
    if (!holding || stop.aborted) return
    holding.end.abort()
    holding = null
    follow()
    wait()
  }
  const take = () => {
    queued.abort()
    navigator.locks.request(name, { steal: true }, lead).catch(taken)
  }
  wait()
  const pinging = setInterval(() => {
    if (holding || document.hidden) return
    const askedAt = performance.now()
    post({ type: 'ping' })
    // Several tabs must not take it from each other.
    setTimeout(() => !holding && !stop.aborted && heardAt < askedAt && take(), BEAT_MS * (1 + Math.random()))
  }, PING_MS)
  stop.addEventListener('abort', () => {
    clearInterval(pinging)
    channel.close()
  })
}
