import { type Database, type Db, type Tx, transact } from '../db/connect.ts'
import { locked } from '../db/locked.ts'

/** How much data a demo has (decisions.md 12). */
export type DemoSize = 'test' | 'demo' | 'mid' | 'large'

/** Progress of the demo data; a row of `meta`, written in the same transactions as the data. */
export interface DemoState {
  size: DemoSize
  seed: string
  /** The moment all dates are relative to. */
  now: string
  timeZone: string
  passwords: { admin: string; client: string }
  /** The next step; `whole` after the last. */
  next: number
  whole: boolean
}

const KEY = 'demo'

/** What a database contains: nothing, demo data (whole or partial), or real data. */
export type Filling = { is: 'empty' } | { is: 'own' } | { is: 'demo'; state: DemoState }

/** Determines what a database contains. */
export async function fillingOf(db: Db | Tx): Promise<Filling> {
  const state = await readState(db)
  if (state) return { is: 'demo', state }
  const counts = await Promise.all(
    (['users', 'clients', 'projects'] as const).map((table) => db.selectFrom(table).select('id').limit(1).execute()),
  )
  return { is: counts.some((rows) => rows.length) ? 'own' : 'empty' }
}

async function readState(db: Db | Tx): Promise<DemoState | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', KEY).executeTakeFirst()
  return row ? (JSON.parse(row.value) as DemoState) : null
}

/** Marks a database as being seeded, unless another process has just done so; returns its current state. */
export function begin(database: Database, fresh: DemoState): Promise<Filling> {
  return transact(database, async (tx) => {
    const filling = await fillingOf(tx)
    if (filling.is !== 'empty') return filling
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('meta')
      .values({ key: KEY, value: JSON.stringify(fresh) })
      .onConflict((oc) => oc.column('key').doNothing())
      .executeTakeFirstOrThrow()
    return Number(numInsertedOrUpdatedRows) ? { is: 'demo', state: fresh } : fillingOf(tx)
  })
}

/** Runs the next step and records it in one transaction, so that two processes can fill one database in turns. */
export function advance(database: Database, work: (tx: Tx, state: DemoState) => Promise<DemoState>): Promise<DemoState> {
  return transact(database, async (tx) => {
    const query = tx.selectFrom('meta').select('value').where('key', '=', KEY)
    const state = JSON.parse((await locked(database, query).executeTakeFirstOrThrow()).value) as DemoState
    if (state.whole) return state
    const after = await work(tx, state)
    await tx
      .updateTable('meta')
      .set({ value: JSON.stringify(after) })
      .where('key', '=', KEY)
      .execute()
    return after
  })
}
