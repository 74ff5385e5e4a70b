import { useEffect, useRef } from 'react'
import useSWR, { mutate, SWRConfig, unstable_serialize } from 'swr'
import type { CallId, Input, Output, ReadId } from '../../contract/calls.ts'
import type { ApiError } from './api.ts'
import { api } from './apiClient.ts'
import { isStale, refreshedBy } from './staleNouns.ts'

/** A read in a component. The previous data stays while new data loads. */
export interface Answer<T> {
  data: T | undefined
  error: ApiError | undefined
  /** True if there is nothing to show yet. */
  loading: boolean
  /** True while new data loads and `data` is the old one. */
  refreshing: boolean
  /** True if `data` belongs to another input while the right data loads. */
  stale: boolean
  retry(): void
  /** Changes the data before the server confirms it; the next read corrects it. */
  put(change: (old: T) => T): void
}

export interface CallOptions {
  /** Polling interval in ms, for data without events. */
  every?: number
  /** Clears the data when the input changes, so that a record never shows another's figures. */
  fresh?: boolean
  /** Events refresh it at most every so many ms, and not while it is held, when the user reads a value off it. */
  paced?: { every: number; held: boolean }
}

/** Reads a call of the table; a null input waits. Writes and live events of its nouns refresh it. */
export const useCall = <Id extends ReadId>(id: Id, input: Input<Id> | null, options: CallOptions = {}): Answer<Output<Id>> =>
  useRead<Output<Id>>(input === null ? null : [id, input], () => api.read(id, input as Input<Id>), options)

/** The cache key of a read: its call and its input. */
export type CallKey = readonly [CallId, unknown]

/** Prefetched reads (prefetch.ts, which loads with the first one). */
interface Prefetcher {
  /** Returns a read under way, if there is one. */
  join(name: string): Promise<unknown> | undefined
  /** True while the cached response is current. */
  isFresh(name: string): boolean
  /** Drops what shows one of these nouns (null: all), and cancels reads of it. */
  drop(nouns: ReadonlySet<string> | null): void
}
let ahead: Prefetcher | undefined
/** Registers the prefetcher. */
export const bindPrefetch = (made: Prefetcher): void => {
  ahead = made
}

/** Reads by a key that starts with a call id, whose nouns refresh it; a null key waits. */
export function useRead<T>(key: CallKey | null, read: () => Promise<T>, options: CallOptions = {}): Answer<T> {
  const name = key === null ? '' : unstable_serialize(key)
  const {
    data,
    error,
    isLoading,
    isValidating,
    mutate: put,
  } = useSWR<T, ApiError>(key, () => (ahead?.join(name) as Promise<T> | undefined) ?? read(), {
    keepPreviousData: !options.fresh,
    refreshInterval: options.every ?? 0,
    revalidateOnFocus: false,
    revalidateIfStale: !ahead?.isFresh(name),
    shouldRetryOnError: isPassing,
    onErrorRetry: retryRefresh,
    dedupingInterval: 500,
  })
  useForgetting(name)
  usePaced(options.paced ? name : '', options.paced, put)
  return {
    data,
    error,
    loading: key !== null && data === undefined && !error,
    refreshing: isValidating && data !== undefined,
    stale: isLoading && data !== undefined,
    retry: () => void put(),
    put: (change) => void put((old: T | undefined) => (old === undefined ? old : change(old)), { revalidate: false }),
  }
}

/** True for an error that says nothing about the record: no connection, too many requests, or a server error. */
const isPassing = ({ status }: ApiError): boolean => status === 0 || status === 429 || status >= 500

const RETRIES = 6
/**
 * Retries a failed refresh, first after a second, because nothing on the screen tells that its data is old.
 * A read without data shows its error instead, with a button to retry.
 */
function retryRefresh(
  _error: ApiError,
  key: string,
  _config: unknown,
  revalidate: (again: { retryCount: number; dedupe: boolean }) => unknown,
  { retryCount }: { retryCount: number },
): void {
  if (retryCount > RETRIES || SWRConfig.defaultValue.cache.get(key)?.data === undefined) return
  setTimeout(() => void revalidate({ retryCount, dedupe: true }), 1000 * 2 ** (retryCount - 1))
}

/** How many responses to keep after they leave the screen, for a quick return; the oldest are dropped first. */
const MOST_HIDDEN = 80
const shown = new Map<string, number>()
const hidden = new Set<string>()

function useForgetting(name: string): void {
  useEffect(() => {
    if (!name) return
    shown.set(name, (shown.get(name) ?? 0) + 1)
    hidden.delete(name)
    return () => {
      const left = shown.get(name)! - 1
      if (left > 0) return void shown.set(name, left)
      shown.delete(name)
      hide(name)
    }
  }, [name])
}

