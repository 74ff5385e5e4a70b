import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/**
 * Whose market area is in a survey's columns of answers, so that completes by area read no respondents.
 * It is equal to `completes` where everybody's is: an older release places completes without raising it.
 */
export const answerAreas = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    await sql.raw(`alter table "answer_sizes" add column "areas" ${int} not null default 0`).execute(db)
  },
})
