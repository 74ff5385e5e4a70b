import { ApiError } from '../data/api.ts'
import type { ReadRows, RowSource } from './rowSource.ts'

/** The loaded chunks of a list by number, from 1. A new object on every change. */
export interface Loaded<Row> {
  /** The number of matches; undefined before the first response. */
  count: number | undefined
  chunks: ReadonlyMap<number, readonly Row[]>
  /** True if the visible rows belong to another search while the right ones load. */
  stale: boolean
  /** True if the visible rows are from an earlier visit and are being read again. */
  remembered: boolean
  error: ApiError | null
}

/** Loads a list's rows around the visible ones. */
export interface RowLoader<Row> {
  snapshot(): Loaded<Row>
  subscribe(heard: () => void): () => void
  /** Starts, or restarts with a changed source; `at` is the first visible row. */
  begin(source: RowSource<Row>, at: number): void
  /** Sets the visible rows. Loads missing ones, and those ahead in the scroll direction. */
  see(first: number, last: number): void
  /** After a change, reads the visible rows again, and others once they become visible. */
  refresh(): void
  /** Pauses loading while the list is hidden; it catches up when shown. */
  show(visible: boolean): void
  retry(): void
  /** Loads a range of rows in order; throws the server's error or an AbortError. */
  stretch(first: number, last: number, signal: AbortSignal): Promise<Row[]>
  /** Calls back when the list is read again after a change; returns a function that unsubscribes. */
  onRefresh(heard: () => void): () => void
  stop(): void
}

/** Concurrent requests; a browser allows six in all. */
const AT_ONCE = 3
/** The most visible chunks, however far the user zooms out. */
const MOST_SEEN = 6
/** How many chunks to keep; those furthest from the visible rows are dropped first. */
const KEPT = 60
/** How long (ms) a drag must rest before the surrounding rows load; rows in passing are never looked at. */
const REST_MS = 90
/** The minimum ms between requests for visible rows during a drag; earlier requests are cancelled. */
const GLANCE_MS = 100
/** The minimum ms between reloads of a list that grows while being read. */
const SHIFT_MS = 1000

/** Rows of lists that were left, shown at once on return while they load again. Cleared with the session. */
const cache = new Map<string, { count: number; chunks: ReadonlyMap<number, readonly unknown[]> }>()
const CACHED_LISTS = 12
/** Clears all lists' rows, because another user has signed in. */
export const forgetRows = (): void => cache.clear()

/** Identifies what a source requests, regardless of the page. */
export const keyOfSource = <Row>(source: RowSource<Row>): string => JSON.stringify([source.call, source.input(1, source.chunk)])

