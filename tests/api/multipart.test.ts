import { beforeAll, describe, expect, test } from 'vitest'
import { type CallId, calls } from '../../contract/calls.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { formOf, inStore } from './uploading.ts'

let app: Fieldwork
let project: number
let activity: number
beforeAll(async () => {
  app = await fieldwork()
  project = (await app.make.project({ client_id: app.client.id })).id
  activity = (await app.make.activity({ project_id: project })).id
})

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64)])
const LIST = Buffer.from('Email,Amount\nmaya@example.test,5\n')
const VENUES = Buffer.from('Code,DMA\nA1,501\n')
const MAP = Buffer.from('[{"name":"Age","answer_type":"open"}]')

type Form = [path: string, name: string, content: Buffer, fields: () => Record<string, string | number>, method?: 'POST' | 'PUT']
const EVENT = { 'event[location]': 'Market Hall' }
const INFORMATION = { 'promo[information]': 'Half price' }
/** TABLE  the call, and a form that needs its fields. */
const FORMS: Partial<Record<CallId, Form>> = {
  'file.upload': ['/v3/portal/files', 'a.png', PNG, () => ({ project_id: project, asset_type: 'Creative Assets' })],
  'file.uploadDocument': ['/v3/portal/documents', 'map.json', MAP, () => ({ asset_type: 'Survey Document' })],
  'content.import': [`/v3/portal/activities/{id}/content`, 'b.png', PNG, () => ({ external_id: 'after', dry: 1 })],
  'reward.upload': ['/v3/rewards/redeem/file', 'people.csv', LIST, () => ({ project_id: project, dry: 1 })],
  'service.readVenues': ['/v3/portal/visitation/venues/file', 'venues.csv', VENUES, () => ({ heading_line: 1 })],
  'event.edit': ['/v1/events/{id}', 'event.png', PNG, () => EVENT, 'PUT'],
  'promo.edit': ['/v1/promos/{id}', 'promo.png', PNG, () => INFORMATION, 'PUT'],
  'post.edit': ['/v1/contents/{id}', 'post.png', PNG, () => ({ 'content[content_type]': 'picture' }), 'PUT'],
  'campaign.create': [
    '/v1/campaigns',
    'brief.png',
    PNG,
    () => ({ 'campaign[name]': 'Autumn', 'campaign[client_id]': app.client.id, 'campaign[start_dt]': '12/01/2026' }),
  ],
}
const send = async ([path, name, content, fields, method = 'POST']: Form, after: boolean, more = {}) => {
  const { body, type } = await formOf([[name, content]], { ...fields(), ...more }, { after })
  return app.as('admin').raw(method, path.replace('{id}', String(activity)), body, { 'content-type': type })
}

describe('a multipart call', () => {
  test.each(Object.entries(FORMS))('%s takes fields behind its file as it does before it', async (_, form) => {
    const [before, after] = [await send(form, false), await send(form, true)]
    expect([after.status, after.body.message]).toEqual([before.status, before.body.message])
    expect(Object.keys(after.body)).toEqual(Object.keys(before.body))
    // A dry run says so, wherever its field is.
    const marks = [before, after].map(({ headers, body }) => [headers['fieldwork-dry'], (body as { dry?: true }).dry])
    const mark = 'dry' in form[3]() ? ['1', true] : [undefined, undefined]
    expect(marks).toEqual([mark, mark])
  })
  test('is in this list, whichever it is', () => {
    const all = Object.entries(calls).filter(([, call]) => call.as === 'multipart')
    expect(Object.keys(FORMS).sort()).toEqual(all.map(([id]) => id).sort())
  })
  test('says what is wrong with fields behind its file, and keeps nothing', async () => {
    const before = inStore(app)
    const { body, type } = await formOf([['people.csv', LIST]], { project_id: 'none' }, { after: true })
    const refused = await app.as('admin').raw('POST', '/v3/rewards/redeem/file', body, { 'content-type': type })
    expect([refused.status, Object.keys(refused.body.fields!)]).toEqual([422, ['project_id']])
    // Only a form that says so takes JSON.
    const [path] = FORMS['file.uploadDocument']!
    const other = await formOf([['map.json', MAP]], { asset_type: 'Creative Assets' }, { after: true })
    expect((await app.as('admin').raw('POST', path, other.body, { 'content-type': other.type })).status).toBe(422)
    expect(inStore(app)).toBe(before)
  })
  test('refuses a field of other bytes than UTF-8, by which two ids would become one', async () => {
    const before = inStore(app)
    const [path, name, content, fields] = FORMS['content.import']!
    for (const byte of ['\xe9', '\xe8']) {
      const { body, type } = await formOf([[name, content]], { ...fields(), external_id: 'z?' })
      const sent = Buffer.from(body.toString('latin1').replace('z?', `z${byte}`), 'latin1')
      const refused = await app.as('admin').raw('POST', path.replace('{id}', String(activity)), sent, { 'content-type': type })
      expect([refused.status, refused.body.message]).toEqual([422, 'external_id is not UTF-8'])
    }
    expect(inStore(app)).toBe(before)
    const plain = await app.as('admin').raw('POST', '/v3/portal/clients', Buffer.from('name=Caf%E9'), {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect([plain.status, plain.body.message]).toEqual([422, 'name is not UTF-8'])
  })
})
