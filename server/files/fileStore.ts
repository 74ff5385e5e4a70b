import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { Disk } from 'flydrive'
import type { FileStore } from '../core/ports.ts'
import { randomToken } from '../core/secrets.ts'
import type { Settings } from '../core/settings.ts'
import { openBucket } from './bucket.ts'
import { sweepOld } from './sweep.ts'

/** A new key in a folder: unguessable, and without any part of a user's file name. */
export function newKey(folder: string, extension: string, now: Date): string {
  return `${folder}/${now.toISOString().slice(0, 7)}/${randomToken(18)}.${extension}`
}

/** Opens the store in `FILES_URL`: `s3://bucket/folder?region=…&endpoint=…` or `file:///folder`, or DATA_DIR/files. */
export async function openFiles(settings: Pick<Settings, 'dataDir' | 'filesUrl'>): Promise<FileStore> {
  const url = settings.filesUrl ? new URL(settings.filesUrl) : null
  return url?.protocol === 's3:' ? openBucket(url) : openFolder(url ? fileURLToPath(url) : join(settings.dataDir, 'files'))
}

async function openFolder(folder: string): Promise<FileStore> {
  await mkdir(folder, { recursive: true })
  const { FSDriver } = await import('flydrive/drivers/fs')
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }))
  const size = async (key: string) => ((await disk.exists(key)) ? (await disk.file(key).getMetaData()).contentLength : null)
  return {
    async put(key, content, mime) {
      if (!(content instanceof Readable)) {
        await disk.put(key, content, { contentType: mime }).catch(async (error: unknown) => {
          await disk.delete(key).catch(() => {})
          throw error
        })
        return Buffer.byteLength(content)
      }
      await writeInto(folder, key, content)
      return (await size(key)) ?? 0
    },
    read: async (key, part) =>
      part ? createReadStream(join(folder, key), { start: part.from, end: part.to }) : disk.getStream(key),
    remove: (key) => disk.delete(key),
    size,
    list: () => listed(folder),
    sweep: () => sweepOld(everyFile(folder, HALF), HALF_LEFT_MS),
    trouble: async () => null,
  }
}

/** The suffix of a file being written. */
const HALF = '.part'
/** A file untouched for this long was left by a killed process. */
const HALF_LEFT_MS = 24 * 3_600_000

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

/**
 * Streams a content into a folder through a temporary file, so that it appears whole or not at all.
 * The driver isn't used, because it loses the reason of a failure (a full disk).
 */
async function writeInto(folder: string, key: string, content: Readable): Promise<void> {
  const path = resolve(folder, key)
  if (!path.startsWith(resolve(folder) + sep)) throw new Error(`${key} is no key of a file`)
  const draft = `${path}${HALF}`
  await mkdir(dirname(path), { recursive: true })
  try {
    await pipeline(content, createWriteStream(draft, { flush: true }))
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
