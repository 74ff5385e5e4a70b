import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { addDays } from '../../contract/pacing.ts'
import { dayNumberOf } from '../../server/domain/visit/sums.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
let today: string
beforeAll(async () => {
  app = await fieldwork()
  today = app.make.today()
})
const admin = () => app.as('admin')
const client = () => app.as('client')
/** Visits of a service, by days ago. */
const visited = (service_id: number, days: Record<number, number>) =>
  app.write((tx) =>
    tx
      .insertInto('visit_days')
      .values(Object.entries(days).map(([ago, visits]) => ({ service_id, day: dayNumberOf(today) - Number(ago), visits })))
      .execute(),
  )
const give = (service_id: number) => admin().call('service.addUser', { user_id: app.member.id, service_id })

describe('a brand', () => {
  test('needs a unique name, and a start before its end', async () => {
    const { body } = await admin().call('brand.create', { name: 'Juniper Coffee' })
    expect(body.data).toMatchObject({ name: 'Juniper Coffee', brand_name: 'Juniper Coffee', start_dt: today, status: 'active' })
    const fields = async (input: object) => (await admin().call('brand.create', input as never)).body.fields
    expect(await fields({ name: '  ' })).toEqual({ name: MESSAGES.brandName })
    expect(await fields({ name: 'juniper  COFFEE' })).toEqual({ name: 'A brand named Juniper Coffee exists' })
    expect(await fields({ name: 'Other', start_dt: today, end_dt: addDays(today, -1) })).toEqual({
      end_dt: MESSAGES.startBeforeEnd,
    })
    const other = (await admin().call('brand.create', { name: 'Beacon Fuel' })).body.data
    const edit = { id: other.id, lock_version: other.lock_version }
    expect((await admin().call('brand.edit', { ...edit, name: 'Juniper coffee' })).body.fields).toEqual({
      name: 'A brand named Juniper Coffee exists',
    })
    const edited = (await admin().call('brand.edit', { ...edit, name: 'Beacon fuel', end_dt: addDays(today, 9) })).body.data
    expect(edited).toMatchObject({ name: 'Beacon fuel', end_dt: addDays(today, 9) })
    // An empty end removes it.
    expect((await admin().call('brand.edit', { id: other.id, end_dt: '' })).body.data.end_dt).toBeNull()
    expect((await admin().call('brand.edit', { ...edit, name: 'Late' })).status).toBe(409)
  })

  test('has a history, like its services, for administrators only', async () => {
    const { id } = (await admin().call('brand.create', { name: 'Larch Books' })).body.data
    await admin().call('brand.edit', { id, name: 'Larch Bookshops' })
    const service = await app.make.service({ brand_id: id })
    await give(service.id)
    await admin().call('visit.ingest', {
      service_id: service.id,
      rows: [{ device: 'phone', venue: 'shop', at: new Date(Date.now() - 60_000).toISOString(), dma: 501 }],
    })
    const lines = async (call: 'brand.history' | 'service.history', of: number) =>
      (await admin().call(call, { id: of })).body.data.map(({ words, actor_name }) => `${actor_name} ${words}`)
    expect(await lines('brand.history', id)).toEqual(['Ada Admin edited the brand', 'Ada Admin added the brand'])
    expect(await lines('service.history', service.id)).toEqual(['Ada Admin added visits', 'Ada Admin gave access to a service'])
    expect((await admin().call('service.history', { id: 987_654 })).status).toBe(404)
    // History lines name other users, whom a client user with the service can't see.
    for (const call of ['brand.history', 'service.history'] as const)
      expect((await client().call(call, { id: call === 'brand.history' ? id : service.id })).status).toBe(403)
  })

  test('can’t be deleted while services are active, and undo restores it', async () => {
    const { id } = await app.make.brand({ name: 'Closing down' })
    const service = await app.make.service({ brand_id: id })
    expect((await admin().call('brand.remove', { id })).body).toMatchObject({ code: 'not_now', message: '1 service is active' })
    await admin().call('service.edit', { id: service.id, status: 'inactive' })
    await give(service.id)
    const removed = await admin().call('brand.remove', { id })
    expect((await admin().call('brand.get', { id })).status).toBe(404)
    expect((await client().call('service.get', { id: service.id })).status).toBe(404)
    expect((await admin().call('undo.take', { id: Number(removed.headers['x-undo']) })).status).toBe(200)
    expect((await client().call('service.get', { id: service.id })).status).toBe(200)
  })
})

