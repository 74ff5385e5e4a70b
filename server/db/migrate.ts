import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type MigrationProvider, Migrator } from 'kysely/migration'
import type { Database, Db, Engine } from './connect.ts'
import { modulesIn } from './modulesIn.ts'
import type { Step } from './online.ts'

type Made = Step | ((engine: Engine) => Step)
/** Each file of the folder exports a migration, or a function of the engine that returns one. */
const files = await modulesIn(new URL('./migrations/', import.meta.url))

/** Every migration in order; to add one, add a file. */
export const migrationsOf = (engine: Engine): Record<string, Step> =>
  Object.fromEntries(
    files.map(([name, module]) => {
      const made = Object.values(module)[0] as Made
      return [name, typeof made === 'function' ? made(engine) : made]
    }),
  )

/** The schema of release 0.2, the first from which upgrades are promised. */
const BASELINE = '0100-baseline'

/** TABLE  migrations that break older releases: they remove or change what those use (decisions/releases.md). */
const BREAKING: readonly string[] = [BASELINE]

/** Thrown if a newer release has changed the database so that this one can't use it. */
export class SchemaTooNew extends Error {}

/** Thrown for a database of a release before the baseline, which is left as it is. */
export class SchemaTooOld extends Error {}

/** True for the migrations of a release before the baseline. */
export const isBeforeBaseline = (schema: readonly string[]): boolean => schema.includes('0001-foundation')

/** True for a database of a release before the baseline. */
export const isTooOld = async (database: Database): Promise<boolean> => isBeforeBaseline(await done(database))

export const TOO_OLD =
  'This database was made by release 0.1, and upgrades begin with release 0.2. Nothing was changed. ' +
  'Go on with release 0.1, or give this release an empty database.'

/** Names of the migrations this release knows, in order. */
export const migrationNames = (engine: Engine): string[] => Object.keys(migrationsOf(engine)).sort()

/**
 * Migrates a database to the newest schema or the named migration; returns the names of those it ran.
 * A PostgreSQL lock lets one process at a time migrate.
 * A newer release's database is left alone; SchemaTooNew if that release broke this one.
 * SchemaTooOld for a database of a release before the baseline.
 */
export async function migrate(database: Database, how: { to?: string; schema?: string; steps?: Steps } = {}): Promise<string[]> {
  if (how.to || how.schema) return run(database, how)
  if (await isTooOld(database)) throw new SchemaTooOld(TOO_OLD)
  try {
    if (await worksWithNewer(database)) return []
    await noteNeeds(database)
    const done = await run(database, how)
    await noteNeeds(database)
    return done
  } catch (error) {
    // A newer release may have started to migrate while this one waited for the lock.
    if (!(error instanceof SchemaTooNew) && (await worksWithNewer(database).catch(() => false))) return []
    throw error
  }
}

/** Migrations in a database that this release doesn't know. */
export async function newerMigrations(database: Database): Promise<string[]> {
  const known = new Set(migrationNames(database.engine))
  return (await done(database)).filter((name) => !known.has(name))
}

/** Migrations of this release that a database hasn't run. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  const ran = await done(database)
  return migrationNames(database.engine).filter((name) => !ran.includes(name))
}

/** Of those, the ones after which an older release can't be started any more; none for an empty database. */
export async function oneWayMigrations(database: Database): Promise<string[]> {
  const pending = await pendingMigrations(database)
  return pending.length === migrationNames(database.engine).length ? [] : pending.filter((name) => BREAKING.includes(name))
}

async function worksWithNewer(database: Database): Promise<boolean> {
  const newer = await newerMigrations(database)
  if (!newer.length) return false
  const names = migrationNames(database.engine)
  const ran = await done(database)
  const meta = await database.db.selectFrom('meta').select('value').where('key', '=', 'needs_migration').executeTakeFirst()
  if (meta && names.includes(meta.value) && names.every((name) => ran.includes(name))) return true
  throw new SchemaTooNew(
    `A newer release (${newer.join(', ')}) has changed the database, and this one can't work with it any more. ` +
      'Start the newer release, or restore a backup from before.',
  )
}

