import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** An API key's scope, expiry and last address; a respondent's arrival, which starts the 30 days for corrections. */
export const keys = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    for (const column of [
      `"api_keys" add column "scope" text not null default '{}'`,
      `"api_keys" add column "expires_at" text`,
      `"api_keys" add column "last_address" text not null default ''`,
      `"api_keys" add column "reads" ${int} not null default 0`,
      `"respondents" add column "taken_on" integer`,
    ])
      await sql.raw(`alter table ${column}`).execute(db)
  },
})
