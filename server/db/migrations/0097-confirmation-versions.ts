import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** The versions of what a review read, so that its confirmation can't be used once they have changed. */
export const confirmationVersions = (_: Engine) => ({
  async up(db: Kysely<unknown>) {
    // A process of the release before adds none, and its reviews are confirmed as they were then.
    await sql`alter table "confirmations" add column "versions" text not null default '{}'`.execute(db)
  },
})
