import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** Tokens beside importers' keys, which don't change; and the token a change was made with. */
export const tokens = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    for (const column of [
      `"api_keys" add column "kind" text not null default 'intake'`,
      `"api_keys" add column "grants" text not null default '[]'`,
      `"history" add column "token_id" ${int}`,
    ])
      await sql.raw(`alter table ${column}`).execute(db)
    await sql.raw(`create index "ix_api_keys_owner" on "api_keys" ("created_by")`).execute(db)
  },
})
