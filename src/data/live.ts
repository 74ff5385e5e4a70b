import { calls } from 'virtual:calls'
import { atom } from 'jotai'
import { wroteJustNow } from './client.ts'
import { meAtom, sessionEnded } from './session.ts'
import { store } from './store.ts'
import { refreshNouns } from './useCall.ts'

/** One thing that changed, as the live stream tells it. */
export interface LiveEvent {
  id: number
  noun: string
  subject_id: number
  project_id: number | null
  kind: string
  /** Done in this very session: the page that did it has refreshed its caches already. */
  own: boolean
}

/** How the live connection stands. */
export type Connection = 'connecting' | 'live' | 'lost'
export const connectionAtom = atom<Connection>('connecting')

const ears = new Set<(events: readonly LiveEvent[]) => void>()
/** Hears what changes, in bunches; returns a way to stop. */
export function hearLive(ear: (events: readonly LiveEvent[]) => void): () => void {
  ears.add(ear)
  return () => ears.delete(ear)
}

const GATHER_MS = 250
const SLOWEST_MS = 30_000

/**
 * Keeps the live stream open while somebody is signed in. It is asked for before the first screen asks for anything, so
 * that no change falls between what was read and what is told.
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
    stop = id === null ? () => {} : openLive()
  }
  store.sub(meAtom, follow)
  follow()
}

/** Opens the live stream, again and again until it is stopped; resumes where it was, so that nothing is missed. */
export function openLive(): () => void {
  const stop = new AbortController()
  let bunch: LiveEvent[] = []
  let gathering: ReturnType<typeof setTimeout> | null = null
  const tell = () => {
    gathering = null
    const events = bunch
    bunch = []
    // One session may have several browser tabs: what another of them did is news here.
    const known = wroteJustNow()
    const nouns = new Set(events.filter((event) => !(event.own && known)).map((event) => event.noun))
    if (nouns.size) refreshNouns(nouns)
    for (const ear of ears) ear(events)
  }
  const take = (event: LiveEvent) => {
    bunch.push(event)
    gathering ??= setTimeout(tell, GATHER_MS)
  }
  void keepOpen(stop.signal, take)
  return () => {
    stop.abort()
    if (gathering) clearTimeout(gathering)
  }
}

async function keepOpen(signal: AbortSignal, take: (event: LiveEvent) => void): Promise<void> {
  const at = { id: null as string | null }
  let failures = 0
  while (!signal.aborted) {
    store.set(connectionAtom, failures ? 'lost' : 'connecting')
    try {
      const lasted = await listen(signal, at, take)
      failures = lasted ? 0 : failures + 1
    } catch {
      failures += 1
    }
    if (signal.aborted) return
    if (failures) store.set(connectionAtom, 'lost')
    // Who comes back all at once after a restart of the server would bring it down again: everyone waits a little differently.
    await pause(Math.min(SLOWEST_MS, 500 * 2 ** failures) * (0.5 + Math.random() / 2), signal)
  }
}

/** Reads one connection to its end. True when it was open at all. */
async function listen(signal: AbortSignal, at: { id: string | null }, take: (event: LiveEvent) => void): Promise<boolean> {
  const headers: Record<string, string> = { accept: 'text/event-stream', 'x-fieldwork': 'workspace' }
  if (at.id) headers['last-event-id'] = at.id
  const answer = await fetch(calls['live.stream']![1], { headers, credentials: 'same-origin', signal, cache: 'no-store' })
  if (answer.status === 401) {
    sessionEnded()
    return false
  }
  if (!answer.ok || !answer.body) return false
  store.set(connectionAtom, 'live')
  for await (const block of blocksOf(answer.body.pipeThrough(new TextDecoderStream()))) {
    const { id, event, data } = readBlock(block)
    if (id !== null) at.id = id
    if (event === 'message' && data) take(JSON.parse(data) as LiveEvent)
  }
  return true
}

/** Cuts a stream of text into its blocks, which a blank line ends. */
export async function* blocksOf(stream: ReadableStream<string>): AsyncGenerator<string> {
  let rest = ''
  const reader = stream.getReader()
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const blocks = (rest + piece.value.replaceAll('\r', '')).split('\n\n')
      rest = blocks.pop()!
      yield* blocks
    }
  } finally {
    reader.releaseLock()
  }
}

/** Reads one block of server-sent events. */
export function readBlock(block: string): { id: string | null; event: string; data: string } {
  const said = { id: null as string | null, event: 'message', data: '' }
  for (const line of block.split('\n')) {
    const cut = line.indexOf(':')
    if (cut <= 0) continue
    const value = line.slice(cut + 1).replace(/^ /, '')
    const field = line.slice(0, cut)
    if (field === 'id') said.id = value
    else if (field === 'event') said.event = value
    else if (field === 'data') said.data += said.data ? `\n${value}` : value
  }
  return said
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((done) => {
    const timer = setTimeout(done, ms)
    const wake = () => {
      clearTimeout(timer)
      done()
    }
    signal.addEventListener('abort', wake, { once: true })
    // Back from sleep or from a tunnel: no reason to wait any longer.
    addEventListener('online', wake, { once: true })
  })
