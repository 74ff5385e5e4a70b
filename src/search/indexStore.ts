import { wait } from '../ui/wait.ts'
import type { StoredJournal } from './journal.ts'

/* Stores a packed index between visits, in OPFS or else IndexedDB. It never throws; without it, loading starts over. */

export type Store = {
  read: (user: string) => Promise<ArrayBuffer | null>
  /** True if a file is stored, which a worker reads faster than the page. */
  hasFile: (user: string) => Promise<boolean>
  write: (user: string, bytes: ArrayBuffer) => Promise<void>
  /** Reads the changes since the stored index (journal.ts). */
  readJournal: (user: string) => Promise<StoredJournal | null>
  writeJournal: (user: string, journal: StoredJournal) => Promise<void>
  forget: (user: string) => Promise<void>
  /** Deletes other users' indexes, whose names must not stay in this browser. */
  keepOnly: (user: string) => Promise<void>
}

/** The API of workers, which the page's types don't have. */
type SyncFile = {
  getSize: () => number
  read: (bytes: Uint8Array, at: { at: number }) => number
  truncate: (size: number) => void
  write: (bytes: Uint8Array, at: { at: number }) => number
  flush: () => void
  close: () => void
}
type SyncHandle = FileSystemFileHandle & { createSyncAccessHandle?: (how?: { mode: 'read-only' }) => Promise<SyncFile> }

const nameOf = (user: string): string => `index-${encodeURIComponent(user)}`

async function folder(): Promise<FileSystemDirectoryHandle> {
  return (await navigator.storage.getDirectory()).getDirectoryHandle('palette', { create: true })
}

const files = {
  async read(user: string): Promise<ArrayBuffer> {
    const handle: SyncHandle = await (await folder()).getFileHandle(nameOf(user))
    return (await readAtOnce(handle).catch(() => null)) ?? (await handle.getFile()).arrayBuffer()
  },
  async has(user: string): Promise<boolean> {
    return (await (await folder()).getFileHandle(nameOf(user))) !== null
  },
  async write(user: string, bytes: ArrayBuffer): Promise<void> {
    const handle: SyncHandle = await (await folder()).getFileHandle(nameOf(user), { create: true })
    const file = await unlocked(() => handle.createSyncAccessHandle!())
    try {
      // The header is written last, so that a file truncated by a closing tab is never taken for an index.
      const all = new Uint8Array(bytes)
      file.truncate(0)
      file.truncate(all.length)
      file.write(all.subarray(16), { at: 16 })
      file.flush()
      file.write(all.subarray(0, 16), { at: 0 })
      file.flush()
    } finally {
      file.close()
    }
  },
  async forget(user: string): Promise<void> {
    await remove(await folder(), nameOf(user))
  },
  async keepOnly(user: string): Promise<void> {
    const all = await folder()
    const others: string[] = []
    for await (const name of (all as unknown as { keys: () => AsyncIterable<string> }).keys())
      if (name !== nameOf(user)) others.push(name)
    for (const name of others) await remove(all, name)
  },
}

/** Reads a whole file in a worker, without the copies between processes that the page's way needs. */
async function readAtOnce(handle: SyncHandle): Promise<ArrayBuffer | null> {
  if (handle.createSyncAccessHandle === undefined) return null
  // Other tabs may read at the same time.
  const file = await handle.createSyncAccessHandle({ mode: 'read-only' })
  try {
    const all = new Uint8Array(file.getSize())
    return file.read(all, { at: 0 }) === all.length ? all.buffer : null
  } finally {
    file.close()
  }
}

const remove = (all: FileSystemDirectoryHandle, name: string): Promise<void> =>
  unlocked(() => all.removeEntry(name)).catch(() => undefined)

/** Tries again for a second: a worker that just ended, or one that reads, may lock its file a moment longer. */
async function unlocked<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if ((error as DOMException).name !== 'NoModificationAllowedError' || tries === 20) throw error
      await wait(50)
    }
  }
}

function request<T>(made: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    made.onsuccess = () => resolve(made.result)
    made.onerror = () => reject(made.error)
  })
}

async function table(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const opening = indexedDB.open('fieldwork-palette', 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore('index')
  return (await request(opening)).transaction('index', mode).objectStore('index')
}

const journalOf = (user: string): string => `journal ${user}`

const rows = {
  read: async (user: string) => ((await request((await table('readonly')).get(user))) as ArrayBuffer | undefined) ?? null,
  readJournal: async (user: string) =>
    ((await request((await table('readonly')).get(journalOf(user)))) as StoredJournal | undefined) ?? null,
  write: async (key: string, value: ArrayBuffer | StoredJournal) =>
    void (await request((await table('readwrite')).put(value, key))),
  async forget(user: string): Promise<void> {
    const all = await table('readwrite')
    await Promise.all([request(all.delete(user)), request(all.delete(journalOf(user)))])
  },
  async keepOnly(user: string): Promise<void> {
    const all = await table('readwrite')
    for (const key of await request(all.getAllKeys())) if (key !== user && key !== journalOf(user)) await request(all.delete(key))
  },
}

/** The browser's store: files, or IndexedDB without them. */
export const indexStore: Store = {
  read: async (user) => (await files.read(user).catch(() => null)) ?? (await rows.read(user).catch(() => null)),
  hasFile: (user) => files.has(user).catch(() => false),
  async write(user, bytes) {
    try {
      await files.write(user, bytes)
      await rows.forget(user).catch(() => undefined)
    } catch {
      await rows.write(user, bytes).catch(() => undefined)
    }
  },
  readJournal: (user) => rows.readJournal(user).catch(() => null),
  writeJournal: (user, journal) => rows.write(journalOf(user), journal).catch(() => undefined),
  forget: async (user) => {
    await Promise.allSettled([files.forget(user), rows.forget(user)])
  },
  keepOnly: async (user) => {
    await Promise.allSettled([files.keepOnly(user), rows.keepOnly(user)])
  },
}
