import { type Kysely, sql } from 'kysely'

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
