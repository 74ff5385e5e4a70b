import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** Which records were deleted when, for lists of what has changed; a restored one loses its row. */
export const tombstones = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    await sql
      .raw(
        `create table "tombstones" ("noun" text not null, "subject_id" ${int} not null, "deleted_at" text not null,
          "project_id" ${int}, "client_id" ${int}, "for_admins" ${int} not null default 0, primary key ("noun", "subject_id"))`,
      )
      .execute(db)
    await sql.raw('create index "ix_tombstones_at" on "tombstones" ("noun", "deleted_at")').execute(db)
  },
})
