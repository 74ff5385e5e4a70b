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
}

/** Keeps the newest events in memory; `read` returns those after an id in order, and `last` the newest id. */
export function recentOf(read: (id: number, limit: number) => Promise<LiveEvent[]>, last: () => Promise<number>): Recent {
  let events: LiveEvent[] = []
  /** Every event after this id is in memory; null before the first read. */
  let from: number | null = null
  let wakes = 0
  let readAt = -1
  let reading: Promise<void> | null = null

  async function readOn(): Promise<void> {
    const at = wakes
    from ??= await last()
    const end = events.at(-1)?.id ?? from
    const added = await read(end, BUNCH)
    if (added.length === BUNCH) {
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
