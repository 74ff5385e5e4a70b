import type { LiveEvent } from '../core/ports.ts'

/** Events read at a time. */
const BUNCH = 500
/** The newest events kept in memory. */
const KEPT = 1000

/** The newest events of a database, read once for all readers after a wake. */
export interface Recent {
  /** Marks the memory as out of date after a commit. */
  stale(): void
  /** Reads everything committed so far; fails if the database does. */
  ready(): Promise<void>
  /** At most `limit` events after an id, as shared objects. */
  since(id: number, limit: number): Promise<LiveEvent[]>
  /** Counts how often the database turned out to lack events that were read from it before. */
  rewinds(): number
}

/** True for the same event; after a failover that lost some, another may have its id. */
const isSame = (one: LiveEvent, other: LiveEvent): boolean =>
  one.id === other.id && one.at === other.at && one.noun === other.noun && one.subject_id === other.subject_id

/**
 * Keeps the newest events in memory; `read` returns those after an id in order, and `last` the newest id.
 * Each read includes the newest event known, because a failover may have lost it.
 */
export function recentOf(read: (id: number, limit: number) => Promise<LiveEvent[]>, last: () => Promise<number>): Recent {
  let events: LiveEvent[] = []
  /** Every event after this id is in memory; null before the first read. */
  let from: number | null = null
  let newest: LiveEvent | null = null
  let rewound = 0
  let wakes = 0
  let readAt = -1
  let reading: Promise<void> | null = null

  async function readOn(): Promise<void> {
    const at = wakes
    if (from === null) {
      from = await last()
      newest = (await read(from - 1, 1))[0] ?? null
    }
    const end = Math.max(events.at(-1)?.id ?? from, newest?.id ?? 0)
    const added = await read(newest?.id === end ? end - 1 : end, BUNCH)
    const known = newest?.id === end ? newest : null
    if (known && (await isLost(known, added[0]))) {
      rewound++
      events = []
      from = await last()
      newest = (await read(from - 1, 1))[0] ?? null
      readAt = at
      return
    }
    if (known && added[0]?.id === end) added.shift()
    newest = added.at(-1) ?? newest
    if (added.length >= BUNCH - 1) {
      // A burst like this is an import; readers that are behind page through the database themselves.
      events = []
      from = await last()
    } else {
      // Ids in between were rolled back or swept, so a reader before them must query the database.
      if (added[0] && added[0].id > end + 1) {
        events = []
        from = added[0].id - 1
      }
      events.push(...added)
      const over = events.length - KEPT
      if (over > 0) from = events.splice(0, over).at(-1)!.id
    }
    readAt = at
  }

  /** Swept events are older than every other; lost ones aren't. */
  async function isLost(known: LiveEvent, found: LiveEvent | undefined): Promise<boolean> {
    if (found && found.id <= known.id) return !isSame(known, found)
    return (await read(0, 1)).some((oldest) => oldest.id < known.id)
  }

  async function ready(): Promise<void> {
    const version = wakes
    while (readAt < version) {
      reading ??= readOn().finally(() => {
        reading = null
      })
      await reading
    }
  }

  return {
    ready,
    rewinds: () => rewound,
    stale() {
      wakes++
    },
    async since(id, limit) {
      await ready()
      if (from === null || id < from) return read(id, limit)
      const at = events.findIndex((event) => event.id > id)
      return at < 0 ? [] : events.slice(at, at + limit)
    },
  }
}
