import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ANONYMOUS } from '../../server/core/caller.ts'
import { consume } from '../../server/core/rateLimit.ts'
import { asSystem } from '../../server/core/unitOfWork.ts'
import { openJobs } from '../../server/jobs/jobs.ts'
import { type Fieldwork, fieldwork, type Person, withoutDeliveries } from './support.ts'
import { upload } from './uploading.ts'

const DAY = 86_400_000
let app: Fieldwork
const clock = { ahead: 0 }
beforeAll(async () => {
  app = await fieldwork({
    LIMITS: 'exports_day=1,requests_day=1,upload_files_day=1,account_requests_day=1,writes_day=30',
  })
  withoutDeliveries(app)
  app.services.now = () => new Date(Date.now() + clock.ahead)
})
afterEach(() => {
  clock.ahead = 0
})

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status
const mails = async (about: string) =>
  (await app.db.selectFrom('mails').select('id').where('about', 'like', `${about}%`).execute()).length

/** TABLE  what is limited in time: doing it once; true if it was done, and not refused or left out. */
const LIMITED: Record<string, (who: Person, user: { id: number; email: string }) => Promise<boolean>> = {
  'an export': async (who) => (await statusOf(who.call('export.start', { source: 'projects', filter: {} }))) === 200,
  'a request': async (who) =>
    (await statusOf(
      who.call('request.create', {
        ...{ client_id: app.client.id, name: 'Request', goal: 10, start_dt: app.make.today(), activity_type: 'survey' },
        ...{ url: 'https://survey.test/1', location_based: 'yes', age: ['2'], gender: ['male'] },
      }),
    )) === 200,
  'an upload': async (who) => (await upload(who, [['a.txt', Buffer.from('a')]])).status === 200,
  'a request for an account': async () => {
    const asked = { name: 'Sam', company: 'Acme', email: 'sam@acme.test', phone: '2065550100' }
    return (await statusOf(app.as('stranger').call('session.requestAccount', asked))) === 200
  },
  'a mail with a new password': async (_who, user) => {
    const before = await mails('reset')
    await app.as('stranger').call('session.forgot', { email: user.email })
    return (await mails('reset')) > before
  },
  'asking for visitation': async (who) => (await who.call('service.request')).body.message.includes('were asked'),
  'a bucket': async (_who, user) =>
    consume(app.services, [{ key: `try:${user.email}`, burst: 1, every: 60_000 }]).then(
      () => true,
      () => false,
    ),
}

test('today ends at midnight in the server’s time zone, and not when it ends in UTC', async () => {
  const now = app.services.now
  const todayAt = (moment: string) => {
    app.services.now = () => new Date(moment)
    return asSystem(app.services, 'test', ANONYMOUS, async (ctx) => ctx.today)
  }
  const days = []
  for (const time of ['2026-06-01T03:59:59Z', '2026-06-01T04:00:01Z', '2026-06-01T23:59:59Z', '2026-06-02T03:59:59Z'])
    days.push(await todayAt(time))
  app.services.now = now
  expect(days).toEqual(['2026-05-31', '2026-06-01', '2026-06-01', '2026-06-01'])
})

describe('after a clock that was a day ahead is set right', () => {
  test.each(Object.keys(LIMITED))('%s is not locked out', async (name) => {
    const once = LIMITED[name]!
    const user = await app.make.user({ clients: [app.client.id], status: 'active' })
    clock.ahead = DAY
    const early = await app.signIn(user)
    const first = await once(early, user)
    expect([first, await once(early, user)]).toEqual([true, false])
    clock.ahead = 0
    const who = await app.signIn(user)
    expect([await once(who, user), await once(who, user)]).toEqual([true, false])
  })

  test('changes are counted from a fresh day', async () => {
    const user = await app.make.user({ role: 'admin' })
    const write = async () => statusOf((await app.signIn(user)).call('account.edit', { company: 'Acme' }))
    clock.ahead = DAY
    for (let nth = 0; nth < 30; nth++) await write()
    expect(await write()).toBe(429)
    clock.ahead = 0
    expect(await write()).toBe(200)
  })
})

test('work that was queued or claimed by a clock ahead goes on at once, with the wait that it was given', async () => {
  const services = { ...app.services }
  const ran: number[] = []
  const jobs = openJobs(() => services, { plain: { run: async ({ id }) => ({ ran: ran.push(id) }) } })
  services.jobs = jobs
  clock.ahead = DAY
  const add = (waits: number) =>
    asSystem(services, 'test', ANONYMOUS, (ctx) =>
      app.services.jobs.add(ctx, {
        ...{ kind: 'plain', title: 'Plain', input: {} },
        notBefore: new Date(Date.parse(ctx.now) + waits).toISOString(),
      }),
    )
  const [due, later, claimed] = [await add(0), await add(30_000), await add(0)]
  await app.write((tx) =>
    tx
      .updateTable('jobs')
      .set({ status: 'running', worker: 'a killed process', beat_at: services.now().toISOString(), attempts: 1 })
      .where('id', '=', claimed.id)
      .execute(),
  )
  clock.ahead = 0
  jobs.wake()
  await expect.poll(() => [...ran].sort(), { timeout: 10_000 }).toEqual([due.id, claimed.id])
  const { not_before, status } = await app.db
    .selectFrom('jobs')
    .select(['not_before', 'status'])
    .where('id', '=', later.id)
    .executeTakeFirstOrThrow()
  await jobs.close()
  expect(status).toBe('queued')
  const wait = Date.parse(not_before) - Date.now()
  expect(wait).toBeGreaterThan(15_000)
  expect(wait).toBeLessThanOrEqual(30_000)
})
