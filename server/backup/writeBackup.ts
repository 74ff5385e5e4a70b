import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { FileStore } from '../core/ports.ts'
import { keyRowsOf, readKeyFile } from '../core/signingKey.ts'
import { openSnapshot } from './snapshot.ts'
import { type Entry, tarOf } from './tar.ts'

/** An archive's description, in its last entry. */
export interface Manifest {
  format: 1
  made_at: string
  engine: string
  /** The migrations the database had run. */
  schema: string[]
  tables: Record<string, { rows: number; sha256: string }>
  sequences: Record<string, number>
  files: { count: number; bytes: number; sha256: string }
  /** Contents not in the store: deleted during the backup, or missing before. */
  missing: string[]
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

/** Writes the database at one moment and its files' contents into one archive, without blocking anything. */
export async function writeBackup(
  where: { file: string } | { url: string },
  files: FileStore,
  to: string,
  progress: (what: string) => void = () => {},
): Promise<Manifest> {
  const snapshot = await openSnapshot(where)
  // A unique name, so that two concurrent backups don't share a file.
  const draft = `${to}.${process.pid}.part`
  const manifest: Manifest = {
    format: 1,
    made_at: new Date().toISOString(),
    engine: snapshot.engine,
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
    await pipeline(
      tarOf(entriesOf(snapshot, 'file' in where ? keyRowsOf(readKeyFile(dirname(where.file))) : [], files, manifest, progress)),
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

async function* entriesOf(
  snapshot: Awaited<ReturnType<typeof openSnapshot>>,
  keys: ReturnType<typeof keyRowsOf>,
  files: FileStore,
  manifest: Manifest,
  progress: (what: string) => void,
): AsyncIterable<Entry> {
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
      if (table === 'change_sets')
        for (const row of rows)
          for (const key of JSON.parse(String(row[columns.indexOf('contents')]) || '[]') as string[]) contents.add(key)
      if (table === 'files')
        for (const row of rows)
          for (const key of ['storage_key', 'thumb_key'].map((name) => row[columns.indexOf(name)]))
            if (key) contents.add(String(key))
      const text = Buffer.from(`${[columns, ...rows].map((row) => JSON.stringify(row.map(plain))).join('\n')}\n`)
      hash.update(text)
      count += rows.length
      yield { name: `tables/${table}/${String(++part).padStart(6, '0')}.ndjson`, size: text.length, content: [text] }
    }
    manifest.tables[table] = { rows: count, sha256: hash.digest('hex') }
  }
  const hash = createHash('sha256')
  for (const key of contents) {
    const size = await files.size(key)
    if (size === null) {
      manifest.missing.push(key)
      continue
    }
    progress(`file ${manifest.files.count + 1} of ${contents.size}`)
    hash.update(`${key}\0${size}\0`)
    yield { name: `files/${key}`, size, content: hashed(await files.read(key), hash) }
    manifest.files.count++
    manifest.files.bytes += size
  }
  manifest.files.sha256 = hash.digest('hex')
  const text = Buffer.from(JSON.stringify(manifest, null, 1))
  yield { name: 'manifest.json', size: text.length, content: [text] }
}

/** Bytes as an object, a shape that no column uses otherwise. */
const plain = (value: unknown) => (value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value)

async function* hashed(content: AsyncIterable<Uint8Array>, hash: { update(piece: Uint8Array): unknown }) {
  for await (const piece of content) {
    hash.update(piece)
    yield piece
  }
}
