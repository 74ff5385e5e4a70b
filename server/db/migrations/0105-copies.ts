import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** Who may read stored copies of records, and the respondents that were withdrawn, also those of before. */
export const copies = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    for (const statement of [
      // Without it, only administrators get the response of a write again.
      `alter table "attempts" add column "holds" text not null default ''`,
      `alter table "webhook_deliveries" add column "whole" integer not null default 1`,
      // Of jobs before, nobody knows what their titles name: only administrators see them.
      `alter table "jobs" add column "made_as" text not null default 'admin'`,
      `alter table "jobs" add column "project_id" ${int}`,
      `alter table "jobs" add column "service_id" ${int}`,
    ])
      await sql.raw(statement).execute(db)
    await sql
      .raw(
        `create table "withdrawn_respondents" ("survey_id" ${int} not null references "surveys", "respondent_id" text not null,
          "withdrawn_at" text not null, "arrived" integer not null, "stored" text not null, "answers" text not null,
          primary key ("survey_id", "respondent_id"))`,
      )
      .execute(db)
    await sql.raw(`create index "ix_withdrawn_arrived" on "withdrawn_respondents" ("arrived") where "stored" <> ''`).execute(db)
    // Those that were sent again since are counted, and stay so.
    const id =
      engine === 'postgres' ? sql`history.before::json ->> 'respondent_id'` : sql`json_extract(history.before, '$.respondent_id')`
    await sql`insert into withdrawn_respondents (survey_id, respondent_id, withdrawn_at, arrived, stored, answers)
      select surveys.id, ${id}, max(history.at), 0, '', ''
      from history join surveys on surveys.id = history.subject_id
      where history.subject = 'survey' and history.action = 'runtime.withdraw' and ${id} is not null
        and not exists (select 1 from respondents
          where respondents.survey_id = surveys.id and respondents.respondent_id = ${id})
      group by surveys.id, ${id}`.execute(db)
  },
})
