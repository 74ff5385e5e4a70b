import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Tx } from './connect.ts'
import type { Schema } from './schema.ts'

type Rows<Tables extends keyof Schema, Row> = SelectQueryBuilder<Schema, Tables, Row>

/**
 * Locks a query's rows until the transaction ends; `skip` leaves out rows that others hold.
 * Only `remove` keeps others from adding rows that refer to these: a write does so while it holds other locks.
 * SQLite needs no lock, because it has one writer at a time.
 */
export function locked<Tables extends keyof Schema, Row>(
  database: Pick<Database, 'engine'>,
  query: Rows<Tables, Row>,
  held: 'wait' | 'skip' | 'remove' = 'wait',
): Rows<Tables, Row> {
  if (database.engine === 'sqlite') return query
  if (held === 'remove') return query.forUpdate()
  return held === 'skip' ? query.forNoKeyUpdate().skipLocked() : query.forNoKeyUpdate()
}

/** TABLE  what runs one at a time, by lock number; releases that run side by side share the numbers. */
export const ADVISORY_LOCKS = {
  survey: 5_417_231,
  name: 5_417_232,
  uploads: 54_173_000,
  layouts: 54_173_001,
  views: 54_173_002,
  requests: 54_173_003,
  keys: 54_173_004,
  webhooks: 54_173_055,
  entry_links: 54_173_106,
  account_requests: 54_173_005,
  reports: 5_417_326,
  content: 54_173_021,
  vip: 54_173_035,
  desk: 54_173_120,
  imports: 54_173_038,
  visits: 54_173_043,
  rollups: 54_173_044,
  brands: 54_173_045,
  versions: 54_173_046,
  restore: 54_173_117,
} as const

/** Waits for the lock of this key and holds it until the transaction ends; SQLite has one writer anyway. */
export async function advisoryLock(
  database: Pick<Database, 'engine'>,
  tx: Tx,
  turn: keyof typeof ADVISORY_LOCKS,
  key: number,
): Promise<void> {
  if (database.engine === 'postgres')
    await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS[turn]}::int, ${key}::int)`.execute(tx)
}
