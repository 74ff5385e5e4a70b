import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')

describe('the quote flow', () => {
  test('assigning the same partner twice is reported, not repeated', async () => {
    const project = await app.make.project({ client_id: app.client.id, status: 'pricing' })
    const partner = await app.make.partner({ name: 'Twice Panel' })
    expect((await admin().call('project.assignPartner', { project_id: project.id, partner_id: partner.id })).status).toBe(200)
    const again = await admin().call('project.assignPartner', { project_id: project.id, partner_id: partner.id })
    expect(again.status).toBe(409)
    expect(again.body.message).toContain('Twice Panel is invited already')
  })

  test('an unknown partner is refused by name', async () => {
    const project = await app.make.project({ client_id: app.client.id, status: 'pricing' })
    expect(
      (await admin().call('project.assignPartner', { project_id: project.id, partner_id: 424_242 })).body.fields,
    ).toHaveProperty('partner_id')
  })

  test('the partner’s mail carries a signed link that opens the partner’s calls', async () => {
    const project = await app.make.project({ client_id: app.client.id, status: 'pricing', name: 'Emailed' })
    const partner = await app.make.partner()
    await app.make.assign(project.id, partner.id)
    await admin().call('project.mailPartnerNow', { project_id: project.id, partner_id: partner.id })
    const mail = await app.db.selectFrom('mails').selectAll().where('to_address', '=', partner.email).executeTakeFirstOrThrow()
    const token = /token=([\w.~-]+)/.exec(mail.body)![1]!
    expect(app.services.secrets.open('partner', token, new Date())).toBe(`${project.id}:${partner.id}:1:1`)
    expect(app.services.secrets.open('partner', token, new Date(Date.now() + 15 * 86_400_000))).toBeNull()
  })

  test('clients never see a partner or a partner’s price', async () => {
    const project = await app.make.project({ client_id: app.client.id, status: 'submit_approval' })
    const partner = await app.make.partner()
    await app.make.assign(project.id, partner.id)
    expect((await app.as('client').call('project.get', { id: project.id })).body.data.partners).toEqual([])
    expect((await app.as('client').call('project.proffers', { id: project.id })).status).toBe(403)
  })

  test('an administrator approves on the client’s behalf with a note', async () => {
    const project = await app.make.project({ client_id: app.client.id, status: 'submit_approval' })
    expect((await admin().call('project.approve', { project_id: project.id })).body.fields).toHaveProperty('reason')
    expect((await admin().call('project.approve', { project_id: project.id, reason: 'by phone' })).body.data.stored_status).toBe(
      'approved',
    )
  })

  test('a client withdraws their own pending project, not another’s', async () => {
    const own = await app.make.project({ client_id: app.client.id, status: 'requirements', requested_by: app.member.id })
    const other = await app.make.project({ client_id: app.client.id, status: 'requirements' })
    expect(
      (await app.as('client').call('project.reject', { project_id: own.id, status: 'Rejected', reason: 'no budget' })).status,
    ).toBe(200)
    expect(
      (await app.as('client').call('project.reject', { project_id: other.id, status: 'Rejected', reason: 'no' })).status,
    ).toBe(409)
  })

  test('a quote that a project is rejected with is rejected too', async () => {
    const project = await app.make.project({ client_id: app.client.id, requested_by: app.member.id, status: 'pricing' })
    await admin().call('project.setCost', { id: project.id, cost: 1000 })
    await app.as('client').call('project.reject', { project_id: project.id, status: 'Rejected', reason: 'no budget' })
    const quotes = app.db.selectFrom('quotes').select(['state', 'reason']).where('project_id', '=', project.id)
    expect(await quotes.orderBy('revision', 'desc').executeTakeFirst()).toEqual({ state: 'rejected', reason: 'no budget' })
  })

  test('approval is blocked when authorized is No', async () => {
    const project = await app.make.project({ client_id: app.client.id, status: 'submit_approval' })
    expect((await app.as('client').call('campaign.authorize', { campaign_id: project.id, authorized: 'No' })).status).toBe(409)
    expect((await app.as('client').call('campaign.authorize', { campaign_id: project.id, authorized: 'Yes' })).status).toBe(200)
    expect((await app.as('client').call('campaign.authorization', { id: project.id })).body.data).toMatchObject({
      approved: true,
      authorized: 'No',
    })
  })

  test('a zero cost is refused by name', async () => {
    const project = await app.make.project({ client_id: app.client.id, status: 'pricing' })
    expect((await admin().call('project.setCost', { id: project.id, cost: 0 })).body.fields).toHaveProperty('cost')
    expect((await admin().call('project.setCost', { id: project.id })).body.fields).toHaveProperty('cost')
  })
})

