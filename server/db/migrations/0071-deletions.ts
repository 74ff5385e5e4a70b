import { type Kysely, sql } from 'kysely'

/** Change sets of deletions are kept for as long as what they deleted can be restored. */
export const deletions = () => ({
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table "change_sets" add column "removes" integer not null default 0').execute(db)
  },
})
