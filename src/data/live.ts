import { calls } from 'virtual:calls'
import { isOwnWrite, isWriting, liveBegin, nameInReads } from './apiClient.ts'
import { connectionAtom } from './connection.ts'
import { store } from './jotaiStore.ts'
import type { LiveEvent } from './liveEvent.ts'
import { type At, type StreamListener, shareStream } from './liveShare.ts'
import { meAtom, renewMe, sessionEnded } from './session.ts'
import { refreshAll, refreshFailed, refreshNouns } from './useCall.ts'

/** Stands for events that the stream couldn't deliver: anything may have changed. */
export const MISSED: LiveEvent = { id: 0, noun: '', subject_id: 0, project_id: null, kind: 'missed', own: false }

const listeners = new Set<(events: readonly LiveEvent[]) => void>()
/** Subscribes to changes, in batches; returns a function that unsubscribes. */
export function onLive(listener: (events: readonly LiveEvent[]) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A write's events arrive close together: the first waits this many ms for the others. */
const LEAD_MS = 20
/** The minimum ms between two refreshes of visible data; longer for counters, which intake raises constantly. */
const GATHER_MS = 250
const COUNTERS_MS = 900
/** How long events of this browser's session wait for a pending write's response, which tells whose they are. */
const OWN_WAIT_MS = 2000
/** The server sends something every 20 s. A longer silence means a dead connection, after sleep or a network change. */
const SILENCE_MS = 45_000
const SLOWEST_MS = 30_000

/**
 * Keeps the live stream open while signed in.
 * It opens before the first screen reads its data, so that no change is missed in between.
 */
export function liveWithSession(): void {
  let person: number | null = null
  let stop = () => {}
  const follow = () => {
    const me = store.get(meAtom)
    const id = me && !me.must_change_password ? me.id : null
    if (id === person) return
    person = id
    stop()
    stop = id === null ? () => {} : openLive(id)
  }
  store.sub(meAtom, follow)
  follow()
}

/** Opens the live stream and reopens it until stopped. It resumes at its position, so no event is missed. */
export function openLive(person: number): () => void {
  const stop = new AbortController()
  const bunches = new Bunches(setPaneState)
  const listener: StreamListener = {
    onEvent: (event) => bunches.take(event),
    onConnection(connection) {
      const before = store.get(connectionAtom)
      store.set(connectionAtom, connection)
      // Retries reads that failed meanwhile; the missed events refresh everything else.
      if (before === 'lost' && connection === 'live') refreshFailed()
    },
  }
  listener.onConnection('connecting')
  const at = { id: liveBegin() }
  nameInReads(at)
  shareStream(`fieldwork.live.${person}`, stop.signal, at, listener, MISSED, (at, listener, moved, signal) =>
    keepOpen(signal, at, listener, moved),
  )
  return () => {
    stop.abort()
    bunches.stop()
  }
}

function setPaneState(events: readonly LiveEvent[]): void {
  if (events.some((event) => event.kind === 'scope' || event.kind === 'missed')) {
    // The user's role or projects changed: read visible data again with the new access.
    void renewMe().then(refreshAll)
  } else {
    if (events.some((event) => event.noun === 'account')) void renewMe()
    const nouns = new Set(events.filter((event) => !isOwnWrite(event)).map((event) => event.noun))
    if (nouns.size) refreshNouns(nouns)
  }
  for (const listener of listeners) listener(events)
}

/** Batches events: the first is delivered at once, those that follow together. */
export class Bunches {
  private bunch: LiveEvent[] = []
  private timer: ReturnType<typeof setTimeout> | null = null
  private dueAt = Number.POSITIVE_INFINITY
  private deliveredAt = Number.NEGATIVE_INFINITY
  private held = 0
  private readonly deliver: (events: readonly LiveEvent[]) => void
  private readonly writing: () => boolean
  constructor(deliver: (events: readonly LiveEvent[]) => void, writing: () => boolean = isWriting) {
    this.deliver = deliver
    this.writing = writing
  }

  take(event: LiveEvent): void {
    this.bunch.push(event)
    const apart = event.kind === 'counters' ? COUNTERS_MS : GATHER_MS
    this.plan(Math.max(performance.now() + LEAD_MS, this.deliveredAt + apart))
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer)
    this.bunch = []
  }

  private plan(at: number): void {
    if (at >= this.dueAt) return
    if (this.timer) clearTimeout(this.timer)
    this.dueAt = at
    this.timer = setTimeout(() => this.ring(), at - performance.now())
  }

  private ring(): void {
    const now = performance.now()
    this.timer = null
    this.dueAt = Number.POSITIVE_INFINITY
    const waits = this.writing() && this.bunch.some((event) => event.own)
    if (!waits) this.held = 0
    else this.held ||= now
    const hold = waits && now - this.held < OWN_WAIT_MS
    const events = hold ? this.bunch.filter((event) => !event.own) : this.bunch
    this.bunch = hold ? this.bunch.filter((event) => event.own) : []
    if (hold) this.plan(now + LEAD_MS)
    if (!events.length) return
    this.deliveredAt = now
    this.deliver(events)
  }
}

