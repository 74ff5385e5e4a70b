import { sql } from 'kysely'
import type { Database, Tx } from './connect.ts'

/** The lock of a project's marks, which the triggers take too (server/db/baseline/entryTriggers.ts). */
const MARKS = 5_417_327

/**
 * Locks the marks of projects, before a write locks or changes their entries.
 * The triggers take these locks too, but later, when another write may already wait for the entries.
 */
export async function lockMarks({ engine }: Pick<Database, 'engine'>, tx: Tx, projects: Iterable<number>): Promise<void> {
  if (engine === 'sqlite') return
  const ids = [...new Set(projects)].sort((a, b) => a - b)
  await sql`select pg_advisory_xact_lock(${MARKS}::int, id) from unnest(${ids}::int[]) as project (id)`.execute(tx)
}
