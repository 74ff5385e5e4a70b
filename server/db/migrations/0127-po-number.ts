import { type Kysely, sql } from 'kysely'

/** The client's purchase order for a project, which their invoices name. */
export const poNumber = {
  async up(db: Kysely<unknown>) {
    await sql.raw(`alter table "projects" add column "po_number" text not null default ''`).execute(db)
  },
}
