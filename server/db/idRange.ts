import { sql } from 'kysely'
import type { Database } from './connect.ts'

/**
 * How much of its ids each table has used, from 0 to 1; none on SQLite.
 * A column of 64 bits ends at 2^53, the largest number that is exact here.
 */
export async function idsUsed({ engine, db }: Pick<Database, 'engine' | 'db'>): Promise<{ table: string; used: number }[]> {
  if (engine === 'sqlite') return []
  const { rows } = await sql<{ table: string; used: number }>`
    select c.relname as "table", coalesce(pg_sequence_last_value(s.seqrelid), 0)
        / case a.atttypid when 'int4'::regtype then 2147483647::float8 else 9007199254740991::float8 end as used
      from pg_sequence s
      join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.seqrelid and d.refclassid = 'pg_class'::regclass
       and d.deptype in ('a', 'i')
      join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
      join pg_class c on c.oid = d.refobjid
     where c.relnamespace = current_schema()::regnamespace`.execute(db)
  return rows
}
