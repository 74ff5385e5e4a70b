import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'
import { createIndexes, indexesOnline } from '../online.ts'

const CITY = { ix_places_city: `"places" (lower("city"), "id") where "deleted_at" is null` }
const searched = (home: string) => ({
  ix_places_search: `"places" using gin
  (lower("name" || ' ' || "address" || ' ' || "city" || ' ' || "zip") "${home}".gin_trgm_ops)
  with (fastupdate = off) where "deleted_at" is null`,
})

/** The schema that has the extension for trigrams, or null if this database owner may not add it. */
export async function trigrams(db: Kysely<unknown>): Promise<string | null> {
  // The extension goes into the public schema, because a restore drops the schema it works in.
  await sql
    .raw(`do $$ begin
      create extension if not exists pg_trgm with schema public;
    exception when insufficient_privilege or feature_not_supported or undefined_file or invalid_schema_name then
      raise notice 'pg_trgm is not available: searching locations reads every row';
    end $$`)
    .execute(db)
  const { rows } = await sql<{ home: string }>`select n.nspname as home from pg_extension e
    join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'`.execute(db)
  return rows[0]?.home ?? null
}

/**
 * Indexes for lists of hundreds of thousands of places: by city, and on PostgreSQL for searches.
 * There, searches within words read trigrams; SQLite reads the covering index of 0037.
 * Without trigrams a search reads every row (docs/operating.md).
 */
export const placeSearch = (engine: Engine) => ({
  async prepare(db: Kysely<unknown>) {
    await indexesOnline(db, CITY)
    const home = await trigrams(db)
    if (home) await indexesOnline(db, searched(home))
  },
  async up(db: Kysely<unknown>) {
    await createIndexes(db, engine, CITY)
    const home = engine === 'postgres' ? await trigrams(db) : null
    if (home) await createIndexes(db, engine, searched(home))
  },
})
