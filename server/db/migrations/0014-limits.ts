import { type Kysely, sql } from 'kysely'

/** Indexes by owner for what is counted against limits (server/core/quotas.ts). */
export const limits = {
  async up(db: Kysely<unknown>) {
    const run = (text: string) => sql.raw(text).execute(db)
    await run('create index "ix_files_uploaded_by" on "files" ("uploaded_by", "created_at")')
    await run('create index "ix_snapshots_created_by" on "snapshots" ("created_by")')
    await run('create index "ix_mails_about" on "mails" ("about", "created_at")')
  },
}
