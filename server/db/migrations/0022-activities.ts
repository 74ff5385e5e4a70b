import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'
import { indexOnline } from '../online.ts'

const FRAUD = '"respondents" ("survey_id") where "fraud" = 1'

/** The older fields of activities, places and notifications, and an index to count fraud flags. */
export const activities = (engine: Engine) => ({
  prepare: (db: Kysely<unknown>) => indexOnline(db, 'ix_respondents_fraud', FRAUD),
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    const run = (text: string) => sql.raw(text).execute(db)
    await run(`alter table "activities" add column "location_id" ${int}`)
    await run(`alter table "activities" add column "notification_id" ${int}`)
    await run(`create index if not exists "ix_respondents_fraud" on ${FRAUD}`)
  },
})
