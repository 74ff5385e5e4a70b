import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Compilable, Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from 'kysely'
import pg from 'pg'
import type { Schema } from './schema.ts'
import { SqliteDialect } from './sqlite.ts'

export type Engine = 'sqlite' | 'postgres'
/** A database to read from; every write goes through a transaction. */
export type Db = Kysely<Schema>
/** A transaction: reads and writes. */
export type Tx = Transaction<Schema>

/** An open database with what differs between the engines. */
export interface Database {
  engine: Engine
  db: Db
  /** Text search that ignores case on both engines. */
  like: 'like' | 'ilike'
  /** True when the error says that a unique constraint was broken. */
  isUnique(error: unknown): boolean
  /** True when the database could not be reached or is busy: the caller may try again. */
  isAway(error: unknown): boolean
  /** Hears `NOTIFY fieldwork` of other processes (PostgreSQL only); returns a way to stop. */
  listen(heard: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1700, Number)

/** Opens SQLite in a file (':memory:' for none), or PostgreSQL by its URL. */
export function connect(where: { file: string } | { url: string; poolSize?: number }): Database {
  return 'url' in where ? connectPostgres(where.url, where.poolSize ?? 10) : connectSqlite(where.file)
}

function connectSqlite(file: string): Database {
  if (file !== ':memory:' && !existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true })
  const db = new Kysely<Schema>({ dialect: new SqliteDialect(file) })
  return {
    engine: 'sqlite',
    db,
    like: 'like',
    isUnique: (error) => messageOf(error).includes('UNIQUE constraint failed'),
    isAway: (error) => /database is locked|disk is full|disk I\/O error|unable to open database/.test(messageOf(error)),
    listen: async () => async () => {},
    close: () => db.destroy(),
  }
}

function connectPostgres(url: string, max: number): Database {
  const pool = new pg.Pool({ connectionString: url, max, connectionTimeoutMillis: 5000, idleTimeoutMillis: 30_000 })
  // An idle connection that breaks must not end the process: the next query says what is wrong.
  pool.on('error', () => {})
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return {
    engine: 'postgres',
    db,
    like: 'ilike',
    isUnique: (error) => codeOf(error) === '23505',
    isAway: (error) =>
      /^(08|53|57P)/.test(codeOf(error)) ||
      /ECONNREFUSED|ECONNRESET|terminated|timeout exceeded|EPIPE|ENOENT/.test(messageOf(error)),
    listen: (heard) => listenPostgres(url, heard),
    close: () => db.destroy(),
  }
}

/** Keeps one connection listening, and comes back after the database went away. */
async function listenPostgres(url: string, heard: () => void): Promise<() => Promise<void>> {
  let client: pg.Client | null = null
  let stopped = false
  const open = async () => {
    const next = new pg.Client({ connectionString: url })
    next.on('notification', heard)
    next.on('error', () => {})
    next.on('end', () => {
      if (!stopped) setTimeout(() => open().catch(() => next.emit('end')), 500).unref()
    })
    await next.connect()
    await next.query('listen fieldwork')
    client = next
    heard()
  }
  await open()
  return async () => {
    stopped = true
    await client?.end()
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? `${error.message} ${codeOf(error)}` : String(error))
const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/** Runs a write in a transaction; a serialization failure or a deadlock is tried again, twice. */
export async function transact<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await database.db.transaction().execute(work)
    } catch (error) {
      if (attempt < 2 && /^40(001|P01)$/.test(codeOf(error))) continue
      throw error
    }
  }
}

/** Inserts many rows in a few statements, skipping those whose key is there already; answers how many were new. */
export async function insertMany<T extends keyof Schema & string>(
  tx: Tx,
  table: T,
  rows: readonly object[],
  onConflict: 'fail' | 'skip' = 'fail',
): Promise<number> {
  if (!rows.length) return 0
  const columns = Object.keys(rows[0]!)
  const chunk = Math.max(1, Math.floor(30_000 / columns.length))
  let added = 0
  for (let at = 0; at < rows.length; at += chunk) {
    const values = rows
      .slice(at, at + chunk)
      .map((row) => sql`(${sql.join(columns.map((column) => (row as Record<string, unknown>)[column] ?? null))})`)
    const result =
      await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))}) values ${sql.join(values)} ${onConflict === 'skip' ? sql`on conflict do nothing` : sql``}`.execute(
        tx,
      )
    added += Number(result.numAffectedRows ?? 0)
  }
  return added
}

export type Query = Compilable | RawBuilder<unknown>
