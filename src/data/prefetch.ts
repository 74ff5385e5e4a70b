import { unstable_serialize } from 'swr'
import type { Input, ReadId } from '../../contract/calls.ts'
import { api } from './apiClient.ts'
import { connectionAtom } from './connection.ts'
import { store } from './jotaiStore.ts'
import { nounsOf } from './staleNouns.ts'
import { bindPrefetch, isShown, keepAnswer, onForgotten, onStale } from './useCall.ts'

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
  /** True if a screen waits for it. */
  joined: boolean
}
const flights = new Map<string, Flight>()
const kept = new Map<string, { call: ReadId; until: number; drop(): void }>()

const isFresh = (name: string): boolean =>
  performance.now() < (kept.get(name)?.until ?? 0) && store.get(connectionAtom) === 'live'

/**
 * Prefetches reads whose screen may open next, unless they are shown or kept fresh already.
 * Returns a function that cancels them; those that a screen waits for by then continue.
 */
export function prefetch(reads: readonly PrefetchRead[]): () => void {
  const waiting = [...flights.values()].filter(({ joined }) => !joined).length
  const own = reads
    .map(([call, input]) => ({ call, input, name: unstable_serialize([call, input]) }))
    .filter(({ name }) => !isShown(name) && !flights.has(name) && !isFresh(name))
    .slice(0, Math.max(0, MOST - waiting))
    .map(({ call, input, name }) => ({ name, flight: ask(name, call, input) }))
  // A screen that opens joins in the same task in which the list cancels.
  return () =>
    void setTimeout(() => {
      for (const { name, flight } of own) if (!flight.joined) cancel(name, flight)
    })
}

function ask(name: string, call: ReadId, input: object): Flight {
  const stop = new AbortController()
  const flight: Flight = { call, stop, joined: false, answer: api.read(call, input as Input<typeof call>, stop.signal) }
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

bindPrefetch({
  isFresh,
  join(name) {
    const flight = flights.get(name)
    if (!flight || flight.joined) return undefined
    flight.joined = true
    return flight.answer
  },
})

// A screen reads changed data again.
onStale((nouns) => {
  const changed = (call: ReadId) => nouns === null || [...nounsOf(call)].some((noun) => nouns.has(noun))
  for (const [name, flight] of flights) if (!flight.joined && changed(flight.call)) cancel(name, flight)
  for (const [name, { call, drop }] of kept) {
    if (!changed(call)) continue
    kept.delete(name)
    drop()
  }
})
onForgotten(() => {
  for (const [name, flight] of flights) cancel(name, flight)
  kept.clear()
})
