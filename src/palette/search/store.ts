/* Where a packed index stays between visits: the origin-private file system, else IndexedDB. It never throws: no store, no warm start. */

export type Store = {
  read: (user: string) => Promise<ArrayBuffer | null>
  write: (user: string, bytes: ArrayBuffer) => Promise<void>
  forget: (user: string) => Promise<void>
}

/** As workers have it; the page's types don't know it. */
type SyncFile = {
  truncate: (size: number) => void
  write: (bytes: Uint8Array, at: { at: number }) => number
  flush: () => void
  close: () => void
}
type SyncHandle = FileSystemFileHandle & { createSyncAccessHandle?: () => Promise<SyncFile> }

const nameOf = (user: string): string => `index-${encodeURIComponent(user)}`

async function folder(): Promise<FileSystemDirectoryHandle> {
  return (await navigator.storage.getDirectory()).getDirectoryHandle('palette', { create: true })
}

const files: Store = {
  async read(user) {
    const handle = await (await folder()).getFileHandle(nameOf(user))
    return (await handle.getFile()).arrayBuffer()
  },
  async write(user, bytes) {
    const handle: SyncHandle = await (await folder()).getFileHandle(nameOf(user), { create: true })
    if (handle.createSyncAccessHandle === undefined) throw new Error('not in a worker')
    const file = await handle.createSyncAccessHandle()
    try {
      // The first marks are written last: a file that a closing tab cut short is then never taken for an index.
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
  async forget(user) {
    await (await folder()).removeEntry(nameOf(user))
  },
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

const rows: Store = {
  read: async (user) => ((await request((await table('readonly')).get(user))) as ArrayBuffer | undefined) ?? null,
  write: async (user, bytes) => void (await request((await table('readwrite')).put(bytes, user))),
  forget: async (user) => void (await request((await table('readwrite')).delete(user))),
}

/** The browser's store: files first, rows where there are none. */
export const browserStore: Store = {
  read: async (user) => (await files.read(user).catch(() => null)) ?? (await rows.read(user).catch(() => null)),
  write: async (user, bytes) => files.write(user, bytes).catch(() => rows.write(user, bytes).catch(() => undefined)),
  forget: async (user) => {
    await Promise.allSettled([files.forget(user), rows.forget(user)])
  },
}
