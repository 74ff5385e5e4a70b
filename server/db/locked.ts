import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Tx } from './connect.ts'
import type { Schema } from './schema.ts'

type Rows<Tables extends keyof Schema, Row> = SelectQueryBuilder<Schema, Tables, Row>

/**
 * The rows of a query, locked until the transaction ends; `skip` leaves out those that another transaction holds. SQLite needs no such lock: it has
 * one writer at a time.
 */
export function locked<Tables extends keyof Schema, Row>(
  database: Pick<Database, 'engine'>,
  query: Rows<Tables, Row>,
  held: 'wait' | 'skip' = 'wait',
): Rows<Tables, Row> {
  if (database.engine === 'sqlite') return query
  return held === 'skip' ? query.forUpdate().skipLocked() : query.forUpdate()
}

/** TABLE  what is done in turn, by the number of its locks, each its own; releases that run beside each other share them. */
export const TURNS = {
  survey: 5_417_231,
  name: 5_417_232,
  uploads: 54_173_000,
  layouts: 54_173_001,
  views: 54_173_002,
  requests: 54_173_003,
  keys: 54_173_004,
  account_requests: 54_173_005,
} as const

/** Waits until no other transaction has the turn for this key, and keeps it until this one ends; SQLite has one writer at a time. */
export async function inTurn(database: Pick<Database, 'engine'>, tx: Tx, turn: keyof typeof TURNS, key: number): Promise<void> {
  if (database.engine === 'postgres') await sql`select pg_advisory_xact_lock(${TURNS[turn]}::int, ${key}::int)`.execute(tx)
}
