import { beforeAll, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')

test('every call on partners is for administrators', async () => {
  const calls = [
    ['GET', '/v1/partners.json'],
    ['GET', '/v1/partners/1'],
    ['POST', '/v1/partners.json'],
    ['GET', '/v3/portal/partners/all?page=1'],
    ['GET', '/v3/portal/partners/?search='],
    ['GET', '/v3/portal/partners/getall_dropdown'],
    ['POST', '/v3/portal/partners/'],
    ['PUT', '/v3/portal/partners'],
    ['DELETE', '/v3/portal/partners/?id=1'],
  ] as const
  for (const [method, path] of calls) {
    expect((await app.as('stranger').raw(method, path, method === 'GET' ? undefined : {})).status, path).toBe(401)
    expect((await app.as('client').raw(method, path, method === 'GET' ? undefined : {})).status, path).toBe(403)
  }
})

test('a name is required, and an email, if given, must be valid', async () => {
  expect((await admin().raw('POST', '/v1/partners.json', { partner: {} })).body.fields).toEqual({ name: MESSAGES.partnerName })
  expect((await admin().call('partner.create', { name: 'Panel', email: 'not one' })).body.fields).toEqual({
    email: MESSAGES.inviteEmail,
  })
})

test('a record has both spellings', async () => {
  const { data } = (
    await admin().raw('POST', '/v1/partners.json', { partner: { name: 'Horizon Panels', email: 'Quotes@Horizon.test' } })
  ).body as unknown as { data: { id: number } }
  expect((await admin().call('partner.get', { id: data.id })).body.data).toMatchObject({
    name: 'Horizon Panels',
    email: 'quotes@horizon.test',
  })
  expect((await admin().call('partner.getOlder', { id: data.id })).body.data.company_name).toBe('Horizon Panels')
  expect((await admin().call('partner.listOlder', { search: 'horizon' })).body.data).toMatchObject({
    count: 1,
    data: [{ id: data.id }],
  })
  expect((await admin().call('partner.list', { search: 'quotes@' })).body.data.map((partner) => partner.id)).toEqual([data.id])
  expect((await admin().call('partner.dropdown')).body.data).toContainEqual({ id: data.id, name: 'Horizon Panels' })
})

test('an edit changes what is sent', async () => {
  const partner = await app.make.partner()
  expect(
    (await admin().call('partner.edit', { id: partner.id, phone: '212 555 0100', lock_version: 1 })).body.data,
  ).toMatchObject({ name: partner.name, phone: '2125550100', lock_version: 2 })
  expect((await admin().call('partner.edit', { id: partner.id, name: '' })).body.fields).toEqual({ name: MESSAGES.partnerName })
})

test('one with a pending answer can’t be deleted; afterwards it can', async () => {
  const partner = await app.make.partner()
  const project = await app.make.project({ client_id: app.client.id, status: 'pricing' })
  await app.make.assign(project.id, partner.id)
  const refused = await admin().call('partner.remove', { id: partner.id })
  expect([refused.status, refused.body.message]).toEqual([409, 'A project waits for its answer.'])
  await app.write((tx) => tx.updateTable('projects').set({ status: 'rejected' }).where('id', '=', project.id).execute())
  expect((await admin().call('partner.remove', { id: partner.id })).status).toBe(200)
  expect((await admin().call('partner.get', { id: partner.id })).status).toBe(404)
})
