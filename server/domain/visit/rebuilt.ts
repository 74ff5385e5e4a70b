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
