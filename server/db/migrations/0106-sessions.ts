import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Engine } from '../connect.ts'
import { SESSION_TABLES } from '../sessionTables.ts'
import { createIndex, createTable } from '../tableColumns.ts'

const INDEXES: Readonly<Record<string, string>> = {
  ix_entry_links_project: 'entry_links (project_id)',
  ix_entry_links_partner: 'entry_links (partner_id)',
  ix_entry_links_updated: 'entry_links (updated_at)',
  ix_field_sessions_project: 'field_sessions (project_id, id)',
  ix_field_sessions_link: 'field_sessions (link_id, entered_at)',
  ix_field_sessions_partner: 'field_sessions (partner_id, id)',
  ix_field_sessions_pid: 'field_sessions (pid)',
  ix_field_sessions_updated: 'field_sessions (updated_at)',
  ix_field_sessions_due: "field_sessions (until_at) where state = 'admitted'",
  ix_field_sessions_entered: "field_sessions (entered_at) where pid <> ''",
  ix_session_steps_rid: 'session_steps (rid, id)',
  ix_session_posts_due: "session_posts (not_before) where status in ('queued', 'sending')",
  ix_session_posts_created: 'session_posts (created_at)',
}
const UNIQUE: Readonly<Record<string, string>> = {
  ux_field_sessions_person: "field_sessions (survey_id, partner_id, pid, early) where test = 0 and pid <> ''",
}

/** Entry links, the sessions that come by them, and outcomes on their way to partners. */
export const sessions = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    const statements = [
      ...Object.entries(SESSION_TABLES).map(([name, table]) => createTable(engine, name, table)),
      ...Object.entries(INDEXES).map(([name, on]) => createIndex(name, on)),
      ...Object.entries(UNIQUE).map(([name, on]) => createIndex(name, on, 'unique')),
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
})
