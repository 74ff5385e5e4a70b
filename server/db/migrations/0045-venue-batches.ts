import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/** Venues of a new service that a job has yet to add, several in a row (server/domain/visit/venueJob.ts). */
export function venueBatches(engine: Engine) {
  const int = engine === 'sqlite' ? 'integer' : 'bigint'
  const statements = [
    `create table "venue_batches" ("job_id" ${int} not null, "first" ${int} not null, "service_id" ${int} not null references "services",
      "size" ${int} not null, "venues" text not null, "added" ${int}, primary key ("job_id", "first"))`,
    `create index "ix_venue_batches_service" on "venue_batches" ("service_id")`,
  ]
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(db)
    },
  }
}
