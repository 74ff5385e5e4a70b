import type { Kysely } from 'kysely'
import { marketAreas } from '../markets.ts'
import type { Schema } from '../schema.ts'

/** The 210 market areas, which every installation has, with or without demo data. */
export const markets = {
  async up(db: Kysely<unknown>) {
    await (db as Kysely<Schema>)
      .insertInto('dmas')
      .values([...marketAreas()])
      .onConflict((oc) => oc.column('code').doNothing())
      .execute()
  },
}
