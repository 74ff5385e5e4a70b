import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { readTar, shown, TornArchive } from './tar.ts'
import { keysNamedBy, type Manifest } from './writeBackup.ts'

/** A checked backup: its manifest, and how many contents its rows name that it doesn't have. */
export interface CheckedBackup {
  manifest: Manifest
  lacking: number
  /** How many contents its rows name, other than those deleted while it was written. */
  named: number
}

/** Reads a whole backup like `readBackup`, and counts its files against its rows. */
export async function checkBackup(path: string): Promise<CheckedBackup> {
  const named = new Set<string>()
  const found = new Set<string>()
  const manifest = await readBackup(path, {
    async rows(table, rows) {
      for (const row of rows) for (const key of keysNamedBy(table, (column) => row[column])) named.add(key)
    },
    async file(key) {
      found.add(key)
    },
  })
  for (const key of manifest.deleted ?? []) named.delete(key)
  return { manifest, lacking: [...named].filter((key) => !found.has(key)).length, named: named.size }
}

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
  const names = new Set<string>()
  let manifest: Manifest | null = null
  try {
    await readTar(unzipped, async (name, size, content) => {
      const [kind, ...rest] = partsOf(name)
      if (names.has(name)) throw new TornArchive(`The backup was changed: it has ${shown(name)} twice.`)
      if (manifest) throw new TornArchive(`The backup was changed: ${shown(name)} comes after its manifest.`)
      names.add(name)
      if (kind !== 'files' && size > LONGEST) throw new TornArchive(`The backup was changed: ${shown(name)} is too long.`)
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
        manifest = manifestOf(JSON.parse(Buffer.concat(pieces).toString()))
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
  const stranger = [...tables.keys()].find((table) => !Object.hasOwn(found.tables, table))
  if (stranger) throw new TornArchive(`The backup was changed: its manifest doesn’t know the table ${stranger}.`)
  for (const [table, { rows, sha256 }] of Object.entries(found.tables)) {
    const seen = tables.get(table)
    if (seen?.rows !== rows || seen.hash.digest('hex') !== sha256)
      throw new TornArchive(`The backup’s table ${table} doesn’t match its manifest.`)
  }
  if (files.count !== found.files.count || files.bytes !== found.files.bytes || files.hash.digest('hex') !== found.files.sha256)
    throw new TornArchive('The backup’s files don’t match its manifest.')
  return found
}

/** An entry of a table may be this long (bytes), far more than any is. */
const LONGEST = 400 * 1_048_576

/** The parts of an entry's name; throws for one that a backup doesn't have. */
function partsOf(name: string): string[] {
  const parts = name.split('/')
  const isKey = parts.length > 1 && parts.every((part) => part && part !== '.' && part !== '..' && !/[\\\0:]/.test(part))
  if (name === 'manifest.json' || /^tables\/[a-z0-9_]+\/\d{6}\.ndjson$/.test(name)) return parts
  if (parts[0] === 'files' && isKey) return parts
  throw new TornArchive(`The backup was changed, or a newer release made it: this one doesn’t know ${shown(name)}.`)
}

const Whole = z.number().int().nonnegative()
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const ManifestShape = z.object({
  format: z.literal(1),
  made_at: z.iso.datetime(),
  engine: z.enum(['sqlite', 'postgres']),
  release: z.string().max(40).optional(),
  schema: z.array(z.string().regex(/^[\w-]{1,80}$/)).min(1),
  tables: z.record(z.string(), z.object({ rows: Whole, sha256: Sha256 })),
  sequences: z.record(z.string(), Whole),
  files: z.object({ count: Whole, bytes: Whole, sha256: Sha256 }),
  missing: z.array(z.string()),
  deleted: z.array(z.string()).optional(),
})

function manifestOf(read: unknown): Manifest {
  const { format } = (read ?? {}) as { format?: unknown }
  if (typeof format === 'number' && format > 1)
    throw new TornArchive(`The backup has format ${format}: a newer release made it. Restore it with that release.`)
  const parsed = ManifestShape.safeParse(read)
  if (!parsed.success) throw new TornArchive('The backup was changed: its manifest isn’t one of a backup.')
  return parsed.data
}

async function rowsOf(content: AsyncIterable<Uint8Array>): Promise<Record<string, unknown>[]> {
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(Buffer.from(piece))
  const [columns = [], ...rows] = Buffer.concat(pieces)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  if (!isRow(columns) || !rows.every((row): row is unknown[] => isRow(row) && row.length === columns.length))
    throw new TornArchive('The backup was changed: a table has lines that aren’t rows.')
  return rows.map((values) => Object.fromEntries(columns.map((column, at) => [String(column), bytesOr(values[at])])))
}

const isRow = (value: unknown): value is unknown[] => Array.isArray(value)

/** Bytes as they were written, or a value as it is. */
const bytesOr = (value: unknown): unknown =>
  value !== null && typeof value === 'object' ? Buffer.from(String((value as { base64: string }).base64), 'base64') : value

async function* tee(content: AsyncIterable<Uint8Array>, hash: { update(piece: Uint8Array): unknown }) {
  for await (const piece of content) {
    hash.update(piece)
    yield piece
  }
}
