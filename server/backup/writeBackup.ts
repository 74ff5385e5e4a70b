import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { count as figure } from '../../contract/format.ts'
import type { FileStore } from '../core/ports.ts'
import { RELEASE } from '../core/release.ts'
import { keyRowsOf, readKeyFile } from '../core/signingKey.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'
import { type Entry, tarOf } from './tar.ts'

/** An archive's description, in its last entry. */
export interface Manifest {
  format: 1
  made_at: string
  engine: string
  /** The release that made it; missing in archives of older ones. */
  release?: string | undefined
  /** The migrations the database had run. */
  schema: string[]
  tables: Record<string, { rows: number; sha256: string }>
  sequences: Record<string, number>
  files: { count: number; bytes: number; sha256: string }
  /** Contents that the store lacked though rows name them; empty unless the backup was wanted without them. */
  missing: string[]
  /** Contents deleted while the backup was written, with the rows that named them. */
  deleted?: string[] | undefined
}

/** Thrown for contents that rows name and the store lacks; the message says how many and which. */
export class ContentsMissing extends Error {}

/** How many missing contents are listed. */
const LISTED = 100

/** File-store keys that rows of a backed-up table name, given by column. */
export function keysNamedBy(table: string, row: (column: string) => unknown): string[] {
  if (table === 'files') return [row('storage_key'), row('thumb_key')].filter(Boolean).map(String)
  return table === 'change_sets' ? (JSON.parse(String(row('contents') || '[]')) as string[]) : []
}

/** Leaves out what signs somebody in, so that a restored backup doesn't, what triggers count, and places in a log. */
export const LEFT_OUT = new Set([
  'sessions',
  'tries',
  'attempts',
  'confirmations',
  'entry_totals',
  'list_versions',
  'write_positions',
])
/** Of change sets, those that a restore of a deleted record needs; what could be undone for a day is left out. */
const isKept = (table: string, columns: readonly string[], row: readonly unknown[]): boolean =>
  table !== 'change_sets' || Number(row[columns.indexOf('removes')]) === 1
const SCHEMA = 'kysely_migration'

/** The name of a backup that is being written, whatever the backup is called. */
export const DRAFT = /\.backup-\d+\.part$/

type Where = { file: string } | { url: string }

/**
 * Writes the database at one moment and its files' contents into one archive, without blocking anything.
 * Throws ContentsMissing, and writes nothing, if the store lacks contents, unless `withoutMissing`.
 */
export async function writeBackup(
  where: Where,
  files: FileStore,
  to: string,
  { progress = () => {}, withoutMissing = false }: { progress?: (what: string) => void; withoutMissing?: boolean } = {},
): Promise<Manifest> {
  const snapshot = await openSnapshot(where)
  // A unique name, so that two concurrent backups don't share a file.
  const draft = `${to}.backup-${process.pid}.part`
  const manifest: Manifest = {
    format: 1,
    made_at: new Date().toISOString(),
    engine: snapshot.engine,
    release: RELEASE,
    schema: [],
    tables: {},
    sequences: await snapshot.sequences(),
    files: { count: 0, bytes: 0, sha256: '' },
    missing: [],
  }
  try {
    for await (const { columns, rows } of snapshot.rows(SCHEMA))
      manifest.schema.push(...rows.map((row) => String(row[columns.indexOf('name')])))
    manifest.schema.sort()
    // Readable only for its owner, because it contains password hashes and the key that signs links.
    const target = createWriteStream(draft, { mode: 0o600 })
    const keys = 'file' in where ? keyRowsOf(readKeyFile(dirname(where.file))) : []
    await pipeline(
      tarOf(entriesOf({ snapshot, keys, files, manifest, progress, withoutMissing, namedNow: () => namedNow(where) })),
      createGzip({ level: 5 }),
      target,
    )
    const written = await open(draft, 'r+')
    await written.sync()
    await written.close()
    await rename(draft, to)
    return manifest
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  } finally {
    await snapshot.close().catch(() => {})
  }
}

