import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** Rate limits shared by all processes (server/core/rateLimit.ts): one row for each bucket that isn't empty. */
export const guards = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    await sql
      .raw(
        `create table "tries" ("key" text not null primary key, "full_at" ${int} not null)${engine === 'sqlite' ? ' without rowid' : ''}`,
      )
      .execute(db)
    await sql.raw('create index "ix_tries_full_at" on "tries" ("full_at")').execute(db)
  },
})
