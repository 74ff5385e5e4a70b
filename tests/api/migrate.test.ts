import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { connect, type Database } from '../../server/db/connect.ts'
import { migrate, migrationNames, migrationsOf, newerMigrations, SchemaTooNew, SchemaTooOld } from '../../server/db/migrate.ts'
import { engine, freshDatabase } from '../support/engine.ts'

const opened: Database[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})
async function fresh(): Promise<Database> {
  const { DATA_DIR, DATABASE_URL } = await freshDatabase()
  const database = connect(DATABASE_URL ? { url: DATABASE_URL } : { file: join(DATA_DIR, 'fieldwork.db') })
  opened.push(database)
  return database
}
/** The state that a newer release leaves behind. */
async function changedByNewer(database: Database, needs: string): Promise<void> {
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`.execute(database.db)
  await database.db.updateTable('meta').set({ value: needs }).where('key', '=', 'needs_migration').execute()
}

test('a database of release 0.1 is refused with the release to use, and left as it is', async () => {
  const database = await fresh()
  const { db } = database
  const ran = ['0001-foundation', '0002-markets', '0127-po-number']
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db)
  for (const name of ran) await sql`insert into kysely_migration (name, timestamp) values (${name}, '2026-11-29')`.execute(db)
  const refusal = await migrate(database).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(SchemaTooOld)
  expect((refusal as Error).message).toMatch(/made by release 0\.1.*Nothing was changed\. Go on with release 0\.1/)
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual(ran)
  await expect(db.selectFrom('projects').selectAll().execute()).rejects.toThrow(/no such table|does not exist/)
})

describe('a database that a newer release has changed', () => {
  test('only by additions stays unchanged, and the older release keeps working', async () => {
    const database = await fresh()
    await migrate(database)
    await changedByNewer(database, migrationNames(engine).at(-1)!)
    expect(await migrate(database)).toEqual([])
    expect(await newerMigrations(database)).toEqual(['9999-later'])
  })

  test('beyond what the older release supports is refused with a message', async () => {
    const database = await fresh()
    await migrate(database)
    await changedByNewer(database, '9999-later')
    const refusal = await migrate(database).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(SchemaTooNew)
    expect((refusal as Error).message).toMatch(/newer release \(9999-later\).*Start the newer release, or restore a backup/)
  })

  test('from another line of releases is refused too, as it lacks one of our migrations', async () => {
    const database = await fresh()
    await migrate(database)
    await changedByNewer(database, '0100-baseline')
    await sql`delete from kysely_migration where name = ${migrationNames(engine).at(-1)}`.execute(database.db)
    await expect(migrate(database)).rejects.toBeInstanceOf(SchemaTooNew)
  })
})

test('two concurrent migrations of an empty database run once', async () => {
  const { DATA_DIR, DATABASE_URL } = await freshDatabase()
  const where = DATABASE_URL ? { url: DATABASE_URL } : { file: join(DATA_DIR, 'fieldwork.db') }
  // One at a time on SQLite, whose folder allows a single server.
  const count = engine === 'postgres' ? 3 : 1
  const databases = Array.from({ length: count }, () => connect(where))
  opened.push(...databases)
  const done = await Promise.all(databases.map((database) => migrate(database)))
  expect(done.flat().sort()).toEqual(migrationNames(engine))
})

test.runIf(engine === 'postgres')('a migration waiting for a writer lets others pass, and runs when it can', async () => {
  const database = await fresh()
  await migrate(database)
  const later = '9999-referring'
  // A table that references users waits for writers there.
  const up = (db: Kysely<unknown>) =>
    sql`create table "things" ("user_id" bigint not null references "users")`.execute(db).then(() => {})
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let locked = () => {}
  const holding = new Promise<void>((resolve) => {
    locked = resolve
  })
  const writing = database.db.transaction().execute(async (tx) => {
    await sql`lock table users in row exclusive mode`.execute(tx)
    locked()
    await released
  })
  await holding
  const migrating = migrate(database, { to: later, steps: { ...migrationsOf(engine), [later]: { up } } })
  const waiting = () =>
    sql`select 1 from pg_locks where not granted and relation = 'users'::regclass`
      .execute(database.db)
      .then(({ rows }) => rows.length)
  await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 10_000, interval: 5 })
  // Without a lock timeout this write would queue behind the migration, which waits for a writer that waits for us.
  await sql`update users set company = 'B' where email = 'nobody'`.execute(database.db)
  release()
  await writing
  expect(await migrating).toEqual([later])
})
