import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** Columns for a survey's vendor ID and question source (screens-projects.md); older releases leave them empty. */
export const surveySource = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    const run = (text: string) => sql.raw(text).execute(db)
    await run(`alter table "surveys" add column "vendor_survey_id" text not null default ''`)
    await run(`alter table "surveys" add column "source_file_id" ${int}`)
    await run(`alter table "surveys" add column "refreshed_at" text`)
    // Until now, the vendor column held the vendor's id of the survey.
    await run(`update "surveys" set vendor_survey_id = survey_vendor where survey_vendor <> ''`)
    await run('create index "surveys_updated_at" on "surveys" ("updated_at")')
  },
})
