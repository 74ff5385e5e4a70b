import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/connect.ts'

/** The words of a search; a row must contain every one, in any order. */
export const wordsOf = (search: string): string[] => search.split(/\s+/).filter(Boolean)

/** True if a column contains a word in any case; `%` and `_` match themselves. `column` must be our own SQL. */
export function holds(database: Pick<Database, 'like'>, column: string, word: string): Expression<SqlBool> {
  const pattern = `%${word.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  return sql<SqlBool>`${sql.raw(column)} ${sql.raw(database.like)} ${pattern} escape '\\'`
}

/** True if every word of a search occurs in one of the columns, or if there are no words. Every list uses it. */
export function matches(database: Pick<Database, 'like'>, columns: readonly string[], search: string): Expression<SqlBool> {
  const every = wordsOf(search).map((word) => {
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

/** Rows of a table that changed at a moment or later, from its index by that column (0098-lists-changed.ts). */
export const idsSince = (since: string, table: string, { at = 'updated_at', id = 'id' } = {}): RawBuilder<unknown> =>
  sql`select ${sql.ref(`changed.${id}`)} from ${sql.table(table)} changed where ${sql.ref(`changed.${at}`)} >= ${since}`

/** The same of a table whose rows change at several moments; spelled as the expression of its index. */
export function idsSinceLatest(
  { engine }: Pick<Database, 'engine'>,
  since: string,
  table: string,
  columns: readonly string[],
): RawBuilder<unknown> {
  const moments = columns.map((column) => sql`coalesce(${sql.ref(`changed.${column}`)}, '')`)
  const latest = sql`${sql.raw(engine === 'postgres' ? 'greatest' : 'max')}(${sql.join(moments)})`
  return sql`select changed.id from ${sql.table(table)} changed where ${latest} >= ${since}`
}

/** True for ids that one of these reads finds: both engines begin with them, unlike with a plain comparison. */
export const isAmong = (id: string, reads: readonly RawBuilder<unknown>[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(id)} in (${sql.join(reads, sql` union all `)})`

/** The offset of a page's first row. */
export const offsetOf = (input: { page: number; per_page: number }): number => (input.page - 1) * input.per_page
