import { type Kysely, sql } from 'kysely'

/** The code of an error in a line of a file; empty in lines of older releases and in other remarks. */
export const rowCodes = () => ({
  async up(db: Kysely<unknown>) {
    await sql.raw(`alter table "import_rows" add column "code" text not null default ''`).execute(db)
  },
})
