import type { EntityIndex } from '../../src/search/entityIndex.ts'
import type { Store } from '../../src/search/indexStore.ts'
import type { StoredJournal } from '../../src/search/journal.ts'
import type { Changes, Entity } from '../../src/search/types.ts'
import type { Helper } from '../../src/search/workerClient.ts'
import { type Reply, startWork } from '../../src/search/workerTasks.ts'
import { makeEntities } from '../bench/search-names.ts'

/** A browser store in memory that tests can inspect. */
export function memoryStore(): Store & { kept: Map<string, ArrayBuffer>; journals: Map<string, StoredJournal> } {
  const stored = new Map<string, ArrayBuffer>()
  const journals = new Map<string, StoredJournal>()
  return {
    kept: stored,
    journals,
    read: async (user) => stored.get(user)?.slice() ?? null,
    hasFile: async (user) => stored.has(user),
    write: async (user, bytes) => void stored.set(user, bytes.slice()),
    readJournal: async (user) => journals.get(user) ?? null,
    writeJournal: async (user, journal) => void journals.set(user, structuredClone(journal)),
    forget: async (user) => {
      stored.delete(user)
      journals.delete(user)
    },
    keepOnly: async (user) => {
      for (const other of [...stored.keys()]) if (other !== user) stored.delete(other)
    },
  }
}

/** The worker's side on this thread, with messages transferred as between threads. */
export function helperOn(store: Store): Helper {
  let listener: (reply: Reply) => void = () => undefined
  const work = startWork((reply, transfer) => {
    const sent = structuredClone(reply, { transfer: transfer as ArrayBuffer[] })
    setTimeout(() => listener(sent))
  }, store)
  return {
    post: (order, transfer) => void work(structuredClone(order, { transfer: transfer as ArrayBuffer[] })),
    onReply: (next) => {
      listener = next
    },
    onFail: () => undefined,
    end: () => {
      listener = () => undefined
    },
  }
}

export const ENTITIES = makeEntities(1200)
export const entry = ({ kind, id, name, detail }: Entity) => [kind, id, name, detail]
/** Cuts a text into pieces of bytes, some within a character. */
export async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += 4999) yield bytes.slice(at, at + 4999)
}
export const fullText = (put: readonly Entity[], cursor: number): string =>
  `{"cursor":${cursor},"full":true,"drop":[],"put":[\n${put.map((one) => JSON.stringify(entry(one))).join(',\n')}${put.length ? '\n' : ''}]}\n`
/** A full response with one entry on each line, as the server writes it. */
export const full = (put: readonly Entity[], cursor: number) => pieces(fullText(put, cursor))
export const delta = (put: readonly Entity[], drop: readonly string[], cursor: number) =>
  pieces(JSON.stringify({ cursor, full: false, put: put.map(entry), drop: drop.map((key) => key.split(':')) }))
export const fresh = (id: number, name: string): Entity => ({ key: `project:${id}`, kind: 'project', id, name, detail: '' })
export const changes = (put: readonly Entity[], drop: readonly string[] = []): Changes => ({ put, drop })
export const found = (index: EntityIndex, text: string): string[] =>
  index.search(text, { budgetMs: 1000 }).hits.map(({ name }) => name)
