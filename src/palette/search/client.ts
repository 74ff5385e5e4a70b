import { Builder, buildIndex } from './build.ts'
import { fromBytes } from './bytes.ts'
import { type Helper, startHelper } from './helper.ts'
import { openIndex, type Searcher } from './searcher.ts'
import { browserStore, type Store } from './store.ts'
import type { Changes, Entity, Feed, Hit, PackedIndex, SearchAnswer, SearchOptions } from './types.ts'
import { forgetUses, Uses } from './uses.ts'
import type { Order, Reply } from './work.ts'

/** Milliseconds of the page's time a search may take; the worker finishes the rest. */
export const BUDGET_MS = 4
/** Entities sent to the worker at a time, so that no message holds the page up for a frame. */
const SLICE = 2000
/** Changes beside the big index after which it is packed anew, behind. */
const PACK_AFTER = 4000

export type EntityIndexOptions = {
  /** Whose names these are: what is kept is kept apart by it. */
  user: string
  /** Fetches everything (`since` null) or what changed since a cursor. */
  load: (since: number | null, signal: AbortSignal) => Promise<Feed>
  store?: Store
  helper?: () => Helper | null
}

export type EntityIndex = {
  /** Searches at once within a few milliseconds; hits that took longer come once through `onLate`, to be appended below. */
  search: (text: string, options?: SearchOptions, onLate?: (hits: Hit[]) => void) => Pick<SearchAnswer, 'hits' | 'complete'>
  /** Takes in what the live stream tells; a full feed replaces everything. */
  apply: (feed: Feed) => Promise<void>
  /** Notes that somebody opened it: it then stands before unused ones. */
  use: (key: string) => void
  get: (key: string) => Entity | null
  readonly size: number
  /** The cursor to resume the live stream from; null before anything was loaded. */
  readonly cursor: number | null
  /** Fulfilled when the first names can be searched; rejected when nothing was kept and loading failed. */
  readonly ready: Promise<void>
  /** Fulfilled when the first load is in as well; after a failure call `reload`. */
  readonly current: Promise<void>
  reload: () => Promise<void>
  /** Calls back after each change of what can be found; answers how to stop. */
  onChange: (listener: () => void) => () => void
  close: () => void
}

