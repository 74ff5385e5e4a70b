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

/** True if one of these moments is this one or later. */
export const changedSince = (since: string, moments: readonly RawBuilder<unknown>[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(
    moments.map((moment) => sql`${moment} >= ${since}`),
    sql` or `,
  )})`

/** The offset of a page's first row. */
export const offsetOf = (input: { page: number; per_page: number }): number => (input.page - 1) * input.per_page
