import { type RawBuilder, sql } from 'kysely'
import { type Db, type Engine, engineOf } from './connect.ts'

/** SQL on a text column, or on what is computed from several, which is computed once. It must be our own. */
type Text = string | { computed: RawBuilder<unknown> }

/**
 * SQL for a text as searches and orders see it (contract/fold.ts); null stays null.
 * Engines are quick with plain letters, so only other text goes through the function.
 * `cased` leaves plain letters in their case where `like` ignores it, on SQLite.
 */
export const folded = (engine: Engine, column: Text, { cased = false } = {}): RawBuilder<string> => {
  const text = sql.raw(typeof column === 'string' ? column : 'computed.text')
  const [lower, order] =
    engine === 'postgres' ? [sql`lower(${text} collate "C")`, sql` collate "C"`] : [cased ? text : sql`lower(${text})`, sql``]
  const isOther = sql`octet_length(${text}) > length(${text})`
  const fold = sql<string>`(case when ${isOther} then fold_text(${text}) else ${lower} end)${order}`
  return typeof column === 'string'
    ? fold
    : sql<string>`(select ${fold} from (select ${column.computed} as text) computed)${order}`
}
/** The order of a text column, for queries that aren't lists. */
export const byText = (db: Db, column: Text): RawBuilder<string> => folded(engineOf(db), column)
