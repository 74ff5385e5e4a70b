import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** What a stored content must be, and how often its thumbnail was begun and why there is none. */
export const fileSums = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    for (const column of [
      `"sha256" text not null default ''`,
      `"thumb_tries" ${int} not null default 0`,
      `"thumb_fault" text not null default ''`,
    ])
      await sql.raw(`alter table "files" add column ${column}`).execute(db)
  },
})
