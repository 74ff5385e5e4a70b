import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import type { Database, Engine } from './connect.ts'
import { foundation } from './migrations/0001-foundation.ts'
import { markets } from './migrations/0002-markets.ts'
import { guards } from './migrations/0004-guards.ts'
import { views } from './migrations/0005-views.ts'
import { attempts } from './migrations/0006-attempts.ts'

/** Every migration in its order; a new one is a row here and a file beside the first. */
const migrationsOf = (engine: Engine): Record<string, Migration> => ({
  '0001-foundation': foundation(engine),
  '0002-markets': markets,
  '0004-guards': guards(engine),
  '0005-views': views(engine),
  '0006-attempts': attempts(engine),
})

/** The names of the migrations that this release knows, in their order. */
export const migrationNames = (engine: Engine): string[] => Object.keys(migrationsOf(engine)).sort()

/** Brings a database to the newest schema, or to that of one migration; answers the names of those it ran. PostgreSQL's lock lets one process at a time do it. */
export async function migrate(database: Database, { to, schema }: { to?: string; schema?: string } = {}): Promise<string[]> {
  const provider: MigrationProvider = { getMigrations: async () => migrationsOf(database.engine) }
  const migrator = new Migrator({ db: database.db, provider, ...(schema ? { migrationTableSchema: schema } : {}) })
  const { error, results } = to ? await migrator.migrateTo(to) : await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}
