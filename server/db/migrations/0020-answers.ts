import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/**
 * Answers by column, so that a filter or a crosstab reads no respondents; a question's type, vendor key and end.
 * Stored answers get their columns after the start (server/domain/responses/fillColumns.ts).
 */
export const answers = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const run = (text: string) => sql.raw(text).execute(db)
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    const bytes = engine === 'postgres' ? 'bytea' : 'blob'
    const keyed = engine === 'sqlite' ? ' without rowid' : ''
    for (const column of [
      `"questions" add column "answer_type" text not null default 'single'`,
      `"questions" add column "vendor_key" text not null default ''`,
      `"questions" add column "retired_at" text`,
    ])
      await run(`alter table ${column}`)
    // A question without options accepted any text before questions had types.
    await run(`update "questions" set "answer_type" = 'open' where "options" = '[]'`)
    await run(
      `create table "answer_sizes" ("survey_id" ${int} not null primary key, "ordinals" ${int} not null, "completes" ${int} not null)${keyed}`,
    )
    await run(
      `create table "answer_columns" ("survey_id" ${int} not null, "question_id" ${int} not null, "first" ${int} not null, "width" ${int} not null, "codes" ${bytes} not null, primary key ("survey_id", "question_id", "first"))`,
    )
    await run(
      `create table "answer_texts" ("survey_id" ${int} not null, "question_id" ${int} not null, "text_id" ${int} not null, "lookup" text not null, "text" text not null, "parts" text not null default '', primary key ("survey_id", "question_id", "text_id"), unique ("survey_id", "question_id", "lookup"))${keyed}`,
    )
    await run(`create index "ix_answer_texts_sets" on "answer_texts" ("survey_id", "question_id") where "parts" <> ''`)
    await run(
      `create table "question_stops" ("survey_id" ${int} not null, "question_id" ${int} not null, "partials" ${int} not null default 0, primary key ("survey_id", "question_id"))${keyed}`,
    )
    // Last, because intake waits for it until the end.
    for (const column of [`"ordinal" ${int}`, `"started_at" text`]) await run(`alter table "respondents" add column ${column}`)
  },
})
