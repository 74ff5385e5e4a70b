import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { connect, transact } from '../../server/db/connect.ts'
import { seed } from '../../server/demo/seed.ts'
import { engine, migratedDatabase } from '../support/engine.ts'
import { type Fieldwork, fieldwork } from './support.ts'

// Reading a record and writing it back changes nothing, for every demo project (decisions.md 13, Families).
let app: Fieldwork
/** The whole demo on SQLite; the smallest marketplace on PostgreSQL, which takes long to fill. */
const [SIZE, MORE_THAN] = engine === 'sqlite' ? (['demo', 180] as const) : (['test', 15] as const)
beforeAll(async () => {
  const env = (await migratedDatabase()) as { DATA_DIR: string; DATABASE_URL?: string }
  const database = connect(env.DATABASE_URL ? { url: env.DATABASE_URL } : { file: join(env.DATA_DIR, 'fieldwork.db') })
  await seed(database, { size: SIZE })
  // The tests' users have the same addresses as the demo's.
  await transact(database, (tx) => sql`update users set email = 'demo-' || email`.execute(tx))
  await database.close()
  app = await fieldwork(env)
  // Cases that the demo lacks: no dates, no order, a child before its parent, and one that ends after it.
  const { id: client_id } = app.client
  const parent = await app.make.project({ client_id, ordered: 0, start_dt: '2026-03-01', end_dt: '2026-03-31' })
  await app.make.project({ client_id, parent_id: parent.id, ordered: 0, start_dt: '2026-02-01', end_dt: '2026-04-30' })
  await app.make.project({ client_id, start_dt: null, end_dt: null, survey_url: '', provider_id: null })
  await app.make.project({ client_id, parent_id: parent.id, generation: 'campaign', start_dt: null, end_dt: null })
}, 120_000)
const admin = () => app.as('admin')

const everything = async () =>
  JSON.stringify({
    projects: await app.db.selectFrom('projects').selectAll().orderBy('id').execute(),
    history: await app.db
      .selectFrom('history')
      .select((eb) => eb.fn.countAll().as('lines'))
      .execute(),
    teams: await app.db.selectFrom('team_projects').selectAll().orderBy('project_id').orderBy('team_id').execute(),
  })

describe('a record read and written back', () => {
  test.each([
    ['v3', (id: number) => `/v3/portal/projects/${id}`, () => '/v3/portal/projects'],
    ['v1', (id: number) => `/v1/campaigns/${id}`, (id: number) => `/v1/campaigns/${id}`],
    ['the older edit form', (id: number) => `/v1/campaigns/${id}`, (id: number) => `/v1/dashboard/edit-project/${id}`],
  ] as const)(
    'changes no column and writes no line, in the spelling %s',
    async (_, get, put) => {
      const before = await everything()
      const ids = await app.db.selectFrom('projects').select('id').where('deleted_at', 'is', null).orderBy('id').execute()
      expect(ids.length).toBeGreaterThan(MORE_THAN)
      for (const { id } of ids) {
        const { data } = (await admin().raw('GET', get(id))).body as unknown as { data: object }
        const answer = await admin().raw('PUT', put(id), data)
        expect([id, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([id, 200, ''])
      }
      expect(await everything()).toBe(before)
    },
    120_000,
  )
})

describe('the order of a parent', () => {
  const family = async () => {
    const parent = await app.make.project({ client_id: app.client.id, ordered: 80 })
    await app.make.project({ client_id: app.client.id, parent_id: parent.id, ordered: 2295 })
    return {
      id: parent.id,
      own: async () =>
        (await app.db.selectFrom('projects').select('ordered').where('id', '=', parent.id).executeTakeFirstOrThrow()).ordered,
    }
  }

  test('is its own as goal: reading returns what was written', async () => {
    const { id, own } = await family()
    const { data } = (await admin().call('project.edit', { id, goal: 1300 })).body
    expect(data).toMatchObject({ goal: 1300, ordered: 3595 })
    expect(await own()).toBe(1300)
    expect((await admin().call('campaign.edit', { id, goal: 70 })).body.data).toMatchObject({
      goal: 70,
      num_completed_actions: 2365,
    })
  })

  test('is the family’s as num_completed_actions: the same value changes nothing, another is refused', async () => {
    const { id, own } = await family()
    expect((await admin().call('campaign.edit', { id, num_completed_actions: 2375 })).status).toBe(200)
    const refused = await admin().call('campaign.edit', { id, num_completed_actions: 2400 })
    expect([refused.status, refused.body.fields.num_completed_actions]).toEqual([
      422,
      expect.stringContaining('is the sum of its parts'),
    ])
    expect(await own()).toBe(80)
  })

  test('may be zero, while a single project must have one', async () => {
    const { id, own } = await family()
    expect((await admin().call('project.edit', { id, goal: 0 })).status).toBe(200)
    expect(await own()).toBe(0)
    const single = await app.make.project({ client_id: app.client.id })
    expect((await admin().call('project.edit', { id: single.id, goal: 0 })).body.fields).toHaveProperty('goal')
  })

  test('a single project takes either name, and refuses two that disagree', async () => {
    const { id } = await app.make.project({ client_id: app.client.id, ordered: 100 })
    expect((await admin().call('campaign.edit', { id, num_completed_actions: 100, goal: 120 })).body.data.goal).toBe(120)
    expect((await admin().call('campaign.edit', { id, num_completed_actions: 140, goal: 120 })).body.data.goal).toBe(140)
    expect((await admin().call('campaign.edit', { id, num_completed_actions: 150, goal: 160 })).status).toBe(422)
  })
})

describe('dates of a family', () => {
  test('a parent can’t start after its children, and the message names them', async () => {
    const parent = await app.make.project({ client_id: app.client.id, start_dt: '2026-03-01', end_dt: '2026-12-31' })
    await app.make.project({
      client_id: app.client.id,
      parent_id: parent.id,
      name: 'Wave 1',
      start_dt: '2026-03-10',
      end_dt: '2026-03-20',
    })
    const refused = await admin().call('project.edit', { id: parent.id, start_dt: '2026-03-11' })
    expect([refused.status, refused.body.fields.start_dt]).toEqual([
      422,
      'A parent can\'t start after its children: "Wave 1" starts on 03/10/2026.',
    ])
    expect((await admin().call('campaign.edit', { id: parent.id, start_date: '03/11/2026' })).status).toBe(422)
    expect((await admin().call('project.edit', { id: parent.id, start_dt: '2026-03-10' })).status).toBe(200)
  })

  test('a date can’t be cleared', async () => {
    const { id } = await app.make.project({ client_id: app.client.id })
    expect((await admin().call('project.edit', { id, end_dt: null })).body.fields.end_dt).toBe('Project End Date cannot be blank')
    expect((await admin().call('campaign.edit', { id, start_date: '' })).body.fields.start_date).toBe(
      'Project Start Date cannot be blank',
    )
  })

  test('a project without an end gets 21 days after its start', async () => {
    const given = { name: 'Open end', goal: 10, client_id: app.client.id, start_dt: '2026-03-01' }
    const { data } = (await admin().call('project.create', given)).body
    expect(data.end_dt).toBe('2026-03-22')
    const late = { ...given, start_dt: '2199-12-20' }
    expect((await admin().call('project.create', late)).body.data.end_dt).toBe('2199-12-31')
  })
})