/** Names of the migrations a database has run; none for an empty one. */
async function done(database: Database): Promise<string[]> {
  const there =
    database.engine === 'postgres'
      ? sql`select 1 where to_regclass('kysely_migration') is not null`
      : sql`select 1 from sqlite_master where name = 'kysely_migration'`
  if (!(await there.execute(database.db)).rows.length) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(database.db)
  return rows.map((row) => row.name)
}

/**
 * Records the migration that older releases must know at least.
 * It runs before the migrations too, so that a kill in between can't leave a breaking one unrecorded.
 */
async function noteNeeds(database: Database): Promise<void> {
  if (!(await done(database)).length) return
  const value = BREAKING.at(-1)!
  const meta = { key: 'needs_migration', value }
  await database.db
    .insertInto('meta')
    .values(meta)
    .onConflict((oc) => oc.column('key').doUpdateSet({ value }).where('meta.value', '<', value))
    .execute()
}

/**
 * How long a migration waits for each lock, by the number of tries: callers queue behind it, so it soon gives up.
 * Later tries wait longer: overlapping readers, or writers that need its tables in another order, never let it in.
 */
const LOCK_WAITS: readonly [tries: number, wait: string][] = [
  [5, '50ms'],
  [20, '100ms'],
  [30, '500ms'],
  [200, '2s'],
]
const TRIES = LOCK_WAITS.at(-1)![0]
const TRY_AGAIN_MS = 500
/** The session lock of the process that migrates; its number means nothing. */
const ALONE = 5_417_331
const TURN_MS = 200

/** Another process held a table (55P03) or took locks in another order (40P01): what was tried was rolled back. */
const isLocked = (error: unknown): boolean => /^(55P03|40P01)$/.test(String((error as { code?: string } | null)?.code))

type Steps = Readonly<Record<string, Step>>

async function run(
  database: Database,
  { to, schema, steps: all = migrationsOf(database.engine) }: { to?: string; schema?: string; steps?: Steps },
): Promise<string[]> {
  const unused = schema !== undefined || !(await done(database)).length
  if (database.engine === 'sqlite' || unused) return runAtOnce(database, all, to, schema)
  return database.onOneSession((db) => alone(db, () => runOneByOne(db, all, to)))
}

/** All migrations in one transaction (SQLite: without one), where nobody else writes. */
async function runAtOnce({ db }: Database, all: Steps, to?: string, schema?: string): Promise<string[]> {
  const provider: MigrationProvider = { getMigrations: async () => ({ ...all }) }
  const migrator = new Migrator({ db, provider, ...(schema ? { migrationTableSchema: schema } : {}) })
  const { error, results } = to ? await migrator.migrateTo(to) : await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}

/** Runs work while no other process migrates. Polled: an index built then would wait for everybody who waits here. */
async function alone<T>(db: Db, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_lock(${ALONE}::bigint) as got`.execute(db)
    if (rows[0]!.got) break
    await delay(TURN_MS)
  }
  try {
    return await work()
  } finally {
    await sql`select pg_advisory_unlock(${ALONE}::bigint)`.execute(db)
  }
}

/** Each migration in a transaction of its own, after what it prepares: locks end with each, not with the last one. */
async function runOneByOne(db: Db, all: Steps, to?: string): Promise<string[]> {
  let tried = 1
  const patient = (step: Step): Step => ({
    ...step,
    async up(tx) {
      const wait = LOCK_WAITS.find(([tries]) => tried <= tries)![1]
      await sql`select set_config('lock_timeout', ${wait}, true)`.execute(tx)
      await step.up(tx)
    },
  })
  const steps = Object.fromEntries(Object.entries(all).map(([name, step]) => [name, patient(step)]))
  const migrator = new Migrator({ db, provider: { getMigrations: async () => steps } })
  const ran: string[] = []
  for (;;) {
    const next = (await migrator.getMigrations()).find(({ executedAt }) => !executedAt)?.name
    if (!next || (to && next > to)) return ran
    try {
      await all[next]!.prepare?.(db as never)
      const { error } = await migrator.migrateUp()
      if (error) throw error
      ran.push(next)
      tried = 1
    } catch (error) {
      if (!isLocked(error) || tried++ === TRIES) throw error
      await delay(TRY_AGAIN_MS)
    }
  }
}
