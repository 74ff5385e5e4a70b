import { type Kysely, sql } from 'kysely'
import { normalizeAddress } from '../../../contract/address.ts'
import type { Engine } from '../connect.ts'
import { addOnline, createIndexes, type Indexes, indexesOnline, inPages, isPrepared } from '../online.ts'
import { placeFolds } from '../placeFolds.ts'
import type { Schema } from '../schema.ts'
import { trigrams } from '../trigrams.ts'

const COLUMNS = ['"name_fold" text', '"city_fold" text', '"address_fold" text']

/** As `server/domain/place/list.ts` spells them. */
function indexes(engine: Engine, trigramHome: string | null): Indexes {
  const folded = (fold: string, text: string) =>
    engine === 'postgres'
      ? `(coalesce("${fold}", lower(${text} collate "C")) collate "C")`
      : `coalesce("${fold}", lower(${text}))`
  const name = folded('name_fold', '"name"')
  const rest = folded('address_fold', `("address" || ' ' || "city" || ' ' || "zip")`)
  const searched = `(${name} || ' ' || ${rest})`
  const alive = 'where "deleted_at" is null'
  return {
    ix_places_name_fold: `"places" (${name}, "id"${engine === 'sqlite' ? `, ${searched}, "deleted_at"` : ''}) ${alive}`,
    ix_places_state_fold: `"places" ("state", ${name}, "id") ${alive}`,
    ix_places_city_fold: `"places" (${folded('city_fold', '"city"')}, "id") ${alive}`,
    ...(trigramHome && {
      ix_places_text_fold: `"places" using gin (${searched} "${trigramHome}".gin_trgm_ops) with (fastupdate = off) ${alive}`,
    }),
  }
}

/** Fills the folds of places whose text isn't plain letters, and their addresses' keys, which are folded alike. */
async function fill(db: Kysely<Schema>, after: number, last: number): Promise<void> {
  const { rows } = await sql<{ id: number; name: string; address: string; city: string; zip: string }>`
    select id, name, address, city, zip from places where id > ${after} and id <= ${last}
      and octet_length(name || address || city || zip) > length(name || address || city || zip)`.execute(db)
  for (const { id, ...texts } of rows) {
    const { name_fold, city_fold, address_fold } = placeFolds(texts)
    const address_key = normalizeAddress(texts.address, texts.zip)
    await sql`update places set name_fold = ${name_fold}, city_fold = ${city_fold}, address_fold = ${address_fold},
      address_key = ${address_key} where id = ${id}`.execute(db)
  }
}
const fillAll = (db: Kysely<unknown>) => inPages(db, 'places', (after, last) => fill(db as Kysely<Schema>, after, last))

/** Folded texts of places, with indexes: searches and orders of hundreds of thousands read nothing else. */
export const placeFoldColumns = (engine: Engine) => ({
  async prepare(db: Kysely<unknown>) {
    await addOnline(db, 'places', COLUMNS)
    await fillAll(db)
    await indexesOnline(db, indexes(engine, await trigrams(db)))
  },
  async up(db: Kysely<unknown>) {
    if (!(await isPrepared(db, engine, 'places', 'address_fold')))
      for (const column of COLUMNS) await sql.raw(`alter table "places" add column ${column}`).execute(db)
    await fillAll(db)
    await createIndexes(db, engine, indexes(engine, engine === 'postgres' ? await trigrams(db) : null))
  },
})
