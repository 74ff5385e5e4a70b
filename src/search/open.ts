import type { Helper } from './helper.ts'
import type { Store } from './indexStore.ts'
import type { Changes, Entity, Hit, SearchAnswer, SearchOptions } from './types.ts'

/** What the names of a person need to be opened. */
export type EntityIndexOptions = {
  /** Whose names these are: what is kept is kept apart by it. */
  user: string
  /** Requests all names (`since` null) or the changes since a cursor; returns the bytes as they arrive. */
  load: (since: number | null, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>
  store?: Store
  helper?: () => Helper | null
}

/** What is missing: names still loading, with the count so far, or an error. */
export type IndexStatus = { how: 'coming' | 'failed'; names: number }

/** The names of a person, open to be searched. */
export type EntityIndex = {
  /** Searches at once within a few milliseconds; hits that took longer come once through `onLate`, to be appended below. */
  search: (text: string, options?: SearchOptions, onLate?: (hits: Hit[]) => void) => Pick<SearchAnswer, 'hits' | 'complete'>
  /** Takes in what changed up to a cursor. */
  apply: (changes: Changes, cursor: number) => Promise<void>
  /** Notes that a record was opened, which ranks it above unused ones. */
  use: (key: string) => void
  get: (key: string) => Entity | null
  readonly size: number
  /** Null while all names are there, as they are now or were at the last visit; else that they are still coming, and how many have come, or that they can't be had. */
  readonly lacking: IndexStatus | null
  /** The cursor to ask for changes from; null before anything was loaded. */
  readonly cursor: number | null
  /** Fulfilled when the first names can be searched; rejected when nothing was kept and loading failed. */
  readonly ready: Promise<void>
  /** Fulfilled when the first load is in as well; after a failure call `reload`. */
  readonly current: Promise<void>
  reload: () => Promise<void>
  /** Calls back after each change of what can be found; returns the function that stops it. */
  onChange: (listener: () => void) => () => void
  close: () => void
}