interface Writing {
  snapshot: Snapshot
  keys: ReturnType<typeof keyRowsOf>
  files: FileStore
  manifest: Manifest
  progress: (what: string) => void
  withoutMissing: boolean
  /** The contents that rows name by now. */
  namedNow(): Promise<ReadonlySet<string>>
}

async function* entriesOf({
  snapshot,
  keys,
  files,
  manifest,
  progress,
  withoutMissing,
  namedNow,
}: Writing): AsyncIterable<Entry> {
  const contents = new Set<string>()
  for (const table of await snapshot.tables()) {
    if (LEFT_OUT.has(table)) continue
    progress(table)
    const hash = createHash('sha256')
    let count = 0
    let part = 0
    for await (const { columns, rows: all } of snapshot.rows(table)) {
      const found = all.filter((row) => isKept(table, columns, row))
      const rows =
        table === 'meta' ? [...found, ...keys.map((row) => columns.map((column) => row[column as 'key' | 'value']))] : found
      for (const row of rows) for (const key of keysNamedBy(table, (column) => row[columns.indexOf(column)])) contents.add(key)
      const text = Buffer.from(`${[columns, ...rows].map((row) => JSON.stringify(row.map(plain))).join('\n')}\n`)
      hash.update(text)
      count += rows.length
      yield { name: `tables/${table}/${String(++part).padStart(6, '0')}.ndjson`, size: text.length, content: [text] }
    }
    manifest.tables[table] = { rows: count, sha256: hash.digest('hex') }
  }
  const hash = createHash('sha256')
  const lacking: string[] = []
  let failed = false
  for (const key of contents) {
    const size = await files.size(key)
    if (size === null) {
      lacking.push(key)
      // Once it has failed, the others are only looked for, so that all are listed.
      failed ||= !withoutMissing && (await namedNow()).has(key)
    }
    if (size === null || failed) continue
    progress(`file ${manifest.files.count + 1} of ${contents.size}`)
    hash.update(`${key}\0${size}\0`)
    yield { name: `files/${key}`, size, content: hashed(await files.read(key), hash) }
    manifest.files.count++
    manifest.files.bytes += size
  }
  manifest.files.sha256 = hash.digest('hex')
  const named = lacking.length ? await namedNow() : new Set<string>()
  manifest.missing = lacking.filter((key) => named.has(key))
  manifest.deleted = lacking.filter((key) => !named.has(key))
  if (failed) throw new ContentsMissing(sentenceOfMissing(manifest.missing, contents.size))
  const text = Buffer.from(JSON.stringify(manifest, null, 1))
  yield { name: 'manifest.json', size: text.length, content: [text] }
}

/** The contents that rows name by now: others were deleted since the snapshot, as an expired export is. */
async function namedNow(where: Where): Promise<Set<string>> {
  const snapshot = await openSnapshot(where)
  try {
    const named = new Set<string>()
    for (const table of ['files', 'change_sets'])
      for await (const { columns, rows } of snapshot.rows(table))
        for (const row of rows) for (const key of keysNamedBy(table, (column) => row[columns.indexOf(column)])) named.add(key)
    return named
  } finally {
    await snapshot.close().catch(() => {})
  }
}

function sentenceOfMissing(missing: readonly string[], all: number): string {
  const more = missing.length > LISTED ? [`… and ${figure(missing.length - LISTED)} more`] : []
  return [
    `No backup was written: the store of FILES_URL or DATA_DIR lacks ${figure(missing.length)} of ${figure(all)} contents that the database names. Set the store that has them, or add --without-missing for a backup without them.`,
    ...missing.slice(0, LISTED),
    ...more,
  ].join('\n')
}

/** Bytes as an object, a shape that no column uses otherwise. */
const plain = (value: unknown) => (value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value)

async function* hashed(content: AsyncIterable<Uint8Array>, hash: { update(piece: Uint8Array): unknown }) {
  for await (const piece of content) {
    hash.update(piece)
    yield piece
  }
}
