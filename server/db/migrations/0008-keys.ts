import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** What an API key opens, until when, and where it was used from last; when a respondent arrived, which can be corrected for 30 days from then. */
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
