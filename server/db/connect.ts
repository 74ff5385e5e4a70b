import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, type Logger, PostgresDialect, SqliteAdapter, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { CommitUnknown, postgresErrors, sqliteErrors } from './dbErrors.ts'
import { heartbeat } from './pgListener.ts'
import { GuardedPool, type Waits } from './pool.ts'
import type { Schema } from './schema.ts'
import { SqliteDialect } from './sqlite.ts'
import { traceStatement } from './tracing.ts'

export type Engine = 'sqlite' | 'postgres'
/** A database to read from; writes go through a transaction. */
export type Db = Kysely<Schema>
/** What a transaction doesn't do: open another, or close the database. */
interface Begun {
  readonly isTransaction: true
  transaction(): never
  startTransaction(): never
  connection(): never
  destroy(): never
}
/** A transaction: reads and writes. Not kysely's own class, which tsc would compare with `Db` through all of kysely. */
export type Tx = Begun & Db
/** A transaction that kysely has begun, as ours. */
export const txOf = (tx: Transaction<Schema>): Tx => tx as unknown as Tx

/** An open database, with the differences between the engines. */
export interface Database {
  engine: Engine
  db: Db
  /** True for a violated unique constraint. */
  isUnique(error: unknown): boolean
  /** True if the database can't be reached or is busy, so that a retry may help. */
  isUnavailable(error: unknown): boolean
  /** True if a disk is full, the database's or the files'. */
  isFull(error: unknown): boolean
  /** True if the database can't read what it has stored. */
  isDamaged(error: unknown): boolean
  /** True once a statement of this process has failed so, until it is started again. */
  damaged(): boolean
  /** Notes damage that a check has found. */
  noteDamage(): void
  /** True if the database cancelled a statement that took too long. */
  isSlow(error: unknown): boolean
  /** True if the database ended a transaction because it and another waited for each other. */
  isCollision(error: unknown): boolean
  /** True if no row can have a requested id, as the table's ids are narrower than the number. */
  isBeyondIds(error: unknown): boolean
  /**
   * Calls back on `NOTIFY fieldwork` with its last event, if it names one, and on changes of availability.
   * Does nothing on SQLite; returns the unsubscribe.
   * While the database is unavailable, every statement fails at once.
   */
  listen(onNotify: (last: number | null) => void, onAvailability?: (is: boolean) => void): Promise<() => Promise<void>>
  /** Runs work on one connection that no pooler shares meanwhile, as session locks need. */
  onOneSession<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Why the database refuses new connections, though open ones may go on; null if it doesn't. */
  refusal(): string | null
  /** Its connections by state, for monitoring; empty without a pool. */
  connections(): Readonly<Record<string, number>>
  /** A sentence for the operator if nothing limits how long a statement may take, or null. */
  unlimited(): Promise<string | null>
  close(): Promise<void>
}

pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1700, Number)

/** The name of a server's connections in PostgreSQL; command-line tools use another. */
export const SERVER_NAME = 'fieldwork'

interface PostgresWhere {
  url: string
  poolSize?: number
  /** The longest a statement may take (ms); no limit without it, for migrations and restores. */
  patience?: number
  /** How long writes wait (ms), for tests. */
  waits?: Waits
  /** A URL that bypasses the pooler in transaction mode that `url` leads through. */
  direct?: string
  /** True for a read replica, which can't listen, and which may be missing at first. */
  standby?: boolean
}

/** Opens SQLite from a file (':memory:' for none), or PostgreSQL by URL. */
export function connect(where: { file: string } | PostgresWhere): Database {
  return 'url' in where ? connectPostgres(where) : connectSqlite(where.file)
}

/** The engine of a database or transaction. */
export const engineOf = (db: Db): Engine => (db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres')

/** Kysely's log, which remembers that a statement met damage. */
function damageWatch(isDamaged: (error: unknown) => boolean): { log: Logger; damaged(): boolean; note(): void } {
  let seen = false
  return {
    log(event) {
      if (event.level === 'error') seen ||= isDamaged(event.error)
      traceStatement(event)
    },
    damaged: () => seen,
    note() {
      seen = true
    },
  }
}

function connectSqlite(file: string): Database {
  if (file !== ':memory:' && !existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true })
  const watch = damageWatch(sqliteErrors.isDamaged)
  const db = new Kysely<Schema>({ dialect: new SqliteDialect(file), log: watch.log })
  return {
    engine: 'sqlite',
    db,
    isUnique: (error) => messageOf(error).includes('UNIQUE constraint failed'),
    ...sqliteErrors,
    damaged: watch.damaged,
    noteDamage: watch.note,
    listen: async () => async () => {},
    onOneSession: (work) => db.connection().execute(work),
    refusal: () => null,
    connections: () => ({}),
    unlimited: async () => null,
    close: () => db.destroy(),
  }
}

/** How many beats of the listening connection (2 s) lie between two trial connections. */
const BEATS_PER_TRY = 5

/** A longer idle transaction belongs to a hanging process; PostgreSQL ends it and frees its locks. */
const IDLE_IN_TRANSACTION_MS = 30_000

/** For a connection of the pool (ms). */
const CONNECTION_MS = 5000

/** A job's statement has an hour, as some read or count everything; who waits for a job sees that it runs. */
const WAITS: Waits = { commit: 6000, lock: 6000, background: { lock: 60_000, statement: 3_600_000 } }

/** The longest that a call waits (ms): for a connection, for two locks and for its commit (docs/operating.md). */
export const LONGEST_WAIT_MS = CONNECTION_MS + 2 * WAITS.lock + WAITS.commit

