import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** Who put a user on a team or linked a project to it, and when. */
export const teamLinks = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    for (const table of ['team_users', 'team_projects'])
      for (const column of [`"added_by" ${int}`, `"added_at" text`])
        await sql.raw(`alter table "${table}" add column ${column}`).execute(db)
  },
})
