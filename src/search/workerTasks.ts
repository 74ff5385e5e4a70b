import { Builder } from './build.ts'
import { fromBytes, toBytes } from './bytes.ts'
import { FeedReader } from './feed.ts'
import type { Store } from './indexStore.ts'
import { openIndex } from './searcher.ts'
import type { Changes, Entity } from './types.ts'

type Uses = [key: string, frecency: number][]

/** Messages to a worker, in order; the last is `build`, `pack` or `read`, and gets a reply. */
export type Order =
  /** Sent first if nothing is stored: partial indexes are posted, so that names can be found early. */
  | { do: 'early'; uses: Uses }
  /** A piece of the server's response. */
  | { do: 'bytes'; bytes: Uint8Array }
  | { do: 'entities'; entities: Entity[] }
  /** Builds the index of the received names; if `cursor` is null, the bytes contain it. */
  | { do: 'build'; user: string; cursor: number | null; uses: Uses }
  /** Rebuilds from the stored index at cursor `base` and the changes up to `cursor`. */
  | { do: 'pack'; user: string; base: number; cursor: number; changes: Changes; uses: Uses }
  /** Reads the stored index. */
  | { do: 'read'; user: string }

export type Reply =
  /** The number of names so far, with an index of them if requested. */
  | { is: 'part'; names: number; bytes: ArrayBuffer | null }
  /** The packed index; null if building or reading failed. */
  | { is: 'whole'; bytes: ArrayBuffer | null }
  /** The index is stored for the next visit, or storing failed; the worker is finished. */
  | { is: 'kept' }

/** The orders that get the whole index as a reply. */
const ANSWERED: readonly Order['do'][] = ['build', 'pack', 'read']

/** Numbers of names at which to pack a partial index: a hundredth of a second's work, then a sixth. */
const EARLY = [20_000, 100_000]
/** How many names between two progress messages. */
const TELL = 50_000

/** The worker's side: reads, builds, posts and stores. It handles one message at a time. */
export function startWork(
  reply: (answer: Reply, transfer: Transferable[]) => void,
  store: Store,
): (order: Order) => Promise<void> {
  const builder = new Builder()
  const reader = new FeedReader((entity) => builder.add(entity))
  let failed = false
  /** Milestones ahead, and the uses to pack with; null if partial indexes aren't wanted. */
  let early: { ahead: number[]; uses: Uses } | null = null
  let reported = 0

  const handOver = async (user: string, bytes: ArrayBuffer): Promise<void> => {
    // The page gets it before it is stored, because writing 100 MB takes a second. The copy ends with this worker.
    const own = bytes.slice()
    reply({ is: 'whole', bytes }, [bytes])
    await store.write(user, own)
    reply({ is: 'kept' }, [])
  }

  const reportPart = (): void => {
    const names = builder.size
    if (early !== null && names >= early.ahead[0]!) {
      while (names >= early.ahead[0]!) early.ahead.shift()
      reported = names
      const bytes = toBytes(builder.finish(new Map(early.uses)), 0)
      reply({ is: 'part', names, bytes }, [bytes])
    } else if (names >= reported + TELL) {
      reported = names
      reply({ is: 'part', names, bytes: null }, [])
    }
  }

  const carryOut = async (order: Order): Promise<void> => {
    switch (order.do) {
      case 'early':
        early = { ahead: [...EARLY], uses: order.uses }
        return
      case 'bytes':
        reader.push(order.bytes)
        reportPart()
        return
      case 'entities':
        for (const entity of order.entities) builder.add(entity)
        return
      case 'build': {
        const cursor = order.cursor ?? reader.end()
        return handOver(order.user, toBytes(builder.finish(new Map(order.uses)), cursor))
      }
      case 'read': {
        const bytes = await store.read(order.user)
        reply({ is: 'whole', bytes }, bytes === null ? [] : [bytes])
        reply({ is: 'kept' }, [])
        return
      }
      case 'pack': {
        const bytes = await store.read(order.user)
        const kept = bytes === null ? null : fromBytes(bytes)
        // Another tab may have stored a later state, which this page's changes wouldn't fit.
        if (kept === null || kept.cursor !== order.base) throw new Error('Something else is kept.')
        const searcher = openIndex(kept.packed)
        searcher.apply(order.changes)
        searcher.use(order.uses)
        return handOver(order.user, toBytes(searcher.pack(), order.cursor))
      }
    }
  }

  let last = Promise.resolve()
  return (order) => {
    last = last.then(async () => {
      try {
        if (!failed) await carryOut(order)
      } catch {
        failed = true
      }
      if (failed && ANSWERED.includes(order.do)) reply({ is: 'whole', bytes: null }, [])
    })
    return last
  }
}
