import {
  type AbortableOperationOptions,
  type AbortableQueryOptions,
  BinaryOperationNode,
  ColumnNode,
  type CompiledQuery,
  type ConnectionProvider,
  createQueryId,
  type DatabaseConnection,
  type DeleteQueryNode,
  InsertQueryNode,
  type KyselyPlugin,
  LimitNode,
  type OperationNode,
  OperatorNode,
  type QueryExecutor,
  type QueryId,
  QueryNode,
  type QueryResult,
  ReferenceNode,
  ReturningNode,
  type RootOperationNode,
  SelectionNode,
  SelectModifierNode,
  SelectQueryNode,
  TableNode,
  Transaction,
  type UpdateQueryNode,
  ValueNode,
} from 'kysely'
import { type Engine, type Tx, txOf } from '../../db/connect.ts'
import { pick } from '../pick.ts'
import type { RaisedVersion, RecordVersion } from '../recordVersions.ts'
import { isStamp, recordOf, ruleOf } from './tables.ts'

export type Row = Record<string, unknown>

/**
 * A row before and after a write: `before` is null for an added row, `after` for a deleted one.
 * A changed row has only the columns that differ, and the columns compared together with them.
 */
export interface RowChange {
  table: string
  key: (string | number)[]
  before: Row | null
  after: Row | null
  /** The write raised the row's lock. */
  lock?: true
}

interface Seen {
  table: string
  key: (string | number)[]
  before: Row | null
  /** The row as its last write returned it, null once deleted; undefined if it has to be read at the end. */
  after: Row | null | undefined
}

/**
 * Records which rows a transaction changes: each write through `tx` returns them, and is preceded by a read of them.
 * A row that is written by its id isn't read if it was `held` before, or is known from an earlier write.
 * `changes` is null after a write it can't follow (raw SQL, an upsert).
 */
export class Recorder {
  readonly tx: Tx
  readonly #plain: Tx
  readonly #seen = new Map<string, Seen>()
  readonly #held = new Map<string, Row>()
  readonly #engine: Engine
  readonly #most: number | null
  #followed = true

  /** `most`: notes only the versions of records, of a statement at most so many; `changes` isn't for it. */
  constructor(tx: Tx, engine: Engine, most: number | null = null) {
    this.#plain = tx
    this.#engine = engine
    this.#most = most
    const executor = new RecordingExecutor(tx.getExecutor(), this)
    // A running transaction needs only an executor for its queries.
    const nothing = {} as never
    this.tx = txOf(new Transaction({ config: nothing, driver: nothing, dialect: nothing, executor }))
  }

