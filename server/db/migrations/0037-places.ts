import { type Kysely, sql } from 'kysely'
import { normalizeAddress } from '../../../contract/address.ts'
import type { Engine } from '../connect.ts'
import { nearestMarket } from '../markets.ts'
import type { Schema } from '../schema.ts'

/**
 * Places get a city, a state, a ZIP, a market area, versions, and a key to find duplicates by.
 * Links get their creation time and, in a group, the line of the file they came from.
 */
export const places = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const int = engine === 'postgres' ? 'bigint' : 'integer'
    const add = (table: string, column: string) => sql.raw(`alter table "${table}" add column ${column}`).execute(db)
    for (const name of ['city', 'state', 'zip', 'address_key', 'created_at', 'updated_at'])
      await add('places', `"${name}" text not null default ''`)
    await add('places', `"position" text not null default 'none'`)
    await add('places', `"dma" ${int}`)
    await add('places', `"lock_version" ${int} not null default 1`)
    await add('location_group_places', `"added_at" text`)
    await add('location_group_places', `"added_by" ${int}`)
    await add('location_group_places', `"import_id" ${int}`)
    await add('location_group_places', `"line" ${int}`)
    await add('activity_location_groups', `"linked_at" text`)
    await add('activity_location_groups', `"linked_by" ${int}`)
    await fill(db as Kysely<Schema>)
    // The indexed text of searches, so that they read no rows. PostgreSQL allows no index entries this long.
    const searched =
      engine === 'sqlite' ? `, lower("name" || ' ' || "address" || ' ' || "city" || ' ' || "zip"), "deleted_at"` : ''
    for (const [name, on] of [
      ['places_name', `"places" (lower("name"), "id"${searched}) where "deleted_at" is null`],
      ['places_state', `"places" ("state", lower("name"), "id") where "deleted_at" is null`],
      ['places_address_key', `"places" ("address_key", "id") where "deleted_at" is null`],
      ['places_not_exact', `"places" ("position", "id") where "deleted_at" is null and "position" <> 'exact'`],
      ['location_group_places_place', `"location_group_places" ("place_id", "group_id")`],
      ['activity_location_groups_group', `"activity_location_groups" ("group_id")`],
    ])
      await sql.raw(`create index "ix_${name}" on ${on}`).execute(db)
    // History lines of groups were filed under locations before places had calls of their own.
    await sql`update history set subject = 'group' where subject = 'location'`.execute(db)
  },
})

/** Fills the new columns of existing places from the old ones. */
async function fill(db: Kysely<Schema>): Promise<void> {
  const now = new Date().toISOString()
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('places')
      .select(['id', 'address', 'latitude', 'longitude'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(500)
      .execute()
    for (const { id, address, latitude, longitude } of rows) {
      const placed = latitude !== null && longitude !== null
      await db
        .updateTable('places')
        .set({
          address_key: normalizeAddress(address, ''),
          position: placed ? 'exact' : 'none',
          dma: placed ? nearestMarket(latitude, longitude) : null,
          created_at: now,
          updated_at: now,
        })
        .where('id', '=', id)
        .execute()
    }
    if (rows.length < 500) return
    after = rows.at(-1)!.id
  }
}
