import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** How far a read replica must be to show somebody their own last write (server/core/replicaReads.ts). */
export const writePositions = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const int = engine === 'sqlite' ? 'integer' : 'bigint'
    await sql
      .raw(`create table "write_positions" ("user_id" ${int} not null primary key, "lsn" text not null, "at" text not null)`)
      .execute(db)
  },
})
