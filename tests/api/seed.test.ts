import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyPassword } from '../../server/core/passwords.ts'
import { connect, type Database } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import { amountsOf } from '../../server/demo/demoNouns.ts'
import { fillWhenEmpty } from '../../server/demo/fill.ts'
import { DEMO_LOGINS } from '../../server/demo/people.ts'
import { NotEmpty, seed } from '../../server/demo/seed.ts'
import { fillingOf } from '../../server/domain/demoState.ts'
import { migratedDatabase } from '../support/engine.ts'

const NOW = new Date('2026-05-14T18:20:00Z')
const open: Database[] = []
/** Filled once for the tests that only read: on this engine, and in memory to compare with. */
let filled: Database
let unbroken: Database
beforeAll(async () => {
  filled = await empty()
  unbroken = await inMemory()
  for (const database of [filled, unbroken]) await seed(database, { size: 'test', now: NOW })
})
afterAll(() => Promise.all(open.map((database) => database.close())))

async function another(where: { DATA_DIR: string; DATABASE_URL?: string }): Promise<Database> {
  const database = connect(
    where.DATABASE_URL ? { url: where.DATABASE_URL, poolSize: 3 } : { file: join(where.DATA_DIR, 'fieldwork.db') },
  )
  open.push(database)
  return database
}
async function empty(where?: { DATA_DIR: string; DATABASE_URL?: string }): Promise<Database> {
  const database = await another(where ?? (await migratedDatabase()))
  await migrate(database)
  return database
}
async function inMemory(): Promise<Database> {
  const database = connect({ file: ':memory:' })
  open.push(database)
  await migrate(database)
  return database
}

const TABLES = [
  'clients',
  'users',
  'user_clients',
  'teams',
  'team_users',
  'team_projects',
  'partners',
  'projects',
  'activities',
  'targets',
  'surveys',
  'questions',
  'files',
  'notes',
  'history',
  'project_partners',
  'proffers',
  'quotes',
  'quote_shares',
  'rewards',
  'entries',
  'payouts',
  'respondents',
  'day_cells',
  'demo_cells',
  'marginals',
  'geo_cells',
  'geo_squares',
  'answer_cells',
  'answer_sizes',
  'answer_texts',
  'question_stops',
  'mails',
  'places',
  'location_groups',
  'location_group_places',
  'activity_location_groups',
  'webhooks',
  'webhook_deliveries',
] as const