test('sums the services the caller sees, and measures progress against what was expected by today', async () => {
  const { id } = await app.make.brand({ name: 'Sums' })
  const term = { brand_id: id, start_dt: addDays(today, -4), end_dt: addDays(today, 5) }
  const half = await app.make.service({ ...term, name: 'Half', ordered: 100, completed: 25 })
  const open = await app.make.service({
    ...term,
    name: 'Open end',
    end_dt: null,
    ordered: 100,
    completed: 70,
    status: 'inactive',
  })
  await visited(half.id, { 0: 10, 29: 5, 30: 6, 59: 4, 60: 99 })
  await visited(open.id, { 1: 30 })
  await give(half.id)
  const row = async (who: typeof admin) => (await who().call('brand.get', { id })).body.data
  const all = await row(admin)
  expect(all).toMatchObject({ services_count: 2, ordered: 200, completed: 95, visits_30: 45, change_30: 350, users_count: 1 })
  // Nothing is expected of the service without an end, so its visits don't raise the bar: 25 of 50.
  expect(all).toMatchObject({ percentage: 50, color: 'Orange' })
  expect(all.children.map(({ name, percentage, color }) => [name, percentage, color])).toEqual([
    ['Half', 50, 'Orange'],
    ['Open end', 0, 'Gray'],
  ])
  expect(await row(client)).toMatchObject({
    ...{ services_count: 1, ordered: 100, completed: 25, visits_30: 15, change_30: 50, users_count: null },
    children: [{ name: 'Half', users_count: null }],
  })
})

test('brands are filtered by status, category, start and search, and sorted by every column', async () => {
  const { id } = await app.make.brand({ name: 'Larkspur Apparel', start_dt: '2020-02-01', status: 'inactive' })
  await app.make.service({ brand_id: id, name: 'Shoe corners' })
  const [category] = (await admin().call('category.list')).body.data
  await admin().call('category.check', { brand_id: id, category_id: category!.id, checked: true })
  const names = async (input: object) => (await admin().call('brand.list', input as never)).body.data.map(({ name }) => name)
  expect(await names({ status: 'Active', search: 'larkspur' })).toEqual([])
  expect(await names({ status: 0, search: 'shoe' })).toEqual(['Larkspur Apparel'])
  expect(await names({ status: '2', category_id: category!.id })).toEqual(['Larkspur Apparel'])
  expect(await names({ status: '2', start_from: '2020-01-01', start_to: '2020-02-01' })).toEqual(['Larkspur Apparel'])
  const { body } = await admin().raw('GET', '/v3/portal/visitation/brands?status=2&page=1')
  expect(body).toMatchObject({ page: 1, count: expect.any(Number) })
  for (const column of [
    'services_count',
    'venues_count',
    'visits_30',
    'change_30',
    'ordered',
    'percentage',
    'users_count',
    'end_dt',
  ])
    for (const who of [admin, client])
      expect([column, (await who().call('brand.list', { status: '2', column: column as never, order: 'desc' })).status]).toEqual([
        column,
        200,
      ])
})

test('a category in use can’t be deleted', async () => {
  const { id } = await app.make.brand({ name: 'Kinds' })
  const [one, other] = (await admin().call('category.list')).body.data
  const check = (category_id: number, checked: boolean, who = admin) =>
    who().call('category.check', { brand_id: id, category_id, checked })
  await admin().call('service.create', {
    ...{ brand_id: id, category: one!.name, service_name: 'Shops', start_date: today },
  })
  const chosen = async () =>
    (await admin().call('category.ofBrand', { brand_id: id })).body.data.filter(({ selected }) => selected)
  expect(await chosen()).toMatchObject([{ id: one!.id, services_count: 1 }])
  expect((await check(one!.id, false)).body).toMatchObject({ code: 'not_now', message: `1 service is in ${one!.name}` })
  await check(other!.id, true)
  expect((await check(other!.id, true)).status).toBe(200)
  expect((await chosen()).map(({ id }) => id).sort()).toEqual([one!.id, other!.id].sort())
  await check(other!.id, false)
  expect((await chosen()).map(({ id }) => id)).toEqual([one!.id])
  expect((await check(other!.id, true, client)).status).toBe(403)
  expect((await admin().call('category.check', { category_id: one!.id, checked: true })).status).toBe(422)
})
