import { Builder } from './build.ts'
import { fromBytes, toBytes } from './bytes.ts'
import { openIndex, type Searcher } from './searcher.ts'
import type { Store } from './store.ts'
import type { Changes, Entity, Hit, SearchOptions } from './types.ts'

type Uses = [key: string, frecency: number][]

/** What the page asks of the worker, in order. */
export type Order =
  | { do: 'slice'; entities: Entity[] }
  | { do: 'build'; user: string; cursor: number; uses: Uses; ticket: number }
  | { do: 'open'; user: string; cursor: number; journal: Changes[]; uses: Uses }
  | { do: 'apply'; changes: Changes }
  | { do: 'use'; uses: Uses }
  | { do: 'pack'; user: string; cursor: number; ticket: number }
  | { do: 'search'; text: string; options: SearchOptions; ticket: number }

/** What it answers. `bytes` null, `hits` null: it has no index to answer from. */
export type Reply = { ticket: number; bytes: ArrayBuffer | null } | { ticket: number; hits: Hit[] | null }

/** The worker's side: builds, packs, keeps, and finishes searches that the page cut. Takes one order at a time. */
export function startWork(
  reply: (answer: Reply, transfer: Transferable[]) => void,
  store: Store,
): (order: Order) => Promise<void> {
  let builder = new Builder()
  let searcher: Searcher | null = null

  const handOver = async (user: string, cursor: number, ticket: number, packed: ReturnType<Builder['finish']>): Promise<void> => {
    const bytes = toBytes(packed, cursor)
    await store.write(user, bytes)
    reply({ ticket, bytes }, [bytes])
  }

  const carryOut = async (order: Order): Promise<void> => {
    switch (order.do) {
      case 'slice':
        for (const entity of order.entities) builder.add(entity)
        return
      case 'build': {
        const packed = builder.finish(new Map(order.uses))
        builder = new Builder()
        searcher = openIndex(packed)
        return handOver(order.user, order.cursor, order.ticket, packed)
      }
      case 'open': {
        const bytes = await store.read(order.user)
        const kept = bytes === null ? null : fromBytes(bytes)
        // Another tab may have kept a later state: its cursor would not fit this page's journal.
        searcher = kept === null || kept.cursor !== order.cursor ? null : openIndex(kept.packed)
        for (const changes of order.journal) searcher?.apply(changes)
        searcher?.use(order.uses)
        return
      }
      case 'apply':
        searcher?.apply(order.changes)
        return
      case 'use':
        searcher?.use(order.uses)
        return
      case 'pack': {
        if (searcher === null) {
          reply({ ticket: order.ticket, bytes: null }, [])
          return
        }
        const packed = searcher.pack()
        searcher = openIndex(packed)
        return handOver(order.user, order.cursor, order.ticket, packed)
      }
      case 'search':
        reply({ ticket: order.ticket, hits: searcher?.search(order.text, order.options).hits ?? null }, [])
    }
  }

  let last = Promise.resolve()
  let newest = 0
  return (order) => {
    if (order.do === 'search') newest = order.ticket
    last = last.then(async () => {
      // Only the latest keystroke is worth finishing.
      if (order.do === 'search' && order.ticket !== newest) return
      await carryOut(order)
    })
    return last
  }
}
