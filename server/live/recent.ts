import type { LiveEvent } from '../core/ports.ts'

/** Events read at a time. */
const BUNCH = 500
/** The newest events that are kept at hand. */
const KEPT = 1000

/** The newest events of a database, read once for all who ask after the same wake. */
export interface Recent {
  /** Something was committed: what is at hand is not all any more. */
  stale(): void
  /** Reads what was committed before this; fails as the database does. */
  ready(): Promise<void>
  /** Returns at most `limit` events after an id, as objects shared by all callers. */
  since(id: number, limit: number): Promise<LiveEvent[]>
}

/** Keeps the newest events at hand; `read` answers those after an id, in their order, and `last` the newest id. */
export function recentOf(read: (id: number, limit: number) => Promise<LiveEvent[]>, last: () => Promise<number>): Recent {
  let events: LiveEvent[] = []
  /** Every event after this id is at hand; null before the first reading. */
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
      // So much at once is an import's: those who are behind read it for themselves, page by page.
      events = []
      from = await last()
    } else {
      // The ids in between were rolled back or swept, so a reader before them has to ask the database.
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
    const asked = wakes
    while (readAt < asked) {
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
