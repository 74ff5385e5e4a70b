import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/**
 * How many completes have a market area in the answer columns, so that counts by area read no respondents.
 * It equals `completes` where all of them have one; an older release adds completes without raising it.
 */
export const answerAreas = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    await sql.raw(`alter table "answer_sizes" add column "areas" ${int} not null default 0`).execute(db)
  },
})
