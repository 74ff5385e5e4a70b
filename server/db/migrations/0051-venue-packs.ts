import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

const PLACE = ['service_id', 'dma', 'latitude', 'longitude', 'deleted_at']
const DAY_MS = 86_400_000

/**
 * Packs of venues, from which the map of all brands is drawn: their months are marked for the job that writes them.
 * A number rises with every change of a venue's place, as those of lists do.
 */
export function venuePacks(engine: Engine) {
  const events = ['insert', 'delete', `update of ${PLACE.join(', ')}`] as const
  const statements = events.map((event) => {
    const [name] = event.split(' ')
    return engine === 'sqlite'
      ? `create trigger tr_list_venues_venue_${name} after ${event} on venues begin
          update list_versions set n = n + 1 where kind = 'venue' and slot = 0; end`
      : `create trigger tr_list_venues_venue_${name} after ${event} on venues for each statement execute function list_changed('venue')`
  })
  return {
    async up(db: Kysely<unknown>) {
      await sql.raw(`insert into list_versions (kind, slot, n) values ('venue', 0, 1)`).execute(db)
      for (const statement of statements) await sql.raw(statement).execute(db)
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
