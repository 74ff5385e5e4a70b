import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

/**
 * Indexes for lists of hundreds of thousands of places: by city, and on PostgreSQL for searches.
 * There, searches within words read trigrams; SQLite reads the covering index of 0037.
 */
export const placeSearch = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    await sql.raw(`create index "ix_places_city" on "places" (lower("city"), "id") where "deleted_at" is null`).execute(db)
    if (engine === 'sqlite') return
    // The extension goes into the public schema, because a restore drops the schema it works in.
    // A database owner who may not add it gets a search that reads every row (docs/operating.md).
    await sql
      .raw(`do $$ declare home text; begin
        create extension if not exists pg_trgm with schema public;
        select n.nspname into home from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm';
        execute format('create index "ix_places_search" on "places" using gin
          (lower("name" || '' '' || "address" || '' '' || "city" || '' '' || "zip") %I.gin_trgm_ops)
          with (fastupdate = off) where "deleted_at" is null', home);
      exception when insufficient_privilege or feature_not_supported or undefined_file or invalid_schema_name then
        raise notice 'pg_trgm is not available: searching locations reads every row';
      end $$`)
      .execute(db)
  },
})
