import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/**
 * Which questions have answers from respondents who aren't completes, so that deleting one needn't read respondents.
 * Intake records it from now on; `given_since` in `meta` is when, as older questions still need a look.
 */
export const questionGiven = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    const keyed = engine === 'sqlite' ? ' without rowid' : ''
    await sql
      .raw(
        `create table "question_given" ("survey_id" ${int} not null, "question_id" ${int} not null, primary key ("survey_id", "question_id"))${keyed}`,
      )
      .execute(db)
    await sql`insert into "meta" ("key", "value") values ('given_since', ${new Date().toISOString()})`.execute(db)
  },
})
