import { sql } from 'kysely'
import type { FileStore } from '../core/ports.ts'
import type { Database, Tx } from '../db/connect.ts'
import type { Schema } from '../db/schema.ts'
import { type Bulk, insertBulk } from '../domain/runtime/insertBulk.ts'
import type { DemoNoun, DemoNounRow } from './demoNoun.ts'
import { demoNouns, demoRows, inOrder } from './demoNouns.ts'
import { draftOf } from './draft.ts'
import type { Market } from './market.ts'
import type { Content, NounRows, Rows } from './noun.ts'
import type { ProjectPlan } from './plan.ts'
import { randomOf } from './random.ts'

type Table = keyof Schema & string
type Kinds = Bulk['columns']

/** The nouns in an order in which each follows those it refers to. */
export const NOUNS: readonly DemoNoun[] = inOrder()
const rowsOf = (noun: DemoNoun): NounRows => demoRows[noun]
const streamOf = (market: Market, noun: DemoNoun, ...of: number[]) => randomOf(market.seed, rowsOf(noun).stream ?? noun, ...of)

/** Nouns with transactions of their own, with their number in a project. */
export const APART = NOUNS.flatMap((noun) => {
  const { apart } = rowsOf(noun)
  return apart ? [{ noun, weight: apart.weight }] : []
})

/** Rows without a project, noun by noun. */
export function* marketRows(market: Market): Generator<Rows & { contents?: readonly Content[] }> {
  for (const noun of NOUNS) yield rowsOf(noun).rows?.(streamOf(market, noun), market) ?? {}
}

/** Rows of some projects, noun by noun. */
export function* projectRows(market: Market, plans: readonly ProjectPlan[]): Generator<Rows & { contents?: readonly Content[] }> {
  const drafts = plans.map((plan) => draftOf(market, plan))
  for (const noun of NOUNS) {
    const { ofProject } = rowsOf(noun)
    if (!ofProject) continue
    const all: Record<string, unknown[]> = {}
    for (const draft of drafts) {
      for (const [table, rows] of Object.entries(ofProject(streamOf(market, noun, draft.plan.id), market, draft))) {
        all[table] ??= []
        all[table].push(...rows)
      }
    }
    yield all
  }
}

/** The rows of a noun with transactions of its own, project by project. */
export function* rowsApart(market: Market, noun: DemoNoun, plans: readonly ProjectPlan[]): Generator<Rows> {
  for (const plan of plans) yield rowsOf(noun).apart!.rows(streamOf(market, noun, plan.id), market, plan)
}

/** Writes demo rows to a database, and their contents to a file store. */
export interface RowWriter {
  write(tx: Tx, parts: Iterable<Rows & { contents?: readonly Content[] }>): Promise<void>
  /** Raises PostgreSQL's identities past the assigned ids, so that the next row doesn't conflict. */
  raiseIdentities(tx: Tx): Promise<void>
}

/** A bulk writer for either engine. */
export async function rowWriter(database: Database, files: FileStore | null): Promise<RowWriter> {
  const kinds = await columnKinds(database)
  return {
    async write(tx, parts) {
      for (const { contents = [], ...rows } of parts) {
        for (const { key, content, mime } of contents) await files?.put(key, content, mime)
        for (const [table, list] of Object.entries(rows) as [Table, readonly object[]][]) {
          const names = Object.keys(list[0] ?? {})
          await insertBulk(database, tx, {
            table,
            columns: Object.fromEntries(names.map((name) => [name, kinds.get(table)?.[name] ?? 'text'])),
            rows: list.map((row) => names.map((name) => (row as Record<string, unknown>)[name])),
          })
        }
      }
    },
    async raiseIdentities(tx) {
      if (database.engine !== 'postgres') return
      const tables = Object.values<DemoNounRow>({ ...demoNouns }).flatMap(({ tables }) => tables)
      for (const table of tables.filter((name) => kinds.get(name)?.id))
        await sql`select setval(pg_get_serial_sequence(${table}, 'id'), max(id)) from ${sql.table(table)} having max(id) is not null`.execute(
          tx,
        )
    },
  }
}

/** The types of each table's columns, which PostgreSQL's bulk inserts need. */
async function columnKinds(database: Database): Promise<ReadonlyMap<string, Kinds>> {
  const kinds = new Map<string, Kinds>()
  if (database.engine !== 'postgres') return kinds
  const { rows } = await sql<{ of: string; name: string; type: string }>`
    select table_name as of, column_name as name, data_type as type from information_schema.columns where table_schema = current_schema()
  `.execute(database.db)
  for (const { of, name, type } of rows) {
    const columns = kinds.get(of) ?? {}
    columns[name] = type === 'bigint' || type === 'integer' ? 'int' : type === 'double precision' ? 'real' : 'text'
    kinds.set(of, columns)
  }
  return kinds
}