  /** The rows that differ now, in the order they were first written. */
  async changes(): Promise<RowChange[] | null> {
    if (!this.#followed) return null
    const changes: RowChange[] = []
    for (const [table, seen] of Map.groupBy(this.#seen.values(), (one) => one.table)) {
      const unread = seen.filter(({ after }) => after === undefined)
      const now = unread.length ? await this.#now(table, unread) : new Map<string, Row>()
      for (const one of seen) {
        one.after ??= now.get(idOf(one.table, one.key)) ?? null
        const change = changeOf(one, one.after)
        if (change) changes.push(change)
      }
    }
    // They were read by table, but are restored in the order they were written.
    const order = new Map([...this.#seen.keys()].map((id, at) => [id, at]))
    return changes.sort((a, b) => order.get(idOf(a.table, a.key))! - order.get(idOf(b.table, b.key))!)
  }

  /** The records that were changed or deleted, at the versions they had; without those that have none. */
  versions(): RecordVersion[] {
    return [...this.#seen.values()].flatMap(({ table, key, before }) => {
      const noun = recordOf(table)
      const [id, version] = [key[0], before?.lock_version]
      return noun && typeof id === 'number' && typeof version === 'number' ? [{ noun, id, lock_version: version }] : []
    })
  }

  /** The versions of records that the writes raised; known once `changes` has read them. */
  raised(): RaisedVersion[] {
    return [...this.#seen.values()].flatMap(({ table, key, before, after }) => {
      const noun = recordOf(table)
      const [id, from, to] = [key[0], before?.lock_version, after?.lock_version]
      const known = noun && typeof id === 'number' && typeof from === 'number' && typeof to === 'number'
      return known && from !== to ? [{ noun, id, from, to }] : []
    })
  }

  async #now(table: string, seen: readonly Seen[]): Promise<Map<string, Row>> {
    const { key } = ruleOf(table)!
    const rows = new Map<string, Row>()
    for (let at = 0; at < seen.length; at += 500) {
      const some = seen.slice(at, at + 500)
      const query = this.#plain.selectFrom(table as 'clients').selectAll()
      const found = await query
        .where((eb) =>
          key.length === 1
            ? eb(key[0] as 'id', 'in', some.map((one) => one.key[0]) as number[])
            : eb.or(some.map((one) => eb.and(key.map((column, place) => eb(column as 'id', '=', one.key[place] as number))))),
        )
        .execute()
      for (const row of found as Row[]) rows.set(idOf(table, keyOf(key, row)), row)
    }
    return rows
  }

  /** Runs a query of the transaction and records what it changes. */
  async run<R>(query: CompiledQuery<R>, executor: QueryExecutor, options?: AbortableQueryOptions): Promise<QueryResult<R>> {
    const node = query.query
    const plainly = () => executor.executeQuery(query, options)
    if (this.#most !== null && node.kind !== 'UpdateQueryNode' && node.kind !== 'DeleteQueryNode') return plainly()
    switch (node.kind) {
      case 'InsertQueryNode':
        return this.#insert(node, query, executor, options)
      case 'UpdateQueryNode': {
        const table = tableOf(node.table)
        if (!(node.from || node.joins || node.limit)) return this.#update(table, node, query, executor, options)
        this.#lost(table)
        return plainly()
      }
      case 'DeleteQueryNode': {
        const [from] = node.from.froms
        const table = tableOf(from)
        if (!(node.using || node.joins || node.limit))
          for (const one of await this.#before(table, node, from!, executor)) one.after = null
        else this.#lost(table)
        return plainly()
      }
      case 'RawNode': {
        const written = /^\s*(?:insert\s+into|update|delete\s+from|merge\s+into)\s+"?(\w+)/i.exec(query.sql)
        if (written) this.#lost(written[1]!)
        return plainly()
      }
      case 'MergeQueryNode':
        this.#followed = false
        return plainly()
      default:
        return plainly()
    }
  }

  #lost(table: string): void {
    if (ruleOf(table)) this.#followed = false
  }

  /** Notes a row as the transaction has read and locked it, so that a write to it by its id needn't read it again. */
  hold(table: string, row: Row): void {
    const rule = ruleOf(table)
    if (rule) this.#held.set(idOf(table, keyOf(rule.key, row)), row)
  }

  /** Notes and returns the rows that an update or a delete is about to change. */
  async #before(table: string, node: UpdateQueryNode | DeleteQueryNode, from: OperationNode, executor: QueryExecutor) {
    const rule = ruleOf(table)
    if (!rule || (this.#most !== null && !recordOf(table))) return []
    const known = this.#known(table, rule.key, node)
    if (known) return [known]
    // Locked until the commit, so that the write finds exactly what was noted; nothing refers to a row by what changes.
    const lock = node.kind === 'UpdateQueryNode' || this.#most !== null ? 'ForNoKeyUpdate' : 'ForUpdate'
    const select: SelectQueryNode = {
      ...SelectQueryNode.createFrom([from], node.with),
      selections: [SelectionNode.createSelectAll()],
      ...(node.where ? { where: node.where } : {}),
      ...(this.#most === null ? {} : { limit: LimitNode.create(ValueNode.createImmediate(this.#most)) }),
      ...(this.#engine === 'postgres' ? { endModifiers: [SelectModifierNode.create(lock)] } : {}),
    }
    const { rows } = await executor.executeQuery<Row>(executor.compileQuery(select, createQueryId()))
    return rows.map((row) => this.#note(table, keyOf(rule.key, row), row))
  }

  /** The row that a statement names by its id, if the transaction has written or held it. */
  #known(table: string, key: readonly string[], node: UpdateQueryNode | DeleteQueryNode): Seen | null {
    const value = key.length === 1 ? comparedWith(node.where?.where, key[0]!) : null
    if (value === null) return null
    const id = idOf(table, [value])
    const held = this.#held.get(id)
    return this.#seen.get(id) ?? (held ? this.#note(table, [value], held) : null)
  }

  async #update<R>(
    table: string,
    node: UpdateQueryNode,
    query: CompiledQuery<R>,
    executor: QueryExecutor,
    options?: AbortableQueryOptions,
  ) {
    const rule = ruleOf(table)
    const written = await this.#before(table, node, node.table!, executor)
    if (!rule || node.returning || rule.filled || this.#most !== null) {
      for (const one of written) one.after = undefined
      return executor.executeQuery(query, options)
    }
    const rows = await this.#returned(QueryNode.cloneWithReturning(node, ALL), executor, options)
    for (const row of rows) this.#note(table, keyOf(rule.key, row), row).after = row
    return { rows: [], numAffectedRows: BigInt(rows.length) } as QueryResult<R>
  }

  async #insert<R>(node: InsertQueryNode, query: CompiledQuery<R>, executor: QueryExecutor, options?: AbortableQueryOptions) {
    const table = tableOf(node.into)
    const rule = ruleOf(table)
    if (!rule) return executor.executeQuery(query, options)
    if (node.onConflict?.updates || node.replace || node.orAction) this.#lost(table)
    const wanted = node.returning ? namesIn(node.returning.selections) : []
    if (!wanted) {
      const result = await executor.executeQuery(query, options)
      for (const row of result.rows as Row[]) {
        if (rule.key.every((column) => column in row)) this.#note(table, keyOf(rule.key, row), null).after = undefined
        else this.#followed = false
      }
      return result
    }
    const rows = await this.#returned(
      InsertQueryNode.cloneWith(node, { returning: ReturningNode.create(ALL) }),
      executor,
      options,
    )
    for (const row of rows) this.#note(table, keyOf(rule.key, row), null).after = rule.filled ? undefined : row
    return {
      rows: node.returning ? rows.map((row) => pick(row, wanted)) : [],
      numAffectedRows: BigInt(rows.length),
    } as QueryResult<R>
  }

  async #returned(node: RootOperationNode, executor: QueryExecutor, options?: AbortableQueryOptions): Promise<Row[]> {
    return (await executor.executeQuery(executor.compileQuery<Row>(node, createQueryId()), options)).rows
  }

  #note(table: string, key: (string | number)[], before: Row | null): Seen {
    const id = idOf(table, key)
    const seen = this.#seen.get(id) ?? { table, key, before, after: undefined }
    this.#seen.set(id, seen)
    return seen
  }
}

