import { plainCopy } from '../core/contents.ts'
import type { FileStore } from '../core/ports.ts'
import { contentsInChangeSets } from '../core/undo/changeSets.ts'
import type { Database } from '../db/connect.ts'
import { keysNamed } from '../domain/file/fileRows.ts'

/** Stored contents without a row in `files`, or a deletion that can still be undone. */
export interface Orphans {
  /** Our contents without a row that are old enough, oldest first. */
  orphans: { key: string; size: number; at: Date }[]
  /** How many contents have rows. */
  named: number
  /** Contents without a row that are too recent: their row may not be written yet. */
  young: number
  /** Other contents of the store, with names that aren't ours. */
  others: number
}

/** Folders of our contents (`newKey`, the demo data). */
const OURS = /^(uploads|exports|demo)\/./

/** Searches a whole store. Rows are read last, so that a file stored meanwhile doesn't count as an orphan. */
export async function findOrphans(database: Database, files: FileStore, before: Date): Promise<Orphans> {
  const found: Orphans['orphans'] = []
  let others = 0
  for await (const content of files.list()) {
    if (OURS.test(content.key)) found.push(content)
    else others++
  }
  const named = await keysNamed(database)
  const keys = new Set([...named, ...(await contentsInChangeSets(database.db))].flatMap((key) => [key, plainCopy(key)]))
  const nameless = found.filter(({ key }) => !keys.has(key))
  const orphans = nameless.filter(({ at }) => at < before).sort((a, b) => a.at.getTime() - b.at.getTime())
  return { orphans, named: found.length - nameless.length, young: nameless.length - orphans.length, others }
}
