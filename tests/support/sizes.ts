import { createHash } from 'node:crypto'
import { constants, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { connect } from '../../server/db/connect.ts'
import { barOf } from '../../server/db/demo/fill.ts'
import { seed } from '../../server/db/demo/seed.ts'
import type { DemoSize } from '../../server/db/demo/sizes.ts'
import { migrate } from '../../server/db/migrate.ts'

const root = resolve(import.meta.dirname, '../..')
const cache = join(root, '.cache')
/** What the data is made by: a change of any of these makes it anew. */
const SOURCES = ['server/db', 'server/runtime', 'contract/vocabulary.ts', 'contract/pacing.ts', 'contract/status.ts']
/** Dates are relative to the day it was made. */
const FRESH = 3 * 86_400_000

/**
 * A data folder (`fieldwork.db`) with the demo marketplace of a size on SQLite, made once and kept in `.cache/`. It is shared:
 * read it, or ask for a copy of your own with `into`.
 */
export async function sizedFolder(size: DemoSize, into?: string): Promise<string> {
  const kept = join(cache, `${size}-${sourcesHash()}`)
  const made = join(kept, 'fieldwork.db')
  if (!existsSync(made) || Date.now() - statSync(kept).mtimeMs > FRESH) await make(size, kept)
  if (!into) return kept
  mkdirSync(into, { recursive: true })
  await copyFile(made, join(into, 'fieldwork.db'), constants.COPYFILE_FICLONE)
  return into
}

/** Fills an empty PostgreSQL database with the demo marketplace of a size. */
export async function sizedPostgres(size: DemoSize, url: string): Promise<void> {
  const database = connect({ url, poolSize: 2 })
  try {
    await migrate(database)
    await seed(database, { size, progress: barOf(`Making ${size} on PostgreSQL`) })
  } finally {
    await database.close()
  }
}

async function make(size: DemoSize, kept: string): Promise<void> {
  mkdirSync(cache, { recursive: true })
  for (const name of readdirSync(cache)) {
    // A draft of yesterday belongs to a run that was killed.
    const stale = name.startsWith(`draft-${size}-`) && Date.now() - statSync(join(cache, name)).mtimeMs > 86_400_000
    if (stale || name.startsWith(`${size}-`)) rmSync(join(cache, name), { recursive: true, force: true })
  }
  const draft = mkdtempSync(join(cache, `draft-${size}-`))
  try {
    const database = connect({ file: join(draft, 'fieldwork.db') })
    await migrate(database)
    await seed(database, { size, progress: barOf(`Making ${size} once`) })
    await database.close()
    renameSync(draft, kept)
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
    for (const file of files) if (statSync(file).isFile()) hash.update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 12)
}