async function keepOpen(signal: AbortSignal, at: At, listener: StreamListener, moved: (id: string) => void): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    listener.onConnection(failures ? 'lost' : 'connecting')
    try {
      const lasted = await listen(signal, at, listener, moved)
      failures = lasted ? 0 : failures + 1
    } catch {
      failures += 1
    }
    if (signal.aborted) return
    if (failures) listener.onConnection('lost')
    // Random delays keep clients from reconnecting at the same moment after a restart.
    await pause(Math.min(SLOWEST_MS, 500 * 2 ** failures) * (0.5 + Math.random() / 2), signal)
  }
}

/** Reads one connection to its end. Returns true if it was ever open. */
async function listen(stop: AbortSignal, at: At, listener: StreamListener, moved: (id: string) => void): Promise<boolean> {
  const headers: Record<string, string> = { accept: 'text/event-stream', 'x-fieldwork': 'workspace' }
  if (at.id) headers['last-event-id'] = at.id
  const watch = watchSilence(listener)
  try {
    const signal = AbortSignal.any([stop, watch.signal])
    const answer = await fetch(calls['live.stream']![1], { headers, credentials: 'same-origin', signal, cache: 'no-store' })
    if (answer.status === 401) {
      sessionEnded()
      return false
    }
    if (!answer.ok || !answer.body) return false
    listener.onConnection('live')
    const pieces = answer.body.pipeThrough(new TextDecoderStream())
    for await (const block of blocksOf(pieces, watch.heard)) {
      const { id, event, data } = readBlock(block)
      if (id !== null) {
        at.id = id
        moved(id)
      }
      // The server is up but its database isn't: nothing can be reported or saved, so the stream waits.
      if (event === 'away') listener.onConnection('lost')
      if (event === 'back') listener.onConnection('live')
      if (event === 'message' && data) listener.onEvent(JSON.parse(data) as LiveEvent)
      if (event === 'hello' && (JSON.parse(data) as { missed?: boolean }).missed) listener.onEvent(MISSED)
    }
    return true
  } catch (error) {
    // It was closed because it was silent, which isn't a server failure and needs no delay.
    if (watch.signal.aborted) return true
    throw error
  } finally {
    watch.stop()
  }
}

/** Closes a silent connection, also after sleep or a change of network. */
function watchSilence(listener: StreamListener) {
  const giveUp = new AbortController()
  let heardAt = Date.now()
  let offline = false
  const look = () => {
    if (Date.now() - heardAt > SILENCE_MS) giveUp.abort()
  }
  const online = () => giveUp.abort()
  // The connection itself reports this only after a long time.
  const cut = () => {
    offline = true
    listener.onConnection('lost')
  }
  const timer = setInterval(look, 5000)
  document.addEventListener('visibilitychange', look)
  addEventListener('online', online)
  addEventListener('offline', cut)
  return {
    signal: giveUp.signal,
    heard: () => {
      heardAt = Date.now()
      // A server on this machine needs no network.
      if (offline) listener.onConnection('live')
      offline = false
    },
    stop: () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
      removeEventListener('online', online)
      removeEventListener('offline', cut)
    },
  }
}

/** Splits a text stream into blocks, which end with a blank line. */
export async function* blocksOf(stream: ReadableStream<string>, onData: () => void = () => {}): AsyncGenerator<string> {
  let rest = ''
  const reader = stream.getReader()
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      onData()
      const blocks = (rest + piece.value.replaceAll('\r', '')).split('\n\n')
      rest = blocks.pop()!
      yield* blocks
    }
  } finally {
    reader.releaseLock()
  }
}

/** Parses one block of server-sent events. */
export function readBlock(block: string): { id: string | null; event: string; data: string } {
  const message = { id: null as string | null, event: 'message', data: '' }
  for (const line of block.split('\n')) {
    const cut = line.indexOf(':')
    if (cut <= 0) continue
    const value = line.slice(cut + 1).replace(/^ /, '')
    const field = line.slice(0, cut)
    if (field === 'id') message.id = value
    else if (field === 'event') message.event = value
    else if (field === 'data') message.data += message.data ? `\n${value}` : value
  }
  return message
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((done) => {
    const wake = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      removeEventListener('online', wake)
      done()
    }
    const timer = setTimeout(wake, ms)
    signal.addEventListener('abort', wake)
    // After sleep or a tunnel, reconnect at once.
    addEventListener('online', wake)
  })
