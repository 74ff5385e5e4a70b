import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** The token that made a write, which may undo it, or a webhook, which ends with it; null for a person's own. */
export const tokenWrites = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    await sql.raw(`alter table "change_sets" add column "token_id" ${int}`).execute(db)
    await sql.raw(`alter table "webhooks" add column "token_id" ${int}`).execute(db)
  },
})
