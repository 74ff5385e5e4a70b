import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

/**
 * Kysely over node:sqlite: reads have their own connection and see the last commit, writes queue for one writer.
 * WAL with synchronous=FULL: an acknowledged write is on the disk.
 */
export class SqliteDialect implements Dialect {
  #file: string
  constructor(file: string) {
    this.#file = file
  }
  createDriver(): Driver {
    return new SqliteDriver(this.#file)
  }
  createQueryCompiler() {
    return new SqliteQueryCompiler()
  }
  createAdapter() {
    return new SqliteAdapter()
  }
  createIntrospector(db: Kysely<unknown>) {
    return new SqliteIntrospector(db)
  }
}

/** A statement, and whether it returns rows. */
interface Prepared {
  statement: StatementSync
  answers: boolean
}

const stored = (value: unknown): SQLInputValue =>
  typeof value === 'boolean' ? Number(value) : ((value as SQLInputValue) ?? null)

class Handle {
  readonly database: DatabaseSync
  #statements = new Map<string, Prepared>()
  constructor(file: string) {
    this.database = new DatabaseSync(file)
    this.database.exec(
      'pragma journal_mode=wal; pragma synchronous=full; pragma foreign_keys=on; pragma busy_timeout=5000; pragma cache_size=-65536; pragma mmap_size=1073741824; pragma temp_store=memory',
    )
  }
  run<R>(query: CompiledQuery): QueryResult<R> {
    const values = query.parameters.map(stored)
    const { statement, answers } = this.#prepare(query.sql)
    if (answers) return { rows: statement.all(...values) as R[] }
    const done = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(done.changes), insertId: BigInt(done.lastInsertRowid) }
  }
  #prepare(text: string): Prepared {
    const known = this.#statements.get(text)
    if (known) return known
    const statement = this.database.prepare(text)
    const prepared = { statement, answers: statement.columns().length > 0 }
    // Keep only short ones: a bulk insert's text is long and rarely repeats, that of a page's small reads does.
    if (text.length < 10_000) {
      if (this.#statements.size >= 500) this.#statements.delete(this.#statements.keys().next().value!)
      this.#statements.set(text, prepared)
    }
    return prepared
  }
}

/** Admits one writer at a time, in order of arrival. */
class Turn {
  #last: Promise<void> = Promise.resolve()
  async take(): Promise<() => void> {
    let done = () => {}
    const mine = new Promise<void>((resolve) => {
      done = resolve
    })
    const before = this.#last
    this.#last = before.then(() => mine)
    await before
    return done
  }
}

class SqliteDriver implements Driver {
  #file: string
  #reader: Handle | null = null
  #writer: Handle | null = null
  #turn = new Turn()
  constructor(file: string) {
    this.#file = file
  }
  async init() {
    this.#writer = new Handle(this.#file)
    // A database in memory has a single connection: a second one would open another database.
    this.#reader = this.#file === ':memory:' ? this.#writer : new Handle(this.#file)
  }
  async acquireConnection(): Promise<DatabaseConnection> {
    return new Connection(this.#reader!, this.#writer!, this.#turn)
  }
  async beginTransaction(connection: DatabaseConnection) {
    await (connection as Connection).begin()
  }
  async commitTransaction(connection: DatabaseConnection) {
    ;(connection as Connection).end('commit')
  }
  async rollbackTransaction(connection: DatabaseConnection) {
    ;(connection as Connection).end('rollback')
  }
  async savepoint(connection: DatabaseConnection, name: string) {
    await connection.executeQuery(CompiledQuery.raw(`savepoint "${name}"`))
  }
  async rollbackToSavepoint(connection: DatabaseConnection, name: string) {
    await connection.executeQuery(CompiledQuery.raw(`rollback to "${name}"`))
  }
  async releaseSavepoint(connection: DatabaseConnection, name: string) {
    await connection.executeQuery(CompiledQuery.raw(`release "${name}"`))
  }
  async releaseConnection() {}
  async destroy() {
    if (this.#reader !== this.#writer) this.#reader?.database.close()
    this.#writer?.database.close()
  }
}

class Connection implements DatabaseConnection {
  #reader: Handle
  #writer: Handle
  #turn: Turn
  #leave: (() => void) | null = null
  constructor(reader: Handle, writer: Handle, turn: Turn) {
    this.#reader = reader
    this.#writer = writer
    this.#turn = turn
  }
  async begin() {
    this.#leave = await this.#turn.take()
    try {
      this.#writer.database.exec('begin immediate')
    } catch (error) {
      this.#leave()
      this.#leave = null
      throw error
    }
  }
  end(how: 'commit' | 'rollback') {
    try {
      // SQLite has already rolled back after some errors (a full disk).
      if (how === 'commit' || this.#writer.database.isTransaction) this.#writer.database.exec(how)
    } finally {
      if (!this.#writer.database.isTransaction) {
        this.#leave?.()
        this.#leave = null
      }
    }
  }
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#leave) return this.#writer.run<R>(query)
    const reads =
      query.query.kind === 'SelectQueryNode' ||
      (query.query.kind === 'RawNode' && /^\s*(select|with|explain|pragma table)/i.test(query.sql))
    if (reads && this.#reader !== this.#writer) return this.#reader.run<R>(query)
    const leave = await this.#turn.take()
    try {
      return this.#writer.run<R>(query)
    } finally {
      leave()
    }
  }
  // Unsupported: a stream would hold the reader for a whole download, so exports page by key instead.
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }
}
