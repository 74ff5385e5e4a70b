import { Readable } from 'node:stream'
import { plainCopy } from '../core/contents.ts'
import type { Services } from '../core/context.ts'
import { HttpError } from '../core/errors.ts'
import type { FileStore, Part } from '../core/ports.ts'
import { readOnce, Unreadable } from '../core/readers.ts'
import { hasMetadata, type Splice, TURN_HEAD, turnOf } from './metadata.ts'
import { bytesOf } from './thumbnail.ts'

type From = Pick<Services, 'files' | 'readers' | 'log'>

/** A content as it is sent: a stored one, some bytes of which others may take the place of. */
export interface SentContent {
  key: string
  /** The bytes that are sent. */
  size: number
  splice: Splice | null
}

/** Copies that are being made, and those that couldn't be, by their process's store. */
const making = new WeakMap<FileStore, Map<string, Promise<void>>>()

/** A file's content rotated, and with `plain` without metadata; null without one. Throws 409 if it can't be read. */
export async function contentToSend(
  from: From,
  file: { storage_key: string; mime: string; rotation: number },
  plain: boolean,
): Promise<SentContent | null> {
  const { files } = from
  const key = plain && hasMetadata(file.mime) ? await plainKey(from, file) : file.storage_key
  const size = key === null ? null : await files.size(key)
  if (key === null || size === null) return null
  const splice =
    file.rotation && file.mime === 'image/jpeg' && size
      ? turnOf(await bytesOf(await files.read(key, { from: 0, to: Math.min(size, TURN_HEAD) - 1 })), file.rotation)
      : null
  return { key, size: splice ? size - splice.drop + splice.put.length : size, splice }
}

/** The key of a content's copy without metadata, which is made at its first use; null if there is no content. */
async function plainKey(from: From, { storage_key, mime }: { storage_key: string; mime: string }): Promise<string | null> {
  const { files } = from
  const key = plainCopy(storage_key)
  if ((await files.size(key)) !== null) return key
  if ((await files.size(storage_key)) === null) return null
  const here = making.get(files) ?? new Map<string, Promise<void>>()
  making.set(files, here)
  const made =
    here.get(key) ??
    makeCopy(from, { storage_key, mime, key }).then(
      () => void here.delete(key),
      (error: unknown) => {
        // Whatever ended its reader isn't read again by this process.
        if (!(error instanceof Unreadable)) here.delete(key)
        throw error
      },
    )
  here.set(key, made)
  try {
    await made
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    from.log.info({ err: error, storage_key }, 'a file can’t be sent without its metadata')
    throw new HttpError(409, 'unreadable', `This file isn’t handed out: its metadata can’t be removed, as ${error.message}.`)
  }
  return key
}

async function makeCopy(
  { files, readers }: From,
  { storage_key, mime, key }: { storage_key: string; mime: string; key: string },
) {
  await files.put(key, await readOnce(readers, 'plain', storage_key, { mime }), mime)
}

/** A stream of a content as it is sent, or of a part of it. */
export async function readContent(files: FileStore, { key, size, splice }: SentContent, part?: Part | null): Promise<Readable> {
  if (!splice) return files.read(key, part ?? undefined)
  return Readable.from(splicedPieces(files, key, splice, part ?? { from: 0, to: size - 1 }), { objectMode: false })
}

async function* splicedPieces(files: FileStore, key: string, { at, drop, put }: Splice, { from, to }: Part) {
  if (from < at) yield* await files.read(key, { from, to: Math.min(to, at - 1) })
  // A copy, because its sender frees it.
  const inside = Buffer.from(put.subarray(Math.max(0, from - at), Math.max(0, to + 1 - at)))
  if (inside.length) yield inside
  const after = at + put.length
  if (to >= after) yield* await files.read(key, { from: Math.max(from, after) - put.length + drop, to: to - put.length + drop })
}
