import type { Kysely } from 'kysely'
import type { Engine } from '../connect.ts'
import { createIndexes, type Indexes, indexesOnline } from '../online.ts'

const indexes = (engine: Engine): Indexes => ({
  ix_entries_changed: '"entries" ("project_id", "updated_at")',
  ix_entries_updated: `"entries" ("updated_at"${engine === 'postgres' ? ' collate "C"' : ''}, "id")`,
})

/** Indexes by the time of the last change, for `updated_since` of a project's entries and of all. */
export const entriesChanged = (engine: Engine) => ({
  prepare: (db: Kysely<unknown>) => indexesOnline(db, indexes(engine)),
  up: (db: Kysely<unknown>) => createIndexes(db, engine, indexes(engine)),
})
