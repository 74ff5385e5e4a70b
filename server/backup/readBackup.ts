import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { readTar, TornArchive } from './tar.ts'
import type { Manifest } from './writeBackup.ts'

/** Callbacks for what an archive contains, in its order. */
export interface ReadCallbacks {
  rows?(table: string, rows: Record<string, unknown>[]): Promise<void>
  file?(key: string, content: Readable): Promise<void>
}

/** Reads a whole backup; throws a TornArchive with a sentence if it is incomplete or contradicts its manifest. */
export async function readBackup(path: string, callbacks: ReadCallbacks = {}): Promise<Manifest> {
  const unzipped = createGunzip()
  createReadStream(path)
    .on('error', (error) => unzipped.destroy(error))
    .pipe(unzipped)
  const tables = new Map<string, { rows: number; hash: ReturnType<typeof createHash> }>()
  const files = { count: 0, bytes: 0, hash: createHash('sha256') }
  let manifest: Manifest | null = null
  try {
    await readTar(unzipped, async (name, size, content) => {
      const [kind, ...rest] = name.split('/')
      if (kind === 'tables') {
        const seen = tables.get(rest[0]!) ?? { rows: 0, hash: createHash('sha256') }
        tables.set(rest[0]!, seen)
        const rows = await rowsOf(tee(content, seen.hash))
        seen.rows += rows.length
        await callbacks.rows?.(rest[0]!, rows)
      } else if (kind === 'files') {
        files.hash.update(`${rest.join('/')}\0${size}\0`)
        files.count++
        files.bytes += size
        const stream = Readable.from(tee(content, files.hash), { objectMode: false })
        if (callbacks.file) await callbacks.file(rest.join('/'), stream)
        for await (const _ of stream);
      } else {
        const pieces: Uint8Array[] = []
        for await (const piece of content) pieces.push(Buffer.from(piece))
        if (name === 'manifest.json') manifest = JSON.parse(Buffer.concat(pieces).toString()) as Manifest
      }
    })
  } catch (error) {
    if (error instanceof SyntaxError || /^Z_|^ERR_.*PREMATURE/.test(String((error as { code?: unknown }).code)))
      throw new TornArchive('The backup is damaged: it is incomplete, or was changed.')
    throw error
  } finally {
    unzipped.destroy()
  }
  const found = manifest as Manifest | null
  if (!found) throw new TornArchive('The backup is incomplete: it has no manifest.')
  for (const [table, { rows, sha256 }] of Object.entries(found.tables)) {
    const seen = tables.get(table)
    if (seen?.rows !== rows || seen.hash.digest('hex') !== sha256)
      throw new TornArchive(`The backup’s table ${table} doesn’t match its manifest.`)
  }
  if (files.count !== found.files.count || files.hash.digest('hex') !== found.files.sha256)
    throw new TornArchive('The backup’s files don’t match its manifest.')
  return found
}

async function rowsOf(content: AsyncIterable<Uint8Array>): Promise<Record<string, unknown>[]> {
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(Buffer.from(piece))
  const [columns = [], ...rows] = Buffer.concat(pieces)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown[])
  return rows.map((values) => Object.fromEntries(columns.map((column, at) => [String(column), bytesOr(values[at])])))
}

/** Bytes as they were written, or a value as it is. */
const bytesOr = (value: unknown): unknown =>
  value !== null && typeof value === 'object' ? Buffer.from(String((value as { base64: string }).base64), 'base64') : value

async function* tee(content: AsyncIterable<Uint8Array>, hash: { update(piece: Uint8Array): unknown }) {
  for await (const piece of content) {
    hash.update(piece)
    yield piece
  }
}
