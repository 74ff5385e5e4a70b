import { type Kysely, sql } from 'kysely'

/** Who of a client's users decides on its quotes; everybody while nobody is named. */
export const approvers = {
  async up(db: Kysely<unknown>) {
    await sql.raw(`alter table "user_clients" add column "approves" integer not null default 0`).execute(db)
  },
}
