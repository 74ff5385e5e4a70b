import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import { byText } from './foldedText.ts'

/** A row of a small read; what its columns mean is up to the read. */
export interface SmallRow {
  owner: number
  id: number
  number: number
  name: string
  text: string
}

/**
 * A small read: SQL after `select`, whose columns are those of `SmallRow` in its order, with 0 or '' for what it lacks.
 */
export type SmallRead = RawBuilder<unknown>

/**
 * Runs several small reads as one statement, because most of a small read's cost is being a statement.
 * The rows of each are sorted by name, in the order of lists, then by id.
 */
export async function readTogether<N extends string>(
  db: Db,
  reads: Readonly<Record<N, SmallRead | null>>,
): Promise<Record<N, SmallRow[]>> {
  const names = Object.keys(reads) as N[]
  const found = Object.fromEntries(names.map((name): [N, SmallRow[]] => [name, []])) as Record<N, SmallRow[]>
  const wanted = names.flatMap((name) => {
    const read = reads[name]
    return read ? sql`select ${sql.lit(name)} as part, ${read}` : []
  })
  if (!wanted.length) return found
  const { rows } = await sql<SmallRow & { part: N }>`select * from (${sql.join(wanted, sql` union all `)}) as small
    order by ${byText(db, 'name')}, id`.execute(db)
  for (const row of rows) found[row.part].push(row)
  return found
}

/** SQL for ids as a list, which may be empty. */
export const idList = (ids: readonly number[]): RawBuilder<unknown> => sql`(${sql.join(ids.length ? ids : [0])})`
