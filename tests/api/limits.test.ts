import { request } from 'node:http'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS, type Limits } from '../../server/core/limits.ts'
import { readSettings } from '../../server/core/settings.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'
import { formOf, inStore, upload } from './uploading.ts'

const MB = 1_048_576
const HOUR = 3_600_000
let app: Fieldwork
let base: string
let usual: Limits
const clock = { ahead: 0 }
beforeAll(async () => {
  app = await fieldwork()
  base = await app.app.listen({ port: 0, host: '127.0.0.1' })
  usual = { ...app.services.settings.limits }
  app.services.now = () => new Date(Date.now() + clock.ahead)
})
afterEach(() => {
  Object.assign(app.services.settings.limits, usual)
  clock.ahead = 0
})

/** Sets this test's limits. */
const limit = (limits: Partial<Limits>) => Object.assign(app.services.settings.limits, limits)
/** A new user, for whom nothing has been counted yet. */
const somebody = async (role: 'admin' | 'client' = 'client'): Promise<Person> =>
  app.signIn(await app.make.user(role === 'admin' ? { role } : { clients: [app.client.id] }))
const text = (megabytes: number) => Buffer.alloc(Math.floor(megabytes * MB), 'a')
const send = (who: Person, ...megabytes: number[]) =>
  upload(
    who,
    megabytes.map((size, at) => [`${at}.txt`, text(size)]),
  )
