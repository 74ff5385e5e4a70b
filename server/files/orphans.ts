import type { FileStore } from '../core/ports.ts'
import { contentsKept } from '../core/undo/keep.ts'
import type { Database } from '../db/connect.ts'
import { keysNamed } from '../domain/file/fileRows.ts'

/** What a store holds that no row of `files` names, nor a deletion that can still be undone. */
export interface Orphans {
  /** Contents of ours without a row that are old enough, oldest first. */
  orphans: { key: string; size: number; at: Date }[]
  /** Contents that rows name. */
  named: number
  /** Contents without a row that are too young: their row may still be on its way. */
  young: number
  /** Other contents of the folder, under names that are not ours. */
  others: number
}

/** The folders that contents of ours lie in (`newKey`, the demo marketplace). */
const OURS = /^(uploads|exports|demo)\/./

/** Searches a whole store. The rows are read last, so that a file stored meanwhile is not taken for an orphan. */
export async function findOrphans(database: Database, files: FileStore, before: Date): Promise<Orphans> {
  const found: Orphans['orphans'] = []
  let others = 0
  for await (const content of files.list()) {
    if (OURS.test(content.key)) found.push(content)
    else others++
  }
  const named = await keysNamed(database)
  const keys = new Set([...named, ...(await contentsKept(database.db))])
  const nameless = found.filter(({ key }) => !keys.has(key))
  const orphans = nameless.filter(({ at }) => at < before).sort((a, b) => a.at.getTime() - b.at.getTime())
  return { orphans, named: found.length - nameless.length, young: nameless.length - orphans.length, others }
}
