import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'
import { versionTrigger, type Watched } from '../versionTriggers.ts'

const PLACE = ['service_id', 'dma', 'latitude', 'longitude', 'deleted_at']
const WATCHED: readonly Watched<'venue'>[] = [
  ['venues', 'venue', 'insert'],
  ['venues', 'venue', 'delete'],
  ['venues', 'venue', 'update', PLACE],
]
const DAY_MS = 86_400_000

/**
 * Packs of venues for the map of all brands: their months are marked for the job that writes them.
 * A version rises with every change of a venue's position, like those of lists.
 */
export function venuePacks(engine: Engine) {
  return {
    async up(db: Kysely<unknown>) {
      await sql.raw(`insert into list_versions (kind, slot, n) values ('venue', 0, 1)`).execute(db)
      for (const watched of WATCHED) await sql.raw(versionTrigger(engine, watched)).execute(db)
      const { rows } = await sql<{ day: number | string }>`select distinct day from visit_days`.execute(db)
      const months = new Set(
        rows.map(({ day }) => {
          const date = new Date(Number(day) * DAY_MS)
          return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / DAY_MS
        }),
      )
      for (const month of months)
        await sql`insert into visit_stale_months (scope, scope_id, month, removed) values ('venues', 0, ${month}, 1)`.execute(db)
    },
  }
}
