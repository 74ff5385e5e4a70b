import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** What assistants reviewed and a person hasn't yet confirmed (server/domain/token/confirmations.ts). */
export const confirmations = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    for (const statement of [
      `create table "confirmations" ("key_hash" text not null primary key, "token_id" ${int} not null references "api_keys",
        "digest" text not null, "expires_at" text not null)`,
      'create index "ix_confirmations_token" on "confirmations" ("token_id", "expires_at")',
      'create index "ix_confirmations_expires" on "confirmations" ("expires_at")',
    ])
      await sql.raw(statement).execute(db)
  },
})
