import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** Keeps columns of answers unpacked on PostgreSQL, as unpacking was half of a read; old ones are read as before. */
export const answerStorage = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    if (engine === 'postgres') await sql`alter table "answer_columns" alter column "codes" set storage external`.execute(db)
  },
})
