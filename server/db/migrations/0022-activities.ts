import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'
import { createIndexes, indexesOnline } from '../online.ts'

const FRAUD = { ix_respondents_fraud: '"respondents" ("survey_id") where "fraud" = 1' }

/** The older fields of activities, places and notifications, and an index to count fraud flags. */
export const activities = (engine: Engine) => ({
  prepare: (db: Kysely<unknown>) => indexesOnline(db, FRAUD),
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    const run = (text: string) => sql.raw(text).execute(db)
    await run(`alter table "activities" add column "location_id" ${int}`)
    await run(`alter table "activities" add column "notification_id" ${int}`)
    await createIndexes(db, engine, FRAUD)
  },
})
