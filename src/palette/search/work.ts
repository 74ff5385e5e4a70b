import { Builder } from './build.ts'
import { fromBytes, toBytes } from './bytes.ts'
import { FeedReader } from './feed.ts'
import { openIndex } from './searcher.ts'
import type { Store } from './store.ts'
import type { Changes, Entity } from './types.ts'

type Uses = [key: string, frecency: number][]

/** What the page asks of a worker, in order; the last one is `build` or `pack`, and is answered. */
export type Order =
  /** A piece of the server's answer. */
  | { do: 'bytes'; bytes: Uint8Array }
  | { do: 'entities'; entities: Entity[] }
  /** Builds of what came; `cursor` null: it stood in the bytes. */
  | { do: 'build'; user: string; cursor: number | null; uses: Uses }
  /** Builds anew of what is kept at the cursor `base` and of what changed since, up to `cursor`. */
  | { do: 'pack'; user: string; base: number; cursor: number; changes: Changes; uses: Uses }

/** The packed index; null when it could not be made. */
export type Reply = { bytes: ArrayBuffer | null }

/** The worker's side: reads, builds, keeps, and hands the only copy over. Takes one order at a time. */
export function startWork(
  reply: (answer: Reply, transfer: Transferable[]) => void,
  store: Store,
): (order: Order) => Promise<void> {
  const builder = new Builder()
  const reader = new FeedReader((entity) => builder.add(entity))
  let failed = false

  const handOver = async (user: string, bytes: ArrayBuffer): Promise<void> => {
    await store.write(user, bytes)
    reply({ bytes }, [bytes])
  }

  const carryOut = async (order: Order): Promise<void> => {
    switch (order.do) {
      case 'bytes':
        reader.push(order.bytes)
        return
      case 'entities':
        for (const entity of order.entities) builder.add(entity)
        return
      case 'build': {
        const cursor = order.cursor ?? reader.end()
        return handOver(order.user, toBytes(builder.finish(new Map(order.uses)), cursor))
      }
      case 'pack': {
        const bytes = await store.read(order.user)
        const kept = bytes === null ? null : fromBytes(bytes)
        // Another tab may have kept a later state: this page's changes would not fit it.
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
      if (failed && (order.do === 'build' || order.do === 'pack')) reply({ bytes: null }, [])
    })
    return last
  }
}
