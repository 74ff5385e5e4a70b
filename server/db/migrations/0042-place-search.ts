import type { Kysely } from 'kysely'
import type { Engine } from '../connect.ts'
import { createIndexes, indexesOnline } from '../online.ts'
import { trigrams } from '../trigrams.ts'

const CITY = { ix_places_city: `"places" (lower("city"), "id") where "deleted_at" is null` }
const searched = (home: string) => ({
  ix_places_search: `"places" using gin
  (lower("name" || ' ' || "address" || ' ' || "city" || ' ' || "zip") "${home}".gin_trgm_ops)
  with (fastupdate = off) where "deleted_at" is null`,
})

/**
 * Indexes for lists of hundreds of thousands of places: by city, and on PostgreSQL for searches.
 * There, searches within words read trigrams; SQLite reads the covering index of 0037.
 * Without trigrams a search reads every row (docs/operating.md).
 */
export const placeSearch = (engine: Engine) => ({
  async prepare(db: Kysely<unknown>) {
    await indexesOnline(db, CITY)
    const home = await trigrams(db)
    if (home) await indexesOnline(db, searched(home))
  },
  async up(db: Kysely<unknown>) {
    await createIndexes(db, engine, CITY)
    const home = engine === 'postgres' ? await trigrams(db) : null
    if (home) await createIndexes(db, engine, searched(home))
  },
})