/** Opens the names of a person: at once from what an earlier visit kept, then brought up to date. */
export function openEntityIndex({ user, load, store = browserStore, helper = startHelper }: EntityIndexOptions): EntityIndex {
  const uses = new Uses(user)
  const ending = new AbortController()
  const listeners = new Set<() => void>()
  const waiting = new Map<number, (reply: Reply) => void>()
  let searcher: Searcher = openIndex(buildIndex([]))
  let cursor: number | null = null
  let kept: number | null = null
  /** Changes since the kept index, for a worker that opens it later. */
  let journal: Changes[] = []
  let hands: Helper | null | undefined
  let workerHolds = false
  let tickets = 0
  let lateTicket = 0

  const worker = (): Helper | null => {
    if (hands !== undefined) return hands
    hands = helper()
    hands?.onReply((reply) => {
      waiting.get(reply.ticket)?.(reply)
      waiting.delete(reply.ticket)
    })
    hands?.onFail(() => {
      hands = null
      workerHolds = false
      for (const [ticket, answer] of waiting) answer({ ticket, bytes: null })
      waiting.clear()
    })
    return hands
  }
  const ask = (order: Order & { ticket: number }): Promise<Reply> =>
    new Promise((resolve) => {
      waiting.set(order.ticket, resolve)
      worker()!.post(order)
    })
  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  const open = (bytes: ArrayBuffer): boolean => {
    const opened = fromBytes(bytes)
    if (opened === null) return false
    searcher = openIndex(opened.packed)
    searcher.use(uses.entries())
    cursor = opened.cursor
    kept = opened.cursor
    journal = []
    return true
  }
  const lend = (): Helper | null => {
    const at = worker()
    if (at !== null && !workerHolds && kept !== null) {
      at.post({ do: 'open', user, cursor: kept, journal, uses: uses.entries() })
      workerHolds = true
    }
    return at
  }

  /** Feeds that arrived while a rebuild or packing was under way. */
  let building: Feed[] | null = null
  /** Rebuilding and packing happen one at a time. */
  let behind: Promise<void> = Promise.resolve()

  /** Builds anew off this thread; what is open stays searchable meanwhile. */
  const rebuild = async (feed: Feed): Promise<void> => {
    const later: Feed[] = []
    building = later
    try {
      if (!(await rebuildByWorker(feed))) {
        searcher = openIndex(await buildInSlices(feed.put, uses.entries()))
        cursor = feed.cursor
        kept = null
        journal = []
      }
    } finally {
      building = null
    }
    for (const next of later) change(next)
    tell()
  }

  const rebuildByWorker = async (feed: Feed): Promise<boolean> => {
    for (let i = 0; i < feed.put.length; i += SLICE) {
      worker()?.post({ do: 'slice', entities: feed.put.slice(i, i + SLICE) })
      await pause()
    }
    if (worker() === null) return false
    const reply = await ask({ do: 'build', user, cursor: feed.cursor, uses: uses.entries(), ticket: ++tickets })
    workerHolds = 'bytes' in reply && reply.bytes !== null && open(reply.bytes)
    return workerHolds
  }

  const change = (feed: Feed): void => {
    const changes: Changes = { put: feed.put, drop: feed.drop }
    searcher.apply(changes)
    searcher.use(uses.entries())
    cursor = Math.max(cursor ?? 0, feed.cursor)
    journal.push(changes)
    if (workerHolds) hands?.post({ do: 'apply', changes })
  }

  const pack = async (): Promise<void> => {
    if (searcher.changed < PACK_AFTER || cursor === null || lend() === null) return
    const since: Feed[] = []
    building = since
    const reply = await ask({ do: 'pack', user, cursor, ticket: ++tickets })
    building = null
    if (!('bytes' in reply) || reply.bytes === null || !open(reply.bytes)) return
    // The worker took these in by itself, after packing.
    for (const { put, drop, cursor: at } of since) {
      searcher.apply({ put, drop })
      journal.push({ put, drop })
      cursor = Math.max(cursor ?? 0, at)
    }
    tell()
  }

  const apply = async (feed: Feed): Promise<void> => {
    if (feed.full) {
      behind = behind.catch(() => undefined).then(() => rebuild(feed))
      return behind
    }
    building?.push(feed)
    change(feed)
    tell()
    if (searcher.changed >= PACK_AFTER) behind = behind.catch(() => undefined).then(pack)
  }
  let running: Promise<void> = Promise.resolve()
  let following: Promise<void> | null = null
  /** One load at a time, so that an older answer never comes after a newer one; calls meanwhile share the load that follows. */
  const reload = (): Promise<void> => {
    following ??= running
      .catch(() => undefined)
      .then(async () => {
        following = null
        running = load(cursor, ending.signal).then(apply)
        await running
      })
    return following
  }

  const late = (text: string, options: SearchOptions, answer: SearchAnswer, onLate: (hits: Hit[]) => void): void => {
    const ticket = ++tickets
    lateTicket = ticket
    const shown = new Set(answer.hits.map(({ key }) => key))
    const bySlices = (resume: SearchAnswer['resume'], gathered: Hit[]): void => {
      setTimeout(() => {
        if (ticket !== lateTicket || resume === undefined) return
        const next = resume(BUDGET_MS)
        gathered.push(...next.hits)
        if (next.complete) onLate(gathered)
        else bySlices(next.resume, gathered)
      })
    }
    if (lend() === null || !workerHolds) {
      bySlices(answer.resume, [])
      return
    }
    void ask({ do: 'search', text, options: { ...options, budgetMs: undefined }, ticket }).then((reply) => {
      if (ticket !== lateTicket || !('hits' in reply)) return
      if (reply.hits === null) bySlices(answer.resume, [])
      else onLate(reply.hits.filter(({ key }) => !shown.has(key)))
    })
  }

  const warm = store
    .read(user)
    .catch(() => null)
    .then((bytes) => bytes !== null && open(bytes))
  const current = warm.then(async (isWarm) => {
    if (isWarm) tell()
    await reload()
  })
  const ready = warm.then((isWarm) => (isWarm ? undefined : current))
  // Who doesn't ask is not troubled: an unheard failure is no crash.
  current.catch(() => undefined)
  ready.catch(() => undefined)

  return {
    search: (text, options = {}, onLate = undefined) => {
      lateTicket = 0
      const answer = searcher.search(text, { budgetMs: BUDGET_MS, ...options })
      if (!answer.complete && onLate !== undefined) late(text, options, answer, onLate)
      return { hits: answer.hits, complete: answer.complete }
    },
    apply,
    use: (key) => {
      const use: [string, number][] = [[key, uses.add(key)]]
      searcher.use(use)
      if (workerHolds) hands?.post({ do: 'use', uses: use })
    },
    get: (key) => searcher.get(key),
    get size() {
      return searcher.size
    },
    get cursor() {
      return cursor
    },
    ready,
    current,
    reload,
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => {
      ending.abort()
      lateTicket = 0
      listeners.clear()
      hands?.end()
    },
  }
}

/** Removes what was kept of a person's names and uses: for the log-out. */
export async function forgetEntityIndex(user: string, store: Store = browserStore): Promise<void> {
  forgetUses(user)
  await store.forget(user)
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** Where there is no worker: a slice of names between two turns of the page. */
async function buildInSlices(entities: readonly Entity[], uses: [string, number][]): Promise<PackedIndex> {
  const builder = new Builder()
  for (const [i, entity] of entities.entries()) {
    builder.add(entity)
    if (i % SLICE === SLICE - 1) await pause()
  }
  return builder.finish(new Map(uses))
}
