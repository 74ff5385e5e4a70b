import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'

/** Where it is counted how often counters were made again. */
const REBUILT = 'visits.rebuilt'

/** How often counters were made again: what was read of them before doesn't hold once this differs. */
export async function timesRebuilt(db: Db | Tx): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', REBUILT).executeTakeFirst()
  return Number(row?.value ?? 0)
}

/** Says that counters are made again, within the transaction that does it. */
export async function noteRebuilt(tx: Tx): Promise<void> {
  // Two at a time must count as two, so the database adds.
  const next = sql<string>`cast(cast(meta.value as integer) + 1 as text)`
  await tx
    .insertInto('meta')
    .values({ key: REBUILT, value: '1' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: next }))
    .execute()
}

/** What was read was made again meanwhile. */
export class Rebuilt extends Error {}

/** Throws if counters were made again since. */
export async function sameSince(tx: Tx, times: number): Promise<void> {
  if ((await timesRebuilt(tx)) !== times) throw new Rebuilt('The counters were made again meanwhile')
}
