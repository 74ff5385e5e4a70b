import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { addDays } from '../../contract/pacing.ts'
import { dayNumberOf } from '../../server/domain/visit/sums.ts'
import { exported } from './exporting.ts'
import { listenTo } from './listening.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
let today: string
beforeAll(async () => {
  app = await fieldwork()
  today = app.make.today()
})
const admin = () => app.as('admin')
const client = () => app.as('client')
const brand = (name?: string) => app.make.brand(name ? { name } : {})
const service = async (given: object = {}) => app.make.service({ brand_id: (await brand()).id, ...given })
const visited = (service_id: number, days: Record<number, number>) =>
  app.write((tx) =>
    tx
      .insertInto('visit_days')
      .values(Object.entries(days).map(([ago, visits]) => ({ service_id, day: dayNumberOf(today) - Number(ago), visits })))
      .execute(),
  )
const undo = (answer: { headers: Record<string, unknown> }) => admin().call('undo.take', { id: Number(answer.headers['x-undo']) })
const given = async (user_id: number) =>
  (
    await app.db.selectFrom('service_users').select('service_id').where('user_id', '=', user_id).orderBy('service_id').execute()
  ).map((row) => row.service_id)

describe('a new service', () => {
  test('is created with its users and venues, or not at all', async () => {
    const { id: brand_id } = await brand('Palisade Cinemas')
    const input = {
      ...{ brand_id, category: 'movie THEATERS', service_name: 'Multiplexes', s3_bucket: 's3://visits/palisade' },
      ...{ start_date: today, ordered: 500, user_ids: [app.member.id] },
      venues: [
        { code: 1, latitude: 40.7, longitude: -74 },
        { code: 'B', dma: 803, name: 'Hollywood' },
      ],
    }
    const create = (more: object) => admin().call('service.create', { ...input, ...more } as never)
    const refused = async (more: object) => (await create(more)).body.fields
    expect(await refused({ service_name: ' ' })).toEqual({ service_name: MESSAGES.serviceName })
    expect(await refused({ category: '' })).toEqual({ category: MESSAGES.serviceCategory })
    expect(await refused({ start_date: '' })).toEqual({ start_date: MESSAGES.serviceStart })
    expect(await refused({ end_date: addDays(today, -1) })).toEqual({ end_date: MESSAGES.startBeforeEnd })
    expect(await refused({ ordered: 'many' })).toEqual({ ordered: MESSAGES.serviceOrdered })
    expect(await refused({ s3_bucket: 'not a bucket' })).toEqual({ s3_bucket: 's3_bucket is not a bucket name or s3:// address' })
    expect(await refused({ venues: [{ code: 'A' }] })).toEqual({ venues: 'Venue 1 needs a position or a market area' })
    expect(await refused({ user_ids: [app.admin.id] })).toEqual({ user_ids: 'Administrators see every service' })
    expect((await create({ user_ids: [987_654] })).status).toBe(404)
    expect(await app.db.selectFrom('services').select('id').where('brand_id', '=', brand_id).execute()).toEqual([])

    const { data } = (await create({})).body
    expect(data).toMatchObject({ service_name: 'Multiplexes', category: 'Movie theaters', venues_count: 2, users_count: 1 })
    const venues = app.db.selectFrom('venues').select(['code', 'dma', 'placed']).where('service_id', '=', data.id).orderBy('code')
    expect(await venues.execute()).toEqual([
      { code: '1', dma: 501, placed: 'given' },
      { code: 'B', dma: 803, placed: 'market' },
    ])
    expect((await client().call('service.getBySid', { sid: data.id })).body.data.users_count).toBeNull()
    expect(await refused({ service_name: 'multiplexes' })).toEqual({
      service_name: 'Palisade Cinemas has a service named Multiplexes',
    })
  })
})

test('a venue’s code is read as the code of a visit is, and refused if it would change', async () => {
  const create = async (...codes: unknown[]) =>
    admin().call('service.create', {
      ...{ brand_id: (await brand()).id, category: 1, service_name: 'Kiosks', start_date: today },
      venues: codes.map((code) => ({ code, dma: 501 })),
    } as never)
  for (const [code, end] of [
    [2 ** 60, 'is too long for a number: send ids as text'],
    [1.5, 'must be a whole number, or a text'],
    ['\ud800', 'holds half of a character: send UTF-8'],
    ['a\tb', 'must not contain control characters'],
    ['a\u200bb', 'must not contain characters that can’t be seen'],
  ] as const)
    expect((await create('A1', code)).body.message).toBe(`Venue 2 has a code that ${end}`)
  expect((await create('Cafe\u0301', 'Caf\u00e9')).body.message).toBe('Venue 2 repeats the code Caf\u00e9')
  const { body } = await create('Cafe\u0301', 12)
  const stored = await app.db.selectFrom('venues').select('code').where('service_id', '=', body.data.id).orderBy('id').execute()
  expect(stored.map(({ code }) => code)).toEqual(['Caf\u00e9', '12'])
})

