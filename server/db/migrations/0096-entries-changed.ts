import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'
import { indexOnline } from '../online.ts'

const indexes = (engine: Engine) => ({
  ix_entries_changed: '"entries" ("project_id", "updated_at")',
  ix_entries_updated: `"entries" ("updated_at"${engine === 'postgres' ? ' collate "C"' : ''}, "id")`,
})

/** Indexes by the time of the last change, for `updated_since` of a project's entries and of all. */
export const entriesChanged = (engine: Engine) => ({
  async prepare(db: Kysely<unknown>) {
    for (const [name, on] of Object.entries(indexes(engine))) await indexOnline(db, name, on)
  },
  async up(db: Kysely<unknown>) {
    for (const [name, on] of Object.entries(indexes(engine)))
      await sql.raw(`create index if not exists "${name}" on ${on}`).execute(db)
  },
})
