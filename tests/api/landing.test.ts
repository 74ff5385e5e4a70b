import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { exported } from './exporting.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const project = (given: object = {}) => app.make.project({ client_id: app.client.id, ...given })
const TEXTS = {
  survey_url: 'https://survey.test/1',
  facebook_q1_text: { question: 'Did you shop?' },
  fulcrum_q1_text: { question: 'Did you shop this week?' },
  facebook_disqualify_text: 'Thank you',
  fulcrum_disqualify_text: 'Thanks',
  facebook_landing_url: 'https://join.test/f',
  fulcrum_landing_url: '',
}

describe('a landing page', () => {
  test('is blank until saved, then returns what was saved', async () => {
    const { id } = await project({ survey_url: 'https://survey.test/own' })
    expect((await admin().call('landing.get', { cid: id })).body.data).toMatchObject({
      cid: id,
      survey_url: '',
      facebook_q1_text: { question: '' },
      fulcrum_landing_url: '',
      project_survey_url: 'https://survey.test/own',
      in_field: true,
      lock_version: 0,
    })
    const saved = await admin().call('landing.save', { cid: id, ...TEXTS })
    expect([saved.status, saved.body.message]).toEqual([200, 'Landing Page Updated'])
    expect((await admin().call('landing.get', { cid: id })).body.data).toMatchObject({ ...TEXTS, lock_version: 1 })
    await admin().call('landing.save', { cid: id, facebook_disqualify_text: 'Bye' })
    expect((await admin().call('landing.get', { cid: id })).body.data).toMatchObject({
      ...TEXTS,
      facebook_disqualify_text: 'Bye',
    })
    expect((await admin().call('undo.take', { id: Number(saved.headers['x-undo']) })).status).toBe(409)
  })

  test.each([
    'survey_url',
    'facebook_q1_text',
    'fulcrum_q1_text',
    'facebook_disqualify_text',
    'fulcrum_disqualify_text',
  ] as const)('needs %s', async (field) => {
    const { id } = await project()
    const { status, body } = await admin().call('landing.save', {
      cid: id,
      ...TEXTS,
      [field]: field.endsWith('q1_text') ? { question: ' ' } : ' ',
    })
    expect([status, body.message, body.fields]).toEqual([
      422,
      'All fields marked (*) are required.',
      { [field]: MESSAGES.landingRequired },
    ])
    expect((body as unknown as { response: string }).response).toBe('All fields marked (*) are required.')
  })

  test('accepts only web addresses', async () => {
    const { id } = await project()
    const wrong = await admin().call('landing.save', { cid: id, ...TEXTS, facebook_landing_url: 'javascript:alert(1)' })
    expect([wrong.status, wrong.body.message]).toEqual([422, 'Facebook landing URL must be a web address (https://…)'])
  })

  test('conflicts with a concurrent save, and can be undone', async () => {
    const { id } = await project()
    const first = await admin().call('landing.save', { cid: id, ...TEXTS, lock_version: 0 })
    const clash = await admin().call('landing.save', { cid: id, ...TEXTS, fulcrum_disqualify_text: 'Sorry', lock_version: 0 })
    expect([clash.status, clash.body.code]).toEqual([409, 'stale'])
    expect((clash.body as unknown as { clashes: string[] }).clashes).toEqual(['fulcrum_disqualify_text'])
    expect((await admin().call('undo.take', { id: Number(first.headers['x-undo']) })).status).toBe(200)
    expect((await admin().call('landing.get', { cid: id })).body.data).toMatchObject({ survey_url: '', lock_version: 0 })
  })

  test('is only for administrators', async () => {
    const { id } = await project()
    expect((await app.as('client').call('landing.get', { cid: id })).status).toBe(403)
    expect((await app.as('client').call('landing.save', { cid: id, ...TEXTS })).status).toBe(403)
    expect((await admin().call('landing.get', { cid: 999_999 })).status).toBe(404)
  })
})

