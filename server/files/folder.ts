import { createHash } from 'node:crypto'
import { access, constants, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeFolder } from '../core/makeFolder.ts'
import type { ContentSums, FileStore } from '../core/ports.ts'
import { sweepOld } from './sweep.ts'

/** Opens a local folder as a file store, and creates it if missing (docs/decisions/files.md). */
export async function openFolder(folder: string): Promise<FileStore> {
  makeFolder(folder)
  /** A key's path; throws for one outside of the folder. */
  const at = (key: string) => {
    const path = resolve(folder, key)
    if (!path.startsWith(resolve(folder) + sep)) throw new Error(`${key} is not a key of a file`)
    return path
  }
  return {
    async put(key, content) {
      return writeWhole(at(key), content instanceof Readable ? content : [content])
    },
    read: async (key, part) => (await open(at(key))).createReadStream(part ? { start: part.from, end: part.to } : undefined),
    remove: (key) => rm(at(key), { force: true }),
    size: (key) => sizeOf(at(key)),
    list: () => listed(folder),
    sweep: async () => (await sweepOld(everyFile(folder, HALF), HALF_LEFT_MS)).length,
    async trouble() {
      try {
        await access(folder, constants.W_OK)
        return null
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        return { fatal: false, sentence: `Files can’t be kept for now: the folder ${folder} can’t be written (${code}).` }
      }
    },
  }
}

/** The suffix of a file being written. */
const HALF = '.part'
/** A file untouched for this long was left behind by a killed process. */
const HALF_LEFT_MS = 24 * 3_600_000

async function sizeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
  return found?.isFile() ? found.size : null
}

async function* everyFile(folder: string, end = ''): AsyncIterable<string> {
  for await (const entry of await opendir(folder, { recursive: true }))
    if (entry.isFile() && entry.name.endsWith(end)) yield join(entry.parentPath, entry.name)
}

async function* listed(folder: string): ReturnType<FileStore['list']> {
  for await (const path of everyFile(folder)) {
    const found = path.endsWith(HALF) ? null : await stat(path).catch(() => null)
    if (!found) continue
    yield { key: relative(folder, path).split(sep).join('/'), size: found.size, at: found.mtime }
  }
}

/** Bytes that may wait for the disk: SQLite's next commit waits behind them, and with it everybody. */
const UNSYNCED = 4_000_000

/** Writes a temporary file, syncs and renames it, so that a content appears whole or not at all. */
async function writeWhole(path: string, content: Readable | readonly (Uint8Array | string)[]): Promise<ContentSums> {
  const draft = `${path}${HALF}`
  await mkdir(dirname(path), { recursive: true })
  try {
    const sums = await pipeline(content, (pieces: AsyncIterable<Uint8Array | string>) => writeSynced(draft, pieces))
    await rename(draft, path)
    return sums
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function writeSynced(path: string, pieces: AsyncIterable<Uint8Array | string>): Promise<ContentSums> {
  const file = await open(path, 'w')
  try {
    const hash = createHash('sha256')
    let size = 0
    let unsynced = 0
    for await (const text of pieces) {
      const piece = typeof text === 'string' ? Buffer.from(text) : text
      await file.writeFile(piece)
      hash.update(piece)
      size += piece.length
      unsynced += piece.length
      if (unsynced < UNSYNCED) continue
      await file.datasync()
      unsynced = 0
    }
    await file.sync()
    return { size, sha256: hash.digest('hex') }
  } finally {
    await file.close()
  }
}
