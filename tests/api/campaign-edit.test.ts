import { beforeAll, describe, expect, test } from 'vitest'
import { activity, file } from '../support/writeExamples.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const campaign = (given: object = {}) => app.make.project({ client_id: app.client.id, generation: 'campaign', ...given })
const detail = async (id: number) => (await admin().call('campaign.get', { id })).body.data
const history = (project_id: number) =>
  app.db.selectFrom('history').selectAll().where('project_id', '=', project_id).orderBy('id').execute()

async function targeted() {
  const { id } = await campaign()
  const made = await activity(app, id)
  await app.make.target({ activity_id: made.id, age: '2,3', gender: 'male', targeted_locations: '501' })
  return id
}

describe('the audience in a v1 edit', () => {
  const SENT: [string, unknown, string][] = [
    ['age_range', '4,5', '4,5'],
    ['gender', ['male', 'female'], 'male,female'],
    ['gender', 'all', ''],
    ['hhi_range', '0,1', '0,1'],
    ['ethnicity_range', 'white,asian', 'white,asian'],
    ['marital_status_range', 'single', 'single'],
    ['presence_of_children_range', '0,1', '0,1'],
    ['targeted_location', '501,803', '501,803'],
    ['location_based_ind', 'yes', 'yes'],
    ['campaign_type', 'Content', 'Content'],
  ]
  test.each(SENT)('%s is changed', async (field, sent, reads) => {
    const id = await targeted()
    for (const call of ['campaign.editProject', 'campaign.edit'] as const) {
      const answer = await admin().call(call, { id, [field]: sent })
      expect(answer.status, answer.text).toBe(200)
      expect((answer.body.data as Record<string, unknown>)[field]).toBe(reads)
    }
    expect(((await detail(id)) as Record<string, unknown>)[field]).toBe(reads)
  })

  test('is accepted under the older forms’ names too', async () => {
    const id = await targeted()
    const fields = { hhi: '2', ethnicity: 'hispanic', marital: 'married', targeted_location: [{ id: 803 }, { id: 501 }] }
    expect((await admin().call('campaign.editProject', { id, ...fields })).status).toBe(200)
    expect(await detail(id)).toMatchObject({
      hhi_range: '2',
      ethnicity_range: 'hispanic',
      marital_status_range: 'married',
      targeted_location: '803,501',
    })
  })

  test('raises the target’s version and the project’s lock, and adds a line of history', async () => {
    const id = await targeted()
    const before = await detail(id)
    await admin().call('campaign.editProject', { id, age_range: '6', lock_version: before.lock_version })
    const target = await app.db
      .selectFrom('targets')
      .innerJoin('activities', 'activities.id', 'activity_id')
      .selectAll('targets')
      .where('project_id', '=', id)
      .executeTakeFirstOrThrow()
    expect([target.age, target.version, (await detail(id)).lock_version]).toEqual(['6', 2, before.lock_version + 1])
    expect((await history(id)).at(-1)).toMatchObject({
      subject: 'target',
      action: 'campaign.editProject',
      before: '{"age":"2,3"}',
      after: '{"age":"6"}',
    })
    const stale = await admin().call('campaign.editProject', { id, age_range: '7', lock_version: before.lock_version })
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
    expect((await detail(id)).age_range).toBe('6')
  })

  test('is created for a campaign without one', async () => {
    const { id } = await campaign()
    await admin().call('campaign.editProject', { id, age_range: '2', gender: 'female' })
    expect(await detail(id)).toMatchObject({ age_range: '2', gender: 'female' })
  })

  test('with an unknown value is refused by field name, and nothing is written', async () => {
    const id = await targeted()
    const before = await detail(id)
    for (const [field, value] of [
      ['age_range', '77'],
      ['gender', 'robot'],
      ['targeted_location', '1'],
      ['location_based_ind', 'perhaps'],
      ['campaign_type', 'Movie'],
      ['children', '0,1'],
    ] as const) {
      const answer = await admin().call('campaign.editProject', { id, name: 'Half', [field]: value })
      expect([answer.status, Object.keys(answer.body.fields)], field).toEqual([422, [field]])
    }
    const torn = await admin().call('campaign.editProject', { id, hhi: '1', hhi_range: '2' })
    expect([torn.status, Object.keys(torn.body.fields)]).toEqual([422, ['hhi']])
    expect({ ...(await detail(id)), lock_version: 0 }).toEqual({ ...before, lock_version: 0 })
  })
})

describe('files written with their campaign', () => {
  test('contents: an upload is added by its id or its link, another is removed', async () => {
    const { id } = await campaign()
    const old = await file(app, { project_id: id })
    const [one, two] = [await file(app), await file(app)]
    const url = (await admin().call('file.link', { id: two.id })).body.data.url
    const contents = [{ id: old.id, _destroy: true }, { id: one.id }, { url }]
    const answer = await admin().call('campaign.edit', { id, campaign_contents_attributes: contents })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.data.campaign_contents_attributes.map((content) => content.id)).toEqual([one.id, two.id])
    expect(
      (await history(id))
        .filter((line) => line.subject === 'file')
        .map((line) => line.subject_id)
        .sort(),
    ).toEqual([old.id, one.id, two.id].sort())
  })

  test('contents at a foreign address or of another project are refused by name', async () => {
    const { id } = await campaign()
    const foreign = await file(app, { project_id: (await campaign()).id })
    const elsewhere = [{ url: 'https://elsewhere.test/a.png' }]
    const answer = await admin().call('campaign.edit', { id, campaign_contents_attributes: elsewhere })
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ['campaign_contents_attributes.0.url']])
    const taken = await admin().call('campaign.edit', { id, campaign_contents_attributes: [{ id: foreign.id }] })
    expect(taken.status).toBe(409)
    const gone = await admin().call('campaign.edit', { id, campaign_contents_attributes: [{ id: foreign.id, _destroy: 1 }] })
    expect([gone.status, Object.keys(gone.body.fields)]).toEqual([422, ['campaign_contents_attributes.0.id']])
  })

  test('signed documents: added and removed with the project, but the last one stays', async () => {
    const { id } = await app.make.project({ client_id: app.client.id })
    const first = await file(app, { project_id: id, kind: 'docsign' })
    const signed = async () =>
      (await admin().call('project.get', { id })).body.data.files.filter((one) => one.kind === 'docsign').map((one) => one.id)
    const edit = (items: object) =>
      admin().raw('PUT', '/v3/portal/projects', { project: { id, project_docsigns_attributes: items } })
    const last = await edit([{ id: first.id, _destroy: true }])
    expect([last.status, last.body.message]).toEqual([409, 'The last signed document cannot be removed.'])
    const second = await file(app, { kind: 'document' })
    expect((await edit([{ id: second.id }])).status).toBe(200)
    expect(await signed()).toEqual([first.id, second.id])
    const third = await file(app)
    expect(
      (await edit({ 0: { id: first.id, _destroy: '1' }, 1: { id: second.id, _destroy: '1' }, 2: { id: third.id } })).status,
    ).toBe(200)
    expect(await signed()).toEqual([third.id])
  })
})
