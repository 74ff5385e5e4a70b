import { sql } from 'kysely'
import type { Database, Db, Tx } from '../../db/connect.ts'
import { advisoryLock } from '../../db/locked.ts'

/** A UTC month of visits, as seconds from `from` to before `to`, with the name of its partition. */
export interface Month {
  name: string
  from: number
  to: number
}

const PREFIX = 'visits_p'

/** The month of a moment in seconds. */
function monthOf(at: number): Month {
  const date = new Date(at * 1000)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return {
    name: `${PREFIX}${year}${String(month + 1).padStart(2, '0')}`,
    from: Date.UTC(year, month) / 1000,
    to: Date.UTC(year, month + 1) / 1000,
  }
}

/** The existing partitions of visits, oldest first; none on SQLite. */
export async function monthsKept(database: Pick<Database, 'engine'>, db: Db | Tx): Promise<Month[]> {
  if (database.engine === 'sqlite') return []
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'visits'::regclass order by 1`.execute(db)
  return rows.map(({ name }) => {
    const digits = name.slice(PREFIX.length)
    return monthOf(Date.UTC(Number(digits.slice(0, -2)), Number(digits.slice(-2)) - 1) / 1000)
  })
}

/** The months of these moments without a partition; none on SQLite. */
export async function monthsMissing(
  database: Pick<Database, 'engine'>,
  db: Db | Tx,
  moments: Iterable<number>,
): Promise<Month[]> {
  if (database.engine === 'sqlite') return []
  const wanted = new Map<string, Month>()
  let last: Month | null = null
  for (const at of moments) {
    if (last && at >= last.from && at < last.to) continue
    last = monthOf(at)
    wanted.set(last.name, last)
  }
  if (!wanted.size) return []
  for (const { name } of await monthsKept(database, db)) wanted.delete(name)
  return [...wanted.values()]
}

/** Creates partitions; concurrent calls for the same months are fine. */
export async function openMonths(database: Pick<Database, 'engine'>, tx: Tx, months: readonly Month[]): Promise<void> {
  if (!months.length) return
  // Services' lock keys start at one, so zero is free for partitions.
  await advisoryLock(database, tx, 'visits', 0)
  for (const { name, from, to } of [...months].sort((a, b) => a.from - b.from))
    await sql.raw(`create table if not exists "${name}" partition of "visits" for values from (${from}) to (${to})`).execute(tx)
}
