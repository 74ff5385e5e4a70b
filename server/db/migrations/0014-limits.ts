import { type Kysely, sql } from 'kysely'
import { indexOnline } from '../online.ts'

const INDEXES = {
  ix_files_uploaded_by: '"files" ("uploaded_by", "created_at")',
  ix_snapshots_created_by: '"snapshots" ("created_by")',
  ix_mails_about: '"mails" ("about", "created_at")',
}

/** Indexes by owner for what is counted against limits (server/core/quotas.ts). */
export const limits = {
  async prepare(db: Kysely<unknown>) {
    for (const [name, on] of Object.entries(INDEXES)) await indexOnline(db, name, on)
  },
  async up(db: Kysely<unknown>) {
    for (const [name, on] of Object.entries(INDEXES)) await sql.raw(`create index if not exists "${name}" on ${on}`).execute(db)
  },
}
