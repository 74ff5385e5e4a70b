import { type Kysely, sql } from 'kysely'
import { normalizeAddress } from '../../../contract/address.ts'
import type { Engine } from '../connect.ts'
import { nearestMarket } from '../markets.ts'
import { brieflyLocked, createIndexes, type Indexes, indexesOnline, isPrepared } from '../online.ts'
import type { Schema } from '../schema.ts'

const COLUMNS = (engine: Engine): readonly [table: string, column: string][] => {
  const int = engine === 'postgres' ? 'bigint' : 'integer'
  return [
    ...['city', 'state', 'zip', 'address_key', 'created_at', 'updated_at'].map((name): [string, string] => [
      'places',
      `"${name}" text not null default ''`,
    ]),
    ['places', `"position" text not null default 'none'`],
    ['places', `"dma" ${int}`],
    ['places', `"lock_version" ${int} not null default 1`],
    ['location_group_places', `"added_at" text`],
    ['location_group_places', `"added_by" ${int}`],
    ['location_group_places', `"import_id" ${int}`],
    ['location_group_places', `"line" ${int}`],
    ['activity_location_groups', `"linked_at" text`],
    ['activity_location_groups', `"linked_by" ${int}`],
  ]
}

const INDEXES = (engine: Engine): Indexes => {
  // The indexed text of searches, so that they read no rows. PostgreSQL allows no index entries this long.
  const searched = engine === 'sqlite' ? `, lower("name" || ' ' || "address" || ' ' || "city" || ' ' || "zip"), "deleted_at"` : ''
  return {
    ix_places_name: `"places" (lower("name"), "id"${searched}) where "deleted_at" is null`,
    ix_places_state: `"places" ("state", lower("name"), "id") where "deleted_at" is null`,
    ix_places_address_key: `"places" ("address_key", "id") where "deleted_at" is null`,
    ix_places_not_exact: `"places" ("position", "id") where "deleted_at" is null and "position" <> 'exact'`,
    ix_location_group_places_place: `"location_group_places" ("place_id", "group_id")`,
    ix_activity_location_groups_group: `"activity_location_groups" ("group_id")`,
  }
}

async function addColumns(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const unless = engine === 'postgres' ? 'if not exists ' : ''
  for (const [table, column] of COLUMNS(engine)) await sql.raw(`alter table "${table}" add column ${unless}${column}`).execute(db)
}

/**
 * Places get a city, a state, a ZIP, a market area, versions, and a key to find duplicates by.
 * Links get their creation time and, in a group, the line of the file they came from.
 */
export const places = (engine: Engine) => ({
  async prepare(db: Kysely<unknown>) {
    await brieflyLocked(db, (tx) => addColumns(tx, engine))
    await fill(db as Kysely<Schema>)
    await indexesOnline(db, INDEXES(engine))
  },
  async up(db: Kysely<unknown>) {
    // History lines of groups were filed under locations before places had calls of their own.
    await sql`update history set subject = 'group' where subject = 'location'`.execute(db)
    if (!(await isPrepared(db, engine, 'places', 'lock_version'))) await addColumns(db, engine)
    await fill(db as Kysely<Schema>)
    await createIndexes(db, engine, INDEXES(engine))
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
      .where('created_at', '=', '')
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
          dma: placed ? nearestMarket({ latitude, longitude }) : null,
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
