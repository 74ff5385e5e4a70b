import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { connect, type Database } from '../../server/db/connect.ts'
import { migrate, migrationNames, newerMigrations, SchemaTooNew } from '../../server/db/migrate.ts'
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
    await changedByNewer(database, '0001-foundation')
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
  const names = migrationNames(engine)
  // The migration that adds saved views references users, so it waits for writers there.
  await migrate(database, { to: names[names.indexOf('0005-views') - 1]! })
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
  const migrating = migrate(database)
  const waiting = () =>
    sql`select 1 from pg_locks where not granted and relation = 'users'::regclass`
      .execute(database.db)
      .then(({ rows }) => rows.length)
  await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 10_000, interval: 5 })
  // Without a lock timeout this write would queue behind the migration, which waits for a writer that waits for us.
  await sql`update users set company = 'B' where email = 'nobody'`.execute(database.db)
  release()
  await writing
  expect(await migrating).toContain('0005-views')
})

test('a project’s former clients are read from history, once', async () => {
  const database = await fresh()
  const names = migrationNames(engine)
  await migrate(database, { to: names[names.indexOf('0010-leaving') - 1]! })
  const { db } = database
  const at = '2026-01-01T00:00:00.000Z'
  for (const id of [1, 2, 3])
    await sql`insert into clients (id, name, created_at, updated_at) values (${id}, 'C', ${at}, ${at})`.execute(db)
  await sql`insert into projects (id, generation, client_id, name, status, created_at, updated_at) values (7, 'project', 3, 'P', 'active', ${at}, ${at})`.execute(
    db,
  )
  for (const before of [
    '{"client_id":1,"name":"P"}',
    '{"name":"P","client_id":2}',
    '{"client_id":1}',
    '{"client_id":99}',
    '{"name":"x"}',
  ])
    await sql`insert into history (subject, subject_id, action, origin, "before", at) values ('project', 7, 'project.edit', 'event', ${before}, ${at})`.execute(
      db,
    )
  await migrate(database)
  expect(await db.selectFrom('former_clients').selectAll().orderBy('client_id').execute()).toEqual([
    { project_id: 7, client_id: 1 },
    { project_id: 7, client_id: 2 },
  ])
})

test('visits rolled up before packs existed are all marked for packing', async () => {
  const database = await fresh()
  await migrate(database, { to: '0043-visitation' })
  await sql`insert into visit_days (service_id, day, visits) values (3, 20000, 5), (3, 20001, 6)`.execute(database.db)
  await sql`insert into visit_stale (service_id, day) values (3, 20001)`.execute(database.db)
  await migrate(database)
  const { rows } = await sql<{ day: number }>`select day from visit_stale where service_id = 3 order by day`.execute(database.db)
  expect(rows.map(({ day }) => Number(day))).toEqual([20_000, 20_001])
})
