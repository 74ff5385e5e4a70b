import type { Store } from './indexStore.ts'
import type { Changes, Entity, Hit, SearchAnswer, SearchOptions } from './types.ts'
import type { Helper } from './workerClient.ts'

/** What opening a user's names needs. */
export type EntityIndexOptions = {
  /** The owner of the names, which are stored per user. */
  user: string
  /** Requests all names (`since` null) or the changes since a cursor; returns the bytes as they arrive. */
  load: (since: number | null, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>
  store?: Store
  helper?: () => Helper | null
  /** The stored index if it is being read already; null if it isn't, or nothing is stored. */
  ahead?: Promise<ArrayBuffer | null>
}

/** What is missing: names still loading, with the number so far, or failed ones. */
export type IndexStatus = { how: 'coming' | 'failed'; names: number }

/** A user's names, ready to search. */
export type EntityIndex = {
  /** Searches for a few ms; slower hits arrive once by `onLate`, to be appended. */
  search: (text: string, options?: SearchOptions, onLate?: (hits: Hit[]) => void) => Pick<SearchAnswer, 'hits' | 'complete'>
  /** Applies changes up to a cursor. */
  apply: (changes: Changes, cursor: number) => Promise<void>
  /** Records that an entity was opened, which ranks it above unused ones. */
  use: (key: string) => void
  get: (key: string) => Entity | null
  readonly size: number
  /** What is missing: names still loading (with the number so far), or failed ones. Null once all are loaded. */
  readonly lacking: IndexStatus | null
  /** The cursor to request changes from; null before anything has loaded. */
  readonly cursor: number | null
  /** Resolves when the first names can be searched; rejects if nothing was stored and loading failed. */
  readonly ready: Promise<void>
  /** Resolves when the first load is complete, too; after a failure, call `reload`. */
  readonly current: Promise<void>
  reload: () => Promise<void>
  /** Calls back after each change to the names; returns a function that unsubscribes. */
  onChange: (listener: () => void) => () => void
  close: () => void
}
