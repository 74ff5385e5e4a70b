import { beforeAll, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
let brand_id: number
let service_id: number
beforeAll(async () => {
  app = await fieldwork()
  brand_id = (await app.make.brand({ name: 'Juniper' })).id
  service_id = (await app.make.service({ brand_id, name: 'Houses' })).id
  await app.as('admin').call('service.addUser', { user_id: app.member.id, service_id })
})
const client = () => app.as('client')
const save = (more: object = {}) =>
  client().call('filter.save', { brand_id, filter_name: 'Last week', filter: { date: 'Week' }, ...more } as never)

test('a relative filter stores no dates, a custom one without an end covers five days', async () => {
  const week = (await save({ filter: { date: 'week', start: '2026-01-01', end: '2026-01-31', dmas: 'Top 10' } })).body.data
  expect(week).toMatchObject({ filter_date_type: 'week', filter_body: { start: null, end: null, service: null }, brand_id })
  expect(week.filter_body.dmas).toHaveLength(10)
  const custom = { filter_name: 'Opening', filter: { date: 'custom', start: '2026-05-01' }, service_id }
  expect((await save(custom)).body.data.filter_body).toMatchObject({
    start: '2026-05-01',
    end: '2026-05-05',
    service: service_id,
  })
  const late = { ...custom, filter_name: 'Late', filter: { date: 'custom', start: '2026-05-02', end: '2026-05-01' } }
  expect((await save(late)).body.fields).toEqual({ end: MESSAGES.startBeforeEnd })
  const names = async (input: Record<string, unknown>) =>
    (await client().call('filter.list', input)).body.data.map((one) => one.filter_name)
  expect(await names({ bid: brand_id })).toEqual(['Last week', 'Opening'])
  expect(await names({ sid: service_id })).toEqual(['Last week', 'Opening'])
  expect(await names({})).toEqual(['Last week', 'Opening'])
})

test('names are unique, and a filter is replaced by its id', async () => {
  expect((await save({ filter_name: ' ' })).body.fields).toEqual({ filter_name: MESSAGES.visitFilterName })
  const first = (await save({ filter_name: 'Mine' })).body.data
  expect((await save({ filter_name: 'MINE' })).body.fields).toEqual({ filter_name: 'You have a filter named Mine' })
  const again = await save({ filter_name: 'Mine', filter_id: first.filter_id, filter: { date: 'today', dmas: [501] } })
  expect(again.body.data).toMatchObject({ filter_id: first.filter_id, filter_date_type: 'today', filter_body: { dmas: [501] } })
  await client().call('undo.take', { id: Number(again.headers['x-undo']) })
  const [back] = (await client().call('filter.list', { bid: brand_id })).body.data.filter((one) => one.filter_name === 'Mine')
  expect(back).toMatchObject({ filter_date_type: 'week', filter_body: { dmas: [] } })
  const removed = await client().call('filter.remove', { filter_id: first.filter_id })
  await client().call('undo.take', { id: Number(removed.headers['x-undo']) })
  const { status } = await client().raw('GET', `/v3/portal/visitation/delete_filter?filter_id=${first.filter_id}`)
  expect(status).toBe(200)
  expect((await client().call('filter.remove', { filter_id: first.filter_id })).status).toBe(404)
})

test('users read, write and delete only their own, and only of what they see', async () => {
  const { filter_id } = (await save({ filter_name: 'Private' })).body.data
  const admin = app.as('admin')
  expect((await admin.call('filter.list', { bid: brand_id })).body.data).toEqual([])
  expect((await admin.call('filter.remove', { filter_id })).status).toBe(404)
  expect((await save({ filter_name: 'Stolen', user_id: app.admin.id })).status).toBe(403)
  const hidden = await app.make.brand({ name: 'Hidden' })
  const other = await app.make.service({ brand_id, name: 'Other' })
  expect((await save({ filter_name: 'Far', brand_id: hidden.id })).status).toBe(404)
  expect((await save({ filter_name: 'Far', service_id: other.id })).status).toBe(404)
  expect((await client().call('filter.list', { bid: hidden.id })).status).toBe(404)
  await admin.call('service.removeUser', { user_id: app.member.id, service_id })
  expect((await client().call('filter.list', {})).body.data).toEqual([])
  await admin.call('service.addUser', { user_id: app.member.id, service_id })
})

test('the palette finds a user’s own by name, as long as they see its brand and service', async () => {
  const admin = app.as('admin')
  const saved = (await save({ filter_name: 'Found', service_id })).body.data
  const theirs = await admin.call('filter.save', { brand_id, filter_name: 'Not theirs', filter: { date: 'week' } } as never)
  const first = (await client().call('palette.index')).body
  const of = (rows: readonly (readonly unknown[])[]) => rows.filter(([kind]) => kind === 'filter')
  expect(of(first.put)).toContainEqual(['filter', saved.filter_id, 'Found', 'saved filter · Juniper'])
  expect(of(first.put).map(([, id]) => id)).not.toContain(theirs.body.data.filter_id)
  const since = async (cursor: number, person = client()) => (await person.call('palette.index', { since: cursor })).body

  await save({ filter_name: 'Found again', filter_id: saved.filter_id, service_id })
  const renamed = await since(first.cursor)
  expect([of(renamed.put), of(renamed.drop)]).toEqual([
    [['filter', saved.filter_id, 'Found again', 'saved filter · Juniper']],
    [],
  ])
  await admin.call('brand.edit', { id: brand_id, name: 'Juniper & Co' })
  const brand = await since(renamed.cursor)
  expect(of(brand.put)).toContainEqual(['filter', saved.filter_id, 'Found again', 'saved filter · Juniper & Co'])
  expect(of(brand.put).map(([, id]) => id)).not.toContain(theirs.body.data.filter_id)

  const removed = await client().call('filter.remove', { filter_id: saved.filter_id })
  const gone = await since(brand.cursor)
  expect([of(gone.put), of(gone.drop)]).toEqual([[], [['filter', saved.filter_id]]])
  await client().call('undo.take', { id: Number(removed.headers['x-undo']) })
  expect(of((await since(gone.cursor)).put).map(([, id]) => id)).toEqual([saved.filter_id])

  // A deleted service takes its filters along, for administrators too, and a restore brings them back.
  const gym = (await app.make.service({ brand_id, name: 'Gyms' })).id
  const own = (await admin.call('filter.save', { service_id: gym, filter_name: 'Gyms', filter: { date: 'week' } } as never)).body
    .data
  const { cursor } = (await admin.call('palette.index')).body
  const deleted = await admin.call('service.remove', { id: gym })
  const without = await since(cursor, admin)
  expect(of(without.drop)).toEqual([['filter', own.filter_id]])
  await admin.call('undo.take', { id: Number(deleted.headers['x-undo']) })
  expect(of((await since(without.cursor, admin)).put).map(([, id]) => id)).toContain(own.filter_id)

  // A user who loses the service gets a whole new index, without its filters.
  await admin.call('service.removeUser', { user_id: app.member.id, service_id })
  expect(of((await client().call('palette.index')).body.put)).toEqual([])
  await admin.call('service.addUser', { user_id: app.member.id, service_id })
})
