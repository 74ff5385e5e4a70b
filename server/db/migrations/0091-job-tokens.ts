import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** The token that started a job, which the history names with its owner. */
export const jobTokens = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    await sql.raw(`alter table "jobs" add column "token_id" ${engine === 'postgres' ? 'bigint' : 'integer'}`).execute(db)
  },
})
