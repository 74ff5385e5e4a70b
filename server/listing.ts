import { type Expression, type SqlBool, sql } from 'kysely'
import type { Database } from './db/connect.ts'

/** True where every word of a search stands in one of the columns, whatever its case. `columns` are our own SQL, never a caller's text. */
export function matches(database: Pick<Database, 'like'>, columns: readonly string[], search: string): Expression<SqlBool> {
  const words = search.split(/\s+/).filter(Boolean)
  if (!words.length) return sql<SqlBool>`1 = 1`
  const every = words.map((word) => {
    const pattern = `%${word.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
    const any = columns.map((column) => sql<SqlBool>`${sql.raw(column)} ${sql.raw(database.like)} ${pattern} escape '\\'`)
    return sql<SqlBool>`(${sql.join(any, sql` or `)})`
  })
  return sql<SqlBool>`(${sql.join(every, sql` and `)})`
}

/** Where a page begins. */
export const offsetOf = (input: { page: number; per_page: number }): number => (input.page - 1) * input.per_page
