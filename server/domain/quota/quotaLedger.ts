import { CompiledQuery, sql } from 'kysely'
import type { CellCount } from '../../../contract/quotaRules.ts'
import type { Database, Tx } from '../../db/connect.ts'

/** Changes of the counts of cells, which are written in one statement. */
export class Ledger {
  readonly counts: ReadonlyMap<number, CellCount>
  readonly #changes = new Map<number, { held: number; completes: number }>()

  constructor(counts: ReadonlyMap<number, CellCount>) {
    this.counts = counts
  }

  add(cells: readonly number[], { held = 0, completes = 0 }: { held?: number; completes?: number }): void {
    for (const id of cells) {
      const count = this.counts.get(id)
      // A cell that an edit took away counts nobody.
      if (!count) continue
      count.held += held
      count.completes += completes
      const change = this.#changes.get(id) ?? { held: 0, completes: 0 }
      this.#changes.set(id, { held: change.held + held, completes: change.completes + completes })
    }
  }

  /** Writes the changes; the table's own condition refuses what would exceed a ceiling. */
  async write(database: Database, tx: Tx): Promise<void> {
    const rows = [...this.#changes]
      .filter(([, { held, completes }]) => held || completes)
      .map(([id, { held, completes }]) => [id, held, completes] as const)
    this.#changes.clear()
    if (!rows.length) return
    await (database.engine === 'postgres'
      ? tx.executeQuery(
          CompiledQuery.raw(
            `update quota_cells set held = quota_cells.held + d.held, completes = quota_cells.completes + d.completes
              from unnest($1::int[], $2::int[], $3::int[]) as d(id, held, completes) where quota_cells.id = d.id`,
            [rows.map(([id]) => id), rows.map(([, held]) => held), rows.map(([, , completes]) => completes)],
          ),
        )
      : sql`update quota_cells set held = held + d.more_held, completes = completes + d.more_completes
          from (select json_extract(value, '$[0]') as cell, json_extract(value, '$[1]') as more_held,
            json_extract(value, '$[2]') as more_completes from json_each(${JSON.stringify(rows)})) as d
          where quota_cells.id = d.cell`.execute(tx))
  }
}

/** SQL for "is one of these", which stays one prepared statement on both engines. */
export const among = ({ engine }: Pick<Database, 'engine'>, values: readonly (string | number)[]) =>
  engine === 'postgres'
    ? typeof values[0] === 'string'
      ? sql`= any(${values}::text[])`
      : sql`= any(${values}::bigint[])`
    : sql`in (select value from json_each(${JSON.stringify(values)}))`

/** A row of `quota_holds`, as far as places depend on it. */
export interface HoldRow {
  id: number
  rid: string
  plan_id: number
  partner_id: number
  pid: string
  cells: string
  state: string
}

/** The ids of a hold's cells. */
export const cellsIn = (text: string): number[] => JSON.parse(text) as number[]

/** Frees the places of holds that are due; their cells have to be locked. Returns how many lapsed. */
export async function lapseDue(database: Database, tx: Tx, ledger: Ledger, due: readonly number[], at: string): Promise<number> {
  if (!due.length) return 0
  const { rows } = await sql<{ cells: string }>`update quota_holds set state = 'lapsed', ended_at = ${at}
    where id ${among(database, due)} and state = 'held' and until_at <= ${at} returning cells`.execute(tx)
  for (const { cells } of rows) ledger.add(cellsIn(cells), { held: -1 })
  return rows.length
}

/** The most holds that one transaction lets lapse. */
const MOST_DUE = 1000

/** The holds of some plans that are due, with their cells. */
export async function dueHolds(database: Database, tx: Tx, plans: readonly number[], at: string) {
  const { rows } = await sql<{ id: number; plan_id: number; cells: string }>`select id, plan_id, cells from quota_holds
    where plan_id ${among(database, plans)} and state = 'held' and until_at <= ${at}
    order by until_at limit ${sql.lit(MOST_DUE)}`.execute(tx)
  return rows
}