const ALL = [SelectionNode.createSelectAll()]

/** The columns that a `returning` names, if it names nothing else; null otherwise. */
function namesIn(selections: readonly SelectionNode[]): string[] | null {
  const names = selections.map(({ selection }) => columnOf(selection))
  return names.every((name) => name !== null) ? names : null
}

const columnOf = (node: OperationNode): string | null =>
  ReferenceNode.is(node) && ColumnNode.is(node.column) ? node.column.column.name : null

/** The value that a condition compares a column with, if it is nothing else. */
function comparedWith(where: OperationNode | undefined, column: string): string | number | null {
  if (!where || !BinaryOperationNode.is(where) || columnOf(where.leftOperand) !== column) return null
  const { operator, rightOperand } = where
  if (!OperatorNode.is(operator) || operator.operator !== '=' || !ValueNode.is(rightOperand)) return null
  return typeof rightOperand.value === 'number' || typeof rightOperand.value === 'string' ? rightOperand.value : null
}

const idOf = (table: string, key: readonly (string | number)[]) => `${table} ${JSON.stringify(key)}`
const keyOf = (columns: readonly string[], row: Row) => columns.map((column) => row[column] as string | number)

/** The table a statement writes to. */
function tableOf(node: OperationNode | undefined): string {
  if (node && TableNode.is(node)) return node.table.identifier.name
  throw new Error('a write to something that isn’t a table')
}