const filesOf = async (who: Person): Promise<number> => {
  const { body } = await who.call('account.get')
  const row = await app.db
    .selectFrom('files')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('uploaded_by', '=', body.data.id)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

describe('uploads', () => {
  test('beyond the hourly megabytes are refused and not stored, and an hour later accepted', async () => {
    limit({ upload_mb_hour: 2 })
    const who = await somebody()
    expect((await send(who, 1.2)).status).toBe(200)
    const before = inStore(app)
    clock.ahead = HOUR / 2
    const answer = await send(who, 1.2)
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([
      429,
      'limit_reached',
      'You can upload 2 MB an hour, and this would exceed it. Try again in 30 minutes.',
    ])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(1700)
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(1800)
    expect([inStore(app), await filesOf(who)]).toEqual([before, 1])
    clock.ahead = HOUR + 60_000
    expect((await send(who, 1.2)).status).toBe(200)
  })

  test('refused to one user are open to another', async () => {
    limit({ upload_mb_hour: 1 })
    const who = await somebody()
    expect([(await send(who, 0.6)).status, (await send(who, 0.6)).status]).toEqual([200, 429])
    expect((await send(await somebody(), 0.6)).status).toBe(200)
    expect((await send(app.as('admin'), 0.6)).status).toBe(200)
  })

  test('beyond the daily megabytes are refused', async () => {
    limit({ upload_mb_day: 2 })
    const who = await somebody()
    expect((await send(who, 1.5)).status).toBe(200)
    clock.ahead = 4 * HOUR
    const answer = await send(who, 1.5)
    expect([answer.status, answer.body.message]).toEqual([
      429,
      'You can upload 2 MB a day, and this would exceed it. Try again in 20 hours.',
    ])
  })

  test('beyond the daily files are refused, with those before it in the same form', async () => {
    limit({ upload_files_day: 3 })
    const who = await somebody()
    expect((await send(who, 0.01, 0.01)).status).toBe(200)
    const before = inStore(app)
    const answer = await send(who, 0.01, 0.01)
    expect([answer.status, answer.body.message]).toEqual([
      429,
      'You can upload 3 files a day, and this would exceed it. Try again in 24 hours.',
    ])
    expect([inStore(app), await filesOf(who)]).toEqual([before, 2])
  })

  test.each(['client', 'admin'] as const)('beyond the total size are refused, with what a %s can do', async (role) => {
    limit({ upload_mb_kept: 1 })
    const who = await somebody(role)
    expect((await send(who, 0.8)).status).toBe(200)
    clock.ahead = 48 * HOUR
    const answer = await send(who, 0.8)
    expect([answer.status, answer.body.message]).toEqual([
      409,
      role === 'admin'
        ? 'You can keep 1 MB of uploads, and this would exceed it. Delete files that are no longer needed.'
        : 'You can keep 1 MB of uploads, and this would exceed it. Ask an administrator to delete files that are no longer needed.',
    ])
  })

  test('beyond the total number of files are refused', async () => {
    limit({ upload_files_kept: 1 })
    const who = await somebody('admin')
    expect((await send(who, 0.01)).status).toBe(200)
    clock.ahead = 48 * HOUR
    expect((await send(who, 0.01)).body.message).toBe(
      'You can keep 1 file of uploads, and this would exceed it. Delete files that are no longer needed.',
    )
  })

  test('that are too large themselves are refused permanently', async () => {
    limit({ upload_mb_hour: 1 })
    const answer = await send(await somebody(), 0.7, 0.7)
    expect([answer.status, answer.body.message]).toEqual([413, 'You can upload 1 MB an hour: send less at a time.'])
    expect(answer.headers['retry-after']).toBeUndefined()
  })

  test('of unknown size are stopped midway, and leave nothing', async () => {
    limit({ upload_mb_hour: 1 })
    const who = await somebody()
    const before = inStore(app)
    const { body, type } = await formOf([['big.txt', text(3)]])
    const status = await new Promise<number>((resolve, reject) => {
      const asked = request(`${base}/v3/portal/files`, {
        method: 'POST',
        headers: { ...who.headers, 'content-type': type, 'transfer-encoding': 'chunked' },
      })
      asked.on('response', (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
      asked.on('error', reject)
      asked.end(body)
    })
    expect(status).toBe(413)
    await expect.poll(() => inStore(app)).toBe(before)
    expect(await filesOf(who)).toBe(0)
  })

  test('run concurrently take no more room than in sequence', async () => {
    limit({ upload_mb_hour: 1 })
    const who = await somebody()
    const before = inStore(app)
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(who, 0.4)))
    const taken = answers.filter(({ status }) => status === 200).length
    expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 429])
    expect(taken).toBeLessThanOrEqual(2)
    expect([inStore(app) - before, await filesOf(who)]).toEqual([taken, taken])
    expect((await send(who, 1 - 0.4 * taken - 0.05)).status).toBe(200)
  })

  test('run in two processes can’t use the same room twice: it is recounted when rows are written', async () => {
    limit({ upload_mb_hour: 1 })
    const user = await app.make.user({ clients: [app.client.id] })
    const who = await app.signIn(user)
    const originalPut = app.services.files.put
    // Another process writes its rows between our last byte and our rows.
    app.services.files.put = async (...given) => {
      const size = await originalPut(...given)
      await app.make.file({ size: Math.floor(0.8 * MB), uploaded_by: user.id })
      return size
    }
    const before = inStore(app)
    const answer = await send(who, 0.8).finally(() => {
      app.services.files.put = originalPut
    })
    expect(answer.status).toBe(429)
    expect(inStore(app)).toBe(before)
  })

  test('already stored are answered again by key, whatever limit was reached since', async () => {
    limit({ upload_files_day: 1 })
    const who = await somebody()
    const again = () => upload(who, [['a.txt', text(0.01)]], {}, '/v3/portal/files', { 'idempotency-key': 'upload-once' })
    const [first, second] = [await again(), await again()]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body.data.map(({ id }) => id)).toEqual(first.body.data.map(({ id }) => id))
    expect(await filesOf(who)).toBe(1)
  })

  test('count a content once, though clones of its project name it too', async () => {
    limit({ upload_files_kept: 2 })
    const project = await app.make.project({ client_id: app.client.id })
    const who = await somebody('admin')
    expect((await upload(who, [['a.txt', text(0.01)]], { project_id: project.id, asset_type: 'Creative Assets' })).status).toBe(
      200,
    )
    expect((await app.as('admin').call('project.clone', { id: project.id })).status).toBe(200)
    expect(await filesOf(who)).toBe(2)
    expect((await send(who, 0.01)).status).toBe(200)
    expect((await send(who, 0.01)).status).toBe(409)
  })
})

