import { type Kysely, sql } from 'kysely'
import { addOnline, createIndexes, fillOnline, indexesOnline, isPrepared, type Step } from '../../server/db/online.ts'

const COLUMNS = ['"next_owner" bigint', '"next_state" text']
const OWNERS = 'next_owner = requested_by'
const INDEXES = { ix_next_projects: '"projects" ("next_owner", "id")', ix_next_history: '"history" ("action", "id")' }

/** A migration of each kind that a later release may bring: it only adds, indexes and fills, or refers. */
export const LATER: Readonly<Record<string, Step>> = {
  '9990-columns': {
    async up(db: Kysely<unknown>) {
      await sql`alter table "users" add column "next_mood" text`.execute(db)
      await sql`alter table "projects" add column "next_mark" text not null default 'none'`.execute(db)
      await sql`alter table "respondents" add column "next_rank" bigint not null default 0`.execute(db)
    },
  },
  '9991-filled': {
    async prepare(db) {
      await addOnline(db, 'projects', COLUMNS)
      await indexesOnline(db, INDEXES)
      await fillOnline(db, 'projects', OWNERS, 'next_owner is null')
    },
    async up(db: Kysely<unknown>) {
      if (!(await isPrepared(db, 'postgres', 'projects', 'next_owner')))
        for (const column of COLUMNS) await sql.raw(`alter table "projects" add column ${column}`).execute(db)
      await createIndexes(db, 'postgres', INDEXES)
      await sql.raw(`update projects set ${OWNERS} where next_owner is null`).execute(db)
    },
  },
  '9992-references': {
    async up(db: Kysely<unknown>) {
      await sql`create table "next_things" ("id" bigint primary key, "project_id" bigint not null references "projects",
        "user_id" bigint not null references "users", "file_id" bigint references "files")`.execute(db)
      await sql`create function next_counted() returns trigger language plpgsql as $$ begin return null; end $$`.execute(db)
      await sql`create trigger tr_next_entries after insert on entries for each statement execute function next_counted()`.execute(
        db,
      )
    },
  },
}
