import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'

/** The key of `meta` for the number of rebuilds. */
const REBUILT = 'visits.rebuilt'

/** The number of rebuilds: what was read from counters before is invalid once it differs. */
export async function timesRebuilt(db: Db | Tx): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', REBUILT).executeTakeFirst()
  return Number(row?.value ?? 0)
}

/** Records that counters are rebuilt, in the transaction that does it. */
export async function noteRebuilt(tx: Tx): Promise<void> {
  // Added by the database, so that two concurrent rebuilds count as two.
  const next = sql<string>`cast(cast(meta.value as integer) + 1 as text)`
  await tx
    .insertInto('meta')
    .values({ key: REBUILT, value: '1' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: next }))
    .execute()
}

/** Thrown if counters were rebuilt since they were read. */
export class Rebuilt extends Error {}

/** Throws if counters were rebuilt since. */
export async function sameSince(tx: Tx, times: number): Promise<void> {
  if ((await timesRebuilt(tx)) !== times) throw new Rebuilt('The counters were rebuilt meanwhile')
}