/** A digest of each table; salted password hashes are left out. */
async function digests(database: Database): Promise<Record<string, string>> {
  const out: Record<string, string> = {}
  for (const table of TABLES) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(database.db)
    const lines = rows.map((row) => JSON.stringify(Object.entries({ ...row, password_hash: '' }).sort()))
    out[table] = createHash('sha256').update(lines.sort().join('\n')).digest('hex').slice(0, 12)
  }
  return out
}
const count = async (database: Database, table: (typeof TABLES)[number]) =>
  Number(
    (
      await database.db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

describe('the demo data', () => {
  it('fills an empty database with its size’s amounts', async () => {
    const database = filled
    const size = amountsOf('test')
    expect(await count(database, 'clients')).toBe(size.client)
    expect(await count(database, 'users')).toBe(size.user)
    expect(await count(database, 'partners')).toBe(size.partner)
    expect(await count(database, 'teams')).toBe(size.team)
    expect(await count(database, 'projects')).toBe(size.project)
    expect(await count(database, 'activities')).toBe(size.activity)
    expect(await count(database, 'entries')).toBe(size.entry)
    const statuses = await database.db.selectFrom('projects').select('status').distinct().execute()
    expect(statuses).toHaveLength(9)
  })

  it('derives every delivered figure from respondents', async () => {
    const database = filled
    const projects = await database.db.selectFrom('projects').select(['id', 'delivered']).execute()
    for (const project of projects) {
      const { n } = await database.db
        .selectFrom('respondents')
        .select((eb) => eb.fn.countAll().as('n'))
        .where('project_id', '=', project.id)
        .where('outcome', '=', 'completes')
        .executeTakeFirstOrThrow()
      expect([project.id, project.delivered]).toEqual([project.id, Number(n)])
    }
    expect(projects.some((project) => project.delivered > 0)).toBe(true)
  })

  it('is the same for a seed on both engines, and different for another', async () => {
    const other = await inMemory()
    await seed(other, { size: 'test', now: NOW, seed: 'another' })
    const mine = await digests(filled)
    expect(mine).toEqual(await digests(unbroken))
    expect(mine.projects).not.toBe((await digests(other)).projects)
  })

  it('continues where it was killed, and never counts as complete before', async () => {
    const where = await migratedDatabase()
    const database = await empty(where)
    let steps = 0
    const killed = seed(database, {
      size: 'test',
      now: NOW,
      progress: () => {
        if (++steps === 3) throw new Error('killed')
      },
    })
    await expect(killed).rejects.toThrow('killed')
    expect(await fillingOf(database.db)).toMatchObject({ is: 'demo', state: { whole: false, next: 3 } })
    // On the next day, a started seed keeps its own date.
    const again = await another(where)
    await seed(again, { size: 'demo', now: new Date('2026-05-15T18:20:00Z') })
    expect(await fillingOf(again.db)).toMatchObject({ is: 'demo', state: { whole: true, size: 'test' } })
    expect(await digests(again)).toEqual(await digests(unbroken))
  })

  it('is created once when two processes start at the same time', async () => {
    const where = await migratedDatabase()
    const one = await empty(where)
    const two = await another(where)
    await Promise.all([seed(one, { size: 'test', now: NOW }), seed(two, { size: 'test', now: NOW })])
    expect((await digests(one)).projects).toBe((await digests(unbroken)).projects)
    expect((await digests(one)).respondents).toBe((await digests(unbroken)).respondents)
  })

  it('refuses a database with other data, which startup leaves unchanged', async () => {
    const database = await empty()
    await database.db
      .transaction()
      .execute((tx) =>
        tx.insertInto('clients').values({ name: 'Ours', created_at: NOW.toISOString(), updated_at: NOW.toISOString() }).execute(),
      )
    await expect(seed(database, { size: 'test', now: NOW })).rejects.toThrow(NotEmpty)
    const settings = {
      demo: 'demo' as const,
      demoChosen: false,
      publicBecause: ['HOST=0.0.0.0'],
      timeZone: 'America/New_York',
      dataDir: (await migratedDatabase()).DATA_DIR,
      filesUrl: null,
    }
    expect(await fillWhenEmpty(database, settings)).toBe(false)
    expect(await count(database, 'users')).toBe(0)
  })

  it('leaves an empty database empty with DEMO=none', async () => {
    const database = await empty()
    expect(
      await fillWhenEmpty(database, {
        demo: 'none',
        demoChosen: true,
        publicBecause: [],
        timeZone: 'America/New_York',
        dataDir: (await migratedDatabase()).DATA_DIR,
        filesUrl: null,
      }),
    ).toBe(false)
    expect(await count(database, 'users')).toBe(0)
  })

  it('has nothing in the future', async () => {
    const database = filled
    const late = async (table: 'respondents' | 'history', column: 'at') =>
      (await database.db.selectFrom(table).select(column).where(column, '>', NOW.toISOString()).execute()).length
    expect(await late('respondents', 'at')).toBe(0)
    expect(await late('history', 'at')).toBe(0)
    for (const table of ['projects', 'entries', 'notes', 'users'] as const) {
      expect(await database.db.selectFrom(table).select('id').where('updated_at', '>', NOW.toISOString()).execute()).toEqual([])
    }
  })

  // The last one, as it writes.
  it('has the two demo accounts, and the next record gets a free id', async () => {
    const database = filled
    for (const email of [DEMO_LOGINS.admin, DEMO_LOGINS.client]) {
      const user = await database.db
        .selectFrom('users')
        .select(['password_hash', 'status'])
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
      expect(user.status).toBe('active')
      expect(await verifyPassword(user.password_hash, DEMO_LOGINS.password)).toBe(true)
    }
    const made = await database.db
      .transaction()
      .execute((tx) =>
        tx
          .insertInto('clients')
          .values({ name: 'Next', created_at: NOW.toISOString(), updated_at: NOW.toISOString() })
          .returning('id')
          .executeTakeFirstOrThrow(),
      )
    expect(made.id).toBeGreaterThan(103)
  })
})
