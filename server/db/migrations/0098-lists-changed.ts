import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'
import { createIndexes, type Indexes, indexesOnline } from '../online.ts'

/** Tables of more than a few hundred rows, whose every change sets `updated_at`. */
const UPDATED = [
  ...['clients', 'users', 'teams', 'projects', 'quotes', 'proffers', 'activities', 'rewards', 'imports', 'user_activities'],
  ...['files', 'places', 'location_groups', 'vip_experiences', 'brands', 'services'],
]
/** Tables whose rows change at several moments, of which the latest counts. */
const MOMENTS: Readonly<Record<string, readonly string[]>> = {
  mails: ['created_at', 'not_before', 'sent_at', 'redacted_at'],
  jobs: ['created_at', 'not_before', 'started_at', 'beat_at', 'ended_at'],
  webhook_deliveries: ['created_at', 'not_before', 'sent_at', 'ended_at'],
}
const LINKS = ['team_users', 'team_projects']

function indexes(engine: Engine): Indexes {
  const latest = engine === 'postgres' ? 'greatest' : 'max'
  const moments = (columns: readonly string[]) => columns.map((column) => `coalesce("${column}", '')`).join(', ')
  return {
    ...Object.fromEntries(UPDATED.map((table) => [`ix_${table}_updated`, `"${table}" ("updated_at")`])),
    ...Object.fromEntries(
      Object.entries(MOMENTS).map(([table, columns]) => [`ix_${table}_latest`, `"${table}" (${latest}(${moments(columns)}))`]),
    ),
    // A child of a deleted project is a row of its own in lists, which look the few of these up.
    ix_projects_deleted: '"projects" ("id") where "deleted_at" is not null',
    ix_vip_awards_created: '"vip_awards" ("created_at")',
    ix_history_project_at: '"history" ("project_id", "at") where "project_id" is not null',
    ix_entries_survey: '"entries" ("survey_id", "updated_at") where "survey_id" is not null',
    ix_respondents_taken: '"respondents" ("survey_id", "taken_on") where "taken_on" is not null',
    // Rows from before the day of arrival was stored.
    ix_respondents_older: '"respondents" ("survey_id", "at") where "taken_on" is null',
  }
}

/** Indexes by the time of the last change for `updated_since`, and when an undo brought back who is in a team. */
export const listsChanged = (engine: Engine) => ({
  prepare: (db: Kysely<unknown>) => indexesOnline(db, indexes(engine)),
  async up(db: Kysely<unknown>) {
    await createIndexes(db, engine, indexes(engine))
    for (const table of LINKS) await sql.raw(`alter table "${table}" add column "updated_at" text`).execute(db)
  },
})
