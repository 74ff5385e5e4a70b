import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { count, fileSize } from '../../contract/format.ts'
import type { FileStore } from '../core/ports.ts'
import type { Database } from '../db/connect.ts'
import { contentsNamed } from '../domain/file/fileRows.ts'
import { findOrphans } from './orphans.ts'

const DAY_MS = 86_400_000

/** What was found of the files: what is wrong in a sentence each, and what there is. */
interface CheckedFiles {
  faults: string[]
  sentence: string
}

/**
 * Checks that each row's content is in the store with its size and, unless `quick`, its hash.
 * Contents without a row are counted: they only take space (`npm run orphans`).
 */
export async function checkFiles(
  database: Database,
  files: FileStore,
  quick: boolean,
  progress: (what: string) => void,
): Promise<CheckedFiles> {
  const found = { missing: 0, thumbs: 0, sizes: 0, hashes: 0, unknown: 0, contents: 0, bytes: 0 }
  const first: Record<string, number> = {}
  const note = (what: 'missing' | 'thumbs' | 'sizes' | 'hashes', id: number) => {
    found[what]++
    first[what] ??= id
  }
  for await (const { id, storage_key, thumb_key, size, sha256 } of contentsNamed(database)) {
    progress(`file ${++found.contents}`)
    if (thumb_key && (await files.size(thumb_key)) === null) note('thumbs', id)
    const is = await files.size(storage_key)
    if (is === null) note('missing', id)
    else if (is !== size) note('sizes', id)
    else if (!sha256) found.unknown++
    else if (!quick && (await hashOf(await files.read(storage_key))) !== sha256) note('hashes', id)
    found.bytes += is ?? 0
  }
  const { orphans } = await findOrphans(database, files, new Date(Date.now() - DAY_MS))
  const faults = [
    found.missing && `${many(found.missing, 'file has', 'files have')} no content in the store, first file ${first.missing}.`,
    found.sizes && `${many(found.sizes, 'file has', 'files have')} a content of another size, first file ${first.sizes}.`,
    found.hashes && `${many(found.hashes, 'file has', 'files have')} a content that was changed, first file ${first.hashes}.`,
    found.thumbs && `${many(found.thumbs, 'file has', 'files have')} no thumbnail in the store, first file ${first.thumbs}.`,
  ].filter((fault) => typeof fault === 'string')
  const compared = quick
    ? ', by size alone'
    : found.unknown
      ? `, ${count(found.unknown)} by size alone, as they were stored without a hash`
      : ', by size and hash'
  const left = orphans.length
    ? ` ${many(orphans.length, 'content has', 'contents have')} no file: npm run orphans lists them.`
    : ''
  return { faults, sentence: `The files are there: ${count(found.contents)}, ${fileSize(found.bytes)}${compared}.${left}` }
}

const many = (number: number, one: string, more: string): string => `${count(number)} ${number === 1 ? one : more}`

async function hashOf(content: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of content) hash.update(piece as Uint8Array)
  return hash.digest('hex')
}
