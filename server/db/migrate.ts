import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import type { Database, Engine } from './connect.ts'
import { foundation } from './migrations/0001-foundation.ts'
import { markets } from './migrations/0002-markets.ts'
import { guards } from './migrations/0004-guards.ts'
import { views } from './migrations/0005-views.ts'

/** Every migration in its order; a new one is a row here and a file beside the first. */
const migrationsOf = (engine: Engine): Record<string, Migration> => ({
  '0001-foundation': foundation(engine),
  '0002-markets': markets,
  '0004-guards': guards(engine),
  '0005-views': views(engine),
})

/** Brings a database to the newest schema; answers the names of the migrations it ran. */
export async function migrate(database: Database): Promise<string[]> {
  const provider: MigrationProvider = { getMigrations: async () => migrationsOf(database.engine) }
  const { error, results } = await new Migrator({ db: database.db, provider }).migrateToLatest()
  if (error) throw error
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}