/** What differs in a row; null if only its stamps do. */
function changeOf({ table, key, before }: Seen, after: Row | null): RowChange | null {
  const rule = ruleOf(table)!
  const row = before ?? after
  if (!row || rule.stays?.(row)) return null
  if (!before && rule.withdrawn) {
    const columns = Object.keys(rule.withdrawn)
    return { table, key, before: { ...rule.withdrawn }, after: pick(row, columns) }
  }
  if (!before || !after) return { table, key, before, after }
  const [was, is]: [Row, Row] = [{}, {}]
  for (const column of Object.keys(after)) {
    if (isStamp(rule, column) || before[column] === after[column]) continue
    if (rule.json?.includes(column)) [was[column], is[column]] = jsonDifference(before[column], after[column])
    else [was[column], is[column]] = [before[column], after[column]]
  }
  const changed = Object.keys(is)
  if (!changed.length) return null
  for (const group of rule.together ?? [])
    if (group.some((column) => changed.includes(column)))
      for (const column of group) if (column in after) [was[column], is[column]] = [before[column], after[column]]
  const lock = 'lock_version' in after && before.lock_version !== after.lock_version
  return { table, key, before: was, after: is, ...(lock ? { lock } : {}) }
}

/** The differing keys of two JSON objects with their values; null if there are none. */
function jsonDifference(before: unknown, after: unknown): [Row, Row] {
  const [was, is] = [objectOf(before), objectOf(after)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]),
  )
  const of = (from: Row) => Object.fromEntries(names.map((name) => [name, from[name] ?? null]))
  return [of(was), of(is)]
}

/** A column's JSON object; empty if it holds none. */
export const objectOf = (text: unknown): Row => {
  const value: unknown = typeof text === 'string' && text ? JSON.parse(text) : {}
  return value && typeof value === 'object' && !Array.isArray(value) ? (value as Row) : {}
}

/** Routes a transaction's queries through the recorder. */
class RecordingExecutor implements QueryExecutor {
  readonly #inner: QueryExecutor
  readonly #recorder: Recorder
  constructor(inner: QueryExecutor, recorder: Recorder) {
    this.#inner = inner
    this.#recorder = recorder
  }
  hold(table: string, row: Row): void {
    this.#recorder.hold(table, row)
  }
  /** True for a table whose rows can be undone, so that raw SQL writing it can't be followed. */
  follows(table: string): boolean {
    return ruleOf(table) !== null
  }
  get adapter() {
    return this.#inner.adapter
  }
  get plugins() {
    return this.#inner.plugins
  }
  transformQuery<T extends RootOperationNode>(node: T, queryId: QueryId): T {
    return this.#inner.transformQuery(node, queryId)
  }
  compileQuery<R = unknown>(node: RootOperationNode, queryId: QueryId): CompiledQuery<R> {
    return this.#inner.compileQuery(node, queryId)
  }
  executeQuery<R>(query: CompiledQuery<R>, options?: AbortableQueryOptions): Promise<QueryResult<R>> {
    return this.#recorder.run(query, this.#inner, options)
  }
  stream<R>(query: CompiledQuery<R>, size: number, options?: AbortableOperationOptions): AsyncIterableIterator<QueryResult<R>> {
    return this.#inner.stream(query, size, options)
  }
  provideConnection<T>(
    consumer: (connection: DatabaseConnection) => Promise<T>,
    options?: AbortableOperationOptions,
  ): Promise<T> {
    return this.#inner.provideConnection(consumer, options)
  }
  withConnectionProvider(provider: ConnectionProvider): QueryExecutor {
    return new RecordingExecutor(this.#inner.withConnectionProvider(provider), this.#recorder)
  }
  withPlugin(plugin: KyselyPlugin): QueryExecutor {
    return new RecordingExecutor(this.#inner.withPlugin(plugin), this.#recorder)
  }
  withPlugins(plugins: readonly KyselyPlugin[]): QueryExecutor {
    return new RecordingExecutor(this.#inner.withPlugins(plugins), this.#recorder)
  }
  withPluginAtFront(plugin: KyselyPlugin): QueryExecutor {
    return new RecordingExecutor(this.#inner.withPluginAtFront(plugin), this.#recorder)
  }
  withoutPlugins(): QueryExecutor {
    return new RecordingExecutor(this.#inner.withoutPlugins(), this.#recorder)
  }
}
