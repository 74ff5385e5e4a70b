import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'
import { addOnline, createIndexes, fillOnline, indexesOnline, isPrepared } from '../online.ts'

const columnsOf = (int: string) => [
  `"vendor_survey_id" text not null default ''`,
  `"source_file_id" ${int}`,
  '"refreshed_at" text',
]
// Until now, the vendor column held the vendor's id of the survey.
const FILL = ['vendor_survey_id = survey_vendor', `survey_vendor <> '' and vendor_survey_id = ''`] as const
const UPDATED = { surveys_updated_at: '"surveys" ("updated_at")' }

/** Columns for a survey's vendor ID and question source (screens-projects.md); older releases leave them empty. */
export const surveySource = (engine: Engine) => ({
  async prepare(db: Kysely<unknown>) {
    await addOnline(db, 'surveys', columnsOf('bigint'))
    await fillOnline(db, 'surveys', ...FILL)
    await indexesOnline(db, UPDATED)
  },
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    if (!(await isPrepared(db, engine, 'surveys', 'refreshed_at')))
      for (const column of columnsOf(int)) await sql.raw(`alter table "surveys" add column ${column}`).execute(db)
    await sql.raw(`update "surveys" set ${FILL[0]} where ${FILL[1]}`).execute(db)
    await createIndexes(db, engine, UPDATED)
  },
})