describe('what one user stores', () => {
  const share = (who: Person, layout: string) => who.call('snapshot.create', { layout })

  test('shared workspaces are limited in number; the same one again is the same link', async () => {
    limit({ layouts: 2 })
    const who = await somebody()
    const first = await share(who, '{"a":1}')
    expect((await share(who, '{"a":2}')).status).toBe(200)
    const answer = await share(who, '{"a":3}')
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'You can share 2 workspaces, and they are kept for good. Use a link you made before, or ask for a higher limit.',
    ])
    expect((await share(who, '{"a":1}')).body.data).toEqual(first.body.data)
    expect((await share(await somebody(), '{"a":3}')).status).toBe(200)
  })

  test('shared workspaces are limited in size', async () => {
    limit({ layouts_mb: 1 })
    const who = await somebody()
    const statuses: number[] = []
    for (let nth = 0; nth < 12; nth++) statuses.push((await share(who, `{"${nth}":"${'x'.repeat(99_000)}"}`)).status)
    expect(statuses.lastIndexOf(200)).toBe(9)
    expect(statuses.slice(10)).toEqual([409, 409])
  })

  test('saved views are limited across screens, even concurrently', async () => {
    limit({ views: 3 })
    const who = await somebody('admin')
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, nth) => who.call('view.create', { screen: `screen${nth}`, name: 'Mine' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.message).toBe('You can keep 3 saved views. Delete one first.')
    expect((await (await somebody('admin')).call('view.create', { screen: 'screen1', name: 'Mine' })).status).toBe(200)
  })

  test('preferences are limited in size', async () => {
    limit({ preferences_kb: 2 })
    const who = await somebody()
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, nth) => [`command.number${nth}`, 'Control+Shift+K']))
    expect((await who.call('account.edit', { preferences: { keys: keys(20) } })).status).toBe(200)
    const answer = await who.call('account.edit', { preferences: { keys: keys(100) } })
    expect([answer.status, answer.body.message]).toEqual([
      413,
      'Your preferences can hold 2 KB. Reset shortcuts that you don’t use.',
    ])
    const { body } = await who.call('account.get')
    expect(Object.keys(body.data.preferences.keys ?? {})).toHaveLength(20)
  })

  test('valid API keys are limited in number', async () => {
    limit({ keys: 1 })
    const who = await somebody('admin')
    const first = await who.call('key.create', { name: 'One' })
    const answer = await who.call('key.create', { name: 'Two' })
    expect([answer.status, answer.body.message]).toEqual([409, 'You can have 1 valid API keys and tokens. Revoke one first.'])
    await who.call('key.revoke', { id: first.body.data.id })
    expect((await who.call('key.create', { name: 'Two' })).status).toBe(200)
  })

  test('acting sessions are limited; one more ends the oldest', async () => {
    limit({ acting: 2 })
    const who = await somebody('admin')
    const { id } = await app.make.user({ clients: [app.client.id] })
    const act = async () => {
      const { headers, status } = await who.call('session.actAs', { id, reason: 'To look at their screen' })
      expect(status).toBe(200)
      const names = ['access-token', 'token-type', 'client', 'expiry', 'uid']
      return app.person(Object.fromEntries(names.map((name) => [name, String(headers[name])])))
    }
    const acting = [await act(), await act(), await act()]
    const statuses = []
    for (const one of acting) statuses.push((await one.call('account.get')).status)
    expect(statuses).toEqual([401, 200, 200])
  })
})

