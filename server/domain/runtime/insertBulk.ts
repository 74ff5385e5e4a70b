import { setImmediate as breathe } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type { Database, Tx } from '../../db/connect.ts'
import type { Schema } from '../../db/schema.ts'

type Kind = 'int' | 'text' | 'real' | 'bytes'
const POSTGRES = { int: 'bigint[]', text: 'text[]', real: 'double precision[]', bytes: 'bytea[]' } as const

export interface Bulk {
  table: keyof Schema & string
  /** Columns in the order of the row's values. */
  columns: Record<string, Kind>
  rows: readonly (readonly unknown[])[]
  /** Values of the first columns, which all rows share. */
  common?: readonly unknown[]
  /** The `on conflict` clause; without it, an existing key is an error. */
  onConflict?: string
}

/**
 * Inserts many rows fast: arrays by column on PostgreSQL, statements short enough to stay prepared on SQLite.
 * Yields between statements, so that a big batch doesn't block readers.
 */
export async function insertBulk(database: Database, tx: Tx, bulk: Bulk): Promise<void> {
  if (!bulk.rows.length) return
  const names = Object.keys(bulk.columns)
  const common = bulk.common ?? []
  const head = `insert into "${bulk.table}" (${names.map((name) => `"${name}"`).join(', ')})`
  const tail = bulk.onConflict ? ` on conflict ${bulk.onConflict}` : ''
  if (database.engine === 'postgres') {
    const arrays = Object.values(bulk.columns).map((kind, at) => `$${at + 1}::${POSTGRES[kind]}`)
    for (let from = 0; from < bulk.rows.length; from += 10_000) {
      const part = bulk.rows.slice(from, from + 10_000)
      await tx.executeQuery(
        CompiledQuery.raw(
          `${head} select * from unnest(${arrays.join(', ')})${tail}`,
          names.map((_, at) => part.map((row) => common[at] ?? row[at - common.length] ?? null)),
        ),
      )
    }
    return
  }
  // The dialect keeps statements under 4,000 characters prepared.
  const one = `(${names.map(() => '?').join(',')})`
  const size = Math.max(1, Math.floor((3900 - head.length - tail.length) / (one.length + 1)))
  for (let from = 0, turns = 0; from < bulk.rows.length; from += size) {
    const part = bulk.rows.slice(from, from + size)
    const values: unknown[] = []
    for (const row of part) {
      for (let at = 0; at < common.length; at++) values.push(common[at])
      for (let at = 0; at < row.length; at++) values.push(row[at])
    }
    await tx.executeQuery(CompiledQuery.raw(`${head} values ${Array(part.length).fill(one).join(',')}${tail}`, values))
    if (++turns % 20 === 0) await breathe()
  }
}

/** An `on conflict` clause that adds the new counts to the old ones. */
export function addingUp(table: string, keys: readonly string[], counters: readonly string[]): string {
  return `(${keys.join(', ')}) do update set ${counters.map((name) => `${name} = "${table}".${name} + excluded.${name}`).join(', ')}`
}