describe('50,000 venues of a new service', () => {
  const venues = Array.from({ length: 50_000 }, (_, at) => ({ code: `V${at}`, latitude: 30 + (at % 100) / 10, longitude: -100 }))
  const create = async (given: object) =>
    admin().call('service.create', {
      ...{ brand_id: (await brand()).id, category: 1, service_name: 'Kiosks', start_date: today, venues, ...given },
    } as never)
  const countOf = async (service_id: number) => {
    const query = app.db.selectFrom('venues').select((eb) => eb.fn.countAll().as('count'))
    return Number((await query.where('service_id', '=', service_id).executeTakeFirstOrThrow()).count)
  }

  test('are refused by line at once, or added by a job that lets others write', async () => {
    const wrong = await create({ venues: venues.with(7, { code: 'V8', dma: 9 } as never).with(9, { code: 'V8' } as never) })
    expect([wrong.status, (wrong.body.data as { errors?: object }).errors]).toEqual([
      422,
      [
        { line: 8, code: 'choice', sentence: 'has no market area 9' },
        { line: 9, code: 'taken', sentence: 'repeats the code V8' },
        { line: 10, code: 'taken', sentence: 'repeats the code V8' },
      ],
    ])
    const { body, headers } = await create({})
    const { data, job_id, message } = body
    expect(message).toBe('Service created; 50,000 venues are being added to it.')
    expect([data.venues_count + data.venues_coming, headers['x-undo']]).toEqual([50_000, undefined])
    let slowest = 0
    let writes = 0
    const settled = app.services.jobs.settled(job_id!, 60_000)
    for (let running = true; running; writes++) {
      const from = performance.now()
      await admin().call('service.edit', { id: data.id, ordered: writes })
      slowest = Math.max(slowest, performance.now() - from)
      running = (await admin().call('job.get', { id: job_id! })).body.data.status !== 'done'
    }
    const job = await settled
    expect([job.done, job.total, JSON.parse(job.result)]).toEqual([
      50_000,
      50_000,
      { service_id: data.id, venues: 50_000, known: 0 },
    ])
    expect(writes).toBeGreaterThan(5)
    expect(slowest).toBeLessThan(2000)
    expect((await admin().call('service.get', { id: data.id })).body.data).toMatchObject({
      venues_count: 50_000,
      venues_coming: 0,
    })
  }, 90_000)

  test('continue where the job was cancelled, and keep a venue that visits created', async () => {
    const { body } = await create({ venues: venues.slice(0, 20_000) })
    const { id } = body.data
    const venue = {
      ...{
        service_id: id,
        code: 'V19999',
        name: '',
        address: '',
        latitude: 30,
        longitude: -100,
        dma: 501,
        placed: 'visits' as const,
      },
      ...{ since: today, deleted_at: null, created_at: today, updated_at: today },
    }
    await app.write((tx) => tx.insertInto('venues').values(venue).execute())
    await expect.poll(() => countOf(id), { interval: 5 }).toBeGreaterThan(1)
    await admin().call('job.cancel', { id: body.job_id! })
    const left = await countOf(id)
    expect(left).toBeLessThan(20_000)
    expect((await admin().call('service.get', { id })).body.data.venues_coming).toBe(0)
    await admin().call('job.retry', { id: body.job_id! })
    const job = await app.services.jobs.settled(body.job_id!, 60_000)
    expect(JSON.parse(job.result)).toEqual({ service_id: id, venues: 19_999, known: 1 })
    expect(await countOf(id)).toBe(20_000)
  }, 90_000)
})

test('a changed term recounts the visits within it, and undo reverts the count', async () => {
  const { id } = await service({ start_dt: addDays(today, -10), end_dt: addDays(today, 10), completed: 60 })
  await visited(id, { 8: 40, 2: 20, 12: 5 })
  const edited = await admin().call('service.edit', { id, start_dt: addDays(today, -3) })
  expect(edited.body.data).toMatchObject({ completed: 20, start_dt: addDays(today, -3) })
  await undo(edited)
  expect((await admin().call('service.get', { id })).body.data).toMatchObject({ completed: 60, start_dt: addDays(today, -10) })
})

