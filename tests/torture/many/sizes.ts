import { sql } from 'kysely'
import type { Outcome } from '../../../scripts/torture/parts.ts'
import { connect } from '../../../server/db/connect.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { seed } from '../../../server/demo/seed.ts'

/** Smaller tables say little about a row's size. */
const ENOUGH = 1000

/** Measures a row's size with indexes in each growing table on PostgreSQL, in a database with the demo marketplace. */
export async function measureSizes(env: Record<string, string>): Promise<Outcome['figures']> {
  const database = connect({ url: env.DATABASE_URL!, poolSize: 2 })
  try {
    await migrate(database)
    await seed(database, { size: 'demo' })
    await fillEvents()
    await sql`vacuum analyze`.execute(database.db)
    const figures: Outcome['figures'] = {}
    const tables = await sql<{ name: string; bytes: number }>`
      select relname as name, pg_total_relation_size(oid) as bytes from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace order by bytes desc`.execute(database.db)
    for (const { name, bytes } of tables.rows) {
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(database.db)
      const count = Number(rows[0]!.count)
      if (count >= ENOUGH) figures[`${name}: bytes a row, with indexes`] = `${Math.round(bytes / count)} (of ${count})`
    }
    const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(database.db)
    const { count } = await database.db
      .selectFrom('respondents')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    figures['the whole database a respondent (bytes)'] = Math.round(rows[0]!.bytes / Number(count))
    return figures
  } finally {
    await database.close()
  }

  /** The demo has no events or sessions, so this adds a few thousand. */
  async function fillEvents(): Promise<void> {
    await sql`insert into events (noun, subject_id, project_id, client_id, audience, user_id, kind, session_id, at)
      select 'project', n, n, n % 20, 'scope', null, 'put', n, '2026-01-01T00:00:00.000Z' from generate_series(1, 20000) as n`.execute(
      database.db,
    )
    await sql`insert into sessions (user_id, client, token_hash, user_agent, created_at, last_seen_at, expires_at)
      select (select min(id) from users), md5(n::text), md5(n::text) || md5((n + 1)::text), 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
        '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-15T00:00:00.000Z' from generate_series(1, 5000) as n`.execute(
      database.db,
    )
  }
}