/** Connections past the pooler; idle ones are closed soon, as direct connections are few. */
const SESSIONS = { max: 2, idleTimeoutMillis: 10_000 }

function connectPostgres({ url, poolSize = 10, patience, direct, standby, waits = WAITS }: PostgresWhere): Database {
  const limited = patience ? waits : undefined
  const line = { connectionString: url, application_name: patience ? SERVER_NAME : 'fieldwork-tool', keepAlive: true }
  const limits = patience ? { statement_timeout: patience, idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS } : {}
  const usual = { connectionTimeoutMillis: CONNECTION_MS, idleTimeoutMillis: 30_000 }
  // A pooler rejects limits as startup parameters, so they must be set on its role or in its settings.
  const pool = new GuardedPool({ ...line, ...(direct ? {} : limits), ...usual, max: poolSize }, limited)
  const watch = damageWatch(postgresErrors.isDamaged)
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), log: watch.log })
  const past = { ...line, ...(direct && { connectionString: direct }) }
  const directPool = direct && new GuardedPool({ ...past, ...limits, ...usual, ...SESSIONS }, limited)
  const sessions = directPool ? new Kysely<Schema>({ dialect: new PostgresDialect({ pool: directPool }) }) : db
  return {
    engine: 'postgres',
    db,
    isUnique: (error) => codeOf(error) === '23505',
    ...postgresErrors,
    damaged: watch.damaged,
    noteDamage: watch.note,
    listen(onNotify, availabilityChanged) {
      let [was, there, beats] = [true, true, 0]
      const listener = {
        onNotify,
        beat() {
          if (patience) pool.giveUpOlderThan(patience + 5000)
          // A refusal is looked at with each beat, so that it ends soon after its cause.
          if (!standby && (pool.refusal || beats++ % BEATS_PER_TRY === 0)) void pool.tryConnection().then(noteChange)
          noteChange()
        },
        onAvailability(is: boolean) {
          there = is
          pool.away = !is
          if (directPool) directPool.away = !is
          noteChange()
        },
      }
      const noteChange = () => {
        const is = there && !pool.refusal
        if (is !== was) availabilityChanged?.(is)
        was = is
      }
      return heartbeat(past, listener, standby)
    },
    onOneSession: (work) => sessions.connection().execute(work),
    refusal: () => pool.refusal,
    connections: () => pool.connections(),
    async unlimited() {
      if (!direct || !patience) return null
      const { rows } = await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(db)
      return rows[0]?.limit === '0' ? NO_LIMIT : null
    },
    async close() {
      await db.destroy()
      if (sessions !== db) await sessions.destroy()
    },
  }
}

const NO_LIMIT =
  'No statement_timeout is set for connections through the pooler: give the role one (alter role … set statement_timeout = 60000), or slow statements run without a limit.'

const messageOf = (error: unknown): string => (error instanceof Error ? `${error.message} ${codeOf(error)}` : String(error))
const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/**
 * Runs a write in a transaction; retries twice after a serialization failure or a deadlock.
 * Throws CommitUnknown if the connection was lost during the commit; after any other error, nothing was changed.
 */
export async function transact<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    let fault: { error: unknown } | null = null
    let committing = false
    try {
      return await database.db.transaction().execute(async (tx) => {
        try {
          const result = await work(txOf(tx))
          committing = true
          return result
        } catch (error) {
          fault = { error }
          throw error
        }
      })
    } catch (last) {
      // A rollback over a broken connection fails too, so the first error is the one to report.
      const error = (fault as { error: unknown } | null)?.error ?? last
      if (attempt < 2 && /^40(001|P01)$/.test(codeOf(error))) continue
      if (committing && database.engine === 'postgres' && database.isUnavailable(error)) throw new CommitUnknown(error)
      throw error
    }
  }
}

/** Inserts many rows in a few statements, skipping existing keys; returns how many were new. */
export async function insertMany<T extends keyof Schema & string>(
  tx: Tx,
  table: T,
  rows: readonly object[],
  onConflict: 'fail' | 'skip' = 'fail',
): Promise<number> {
  if (!rows.length) return 0
  const columns = Object.keys(rows[0]!)
  const followed = (tx.getExecutor() as { follows?: (table: string) => boolean }).follows?.(table)
  if (followed) return insertFollowed(tx, table, rows, columns, onConflict)
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

/** Like insertMany through the query builder, so that an undo can follow it (server/core/undo/changeRecorder.ts). */
async function insertFollowed(
  tx: Tx,
  table: string,
  rows: readonly object[],
  columns: readonly string[],
  onConflict: 'fail' | 'skip',
): Promise<number> {
  let added = 0
  const chunk = Math.max(1, Math.floor(10_000 / columns.length))
  for (let at = 0; at < rows.length; at += chunk) {
    const values = rows
      .slice(at, at + chunk)
      .map((row) => Object.fromEntries(columns.map((column) => [column, (row as Record<string, unknown>)[column] ?? null])))
    let query = tx.insertInto(table as 'clients').values(values as never)
    if (onConflict === 'skip') query = query.onConflict((conflict) => conflict.doNothing())
    for (const done of await query.execute()) added += Number(done.numInsertedOrUpdatedRows ?? 0)
  }
  return added
}

/** Resolves once the database responds. */
export const ping = async ({ db }: Database): Promise<void> => {
  await db.selectFrom('meta').select('key').limit(1).execute()
}