test('a list compares the week with the week before, and shows two weeks by day and silent services', async () => {
  const seconds = Math.floor(Date.now() / 1000)
  const busy = await service({ name: 'Busy', last_at: seconds - 3600, start_dt: addDays(today, -30) })
  const quiet = await service({ name: 'Quiet', last_at: seconds - 3 * 86_400, start_dt: addDays(today, -30) })
  await visited(busy.id, { 0: 6, 6: 6, 7: 5, 13: 3, 14: 99 })
  const rows = (await admin().call('service.list', { status: '2', per_page: 500 })).body.data
  const shown = rows.find(({ id }) => id === busy.id)!
  expect(shown).toMatchObject({ visits_7: 12, change_7: 50, silent: false })
  expect(shown.trend).toEqual([3, 0, 0, 0, 0, 0, 5, 6, 0, 0, 0, 0, 0, 6])
  await admin().call('visit.ingest', {
    rows: ['one', 'two', 'one'].map((device, ago) => ({
      ...{ service_id: quiet.id, device, venue: 'shop', dma: 501 },
      at: new Date(Date.now() - (1 + ago * 24) * 3_600_000).toISOString(),
    })),
  })
  const counted = (await admin().call('service.get', { id: quiet.id })).body.data
  expect([counted.visits_7, counted.uniques_7]).toEqual([3, 2])
  await app.write((tx) => tx.updateTable('services').set({ last_at: quiet.last_at }).where('id', '=', quiet.id).execute())
  expect(shown.last_visit_at).toBe(new Date((seconds - 3600) * 1000).toISOString())
  const silent = async () => (await admin().call('service.list', { silent: true, per_page: 500 })).body.data.map(({ id }) => id)
  expect(await silent()).toContain(quiet.id)
  expect(await silent()).not.toContain(busy.id)
  await admin().call('service.edit', { id: quiet.id, status: 'inactive' })
  expect(await silent()).not.toContain(quiet.id)
  for (const column of [
    'brand',
    'category',
    'venues_count',
    'visits_7',
    'change_7',
    'percentage',
    'last_visit_at',
    'users_count',
  ])
    for (const who of [admin, client])
      expect([column, (await who().call('service.list', { status: '2', column: column as never })).status]).toEqual([column, 200])
})

test('deleting says what is deleted with it, and undo restores everything', async () => {
  const { id } = await service({ name: 'Kiosks' })
  await visited(id, { 1: 1200 })
  await admin().call('service.addUser', { user_id: app.member.id, service_id: id })
  const dry = await admin().raw('DELETE', `/v3/portal/visitation/service?id=${id}&dry=1`)
  expect(dry.body.message).toBe('“Kiosks” would be deleted: 0 venues, 1,200 visits, 1 user would lose it.')
  const removed = await admin().call('service.remove', { id })
  expect((await client().call('service.get', { id })).status).toBe(404)
  await undo(removed)
  expect((await client().call('service.get', { id })).status).toBe(200)
})

