import { wait } from '../ui/wait.ts'
import { Builder, buildIndex } from './build.ts'
import { fromBytes } from './bytes.ts'
import type { EntityIndex, EntityIndexOptions, IndexStatus } from './entityIndex.ts'
import { type Feed, FeedReader, holdsAll, readFeed } from './feed.ts'
import { FrecencyStore, forgetUses } from './frecencyStore.ts'
import { indexStore, type Store } from './indexStore.ts'
import { Journal } from './journal.ts'
import { dropAhead } from './readAhead.ts'
import { openIndex, type Searcher } from './searcher.ts'
import type { Changes, Entity, Hit, SearchAnswer } from './types.ts'
import { type Helper, startHelper, transferable, workOff } from './workerClient.ts'

/** How long (ms) a search may block the page before a paint; the rest follows in slices of the same length. */
export const BUDGET_MS = 4
/** Entities per message to the worker, so that no message blocks the page for a frame. */
const SLICE = 2000
/** How many changes the small indexes hold before the big one is rebuilt in the background. */
const PACK_AFTER = 4000
/** The minimum ms between two saves of changes for the next visit. */
const NOTE_MS = 1500
/** How many characters tell whether a response has all names. */
const BEGINNING = 80

/** Opens a user's names: at once from those an earlier visit stored, then brings them up to date. */
export function openEntityIndex({
  user,
  load,
  store = indexStore,
  helper = startHelper,
  ahead = Promise.resolve(null),
}: EntityIndexOptions): EntityIndex {
  const uses = new FrecencyStore(user)
  const ending = new AbortController()
  const { signal } = ending
  const listeners = new Set<() => void>()
  let searcher: Searcher = openIndex(buildIndex([]))
  let cursor: number | null = null
  /** The changes since the stored index; null while none is stored. */
  let journal: Journal | null = null
  let noting: ReturnType<typeof setTimeout> | null = null
  let typed = 0
  /** Set while nothing was stored and not all names have loaded yet. */
  let lacking: IndexStatus | null = { how: 'coming', names: 0 }

  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  const open = (bytes: ArrayBuffer): boolean => {
    const opened = fromBytes(bytes)
    if (opened === null || signal.aborted) return false
    searcher = openIndex(opened.packed)
    searcher.use(uses.entries())
    cursor = opened.cursor
    journal = new Journal(opened.cursor)
    lacking = null
    return true
  }
  /** Opens the names loaded so far, without a cursor, because changes can't be requested from there. */
  const openPart = (names: number, bytes: ArrayBuffer | null): void => {
    if (lacking === null || signal.aborted) return
    lacking = { how: 'coming', names }
    const opened = bytes === null ? null : fromBytes(bytes)
    if (opened !== null) {
      searcher = openIndex(opened.packed)
      searcher.use(uses.entries())
    }
    notify()
  }

  /** Stores the changes next to the packed index, so that the next visit needn't request them. */
  const note = (): void => {
    noting ??= setTimeout(() => {
      noting = null
      if (journal === null || cursor === null || signal.aborted) return
      void store.writeJournal(user, { base: journal.base, cursor, changes: journal.changes() })
    }, NOTE_MS)
  }

  /** Changes that arrive while a new index is built. */
  let meanwhile: { changes: Changes; cursor: number }[] | null = null
  /** Runs one rebuild at a time. */
  let behind: Promise<unknown> = Promise.resolve()

  const change = (changes: Changes, at: number): void => {
    searcher.apply(changes)
    // An entity that came back may have been used before.
    searcher.use(uses.entries())
    cursor = Math.max(cursor ?? 0, at)
    journal?.add(changes)
    note()
  }

  /** Replaces the index by `make`. The old one stays searchable, and changes in the meantime are applied afterwards. */
  const renew = (make: () => Promise<boolean>): Promise<void> => {
    const run = behind
      .catch(() => undefined)
      .then(async () => {
        const later: { changes: Changes; cursor: number }[] = []
        meanwhile = later
        try {
          if (!(await make())) return
          for (const next of later) change(next.changes, next.cursor)
          notify()
        } finally {
          meanwhile = null
        }
      })
    behind = run
    return run
  }

  /** Builds from a full response, in a worker that gets the bytes as they arrive. */
  const rebuild = (bytes: AsyncIterable<Uint8Array>): Promise<void> =>
    renew(async () => {
      let worked = false
      const orders = async (post: Helper['post']): Promise<void> => {
        worked = true
        if (lacking !== null) post({ do: 'early', uses: uses.entries() }, [])
        for await (const piece of bytes) {
          const { bytes: own, transfer } = transferable(piece)
          post({ do: 'bytes', bytes: own }, transfer)
        }
        post({ do: 'build', user, cursor: null, uses: uses.entries() }, [])
      }
      const built = await workOff(helper, signal, orders, openPart)
      if (built !== null && open(built)) return true
      await buildHere(worked ? await load(null, signal) : bytes)
      return true
    })

  /** Builds without a worker, a piece of the response at a time. Stores nothing. */
  const buildHere = async (bytes: AsyncIterable<Uint8Array>): Promise<void> => {
    const builder = new Builder()
    const reader = new FeedReader((entity) => builder.add(entity))
    for await (const piece of bytes) {
      reader.push(piece)
      await wait()
    }
    const at = reader.end()
    signal.throwIfAborted()
    searcher = openIndex(builder.finish(new Map(uses.entries())))
    cursor = at
    journal = null
    lacking = null
  }

  /** Packs the changes into the big index, starting from the stored one if it is current, or else from the open one. */
  const pack = (): Promise<void> =>
    renew(async () => {
      if (searcher.changed < PACK_AFTER || cursor === null) return false
      const [at, since] = [cursor, journal]
      let packed: ArrayBuffer | null = null
      if (since !== null) {
        const order = { do: 'pack', user, base: since.base, cursor: at, changes: since.changes(), uses: uses.entries() } as const
        packed = await workOff(helper, signal, (post) => post(order, []))
      }
      packed ??= await workOff(helper, signal, async (post) => {
        let slice: Entity[] = []
        for (const entity of searcher.entities()) {
          slice.push(entity)
          if (slice.length < SLICE) continue
          post({ do: 'entities', entities: slice }, [])
          slice = []
          await wait()
        }
        post({ do: 'entities', entities: slice }, [])
        post({ do: 'build', user, cursor: at, uses: uses.entries() }, [])
      })
      return packed !== null && open(packed)
    })

  const apply = async (changes: Changes, at: number): Promise<void> => {
    meanwhile?.push({ changes, cursor: at })
    change(changes, at)
    notify()
    if (searcher.changed >= PACK_AFTER && meanwhile === null) void pack().catch(() => undefined)
  }

  const read = async (since: number | null): Promise<void> => {
    const source = (await load(since, signal))[Symbol.asyncIterator]()
    const pieces: Uint8Array[] = []
    let text = ''
    const decoder = new TextDecoder()
    for (let next = await source.next(); !next.done; next = await source.next()) {
      pieces.push(next.value)
      text += decoder.decode(next.value, { stream: true })
      if (text.length >= BEGINNING && holdsAll(text) === true) return rebuild(remainingPieces(pieces, source))
    }
    const feed: Feed = readFeed(text)
    return feed.full ? rebuild(remainingPieces(pieces, source)) : apply(feed, feed.cursor)
  }

  let running: Promise<void> = Promise.resolve()
  let following: Promise<void> | null = null
  /** Loads one response at a time, so that an older one never follows a newer one; calls in between share the next. */
  const reload = (): Promise<void> => {
    following ??= running
      .catch(() => undefined)
      .then(async () => {
        following = null
        if (lacking?.how === 'failed') lacking = { ...lacking, how: 'coming' }
        running = read(cursor)
        await running.catch((error) => {
          if (lacking !== null && !signal.aborted) {
            lacking = { ...lacking, how: 'failed' }
            notify()
          }
          throw error
        })
      })
    return following
  }

  /** Continues a search beyond its budget in slices, until something else is typed. */
  const goOnLate = (resume: SearchAnswer['resume'], gathered: Hit[], at: number, onLate: (hits: Hit[]) => void): void => {
    void wait().then(() => {
      if (at !== typed || resume === undefined || signal.aborted) return
      const next = resume(BUDGET_MS)
      gathered.push(...next.hits)
      if (next.complete) onLate(gathered)
      else goOnLate(next.resume, gathered, at, onLate)
    })
  }

  /** Reads the stored index in a worker, which doesn’t block the page; without a file or a worker, here. */
  const readStored = async (): Promise<ArrayBuffer | null> => {
    const read = await ahead
    if (read !== null) return read
    const needless = new AbortController()
    const order = { do: 'read', user } as const
    // The worker starts while the page looks whether there is a file.
    const reading = workOff(helper, AbortSignal.any([signal, needless.signal]), (post) => post(order, [])).catch(() => null)
    const bytes = (await store.hasFile(user)) ? await reading : null
    needless.abort()
    return bytes ?? store.read(user)
  }
  const journalOf = store.readJournal(user).catch(() => null)
  const stored = readStored()
    .catch(() => null)
    .then(async (bytes) => {
      if (bytes === null || !open(bytes)) return false
      const kept = await journalOf
      if (kept !== null && kept.base === cursor) {
        searcher.apply(kept.changes)
        searcher.use(uses.entries())
        journal?.add(kept.changes)
        cursor = kept.cursor
      }
      return true
    })
  const current = stored.then(async (isWarm) => {
    if (isWarm) notify()
    await reload()
  })
  const ready = stored.then((isWarm) => (isWarm ? undefined : current))
  // Callers may ignore these promises, so a failure must not count as unhandled.
  current.catch(() => undefined)
  ready.catch(() => undefined)
  void store.keepOnly(user).catch(() => undefined)

  return {
    search: (text, options = {}, onLate = undefined) => {
      typed++
      const { hits, complete, resume } = searcher.search(text, { budgetMs: BUDGET_MS, ...options })
      if (!complete && onLate !== undefined) goOnLate(resume, [], typed, onLate)
      return { hits, complete }
    },
    apply,
    use: (key) => searcher.use([[key, uses.add(key)]]),
    get: (key) => searcher.get(key),
    get size() {
      return searcher.size
    },
    get lacking() {
      return lacking
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
      if (noting !== null) clearTimeout(noting)
      listeners.clear()
    },
  }
}

/** Deletes a user's stored names and uses at sign-out. */
export async function forgetEntityIndex(user: string, store: Store = indexStore): Promise<void> {
  dropAhead()
  forgetUses(user)
  await store.forget(user)
}

/** Yields the pieces already read, then the rest. */
async function* remainingPieces(pieces: readonly Uint8Array[], source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* pieces
  for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
}
