import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../contract/pacing.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const client = () => app.as('client')

describe('who sees a project', () => {
  test('a client user sees a project of their client that has no team', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    expect((await client().call('project.get', { id: project.id })).status).toBe(200)
  })

  test('a team hides the project from the client’s other users', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    await app.make.team({ client_id: app.client.id, projects: [project.id] })
    expect((await client().call('project.get', { id: project.id })).status).toBe(404)
  })

  test('members of the team, and its requester, see it', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    await app.make.team({ client_id: app.client.id, projects: [project.id], users: [app.member.id] })
    const own = await app.make.project({ client_id: app.client.id, requested_by: app.member.id })
    await app.make.team({ client_id: app.client.id, projects: [own.id] })
    expect((await client().call('project.get', { id: project.id })).status).toBe(200)
    expect((await client().call('project.get', { id: own.id })).status).toBe(200)
  })

  test('its requester no longer sees it after leaving its client', async () => {
    const left = await app.make.project({ client_id: (await app.make.client()).id, requested_by: app.member.id })
    const child = await app.make.project({ client_id: left.client_id, parent_id: left.id })
    for (const { id } of [left, child]) expect((await client().call('project.get', { id })).status).toBe(404)
  })

  test('a child inherits its parent’s team unless it has one of its own', async () => {
    const parent = await app.make.project({ client_id: app.client.id })
    await app.make.team({ client_id: app.client.id, projects: [parent.id], users: [app.member.id] })
    const child = await app.make.project({ client_id: app.client.id, parent_id: parent.id })
    const other = await app.make.project({ client_id: app.client.id, parent_id: parent.id })
    await app.make.team({ client_id: app.client.id, projects: [other.id] })
    expect((await client().call('project.get', { id: child.id })).status).toBe(200)
    expect((await client().call('project.get', { id: other.id })).status).toBe(404)
  })

  test('another client’s project is hidden, in every list and by id', async () => {
    const foreign = await app.make.project({ client_id: (await app.make.client()).id, name: 'Foreign secret' })
    const list = await client().call('project.list', { search: 'Foreign secret' })
    expect(list.body.count).toBe(0)
    expect((await client().call('project.get', { id: foreign.id })).status).toBe(404)
    expect((await client().call('project.history', { id: foreign.id })).status).toBe(404)
  })
})

describe('the lists', () => {
  test('each shows its own generation, and all spellings of the path are one call', async () => {
    await app.make.project({ client_id: app.client.id, generation: 'campaign', name: 'Older one' })
    for (const path of [
      '/v1/campaigns?sort=all&search=Older',
      '/v1/campaigns.json?search=Older',
      '/v1/campaigns/?search=Older',
    ]) {
      const { body } = await admin().raw('GET', path)
      expect((body as unknown as { data: { count: number } }).data.count, path).toBe(1)
    }
    expect((await admin().call('project.listAll', { search: 'Older one' })).body.count).toBe(0)
  })

  test('children are listed under their parent, whose pacing covers both', async () => {
    const today = app.make.today()
    const dates = { start_dt: addDays(today, -4), end_dt: addDays(today, 5) }
    const parent = await app.make.project({ client_id: app.client.id, name: 'Family', ...dates })
    await app.make.project({ client_id: app.client.id, parent_id: parent.id, ordered: 100, delivered: 20, ...dates })
    await app.make.project({ client_id: app.client.id, parent_id: parent.id, ordered: 300, delivered: 130, ...dates })
    const [row] = (await admin().call('project.list', { search: 'Family' })).body.data
    expect(row!.children).toHaveLength(2)
    expect(row).toMatchObject({ ordered: 500, delivered: 150, pacing: 60, pacing_color: 'Orange' })
  })

  test('a wrong status or sort column is refused by name', async () => {
    expect((await admin().call('project.list', { status: 'nonsense' })).body.fields).toHaveProperty('status')
    expect((await admin().call('project.list', { column: 'secret' })).body.fields).toHaveProperty('column')
  })

  test('sorting by pacing orders all matches across pages', async () => {
    const made = await app.make.client({ name: 'Sorters' })
    for (const delivered of [10, 90, 50]) await app.make.project({ client_id: made.id, delivered, name: `Sorted ${delivered}` })
    const { body } = await admin().call('project.list', { client: made.id, column: 'pacing', order: 'desc', per_page: 2 })
    expect(body.data.map((row) => row.delivered)).toEqual([90, 50])
    expect(body.count).toBe(3)
  })
})

