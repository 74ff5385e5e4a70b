import type { Db, Tx } from '../../db/connect.ts'

const CLOSED_ROW = 'visits_closed_before'

/** The day before which visits can't be added, because raw visits of that time were dropped; null if none were. */
export async function closedBefore(db: Db | Tx): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', CLOSED_ROW).executeTakeFirst()
  return row?.value ?? null
}