function hide(name: string): void {
  hidden.add(name)
  for (const oldest of hidden) {
    if (hidden.size <= MOST_HIDDEN) break
    hidden.delete(oldest)
    SWRConfig.defaultValue.cache.delete(oldest)
  }
}

/** True while something on the page shows this read. */
export const isShown = (name: string): boolean => shown.has(name)

/** Caches the response to a read that nothing shows yet, as if it had been shown; returns a function to remove it. */
export function keepAnswer(name: string, data: unknown): () => void {
  const { cache } = SWRConfig.defaultValue
  const known = cache.get(name)?.data !== undefined
  void mutate(name, data, { revalidate: false })
  hide(name)
  return () => {
    if (!known && !shown.has(name) && hidden.delete(name)) cache.delete(name)
  }
}

/** Paced reads by key, which refresh themselves. */
const paces = new Map<string, () => void>()

function usePaced(name: string, paced: CallOptions['paced'], put: () => Promise<unknown>): void {
  const { every = 0, held = false } = paced ?? {}
  const latest = useRef({ held, put, waits: false, run: () => {} })
  latest.current.held = held
  latest.current.put = put
  useEffect(() => {
    if (!name) return
    const now = latest.current
    let timer: ReturnType<typeof setTimeout> | undefined
    let last = Number.NEGATIVE_INFINITY
    now.run = () => {
      timer = undefined
      now.waits = now.held
      if (now.held) return
      last = performance.now()
      void now.put()
    }
    const ask = () => {
      timer ??= setTimeout(() => now.run(), Math.max(0, last + every - performance.now()))
    }
    paces.set(name, ask)
    return () => {
      clearTimeout(timer)
      now.waits = false
      if (paces.get(name) === ask) paces.delete(name)
    }
  }, [name, every])
  useEffect(() => {
    if (!held && latest.current.waits) latest.current.run()
  }, [held])
}

/** Lets a paced read refresh itself; false for any other read. */
function leavesToPace(key: CallKey): boolean {
  const ask = paces.size ? paces.get(unstable_serialize(key)) : undefined
  ask?.()
  return ask !== undefined
}

const isCallKey = (key: unknown): key is CallKey =>
  Array.isArray(key) && key.length === 2 && typeof key[0] === 'string' && key[0].includes('.')

const stale = new Set<(nouns: ReadonlySet<string> | null) => void>()
const forgotten = new Set<() => void>()
/** Subscribes to nouns becoming stale (null: all), for other caches; returns a function that unsubscribes. */
export function onStale(listener: (nouns: ReadonlySet<string> | null) => void): () => void {
  stale.add(listener)
  return () => stale.delete(listener)
}
/** Tells other caches, after what was prefetched has been dropped, because they read again at once. */
function tellStale(nouns: ReadonlySet<string> | null): void {
  ahead?.drop(nouns)
  for (const listener of stale) listener(nouns)
}
/** Subscribes to all data being forgotten. */
export const onForgotten = (listener: () => void): void => void forgotten.add(listener)

/** Reads visible data of these nouns again, and drops hidden data. */
export function refreshNouns(nouns: ReadonlySet<string>): void {
  tellStale(nouns)
  void mutate((key) => isCallKey(key) && isStale(key[0], nouns) && !leavesToPace(key))
}

/** Reads all visible data again, after access changed or events were missed. */
export function refreshAll(): void {
  tellStale(null)
  void mutate(isCallKey)
}

/** Reads again what shows an error, because the server or its database is back. */
export function refreshFailed(): void {
  const { cache } = SWRConfig.defaultValue
  void mutate((key) => isCallKey(key) && cache.get(unstable_serialize(key))?.error !== undefined)
}

const GATHER_MS = 400
const gathered = new Set<string>()
let gathering = false

/** Refreshes what a write made stale, by its row of the calls table: at once, or a few times a second in a series. */
export function refreshAfter(id: CallId): void {
  const nouns = refreshedBy(id)
  if (gathering) {
    // What opens before that must not be what was prefetched before this write.
    ahead?.drop(nouns)
    for (const noun of nouns) gathered.add(noun)
    return
  }
  gathering = true
  refreshNouns(nouns)
  setTimeout(() => {
    gathering = false
    if (!gathered.size) return
    const late = new Set(gathered)
    gathered.clear()
    refreshNouns(late)
  }, GATHER_MS)
}

/** Forgets all data, because another user has signed in. */
export function forgetAnswers(): void {
  void mutate(() => true, undefined, { revalidate: false })
  for (const listener of forgotten) listener()
}
