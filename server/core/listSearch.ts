import { type Expression, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/connect.ts'

/** The words of a search: a row must hold every one, in any order. */
export const wordsOf = (search: string): string[] => search.split(/\s+/).filter(Boolean)

/** True where a column contains a word, whatever its case; `%` and `_` in it are letters like any other. `column` is our own SQL, never a caller's text. */
export function holds(database: Pick<Database, 'like'>, column: string, word: string): Expression<SqlBool> {
  const pattern = `%${word.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  return sql<SqlBool>`${sql.raw(column)} ${sql.raw(database.like)} ${pattern} escape '\\'`
}

/**
 * SQL that is true where every word of a search occurs in one of the columns, and always true without words. Every list
 * searches by it.
 */
export function matches(database: Pick<Database, 'like'>, columns: readonly string[], search: string): Expression<SqlBool> {
  const every = wordsOf(search).map((word) => {
    const any = columns.map((column) => holds(database, column, word))
    return sql<SqlBool>`(${sql.join(any, sql` or `)})`
  })
  return every.length ? sql<SqlBool>`(${sql.join(every, sql` and `)})` : sql<SqlBool>`1 = 1`
}

/** Where a page begins. */
export const offsetOf = (input: { page: number; per_page: number }): number => (input.page - 1) * input.per_page
