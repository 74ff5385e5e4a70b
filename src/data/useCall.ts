import { useEffect, useRef } from 'react'
import useSWR, { mutate, SWRConfig, unstable_serialize, useSWRConfig } from 'swr'
import type { CallId, Input, Output, ReadId } from '../../contract/calls.ts'
import type { ApiError } from './api.ts'
import { api } from './apiClient.ts'
import { nounsOf, refreshedBy } from './nouns.ts'

/** A read for a component. The old data stays while new data loads. */
export interface Answer<T> {
  data: T | undefined
  error: ApiError | undefined
  /** There is nothing to show yet. */
  loading: boolean
  /** New data is loading; `data` is the old one. */
  refreshing: boolean
  /** `data` belongs to another input, and the right data is loading. */
  stale: boolean
  retry(): void
  /** Updates the data before the server confirms; the next read corrects it. */
  put(change: (old: T) => T): void
}

export interface CallOptions {
  /** Polling interval in ms, for data without events. */
  every?: number
  /** Clears the data on a new input at once, so a record never shows another's figures. */
  fresh?: boolean
  /** Events refresh it at most every so many ms, and only once it is no longer held: somebody reads a value off it. */
  paced?: { every: number; held: boolean }
}

/** Reads a call of the table; a null input waits. Refreshes after writes and live events of its nouns. */
export const useCall = <Id extends ReadId>(id: Id, input: Input<Id> | null, options: CallOptions = {}): Answer<Output<Id>> =>
  useRead<Output<Id>>(input === null ? null : [id, input], () => api.read(id, input as Input<Id>), options)

/** Reads by a key that begins with the id of a call, whose nouns refresh it; a null key waits. */
export function useRead<T>(key: readonly [CallId, unknown] | null, read: () => Promise<T>, options: CallOptions = {}): Answer<T> {
  const {
    data,
    error,
    isLoading,
    isValidating,
    mutate: put,
  } = useSWR<T, ApiError>(key, read, {
    keepPreviousData: !options.fresh,
    refreshInterval: options.every ?? 0,
    revalidateOnFocus: false,
    shouldRetryOnError: isPassing,
    onErrorRetry: retryRefresh,
    dedupingInterval: 500,
  })
  useForgetting(key)
  usePaced(key, options.paced, put)
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

/** True for a failure that says nothing of the record: no connection, too many requests, or a server in trouble. */
const isPassing = ({ status }: ApiError): boolean => status === 0 || status === 429 || status >= 500

const RETRIES = 6
/**
 * Tries a failed refresh again, first after a second: nothing on the screen says that its data is old.
 * A read that has nothing to show says so, and is tried again by a button.
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

/** Responses no longer on screen, oldest first; this many are kept for a quick return. */
const MOST_HIDDEN = 80
const shown = new Map<string, number>()
const hidden = new Set<string>()

function useForgetting(key: readonly [CallId, unknown] | null): void {
  const { cache } = useSWRConfig()
  const name = key === null ? '' : unstable_serialize(key)
  useEffect(() => {
    if (!name) return
    shown.set(name, (shown.get(name) ?? 0) + 1)
    hidden.delete(name)
    return () => {
      const left = shown.get(name)! - 1
      if (left > 0) return void shown.set(name, left)
      shown.delete(name)
      hidden.add(name)
      for (const oldest of hidden) {
        if (hidden.size <= MOST_HIDDEN) break
        hidden.delete(oldest)
        cache.delete(oldest)
      }
    }
  }, [name, cache])
}

/** Reads that events refresh at a pace of their own, by their key. */
const paces = new Map<string, () => void>()

function usePaced(key: readonly [CallId, unknown] | null, paced: CallOptions['paced'], put: () => Promise<unknown>): void {
  const name = key === null || !paced ? '' : unstable_serialize(key)
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

/** Lets a paced read refresh itself; false for any other. */
function leavesToPace(key: readonly [CallId, unknown]): boolean {
  const ask = paces.size ? paces.get(unstable_serialize(key)) : undefined
  ask?.()
  return ask !== undefined
}

const isCallKey = (key: unknown): key is readonly [CallId, unknown] =>
  Array.isArray(key) && key.length === 2 && typeof key[0] === 'string' && key[0].includes('.')

const stale = new Set<(nouns: ReadonlySet<string> | null) => void>()
const forgotten = new Set<() => void>()
/** Subscribes to nouns becoming stale (null: all), for caches elsewhere; returns the function that stops it. */
export function onStale(ear: (nouns: ReadonlySet<string> | null) => void): () => void {
  stale.add(ear)
  return () => stale.delete(ear)
}
/** Subscribes to all data being forgotten. */
export const onForgotten = (ear: () => void): void => void forgotten.add(ear)

/** Reads visible data of these nouns again, and forgets hidden data. */
export function refreshNouns(nouns: ReadonlySet<string>): void {
  for (const ear of stale) ear(nouns)
  void mutate((key) => isCallKey(key) && [...nounsOf(key[0])].some((noun) => nouns.has(noun)) && !leavesToPace(key))
}

/** Reads everything visible again, after changed access or missed events. */
export function refreshAll(): void {
  for (const ear of stale) ear(null)
  void mutate(isCallKey)
}

/** Reads again what shows an error, as the server or its database is back. */
export function refreshFailed(): void {
  const { cache } = SWRConfig.defaultValue
  void mutate((key) => isCallKey(key) && cache.get(unstable_serialize(key))?.error !== undefined)
}

const GATHER_MS = 400
const gathered = new Set<string>()
let gathering = false

/** Refreshes what a write made stale, by its row of the calls table: at once, in a series a few times a second. */
export function refreshAfter(id: CallId): void {
  const nouns = refreshedBy(id)
  if (gathering) {
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

/** Forgets all data, as another user has signed in. */
export function forgetAnswers(): void {
  void mutate(() => true, undefined, { revalidate: false })
  for (const ear of forgotten) ear()
}