describe('what one user does', () => {
  test('a client user’s daily requests are limited, an administrator’s aren’t', async () => {
    limit({ requests_day: 2 })
    const ask = (who: Person, nth: number) =>
      who.call('request.create', {
        client_id: app.client.id,
        name: `Request ${nth}`,
        goal: 10,
        start_dt: app.make.today(),
        activity_type: 'survey',
        url: 'https://survey.test/1',
        location_based: 'yes',
        age: ['2'],
        gender: ['male'],
      })
    const who = await somebody()
    const statuses = [(await ask(who, 1)).status, (await ask(who, 2)).status]
    const answer = await ask(who, 3)
    expect([...statuses, answer.status, answer.body.message]).toEqual([
      200,
      200,
      429,
      'You can make 2 requests a day. Try again in 24 hours.',
    ])
    const others = []
    for (let nth = 0; nth < 3; nth++) others.push((await ask(app.as('admin'), nth)).status)
    expect(others).toEqual([200, 200, 200])
  })

  test('daily exports are limited, even finished ones', async () => {
    limit({ exports_day: 2 })
    const who = await somebody('admin')
    const start = async () => {
      const answer = await who.call('export.start', { source: 'clients', filter: {} })
      if (answer.status === 200) await app.services.jobs.settled(answer.body.data.id, 20_000)
      return answer
    }
    await start()
    await start()
    const answer = await start()
    expect([answer.status, answer.body.message]).toEqual([429, 'You can start 2 exports a day. Try again in 24 hours.'])
    clock.ahead = 25 * HOUR
    expect((await start()).status).toBe(200)
  })

  test('daily changes are limited, of any kind; signing out and reading always work', async () => {
    limit({ writes_day: 24 })
    const who = await somebody()
    const edit = (at: number) => who.call('account.edit', { company: `Company ${at}` })
    const statuses: number[] = []
    for (let nth = 0; nth < 24; nth++) statuses.push((await edit(nth)).status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    const answer = await edit(25)
    expect([answer.status, answer.body.message]).toEqual([
      429,
      'You’ve reached the limit of 24 changes a day. Try again in 60 minutes.',
    ])
    expect((await (await somebody()).call('account.edit', { company: 'Another' })).status).toBe(200)
    clock.ahead = HOUR
    expect([(await edit(26)).status, (await edit(27)).status]).toEqual([200, 429])
    expect((await who.call('account.get')).status).toBe(200)
    expect((await who.call('session.signOut')).status).toBe(200)
  })

  test('changes made while acting count for the administrator', async () => {
    limit({ writes_day: 3 })
    const admin = await somebody('admin')
    const user = await app.make.user({ clients: [app.client.id] })
    const { headers } = await admin.call('session.actAs', { id: user.id, reason: 'To look at their screen' })
    const names = ['access-token', 'token-type', 'client', 'expiry', 'uid']
    const acting = app.person(Object.fromEntries(names.map((name) => [name, String(headers[name])])))
    const save = (who: Person, name: string) => who.call('view.create', { screen: 'allProjects', name })
    expect([(await save(acting, 'a')).status, (await save(acting, 'b')).status, (await save(acting, 'c')).status]).toEqual([
      200, 200, 429,
    ])
    expect((await save(await app.signIn(user), 'd')).status).toBe(200)
  })

  test('strangers’ daily account requests are limited, with an address to write to', async () => {
    limit({ account_requests_day: 1 })
    const ask = (name: string) =>
      app.as('stranger').call('session.requestAccount', { name, company: 'Acme', email: 'rita@mail.test', phone: '2125550199' })
    expect((await ask('Rita')).status).toBe(200)
    const answer = await ask('Rob')
    expect(answer.status).toBe(429)
    expect(answer.body.message).toMatch(
      /^Too many people have asked for an account today\. Write to \S+@\S+\. Try again in 24 hours\.$/,
    )
  })
})

describe('LIMITS', () => {
  test('sets some and keeps the other defaults', () => {
    const { limits } = readSettings({ LIMITS: 'upload_mb_day=5000, views=1000' })
    expect([limits.upload_mb_day, limits.views, limits.layouts]).toEqual([5000, 1000, LIMITS.layouts.usual])
  })

  test.each([
    ['upload=1', /LIMITS has no "upload": is upload_mb_hour meant/],
    ['views=0', /LIMITS: views must be a whole number from 1 to 1000000000, not "0"/],
    ['views=many', /views must be a whole number/],
    ['views', /views must be a whole number/],
  ])('%s is refused at startup, with a message', (given, sentence) => {
    expect(() => readSettings({ LIMITS: given })).toThrow(sentence)
  })
})