/** Creates a list's loader, which loads nothing before `begin`. `onAnswer` receives each raw response. */
export function createRowLoader<Row>(read: ReadRows, onAnswer: (answer: unknown) => void = () => {}): RowLoader<Row> {
  const listeners = new Set<() => void>()
  const changed = new Set<() => void>()
  let now: Loaded<Row> = { count: undefined, chunks: new Map(), stale: false, remembered: false, error: null }
  let source: RowSource<Row> | null = null
  let key = ''
  let wanted: readonly number[] = []
  let seen = { first: 0, last: 0, way: 1 }
  /** Set until a jump has come to rest; until then only visible rows are requested, at intervals. */
  let resting: ReturnType<typeof setTimeout> | null = null
  let glancing: ReturnType<typeof setTimeout> | null = null
  let glancedAt = Number.NEGATIVE_INFINITY
  /** The visible pages, and those including their surroundings. */
  let viewport: { pages: readonly number[]; around: readonly number[] } = { pages: [], around: [] }
  let shiftedAt = 0
  let visible = true
  let fresh = false
  /** Shows the last known count while the next one loads. */
  let counted = false
  /** The request whose response will have a count. */
  let counting: AbortController | null = null
  const flying = new Map<number, AbortController>()
  const old = new Set<number>()

  const set = (next: Partial<Loaded<Row>>) => {
    now = { ...now, ...next }
    for (const listener of listeners) listener()
  }
  const lastPage = () =>
    now.count === undefined || fresh ? Number.POSITIVE_INFINITY : Math.max(1, Math.ceil(now.count / source!.chunk))
  const halt = (keep: (page: number) => boolean = () => false) => {
    for (const [page, flight] of flying) {
      if (keep(page)) continue
      flight.abort()
      flying.delete(page)
      old.add(page)
      if (counting === flight) counting = null
    }
  }

  function pump(): void {
    if (!source || !visible || now.error) return
    // The first response has the count; the rest follows it.
    if ((fresh || now.count === undefined) && flying.size) return
    for (const page of wanted) {
      if (flying.size >= AT_ONCE) return
      if (flying.has(page) || page > lastPage()) continue
      if (fresh || old.has(page) || !now.chunks.has(page)) void load(page)
      if (fresh || now.count === undefined) return
    }
  }

  async function load(page: number): Promise<void> {
    const from = source!
    const flight = new AbortController()
    flying.set(page, flight)
    old.delete(page)
    const alone = counted || counting !== null ? from.rowsAlone : undefined
    if (!alone) counting = flight
    try {
      const input = { ...from.input(page, from.chunk), ...alone }
      const answer = await (from.read ?? read)(from.call as never, input as never, flight.signal)
      if (flight.signal.aborted) return
      flying.delete(page)
      // Something changed after this request was sent, so count again.
      if (counting === flight) {
        counting = null
        counted = true
      }
      onAnswer(answer)
      take(page, from.rows(answer as never), from.count(answer as never))
    } catch (error) {
      if (flight.signal.aborted) return
      flying.delete(page)
      if (counting === flight) counting = null
      old.add(page)
      halt()
      set({
        error: error instanceof ApiError ? error : new ApiError(0, 'broken', 'The rows couldn’t be loaded. Try again.'),
        stale: false,
      })
      return
    }
    pump()
  }

  function take(page: number, rows: readonly Row[], countInResponse: number | undefined): void {
    const count = countInResponse ?? now.count ?? rows.length
    if (
      countInResponse === undefined &&
      rows.length !== Math.max(0, Math.min(source!.chunk, count - (page - 1) * source!.chunk))
    ) {
      // Rows were added or removed without an event, so count again.
      counted = false
      old.add(page)
    }
    const chunks = fresh ? new Map<number, readonly Row[]>() : new Map(now.chunks)
    if (!fresh && now.count !== undefined && now.count !== count && Date.now() - shiftedAt > SHIFT_MS) {
      // Rows were added or removed, so rows of other chunks have moved.
      shiftedAt = Date.now()
      for (const other of chunks.keys()) if (other !== page) old.add(other)
    }
    fresh = false
    chunks.set(page, rows)
    const end = Math.max(1, Math.ceil(count / source!.chunk))
    for (const other of chunks.keys()) if (other > end) chunks.delete(other)
    const middle = wanted[0] ?? page
    if (chunks.size > KEPT)
      for (const far of [...chunks.keys()]
        .sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle))
        .slice(0, chunks.size - KEPT))
        chunks.delete(far)
    const next = { chunks, count, stale: false, remembered: false, error: null }
    // Rows that a drag has passed are stored without rendering.
    const passed = resting !== null && (page * source!.chunk <= seen.first || (page - 1) * source!.chunk > seen.last)
    if (passed && count === now.count && !now.stale && !now.remembered && !now.error) now = { ...now, ...next }
    else set(next)
  }

  const want = (pages: readonly number[]) => {
    wanted = pages
    halt((page) => pages.includes(page))
    pump()
  }
  /** Requests rows far from the last ones at once, and at intervals during further jumps. */
  const glance = () => {
    if (resting) clearTimeout(resting)
    resting = setTimeout(() => {
      stopJumping()
      want(viewport.around)
    }, REST_MS)
    const ask = () => {
      glancing = null
      glancedAt = Date.now()
      want(viewport.pages)
    }
    const left = glancedAt + GLANCE_MS - Date.now()
    if (left > 0) glancing ??= setTimeout(ask, left)
    else ask()
  }
  const stopJumping = () => {
    if (resting) clearTimeout(resting)
    if (glancing) clearTimeout(glancing)
    resting = null
    glancing = null
  }

  const keep = () => {
    if (!key || now.count === undefined || fresh) return
    cache.delete(key)
    cache.set(key, { count: now.count, chunks: now.chunks })
    for (const oldest of [...cache.keys()].slice(0, Math.max(0, cache.size - CACHED_LISTS))) cache.delete(oldest)
  }

  return {
    snapshot: () => now,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    begin(next, at) {
      source = next
      const name = keyOfSource(next)
      if (name === key && (flying.size || now.count !== undefined)) return
      stopJumping()
      halt()
      keep()
      key = name
      counted = false
      counting = null
      old.clear()
      const page = Math.floor(Math.max(0, at) / next.chunk) + 1
      wanted = [page]
      seen = { first: (page - 1) * next.chunk, last: page * next.chunk, way: 1 }
      const known = cache.get(name)
      if (known) {
        fresh = false
        for (const one of known.chunks.keys()) old.add(one)
        set({ count: known.count, chunks: known.chunks as Loaded<Row>['chunks'], stale: false, remembered: true, error: null })
      } else {
        fresh = true
        set({ stale: now.count !== undefined, error: null })
      }
      pump()
    },
    see(first, last) {
      if (!source) return
      const { chunk } = source
      const pageOf = (row: number) => Math.floor(Math.max(0, row) / chunk) + 1
      const apart = first > seen.last || last < seen.first
      const way = first > seen.first ? 1 : first < seen.first ? -1 : seen.way
      seen = { first, last, way }
      const from = pageOf(first)
      const inView = Array.from({ length: Math.min(pageOf(last) - from + 1, MOST_SEEN) }, (_, at) => from + at)
      const ahead = Math.max(1, Math.ceil((2 * (last - first + 1)) / chunk))
      const next = Array.from({ length: Math.min(ahead, 4) }, (_, at) => (way > 0 ? inView.at(-1)! + 1 + at : from - 1 - at))
      const around = [...inView, ...next, way > 0 ? from - 1 : inView.at(-1)! + 1].filter((page) => page >= 1)
      if (now.error && inView.every((page) => now.chunks.has(page))) return
      viewport = { pages: inView, around }
      if (apart) glance()
      // Moving on from where a jump ended soon ends the jump.
      else if (!resting) want(around)
    },
    refresh() {
      counted = false
      counting = null
      for (const page of now.chunks.keys()) old.add(page)
      for (const page of flying.keys()) old.add(page)
      for (const listener of changed) listener()
      pump()
    },
    onRefresh(listener) {
      changed.add(listener)
      return () => changed.delete(listener)
    },
    show(is) {
      visible = is
      pump()
    },
    retry() {
      set({ error: null })
      pump()
    },
    async stretch(first, last, signal) {
      const from = source!
      const rows: Row[] = []
      for (let page = Math.floor(first / from.chunk) + 1; (page - 1) * from.chunk <= last; page++) {
        signal.throwIfAborted()
        const known = now.chunks.get(page)
        const input = { ...from.input(page, from.chunk), ...from.rowsAlone }
        const answer = known ? null : await read(from.call as never, input as never, signal)
        const chunk = known ?? from.rows(answer as never)
        const begins = (page - 1) * from.chunk
        rows.push(...chunk.slice(Math.max(0, first - begins), last - begins + 1))
      }
      return rows
    },
    stop() {
      stopJumping()
      halt()
      keep()
      key = ''
    },
  }
}