describe('notes', () => {
  test('are written, changed and deleted, with the specification’s words for an empty one', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    expect((await admin().call('note.create', { project_id: project.id, note: '  ' })).body.message).toBe('Note cannot be blank')
    const older = await app.make.project({ client_id: app.client.id, generation: 'campaign' })
    const blank = await admin().call('note.create', { project_id: older.id, note: '' })
    expect([blank.status, blank.body.fields.note]).toEqual([422, 'The Note cant be blank'])
    const { data } = (await admin().call('note.create', { project_id: project.id, note: 'first' })).body
    await admin().call('note.edit', { note_id: data.id, note: 'second', lock_version: 1 })
    expect((await admin().call('note.edit', { note_id: data.id, note: 'third', lock_version: 1 })).status).toBe(409)
    expect((await admin().call('note.list', { id: project.id })).body.data.map((note) => note.note)).toEqual(['second'])
    await admin().call('note.create', { project_id: project.id, note: 'half of it is 100% done' })
    const notesWith = async (search: string) => (await admin().call('note.list', { id: project.id, search })).body.count
    expect([await notesWith('100%'), await notesWith('DONE half'), await notesWith('1_0')]).toEqual([1, 1, 0])
    await admin().call('note.remove', { note_id: (await admin().call('note.list', { id: project.id })).body.data[0]!.id })
    for (const path of [`/v3/portal/projects/note/${data.id}.json`]) expect((await admin().raw('DELETE', path)).status).toBe(200)
    expect((await admin().call('note.list', { id: project.id })).body.count).toBe(0)
  })

  test('are changed and deleted only through their own project', async () => {
    const [project, other] = [1, 2].map(() => app.make.project({ client_id: app.client.id }))
    const { id } = await project!
    const project_id = (await other!).id
    const note_id = (await admin().call('note.create', { project_id: id, note: 'as it was' })).body.data.id
    for (const answer of [
      await admin().call('note.edit', { note_id, project_id, note: 'changed' }),
      await admin().call('note.remove', { note_id, project_id }),
    ])
      expect([answer.status, answer.body.fields]).toEqual([422, { project_id: 'project_id is not the project of this note' }])
    expect((await admin().call('note.list', { id })).body.data.map((note) => note.note)).toEqual(['as it was'])
  })
})

describe('a project request', () => {
  const form = () => ({
    client_id: app.client.id,
    name: 'Snack Tracker',
    goal: 300,
    start_dt: '2026-12-01',
    activity_type: 'survey',
    url: 'https://survey.test/s',
    location_based: 'yes',
    age: ['2', '3', '-1'],
    gender: ['female'],
    requirements: 'Ask kindly',
    partner_id: 600,
  })

  test('creates project, activity, target, survey, note and reward in one transaction', async () => {
    const { status, body } = await app.as('client').call('request.create', form() as never)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ stored_status: 'requirements', goal: 300, end_dt: '2026-12-22' })
    expect(body.data.activities[0]).toMatchObject({
      activity_type: 'survey',
      action_type: 'nothing',
      target: { age: '2,3', gender: 'female', version: 1 },
    })
    expect(body.data.surveys).toHaveLength(1)
    expect((await admin().call('note.list', { id: body.data.id })).body.data[0]).toMatchObject({ note: 'Ask kindly' })
    expect((await admin().call('reward.ofProject', { id: body.data.id })).body.count).toBe(1)
  })

  test('ends on the last possible day, if three weeks go beyond it', async () => {
    const { body } = await app.as('client').call('request.create', { ...form(), start_dt: '2199-12-20' } as never)
    expect(body.data.end_dt).toBe('2199-12-31')
  })

  test('leaves nothing behind when one part fails', async () => {
    const before = await app.db
      .selectFrom('projects')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const answer = await app.as('client').call('request.create', { ...form(), file_ids: [424_242] } as never)
    expect(answer.body.fields).toHaveProperty('file_ids')
    const after = await app.db
      .selectFrom('projects')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(after).toEqual(before)
  })

  test.each([
    ['without an age', { age: [] }, 'age'],
    ['without a gender', { gender: [] }, 'gender'],
    ['without a market where it is not location based', { location_based: 'no' }, 'targeted_locations'],
    ['a photo project without an action type', { activity_type: 'photo', file_ids: [1] }, 'action_type'],
    ['a social project without a file', { activity_type: 'social' }, 'file_ids'],
    ['with a start after its end', { end_dt: '2026-11-01' }, 'start_dt'],
    ['for another’s client', { client_id: 424_242 }, 'client_id'],
    ['without a goal', { goal: '' }, 'goal'],
    ['a survey with neither URL nor file', { url: '' }, 'url'],
    ['with an unknown market', { targeted_locations: ['1'] }, 'targeted_locations'],
    ['an amount without the provider that pays it', { partner_id: 1, reward_amount_cents: 2000 }, 'reward_amount_cents'],
    ['an amount that the provider doesn’t pay', { partner_id: 600, reward_amount_cents: 777 }, 'reward_amount_cents'],
  ])('%s is refused by name', async (_, patch, field) => {
    const answer = await app.as('client').call('request.create', { ...form(), ...patch } as never)
    expect(answer.status).toBe(422)
    expect(answer.body.fields).toHaveProperty(field)
  })

  test('starting before the parent is refused in the specification’s words', async () => {
    const parent = await app.make.project({ client_id: app.client.id, start_dt: '2026-12-10', end_dt: '2026-12-20' })
    const answer = await app.as('client').call('request.create', { ...form(), parent_id: parent.id } as never)
    expect(answer.body.message).toBe('Start Date cant be before Star Date from Parent Campaign. (12/10/2026)')
  })
})

test('an approved survey project goes live only with an address, a survey link or a document', async () => {
  const goesLive = async (survey_url: string, given?: 'link' | 'document' | 'photo') => {
    const { id } = await app.make.project({ client_id: app.client.id, status: 'approved', survey_url })
    if (given === 'link') await app.make.survey({ project_id: id, survey_link: 'https://survey.test/2' })
    if (given === 'document' || given === 'photo') {
      const asset_type = given === 'document' ? 'Survey Document' : 'Photo'
      await app.make.file({ project_id: id, asset_type, original_name: 'a.txt', mime: 'text/plain' })
    }
    const { data } = (await app.as('admin').call('project.get', { id })).body
    return data.refused_actions['project.goLive'] ?? 'it can'
  }
  const missing = 'it has no survey URL or file'
  expect(await goesLive('')).toBe(missing)
  expect(await goesLive('', 'photo')).toBe(missing)
  expect(await goesLive('https://survey.test/1')).toBe('it can')
  expect(await goesLive('', 'link')).toBe('it can')
  expect(await goesLive('', 'document')).toBe('it can')
})
