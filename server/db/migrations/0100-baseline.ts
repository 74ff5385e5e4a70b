import { type Kysely, sql } from 'kysely'
import { BASELINE } from '../baseline/baselineTables.ts'
import { entryFlagStatements } from '../baseline/entryTriggers.ts'
import { foldTextStatements } from '../baseline/foldedSql.ts'
import { indexStatements } from '../baseline/indexes.ts'
import { listVersionStatements } from '../baseline/listVersions.ts'
import type { Engine } from '../connect.ts'
import { industries } from '../industries.ts'
import { marketAreas } from '../markets.ts'
import type { Schema } from '../schema.ts'
import { createTable } from '../tableColumns.ts'

/** The schema of release 0.2, with what every installation has: market areas and industries. */
export const baseline = (engine: Engine) => ({
  async up(db: Kysely<unknown>) {
    const statements = [
      ...Object.entries(BASELINE).map(([name, table]) => createTable(engine, name, table)),
      ...(await foldTextStatements(db, engine)),
      ...(await indexStatements(db, engine)),
      ...entryFlagStatements(engine),
      ...listVersionStatements(engine),
      'insert into webhook_cursor (id, event_id) values (1, 0)',
    ]
    for (const statement of statements) await sql.raw(statement).execute(db)
    const typed = db as Kysely<Schema>
    await typed
      .insertInto('dmas')
      .values([...marketAreas()])
      .execute()
    await typed
      .insertInto('categories')
      .values([...industries()])
      .execute()
  },
})
