import { type Expression, type SqlBool, sql } from 'kysely'
import type { Database } from './connect.ts'

/** True where one of the columns contains a text, case ignored; `%` and `_` in it are letters like any other. Columns as `table.column`. */
export function contains(database: Pick<Database, 'like'>, columns: readonly string[], text: string): Expression<SqlBool> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const one = (column: string) => sql`${sql.ref(column)} ${sql.raw(database.like)} ${pattern} escape '\\'`
  return sql<SqlBool>`(${sql.join(columns.map(one), sql` or `)})`
}