describe('a project’s audience', () => {
  const rows = async (projectId: number) => (await admin().call('audience.get', { projectId })).body.data.rows
  test('is disabled at first, then as switched, with when and by whom', async () => {
    const { id } = await project()
    expect((await admin().call('audience.get', { projectId: id })).body.data).toMatchObject({
      facebook_active: 0,
      fulcrum_active: 0,
      active: 0,
      lock_version: 0,
    })
    const { body } = await admin().call('audience.edit', { projectId: id, fulcrum_active: 1 })
    expect(body.message).toBe('Fulcrum enabled.')
    expect(await rows(id)).toMatchObject([
      { field: 'facebook_active', name: 'Facebook', active: 0, changed_at: null, changed_by_name: '' },
      { field: 'fulcrum_active', name: 'Fulcrum', active: 1, changed_at: expect.any(String), changed_by_name: 'Ada Admin' },
      { field: 'active', name: 'Audience as a whole', active: 0 },
    ])
    const again = await admin().call('audience.edit', { projectId: id, fulcrum_active: 1 })
    expect([again.body.message, again.body.data.lock_version]).toEqual(['Nothing changed.', 1])
  })

  test('says which offers run in a channel and whether its landing page is ready', async () => {
    const { id } = await project()
    for (const [channel, status] of [
      ['facebook', 'running'],
      ['facebook', 'running'],
      ['fulcrum', 'ended'],
    ] as const)
      await app.make.offer({ project_id: id, channel, status })
    await app.make.landing({ project_id: id, fulcrum_disqualify_text: '' })
    expect(await rows(id)).toMatchObject([
      { running_offers: 2, landing_ready: true },
      { running_offers: 0, landing_ready: false },
      { running_offers: 2, landing_ready: false },
    ])
  })

  test('conflicts with a concurrent switch, and can be undone', async () => {
    const { id } = await project()
    await admin().call('audience.edit', { projectId: id, facebook_active: 1, lock_version: 0 })
    const clash = await admin().call('audience.edit', { projectId: id, facebook_active: 0, lock_version: 0 })
    expect([clash.status, clash.body.code]).toEqual([409, 'stale'])
    const off = await admin().call('audience.edit', { projectId: id, facebook_active: 0, lock_version: 1 })
    expect(off.body.message).toBe('Facebook disabled.')
    const was = (await rows(id))[0]
    expect(was).toMatchObject({ active: 0 })
    await admin().call('undo.take', { id: Number(off.headers['x-undo']) })
    expect((await rows(id))[0]).toMatchObject({ active: 1 })
  })

  test('is only for administrators', async () => {
    const { id } = await project()
    expect((await app.as('client').call('audience.get', { projectId: id })).status).toBe(403)
    expect((await app.as('client').call('audience.edit', { projectId: id, active: 1 })).status).toBe(403)
    expect((await admin().call('audience.get', { projectId: 999_999 })).status).toBe(404)
  })
})

describe('offers', () => {
  async function offered() {
    const { id } = await project()
    const make = (name: string, given: object) => app.make.offer({ project_id: id, name, ...given })
    await make('Old', { status: 'ended', starts: '2026-01-01', ends: '2026-02-01', amount_cents: 900 })
    await make('Later', { status: 'scheduled', starts: '2026-12-01', channel: 'fulcrum' })
    await make('Now two', { status: 'running', starts: '2026-10-02', amount_cents: 300 })
    await make('Now one', { status: 'running', starts: '2026-10-01', amount_cents: 200, channel: 'fulcrum' })
    return id
  }
  test('are listed running first, then by start, with their average', async () => {
    const id = await offered()
    const { body } = await admin().call('offer.list', { id })
    expect(body.data.map(({ name }) => name)).toEqual(['Now one', 'Now two', 'Later', 'Old'])
    expect(body).toMatchObject({ count: 4, running: 2, average_cents: 250, disabled: ['facebook', 'fulcrum'] })
    expect(body.data[0]).toMatchObject({ amount: 2, channel: 'fulcrum', starts: '2026-10-01', ends: null, status: 'running' })
    await admin().call('audience.edit', { projectId: id, fulcrum_active: 1 })
    expect((await admin().call('offer.list', { id })).body.disabled).toEqual(['facebook'])
  })
  test('can be filtered by name, channel and status, and exported', async () => {
    const id = await offered()
    const names = async (input: object) => (await admin().call('offer.list', { id, ...input })).body.data.map(({ name }) => name)
    expect(await names({ search: 'now' })).toEqual(['Now one', 'Now two'])
    expect(await names({ channel: 'fulcrum' })).toEqual(['Now one', 'Later'])
    expect(await names({ status: 'ended' })).toEqual(['Old'])
    expect(await names({ column: 'amount_cents', order: 'desc' })).toEqual(['Old', 'Now two', 'Later', 'Now one'])
    const { text } = await exported(app, admin(), 'offers', { id, status: 'running' })
    expect(text.trimEnd().split('\r\n').slice(1)).toHaveLength(2)
    expect(text).toContain('Now one,Fulcrum,2,2026-10-01,,Running')
  })
  test('are only for administrators', async () => {
    const id = await offered()
    expect((await app.as('client').call('offer.list', { id })).status).toBe(403)
    expect((await admin().call('offer.list', { id: 999_999 })).status).toBe(404)
    const [first] = (await admin().call('offer.list', { id })).body.data
    expect((await admin().call('offer.get', { id: first!.id })).body.data).toEqual(first)
  })
})
