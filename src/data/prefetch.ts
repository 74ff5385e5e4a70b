import { SWRConfig, unstable_serialize } from 'swr'
import type { Input, ReadId } from '../../contract/calls.ts'
import { api } from './apiClient.ts'
import { connectionAtom } from './connection.ts'
import { store } from './jotaiStore.ts'
import { isStale } from './staleNouns.ts'
import { bindPrefetch, isShown, keepAnswer, onForgotten } from './useCall.ts'

/** A read to prefetch: its call and its input. */
export type PrefetchRead = readonly [ReadId, object]

/** The most prefetches under way that no screen waits for yet. */
const MOST = 2
/** A prefetched response older than this (ms) is read again when its screen opens, even without a change event. */
const FRESH_MS = 10_000

interface Flight {
  call: ReadId
  stop: AbortController
  answer: Promise<unknown>
  /** How many would still show it: rows under cursors, choices of the palette, screens that load. */
  holders: number
  /** True if a screen waits for it. */
  joined: boolean
}
const flights = new Map<string, Flight>()
const kept = new Map<string, { call: ReadId; until: number; drop(): void }>()

const isFresh = (name: string): boolean =>
  performance.now() < (kept.get(name)?.until ?? 0) && store.get(connectionAtom) === 'live'

/**
 * Prefetches reads whose screen may open next, unless they are shown or kept fresh already; at most two at once.
 * Returns a function that cancels them; those that a screen or another holder waits for by then continue.
 */
export function prefetch(reads: readonly PrefetchRead[]): () => void {
  return start(reads, MOST - [...flights.values()].filter(({ joined }) => !joined).length)
}

/** Prefetches what a screen that has opened needs next, however many others run; otherwise like `prefetch`. */
export const prefetchNeeded = (reads: readonly PrefetchRead[]): (() => void) => start(reads, reads.length)

function start(reads: readonly PrefetchRead[], most: number): () => void {
  let room = most
  const held = new Map<string, Flight>()
  for (const [call, input] of reads) {
    const name = unstable_serialize([call, input])
    if (isShown(name) || isFresh(name)) continue
    const flight = flights.get(name) ?? (room-- > 0 ? ask(name, call, input) : undefined)
    if (!flight) continue
    flight.holders++
    held.set(name, flight)
  }
  // A screen that opens joins in the same task in which the list cancels.
  return () =>
    void setTimeout(() => {
      for (const [name, flight] of held) if (--flight.holders === 0 && !flight.joined) cancel(name, flight)
    })
}

function ask(name: string, call: ReadId, input: object): Flight {
  const stop = new AbortController()
  const answer = api.read(call, input as Input<typeof call>, stop.signal)
  const flight: Flight = { call, stop, answer, holders: 0, joined: false }
  flights.set(name, flight)
  flight.answer.then(
    (data) => {
      if (flights.get(name) !== flight) return
      flights.delete(name)
      if (!flight.joined) kept.set(name, { call, until: performance.now() + FRESH_MS, drop: keepAnswer(name, data) })
    },
    // The screen will read it itself and show the error.
    () => flights.get(name) === flight && flights.delete(name),
  )
  return flight
}

function cancel(name: string, flight: Flight): void {
  if (flights.get(name) !== flight) return
  flights.delete(name)
  flight.stop.abort()
}

/** Lets a screen wait for a read under way that no other waits for. */
function join(name: string): Flight | undefined {
  const flight = flights.get(name)
  if (!flight || flight.joined) return undefined
  flight.joined = true
  return flight
}

/** Reads a page of a list; takes it if it was prefetched with this very input, once. */
export function readPrefetched(call: ReadId, input: object, signal: AbortSignal): Promise<unknown> {
  const name = unstable_serialize([call, input])
  const data = isFresh(name) ? SWRConfig.defaultValue.cache.get(name)?.data : undefined
  if (data !== undefined) {
    forget(name)
    return Promise.resolve(data)
  }
  const flight = join(name)
  if (!flight) return api.read(call, input as Input<typeof call>, signal)
  signal.addEventListener('abort', () => flight.stop.abort())
  return flight.answer
}

function forget(name: string): void {
  kept.get(name)?.drop()
  kept.delete(name)
}

bindPrefetch({
  isFresh,
  join: (name) => join(name)?.answer,
  // A screen reads changed data again.
  drop(nouns) {
    for (const [name, flight] of flights) if (!flight.joined && isStale(flight.call, nouns)) cancel(name, flight)
    for (const [name, { call }] of kept) if (isStale(call, nouns)) forget(name)
  },
})
onForgotten(() => {
  for (const [name, flight] of flights) cancel(name, flight)
  kept.clear()
})