describe('changing a project', () => {
  test('records who changed what in the history, and raises the version', async () => {
    const project = await app.make.project({ client_id: app.client.id, name: 'Before' })
    const { body } = await admin().call('project.edit', { id: project.id, name: 'After', lock_version: 1 })
    expect(body.data).toMatchObject({ name: 'After', lock_version: 2 })
    const history = (await admin().call('project.history', { id: project.id })).body.data
    expect(history[0]).toMatchObject({
      who: 'Ada Admin',
      before: { name: 'Before' },
      after: { name: 'After' },
      action: 'project.edit',
    })
  })

  test('a stale write returns 409 with both versions and the conflicting fields', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    await admin().call('project.edit', { id: project.id, name: 'First', lock_version: 1 })
    const second = await admin().call('project.edit', { id: project.id, name: 'Second', lock_version: 1 })
    expect(second.status).toBe(409)
    expect(second.body).toMatchObject({ code: 'stale', clashes: ['name'], theirs: { name: 'First' }, mine: { name: 'Second' } })
  })

  test('start after end is refused in the specification’s words', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    const answer = await admin().call('project.edit', { id: project.id, start_dt: '2026-03-10', end_dt: '2026-03-01' })
    expect(answer.status).toBe(422)
    expect(answer.body.message).toBe('Start Date has to be before End Date.')
    expect(answer.body.fields).toEqual({
      start_dt: 'Start Date has to be before End Date.',
      end_dt: 'Please check Start and End dates',
    })
  })

  test('changing the client removes the team', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    await app.make.team({ client_id: app.client.id, projects: [project.id] })
    const other = await app.make.client()
    const { body } = await admin().call('project.edit', { id: project.id, client_id: other.id })
    expect(body.data.teams).toEqual([])
  })

  test('a client user cannot', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    expect((await client().call('project.edit', { id: project.id, name: 'Mine' })).status).toBe(403)
  })
})

