import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/**
 * Packs of visits: one row for a day or month instead of one for each market, so that long ranges read few rows.
 * Everything is marked for the job that writes them; until then, reads take unpacked days from cells and leaves.
 * Drops the table of device sets for hand-picked market areas, which was never used.
 */
export function visitPacks(engine: Engine) {
  const sqlite = engine === 'sqlite'
  const int = sqlite ? 'integer' : 'bigint'
  const statements = [
    `create table "visit_packs" ("scope" text not null, "scope_id" ${int} not null, "period" text not null,
      "start_day" ${int} not null, "bytes" ${sqlite ? 'blob' : 'bytea'} not null,
      primary key ("scope", "scope_id", "period", "start_day"))`,
    // Device sets don't compress, and trying to would slow down each write and read.
    ...(sqlite ? [] : [`alter table "visit_packs" alter column "bytes" set storage external`]),
    `delete from "visit_rollups" where "period" = 'm' and "scope" <> 'all'`,
    `delete from "visit_stale_months" where "scope" = 'brand' and "removed" = 0`,
    `insert into "visit_stale" ("service_id", "day") select "service_id", "day" from "visit_days" where true
      on conflict ("service_id", "day") do nothing`,
    `drop table "visit_sets"`,
  ]
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(db)
    },
  }
}
