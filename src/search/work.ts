import { Builder } from './build.ts'
import { fromBytes, toBytes } from './bytes.ts'
import { FeedReader } from './feed.ts'
import type { Store } from './indexStore.ts'
import { openIndex } from './searcher.ts'
import type { Changes, Entity } from './types.ts'

type Uses = [key: string, frecency: number][]

/** What the page asks of a worker, in order; the last one is `build` or `pack`, and is answered. */
export type Order =
  /** Asked first where nothing is kept: what has come is handed over on the way, so that something can be found at once. */
  | { do: 'early'; uses: Uses }
  /** A piece of the server's answer. */
  | { do: 'bytes'; bytes: Uint8Array }
  | { do: 'entities'; entities: Entity[] }
  /** Builds the index of the received names; `cursor` null: the cursor is in the bytes. */
  | { do: 'build'; user: string; cursor: number | null; uses: Uses }
  /** Rebuilds from what is stored at the cursor `base` and the changes since, up to `cursor`. */
  | { do: 'pack'; user: string; base: number; cursor: number; changes: Changes; uses: Uses }

export type Reply =
  /** So many names have come so far; with the index of them where it was asked for. */
  | { is: 'part'; names: number; bytes: ArrayBuffer | null }
  /** The packed index; null when it could not be made. */
  | { is: 'whole'; bytes: ArrayBuffer | null }
  /** It is kept for the next visit, or can't be: the worker has nothing left to do. */
  | { is: 'kept' }

/** Names after which those that have come are packed on the way: a hundredth of a second's work, and a third of one. */
const EARLY = [20_000, 200_000]
/** Names after which it is said how many have come. */
const TELL = 50_000

/** The worker's side: reads, builds, hands over, and keeps. Takes one order at a time. */
export function startWork(
  reply: (answer: Reply, transfer: Transferable[]) => void,
  store: Store,
): (order: Order) => Promise<void> {
  const builder = new Builder()
  const reader = new FeedReader((entity) => builder.add(entity))
  let failed = false
  /** Milestones that are still ahead, and the uses they are packed with; null where nobody waits for a part. */
  let early: { ahead: number[]; uses: Uses } | null = null
  let told = 0

  const handOver = async (user: string, bytes: ArrayBuffer): Promise<void> => {
    // The caller has it first, as writing a hundred megabytes takes a second. The copy ends with this worker.
    const own = bytes.slice()
    reply({ is: 'whole', bytes }, [bytes])
    await store.write(user, own)
    reply({ is: 'kept' }, [])
  }

  const tellPart = (): void => {
    const names = builder.size
    if (early !== null && names >= early.ahead[0]!) {
      while (names >= early.ahead[0]!) early.ahead.shift()
      told = names
      const bytes = toBytes(builder.finish(new Map(early.uses)), 0)
      reply({ is: 'part', names, bytes }, [bytes])
    } else if (names >= told + TELL) {
      told = names
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
        tellPart()
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
      if (failed && (order.do === 'build' || order.do === 'pack')) reply({ is: 'whole', bytes: null }, [])
    })
    return last
  }
}
