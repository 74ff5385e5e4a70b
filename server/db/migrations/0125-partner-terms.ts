import { type Kysely, sql } from 'kysely'

/** What the agency shows of a request to a partner, besides its terms, and where a chosen partner sends respondents. */
export const partnerTerms = {
  async up(db: Kysely<unknown>) {
    for (const statement of [
      `alter table "project_partners" add column "requirements" text not null default ''`,
      `alter table "project_partners" add column "shows_survey" integer not null default 0`,
      `alter table "project_partners" add column "why" text not null default ''`,
      `alter table "project_partners" add column "entry_url" text not null default ''`,
    ])
      await sql.raw(statement).execute(db)
  },
}
