import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/**
 * Packs of visits: a row a day or month instead of one a market, so that long ranges are read in few rows.
 * Everything is marked for the job, which writes them; until then reads take what isn't packed from cells and leaves.
 * Sets of hand-picked market areas were never kept, so their table goes.
 */
export function visitPacks(engine: Engine) {
  const sqlite = engine === 'sqlite'
  const int = sqlite ? 'integer' : 'bigint'
  const statements = [
    `create table "visit_packs" ("scope" text not null, "scope_id" ${int} not null, "period" text not null,
      "start_day" ${int} not null, "bytes" ${sqlite ? 'blob' : 'bytea'} not null,
      primary key ("scope", "scope_id", "period", "start_day"))`,
    // Sets of devices don't compress, and trying costs each write and read.
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
