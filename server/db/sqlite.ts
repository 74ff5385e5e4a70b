import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
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
import { foldText } from '../../contract/fold.ts'

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

type Row = Record<string, SQLOutputValue>

/** A statement, and the columns of the rows that it returns, if it returns any. */
interface Prepared {
  statement: StatementSync
  names: readonly string[]
  /** A row without values. */
  blank: Row
}

function prepare(database: DatabaseSync, text: string): Prepared {
  const statement = database.prepare(text)
  // Not as objects, which the driver makes without a shape: they take up to twice as long to make and to read.
  statement.setReturnArrays(true)
  return { statement, ...columnsOf(statement) }
}

function columnsOf(statement: StatementSync): Pick<Prepared, 'names' | 'blank'> {
  const names = statement.columns().map(({ name }) => name)
  return { names, blank: Object.fromEntries(names.map((name) => [name, null])) }
}

/** Reads all rows, each a copy of the blank one, so that they have one shape. */
function rowsOf(prepared: Prepared, values: readonly SQLInputValue[]): Row[] {
  const found = prepared.statement.all(...values) as unknown as SQLOutputValue[][]
  // A column that was added since is part of `select *`.
  if (found.length && found[0]!.length !== prepared.names.length) Object.assign(prepared, columnsOf(prepared.statement))
  const { names, blank } = prepared
  return found.map((values) => {
    const row = { ...blank }
    for (let at = 0; at < names.length; at++) row[names[at]!] = values[at]!
    return row
  })
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
    // PostgreSQL has it from 0110-fold-text.ts.
    const fold = (text: SQLOutputValue) => (typeof text === 'string' ? foldText(text) : text)
    this.database.function('fold_text', { deterministic: true }, fold)
  }
  run<R>(query: CompiledQuery): QueryResult<R> {
    const values = query.parameters.map(stored)
    const prepared = this.#prepare(query.sql)
    if (prepared.names.length) return { rows: rowsOf(prepared, values) as R[] }
    const done = prepared.statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(done.changes), insertId: BigInt(done.lastInsertRowid) }
  }
  #prepare(text: string): Prepared {
    const known = this.#statements.get(text)
    if (known) return known
    const prepared = prepare(this.database, text)
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
