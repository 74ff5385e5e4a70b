import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { foldedWords, foldText } from '../../contract/fold.ts'
import type { Database, Db, Engine } from '../db/connect.ts'
import { folded } from '../db/foldedText.ts'

/** True if folded text contains a word; `%` and `_` match themselves. */
export const contains = (text: RawBuilder<unknown>, word: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${text} like ${`%${foldText(word).replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`} escape '\\'`

/** True if a column contains a word in any case, with or without accents. `column` must be our own SQL. */
export const holds = ({ engine }: Pick<Database, 'engine'>, column: string, word: string): RawBuilder<SqlBool> =>
  contains(folded(engine, column, { cased: true }), word)

/** True if every word of a search occurs in one of the columns, or if there are no words. Every list uses it. */
export function matches(database: Pick<Database, 'engine'>, columns: readonly string[], search: string): Expression<SqlBool> {
  const every = foldedWords(search).map((word) => {
    const any = columns.map((column) => holds(database, column, word))
    return sql<SqlBool>`(${sql.join(any, sql` or `)})`
  })
  return every.length ? sql<SqlBool>`(${sql.join(every, sql` and `)})` : sql<SqlBool>`1 = 1`
}

/** True if one of these moments is this one or later: reads every row that the rest of a filter leaves. */
export const changedSince = (since: string, moments: readonly RawBuilder<unknown>[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(
    moments.map((moment) => sql`${moment} >= ${since}`),
    sql` or `,
  )})`

/** Rows whose change is a change of a list's records, with an index by its moment (0098-lists-changed.ts). */
export interface ChangeSource {
  table: string
  /** The column with the record's id. */
  id?: string
  /** When a row changed: `updated_at` by default, or the latest of several moments. */
  at?: string | readonly string[]
  /** Which of the rows count, as SQL on `changed`. */
  where?: Expression<SqlBool>
}

/**
 * As many changed rows are no longer what a list begins with.
 * They would cost one client's list more than its own rows do, and the list of all more than a scan soon after.
 */
const MANY_CHANGES = 20_000

/** When a row of a source changed; several moments are spelled as the expression of their index. */
function momentOf(engine: Engine, { at = 'updated_at' }: ChangeSource, of: string): RawBuilder<unknown> {
  if (typeof at === 'string') return sql.ref(`${of}.${at}`)
  const moments = at.map((column) => sql`coalesce(${sql.ref(`${of}.${column}`)}, '')`)
  return sql`${sql.raw(engine === 'postgres' ? 'greatest' : 'max')}(${sql.join(moments)})`
}

/** What has changed since a moment, as a condition on a list's records. */
interface ChangedRecords {
  is: RawBuilder<SqlBool>
  /** True if the engine has to begin with the changed rows, because there are few. */
  few: boolean
}

/**
 * Builds the condition that a record of a table has changed, as its own row says or that of another source.
 * A list begins with the changes unless there are many: then it is read as ever, and each row compared.
 * It takes a statement to find out, which reads an index and stops at many: SQLite plans without the moment.
 */
export async function changedRecords(
  { db, services }: { db: Db; services: { database: Pick<Database, 'engine'> } },
  since: string,
  table: string,
  sources: readonly ChangeSource[] = [{ table }],
): Promise<ChangedRecords> {
  const { engine } = services.database
  const rowsOf = (source: ChangeSource, select: RawBuilder<unknown>) =>
    sql`select ${select} from ${sql.table(source.table)} changed
      where ${momentOf(engine, source, 'changed')} >= ${since}${source.where ? sql` and ${source.where}` : sql``}`
  // A project's children are among the changed projects already.
  const counted = sources.filter(({ table }, at) => sources.findIndex((one) => one.table === table) === at)
  const changes = sql.join(
    counted.map((source) => rowsOf(source, sql`1`)),
    sql` union all `,
  )
  const { rows } = await sql<{ count: number }>`select count(*) as count
    from (${changes} limit ${MANY_CHANGES}) found`.execute(db)
  const id = sql.ref(`${table}.id`)
  if (Number(rows[0]!.count) < MANY_CHANGES) {
    const reads = sources.map((source) => rowsOf(source, sql.ref(`changed.${source.id ?? 'id'}`)))
    return { is: sql`${id} in (${sql.join(reads, sql` union all `)})`, few: true }
  }
  // The plus keeps SQLite from beginning with the index all the same.
  const sign = sql.raw(engine === 'sqlite' ? '+' : '')
  const compared = sources.map((source) =>
    source.table === table && !source.id
      ? sql`${sign}${momentOf(engine, source, table)} >= ${since}`
      : sql`exists (${rowsOf(source, sql`1`)} and ${sql.ref(`changed.${source.id}`)} = ${id})`,
  )
  return { is: sql`(${sql.join(compared, sql` or `)})`, few: false }
}

/** The offset of a page's first row. */
export const offsetOf = (input: { page: number; per_page: number }): number => (input.page - 1) * input.per_page
