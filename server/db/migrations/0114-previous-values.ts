import { type Kysely, sql } from 'kysely'

/** The values that a change replaced: in its event, and in each message of a webhook. */
export const previousValues = () => ({
  async up(db: Kysely<unknown>) {
    for (const table of ['events', 'webhook_deliveries'])
      await sql.raw(`alter table "${table}" add column "before" text not null default ''`).execute(db)
  },
})
