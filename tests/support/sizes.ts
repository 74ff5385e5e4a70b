import { createHash } from 'node:crypto'
import { constants, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { connect } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import { barOf } from '../../server/demo/fill.ts'
import { seed } from '../../server/demo/seed.ts'
import type { DemoSize } from '../../server/domain/demoState.ts'
import { type Postgres, startPostgres } from './postgres.ts'

const root = resolve(import.meta.dirname, '../..')
const cache = join(root, '.cache')
/** The sources of the data: changing any of them rebuilds it. */
const SOURCES = [
  'server/db',
  'server/demo',
  'server/domain/runtime',
  'server/domain/responses',
  'server/domain/quote/requestTerms.ts',
  'contract/mix.ts',
  'contract/vocabulary.ts',
  'contract/pacing.ts',
  'contract/status.ts',
]
const FRESH = 3 * 86_400_000

/**
 * A data folder with the demo marketplace of a size on SQLite, made once and cached in `.cache/`.
 * It is shared: only read it, or pass `into` for a copy.
 */
export async function sizedFolder(size: DemoSize, into?: string): Promise<string> {
  const cached = join(cache, `${size}-${sourcesHash()}`)
  const made = join(cached, 'fieldwork.db')
  if (!isFresh(cached)) await make(size, cached)
  if (!into) return cached
  mkdirSync(into, { recursive: true })
  await copyFile(made, join(into, 'fieldwork.db'), constants.COPYFILE_FICLONE)
  return into
}

/**
 * A PostgreSQL with the demo marketplace of a size in the database `sized`, and its URL; seeded once.
 * The data folder is cached in `.cache/`, and calls start on a copy. Returns the reason if PostgreSQL is missing.
 */
export async function sizedPostgres(size: DemoSize): Promise<{ postgres: Postgres; url: string } | { reason: string }> {
  const cached = join(cache, `postgres-${size}-${sourcesHash()}`)
  if (isFresh(cached)) {
    const postgres = await startPostgres(cached)
    return 'reason' in postgres ? postgres : { postgres, url: urlOf(postgres) }
  }
  const postgres = await startPostgres()
  if ('reason' in postgres) return postgres
  const database = connect({ url: await postgres.url('sized'), poolSize: 2 })
  try {
    await migrate(database)
    await seed(database, { size, progress: barOf(`Making ${size} once on PostgreSQL`) })
    // Vacuums as autovacuum would in time, for plans and index-only reads like on a server that has run a while.
    await sql`vacuum analyze`.execute(database.db)
  } finally {
    await database.close()
  }
  clear(`postgres-${size}-`)
  await postgres.keep(cached)
  return { postgres, url: urlOf(postgres) }
}

const urlOf = (postgres: Postgres): string => postgres.adminUrl.replace('/postgres?', '/sized?')

/** Dates are relative to the day it was made, so a cached one expires. */
const isFresh = (cached: string): boolean => existsSync(cached) && Date.now() - statSync(cached).mtimeMs < FRESH

function clear(prefix: string): void {
  for (const name of readdirSync(cache)) if (name.startsWith(prefix)) rmSync(join(cache, name), { recursive: true, force: true })
}

async function make(size: DemoSize, cached: string): Promise<void> {
  mkdirSync(cache, { recursive: true })
  for (const name of readdirSync(cache)) {
    // Yesterday's draft belongs to a killed run.
    const stale = name.startsWith(`draft-${size}-`) && Date.now() - statSync(join(cache, name)).mtimeMs > 86_400_000
    if (stale || name.startsWith(`${size}-`)) rmSync(join(cache, name), { recursive: true, force: true })
  }
  const draft = mkdtempSync(join(cache, `draft-${size}-`))
  try {
    const database = connect({ file: join(draft, 'fieldwork.db') })
    await migrate(database)
    await seed(database, { size, progress: barOf(`Making ${size} once`) })
    await database.close()
    renameSync(draft, cached)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function sourcesHash(): string {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    const full = join(root, source)
    const files = statSync(full).isDirectory()
      ? readdirSync(full, { recursive: true, encoding: 'utf8' })
          .sort()
          .map((name) => join(full, name))
      : [full]
    // Comments and formatting don't change the data.
    for (const file of files)
      if (statSync(file).isFile()) hash.update(readFileSync(file, 'utf8').replace(/\/\*.*?\*\/|^\s*\/\/.*?$|[\s,;()]/gms, ''))
  }
  return hash.digest('hex').slice(0, 12)
}