describe('access to a service', () => {
  test('is granted and revoked at once, and a repeat changes nothing', async () => {
    const [one, other] = [await service({ name: 'One' }), await service({ name: 'Other' })]
    const user = await app.make.user({ clients: [app.client.id] })
    const person = await app.signIn(user)
    const add = { user_id: user.id, service_id: one.id }
    expect((await admin().call('service.addUser', add)).body.data).toMatchObject({ added: 1 })
    expect(await admin().call('service.addUser', add)).toMatchObject({ status: 200, body: { data: { added: 0, removed: 0 } } })
    expect((await person.call('service.list', { status: '2' })).body.data.map(({ name }) => name)).toEqual(['One'])
    const swap = { user_ids: [user.id], add: [other.id], remove: [one.id] }
    const dry = await admin().raw('POST', '/v3/portal/visitation/service_users?dry=1', { user_ids: [user.id], remove: [one.id] })
    expect(dry.body.message).toBe('1 user would lose 1 service; 1 user would have no services left and see the viewer.')
    const swapped = await admin().call('service.setUsers', swap)
    expect(await given(user.id)).toEqual([other.id])
    await undo(swapped)
    expect(await given(user.id)).toEqual([one.id])
    const list = (await admin().call('service.ofUser', { user_id: user.id })).body.data
    expect(list.filter(({ selected }) => selected)).toMatchObject([{ id: one.id, added_by_name: 'Ada Admin' }])
    for (const wrong of [
      { user_id: 987_654, service_id: one.id },
      { user_id: user.id, service_id: 987_654 },
    ])
      expect((await admin().call('service.addUser', wrong)).status).toBe(404)
    const both = [user.id, (await app.make.user({ clients: [app.client.id] })).id]
    const all = { user_ids: both, add: [other.id], remove: [one.id] }
    expect((await admin().call('service.setUsers', all)).body.message).toBe('2 users got 1 service; 1 user lost 1 service.')
    await admin().call('service.setUsers', { user_ids: both, add: [one.id], remove: [other.id] })
    const toAdmin = await admin().call('service.addUser', { user_id: app.admin.id, service_id: one.id })
    expect(toAdmin.body.fields).toEqual({ user_id: 'Administrators see every service' })
    const lines = app.db.selectFrom('history').select('action').where('subject', '=', 'user').where('subject_id', '=', user.id)
    expect((await lines.execute()).map(({ action }) => action)).toEqual([
      ...['service.addUser', 'service.setUsers', 'undo service.setUsers', 'service.setUsers', 'service.setUsers'],
    ])
  })

  test('ends when the user becomes an administrator or is deleted, and undo restores it', async () => {
    const { id } = await service()
    for (const end of [
      (user: number) => admin().call('user.edit', { id: user, role: 'admin' }),
      (user: number) => admin().call('user.remove', { id: user }),
    ]) {
      const user = await app.make.user({ clients: [app.client.id] })
      await admin().call('service.addUser', { user_id: user.id, service_id: id })
      const ended = await end(user.id)
      expect(ended.status).toBe(200)
      expect(await given(user.id)).toEqual([])
      expect((await undo(ended)).status).toBe(200)
      expect(await given(user.id)).toEqual([id])
    }
  })

  test('is announced to open streams, whose reader sees no other service', async () => {
    const [mine, theirs] = [await service({ name: 'Mine' }), await service({ name: 'Theirs' })]
    const user = await app.make.user({ clients: [app.client.id] })
    const person = await app.signIn(user)
    await admin().call('service.addUser', { user_id: user.id, service_id: mine.id })
    const base = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const live = await listenTo(base, person)
    await expect.poll(() => live.said.length).toBeGreaterThan(0)
    await admin().call('service.edit', { id: theirs.id, ordered: 5 })
    await admin().call('service.edit', { id: mine.id, ordered: 5 })
    expect(await live.until(({ noun, subject_id }) => noun === 'service' && subject_id === mine.id)).not.toBeNull()
    expect(live.heard.some(({ noun, subject_id }) => noun === 'service' && subject_id === theirs.id)).toBe(false)
    await admin().call('service.removeUser', { user_id: user.id, service_id: mine.id })
    expect(await live.until(({ kind }) => kind === 'scope')).not.toBeNull()
    await live.stop()
    expect((await person.call('palette.index')).body.put.some(([kind]) => kind === 'service')).toBe(false)
  })

  test('once revoked, closes exports of it', async () => {
    const { id } = await service({ name: 'Exported' })
    const user = await app.make.user({ clients: [app.client.id] })
    const person = await app.signIn(user)
    await admin().call('service.addUser', { user_id: user.id, service_id: id })
    for (const source of ['services', 'brands'] as const) {
      const { job } = await exported(app, person, source, {})
      const link = () => app.as('stranger').raw('GET', job.download ?? '')
      expect([source, (await link()).status]).toEqual([source, 200])
      await admin().call('service.removeUser', { user_id: user.id, service_id: id })
      expect([source, (await link()).status]).toEqual([source, 404])
      await admin().call('service.addUser', { user_id: user.id, service_id: id })
    }
  })
})

test('can be requested by a client user once a day, which mails the administrators', async () => {
  const user = await app.make.user({ clients: [app.client.id] })
  const person = await app.signIn(user)
  expect((await person.call('service.requested')).body.data.asked_at).toBeNull()
  const { asked_at } = (await person.call('service.request')).body.data
  expect((await person.call('service.request')).body.data).toEqual({ asked_at })
  expect((await person.call('service.requested')).body.data).toEqual({ asked_at })
  const mails = app.db.selectFrom('mails').select('to_address').where('about', '=', `visitation user:${user.id}`)
  expect(await mails.execute()).toEqual([{ to_address: app.admin.email }])
})
