import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** Writes sent with an idempotency key, and their responses (server/core/idempotency.ts). */
export const attempts = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    await sql
      .raw(
        `create table "attempts" ("user_id" ${int} not null references "users", "key" text not null, "call" text not null, "said" text not null,
        "answer" text not null default '', "at" text not null, primary key ("user_id", "key"))${engine === 'sqlite' ? ' without rowid' : ''}`,
      )
      .execute(db)
    await sql.raw('create index "ix_attempts_at" on "attempts" ("at")').execute(db)
  },
})
