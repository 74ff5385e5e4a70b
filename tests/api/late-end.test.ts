import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const DATES = { start_dt: '2031-03-01', end_dt: '2031-03-20' }
const parentOf = () => app.make.project({ client_id: app.client.id, name: 'Parent', ...DATES })
const attributes = (more: object) => ({ client_id: app.client.id, name: 'Wave', goal: 100, start_dt: '2031-03-02', ...more })

describe('an end that is allowed but worth a warning', () => {
  test('is warned of when a child is created', async () => {
    const parent = await parentOf()
    const late = await admin().call('project.create', attributes({ parent_id: parent.id, end_dt: '2031-03-25' }))
    expect([late.status, late.body.warnings]).toEqual([200, ['This ends after its parent (03/20/2031).']])
    const within = await admin().call('project.create', attributes({ parent_id: parent.id, end_dt: '2031-03-20' }))
    expect(within.body).not.toHaveProperty('warnings')
  })

  test('is warned of when a child is moved, in both spellings, and not by writes that leave it unchanged', async () => {
    const parent = await parentOf()
    const child = await app.make.project({ client_id: app.client.id, parent_id: parent.id, ...DATES })
    const moved = await admin().call('project.edit', { id: child.id, end_dt: '2031-03-21' })
    expect(moved.body.warnings).toEqual(['This ends after its parent (03/20/2031).'])
    expect((await admin().call('project.edit', { id: child.id, name: 'Renamed' })).body).not.toHaveProperty('warnings')
    const older = await app.make.project({
      client_id: app.client.id,
      generation: 'campaign',
      parent_id: (await app.make.project({ client_id: app.client.id, generation: 'campaign', ...DATES })).id,
      ...DATES,
    })
    const edited = await admin().call('campaign.edit', { id: older.id, end_date: '03/22/2031' })
    expect([edited.status, edited.body.warnings]).toEqual([200, ['This ends after its parent (03/20/2031).']])
  })

  test('is warned of when a parent is shortened below its children', async () => {
    const parent = await parentOf()
    await app.make.project({ client_id: app.client.id, parent_id: parent.id, name: 'Wave 2', ...DATES })
    const { body } = await admin().call('project.edit', { id: parent.id, end_dt: '2031-03-15' })
    expect(body.warnings).toEqual(['The child “Wave 2” ends later (03/20/2031).'])
  })
})

describe('the status of a new project', () => {
  test('may be sent as the initial one, in either spelling', async () => {
    for (const status of ['Pending', 'requirements']) {
      const made = await admin().raw('POST', '/v3/portal/projects', attributes({ end_dt: '2031-04-01', status }))
      const { ignored, data } = made.body as unknown as { ignored?: string[]; data: { status: string } }
      expect([status, made.status, ignored, data.status]).toEqual([status, 200, undefined, 'Pending'])
    }
  })
  test('is refused by name if it is another', async () => {
    const refused = await admin().raw('POST', '/v3/portal/projects', attributes({ end_dt: '2031-04-01', status: 'Active' }))
    expect([refused.status, refused.body.fields]).toEqual([422, { status: 'status must be Pending: a new project begins there' }])
    const blank = await admin().raw('POST', '/v3/portal/projects', attributes({ status: '' }))
    expect([blank.status, blank.body.fields]).toEqual([422, { status: MESSAGES.projectStatus }])
  })
})
