import { beforeAll, describe, expect, test } from 'vitest'
import { isApi } from '../../server/http/addresses.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const group = async (client_id: number, name: string) => (await app.make.group({ client_id, name })).id

describe('a name that must differ among siblings', () => {
  test('is refused with a message for a second client or partner, ignoring case and spaces', async () => {
    await admin().call('client.create', { name: 'Zenith Foods' })
    const client = await admin().call('client.create', { name: ' zenith  FOODS ' })
    expect([client.status, client.body.fields]).toEqual([422, { name: 'There is a client called “Zenith Foods” already.' }])
    await admin().call('partner.create', { name: 'Panel One' })
    const partner = await admin().call('partner.create', { name: 'panel one' })
    expect([partner.status, partner.body.fields]).toEqual([422, { name: 'A partner named Panel One exists' }])
  })

  test('is refused when something is renamed to it, and free again once its owner is deleted', async () => {
    const taken = await app.make.client({ name: 'Kept Foods' })
    const other = await app.make.client({ name: 'Other Foods' })
    expect((await admin().call('client.edit', { id: other.id, name: 'kept foods' })).status).toBe(422)
    expect((await admin().call('client.edit', { id: taken.id, name: 'KEPT Foods' })).status).toBe(200)
    const partners = [await app.make.partner({ name: 'Kept Panel' }), await app.make.partner({ name: 'Other Panel' })]
    const renamed = await admin().call('partner.edit', { id: partners[1]!.id, name: 'kept  panel' })
    expect([renamed.status, renamed.body.fields]).toEqual([422, { name: 'A partner named Kept Panel exists' }])
    await admin().call('client.remove', { id: taken.id })
    expect((await admin().call('client.edit', { id: other.id, name: 'Kept Foods' })).status).toBe(200)
    expect((await admin().call('client.restore', { id: taken.id })).body.fields).toHaveProperty('name')
  })

  test('of a location group is unique within a client, and may recur at another', async () => {
    const [one, two] = [await app.make.client(), await app.make.client()]
    await group(one.id, 'Stores')
    const second = await group(one.id, 'Shops')
    const elsewhere = await group(two.id, 'Malls')
    const rename = (id: number) => admin().call('client.editLocationGroup', { location_group_id: id, name: 'stores' })
    expect((await rename(second)).body.fields).toEqual({ name: 'A group of this client already has this name.' })
    expect((await rename(elsewhere)).status).toBe(200)
  })

  test('goes to only one of several concurrent writes', async () => {
    const make = (id: 'client.create' | 'partner.create') =>
      Promise.all(Array.from({ length: 8 }, () => admin().call(id, { name: `At once ${id}` })))
    for (const id of ['client.create', 'partner.create'] as const) {
      const statuses = (await make(id)).map((answer) => answer.status).sort()
      expect(statuses, id).toEqual([200, ...Array.from({ length: 7 }, () => 422)])
    }
  })

  test('that already exists twice stays, blocks no other change, and is listed', async () => {
    const twins = [await app.make.partner({ name: 'Twin Panel' }), await app.make.partner({ name: 'twin panel' })]
    const phone = await admin().call('partner.edit', { id: twins[0]!.id, name: 'Twin Panel', phone: '(212) 555-0100' })
    expect([phone.status, phone.body.data.phone]).toEqual([200, '2125550100'])
    const { data } = (await admin().call('client.doubles')).body
    const ids = twins.map((twin) => twin.id)
    expect(data.filter((row) => row.noun === 'partner')).toEqual([{ noun: 'partner', name: 'Twin Panel', ids, client_id: null }])
    await admin().call('partner.edit', { id: twins[1]!.id, name: 'Twin Panel East' })
    expect((await admin().call('client.doubles')).body.data.filter((row) => row.noun === 'partner')).toEqual([])
  })
})

test('a partner’s phone is ten digits or none', async () => {
  const answer = await admin().call('partner.create', { name: 'Phoned', phone: 'abc' })
  expect([answer.status, answer.body.fields]).toEqual([422, { phone: 'Phone Number must be 10 numbers' }])
  expect((await admin().call('partner.create', { name: 'Phoned', phone: '' })).body.data.phone).toBe('')
})

test('feasibility answers come in pages of the requested size, for all projects or one', async () => {
  const projects = [
    await app.make.project({ client_id: app.client.id }),
    await app.make.project({ client_id: app.client.id, generation: 'campaign' }),
  ]
  const partner = await app.make.partner()
  for (const { id: project_id } of projects)
    for (const round of [1, 2, 3]) await app.make.proffer({ project_id, partner_id: partner.id, round })
  const read = async (query: string) =>
    ((await admin().raw('GET', `/v1/proffers.json?${query}`)).body as unknown as { data: unknown }).data as {
      count: number
      page: number
      per_page: number
      proffers: { id: number; campaign_id: number }[]
    }
  const all = await read('')
  expect([all.count, all.page, all.per_page, all.proffers.length]).toEqual([6, 1, 50, 6])
  const pages = await Promise.all([1, 2].map((page) => read(`page=${page}&per_page=4`)))
  expect(pages.map(({ count, page, per_page, proffers }) => [count, page, per_page, proffers.length])).toEqual([
    [6, 1, 4, 4],
    [6, 2, 4, 2],
  ])
  expect(pages.flatMap((page) => page.proffers.map(({ id }) => id))).toEqual(all.proffers.map(({ id }) => id))
  const one = await read(`campaign_id=${projects[1]!.id}`)
  expect([one.count, ...new Set(one.proffers.map((row) => row.campaign_id))]).toEqual([3, projects[1]!.id])
  expect((await admin().raw('GET', '/v1/proffers?campaign_id=999999')).status).toBe(404)
})

test.each([
  ['/v3/portal/users', true],
  ['/v3//portal/users', true],
  ['/v3/rewards/redeem/file', true],
  ['/v3/rewards/redeem/file/', true],
  ['/v1/users.json', true],
  ['/v3/users', false],
  ['/v3/teams', false],
  ['/v3/locations', false],
  ['/v3/surveys?page=2', false],
  ['/v3/portals', false],
  ['/v1', true],
  ['/v1/nothing?a=1', true],
  ['/v10/users', true],
  ['/auth', true],
  ['/authors', false],
  ['/v3/rewards/redeem', false],
  ['//v1/users', false],
  ['/openapi.json', true],
  ['/healthz', true],
])('%s is an address of the API: %s', (path, call) => expect(isApi(path)).toBe(call))
