import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** Stores answer columns uncompressed on PostgreSQL, as decompressing was half of a read; old rows stay readable. */
export const answerStorage = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    if (engine === 'postgres') await sql`alter table "answer_columns" alter column "codes" set storage external`.execute(db)
  },
})