describe('the order of statuses', () => {
  test('from request to field, each step by its guard', async () => {
    const project = await app.make.project({
      client_id: app.client.id,
      status: 'requirements',
      cost_cents: null,
      requested_by: app.member.id,
    })
    const partner = await app.make.partner()
    const status = async () => (await admin().call('project.get', { id: project.id })).body.data.stored_status
    expect((await admin().call('project.setStatus', { id: project.id, status: 'OnQuote' })).status).toBe(409)
    await admin().call('project.assignPartner', { project_id: project.id, partner_id: partner.id })
    expect(await status()).toBe('pricing')
    await admin().call('project.setCost', { id: project.id, cost: 1250.5 })
    expect(await status()).toBe('submit_approval')
    const unsent = await client().call('project.approve', { project_id: project.id, status: 'QuoteApproved' })
    expect([unsent.status, unsent.body.message]).toEqual([409, "It can't be approved: no quote has been sent yet."])
    await admin().call('project.notifyCostNow', { id: project.id })
    expect((await client().call('project.approve', { project_id: project.id, status: 'QuoteApproved' })).status).toBe(200)
    expect(await status()).toBe('approved')
    const live = await admin().call('project.goLive', { id: project.id })
    expect(live.body.message).toBe('Project is Live')
    expect(await status()).toBe('active')
  })

  test('a transition outside the order returns 409 with the allowed ones', async () => {
    const project = await app.make.project({ client_id: app.client.id, status: 'requirements' })
    const answer = await admin().call('project.setStatus', { id: project.id, status: 'reporting' })
    expect(answer.status).toBe(409)
    expect(answer.body.allowed).toEqual(['Rejected'])
  })

  test('an administrator forces a status with a reason, kept in the history', async () => {
    const project = await app.make.project({ client_id: app.client.id, status: 'requirements' })
    expect(
      (await admin().call('project.setStatus', { id: project.id, status: 'completed', force: true })).body.fields,
    ).toHaveProperty('reason')
    await admin().call('project.setStatus', { id: project.id, status: 'completed', force: true, reason: 'closed by phone' })
    const [last] = (await admin().call('project.history', { id: project.id })).body.data
    expect(last).toMatchObject({ reason: 'Forced: closed by phone', after: { status: 'completed' } })
  })

  test('forcing never skips a guard on data: without an end date nothing goes live', async () => {
    const project = await app.make.project({ client_id: app.client.id, status: 'requirements', end_dt: null })
    const answer = await admin().call('project.setStatus', { id: project.id, status: 'active', force: true, reason: 'now' })
    expect(answer.status).toBe(409)
    expect(answer.body.message).toContain('no end date')
  })

  test('rejecting the quote opens a new round with the same partners', async () => {
    const project = await app.make.project({ client_id: app.client.id, status: 'submit_approval' })
    await app.make.assign(project.id, (await app.make.partner({ name: 'Panel Services' })).id)
    const { body } = await client().call('project.reject', { project_id: project.id, status: 'OnQuote', reason: 'too dear' })
    expect(body.data).toMatchObject({ stored_status: 'pricing', quote_round: 2 })
    expect((await admin().call('project.get', { id: project.id })).body.data.partners).toEqual([
      { id: expect.any(Number), name: 'Panel Services' },
    ])
  })

  test('an expired quote cannot be approved', async () => {
    const project = await app.make.project({
      client_id: app.client.id,
      status: 'submit_approval',
      quote_valid_until: '2020-01-01',
    })
    const answer = await client().call('project.approve', { project_id: project.id })
    expect(answer.body.message).toContain('expired')
  })

  test('the record lists allowed actions, and why others aren’t', async () => {
    const project = await app.make.project({ client_id: app.client.id, status: 'submit_approval' })
    const { data } = (await admin().call('project.get', { id: project.id })).body
    expect(data.allowed_actions).toContain('project.approve')
    expect(data.refused_actions['project.goLive']).toBe('it is pending: only an approved project goes live')
  })
})

describe('cloning', () => {
  test('copies deep: children, activities, targets, surveys with questions; not the results', async () => {
    const parent = await app.make.project({ client_id: app.client.id, name: 'Tracker', delivered: 50 })
    await app.make.project({ client_id: app.client.id, parent_id: parent.id, name: 'Wave' })
    await app.make.survey({ project_id: parent.id })
    const activity = await app.make.activity({ project_id: parent.id, name: 'A' })
    const survey = await app.make.survey({ project_id: parent.id, activity_id: activity.id })
    await app.make.question({ survey_id: survey.id, name: 'Q1' })
    await app.make.note({ project_id: parent.id, note: 'private', author_id: app.admin.id })
    const { body } = await admin().call('project.clone', { id: parent.id })
    const copy = (await admin().call('project.get', { id: body.data.project_id })).body.data
    expect(copy).toMatchObject({ name: 'Tracker (copy)', stored_status: 'requirements', delivered: 0, cost_cents: null })
    expect(copy.children.map((child) => child.name)).toEqual(['Wave'])
    expect(copy.activities).toHaveLength(1)
    expect(
      (
        await app.db
          .selectFrom('questions')
          .innerJoin('surveys', 'surveys.id', 'survey_id')
          .select('questions.name')
          .where('project_id', '=', copy.id)
          .execute()
      ).map((row) => row.name),
    ).toEqual(['Q1'])
    expect((await admin().call('note.list', { id: copy.id })).body.count).toBe(0)
  })
})
