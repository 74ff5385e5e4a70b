import type { Kysely } from 'kysely'
import type { Engine } from '../connect.ts'
import { createIndexes, indexesOnline } from '../online.ts'

const INDEXES = {
  ix_files_uploaded_by: '"files" ("uploaded_by", "created_at")',
  ix_snapshots_created_by: '"snapshots" ("created_by")',
  ix_mails_about: '"mails" ("about", "created_at")',
}

/** Indexes by owner for what is counted against limits (server/core/quotas.ts). */
export const limits = (engine: Engine) => ({
  prepare: (db: Kysely<unknown>) => indexesOnline(db, INDEXES),
  up: (db: Kysely<unknown>) => createIndexes(db, engine, INDEXES),
})
