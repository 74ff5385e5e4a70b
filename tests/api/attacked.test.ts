import pino from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../server/core/passwords.ts'
import { buildApp } from '../../server/http/app.ts'
import { cookies, PASSWORD, signIn } from './signing.ts'
import { type Fieldwork, fieldwork } from './support.ts'

// Holes that attacks found and other tests don't cover (docs/torture.md).
let app: Fieldwork
let known: string
beforeAll(async () => {
  app = await fieldwork()
  known = await hashPassword(PASSWORD)
})

const WORKSPACE = { 'x-fieldwork': 'workspace' }
describe('a browser in which an administrator acts as somebody', () => {
  const reason = 'they see no projects'
  async function acting() {
    const admin = await app.make.user({ role: 'admin', password_hash: known })
    const user = await app.make.user({ clients: [app.client.id], password_hash: known })
    const own = await signIn(app, admin.email, PASSWORD, WORKSPACE)
    const answer = await cookies(app, own).call('session.actAs', { id: user.id, reason })
    return { admin, user, own, answer, browser: cookies(app, own, answer) }
  }

  test('belongs to the next person to sign in', async () => {
    const { admin, user, own, answer, browser } = await acting()
    const next = await browser.call('session.signIn', { email: user.email, password: PASSWORD }, WORKSPACE)
    expect(next.status).toBe(200)
    // With the remaining cookies, and with a copy made earlier.
    for (const there of [cookies(app, own, answer, next), browser])
      expect((await there.call('session.switchBack')).status).toBe(409)
    expect(await app.db.selectFrom('sessions').select('id').where('user_id', '=', admin.id).execute()).toEqual([])
  })

  test('is signed out entirely, even after the thirty minutes', async () => {
    const { admin, own, answer, browser } = await acting()
    await app.write((tx) => tx.deleteFrom('sessions').where('admin_id', '=', admin.id).execute())
    const out = await browser.call('session.signOut')
    expect(out.status).toBe(200)
    expect((await cookies(app, own, answer, out).call('session.switchBack')).status).toBe(409)
    expect((await cookies(app, own).call('session.validate')).status).toBe(401)
  })

  test('is signed out by “sign out everywhere else” in another one', async () => {
    const { admin, browser } = await acting()
    const elsewhere = await app.signIn(admin)
    await elsewhere.call('account.endOtherSessions')
    expect((await browser.call('session.validate')).status).toBe(401)
  })
})

test('a form of another site can’t sign a browser in', async () => {
  const user = await app.make.user({ password_hash: known })
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.test' }
  const body = new URLSearchParams({ email: user.email, password: PASSWORD, remember_cookie: '1' }).toString()
  const answer = await app.as('stranger').raw('POST', '/v3/portal/auth/sign_in', body, form)
  expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined])
  const own = { ...form, origin: 'http://fieldwork.test' }
  expect((await app.as('stranger').raw('POST', '/v3/portal/auth/sign_in', body, own)).status).toBe(200)
})

describe('an export', () => {
  const started = async (who: ReturnType<Fieldwork['as']>, source: 'projects' | 'users') => {
    const { id } = (await who.call('export.start', { source })).body.data
    const job = await app.services.jobs.settled(id, 10_000)
    return { id, file: Number(JSON.parse(job.result).file_id) }
  }
  const refused = async (who: ReturnType<Fieldwork['as']>, { id, file }: { id: number; file: number }) => ({
    link: (await who.call('job.link', { id })).status,
    file: (await who.call('file.link', { id: file })).status,
    listed: (await who.call('job.get', { id })).body.data?.download,
  })

  test('is available to its maker while they have the client it was made through', async () => {
    await app.make.project({ client_id: app.client.id })
    const user = await app.make.user({ clients: [app.client.id] })
    const person = await app.signIn(user)
    const made = await started(person, 'projects')
    expect((await person.call('job.link', { id: made.id })).status).toBe(200)
    await app.write((tx) => tx.deleteFrom('user_clients').where('user_id', '=', user.id).execute())
    expect(await refused(person, made)).toEqual({ link: 403, file: 404, listed: null })
  })

  test('of everything is not available to a former administrator', async () => {
    const user = await app.make.user({ role: 'admin' })
    const all = [await started(await app.signIn(user), 'users'), await started(await app.signIn(user), 'projects')]
    await app.as('admin').call('user.edit', { id: user.id, role: 'client' })
    const person = await app.signIn(user)
    for (const made of all) expect(await refused(person, made)).toEqual({ link: 404, file: 404, listed: undefined })
  })
})

describe('two at once', () => {
  test('saving a view under the same name: one is refused', async () => {
    const view = { screen: 'allProjects', name: 'Late ones' }
    const answers = await Promise.all([1, 2, 3].map(() => app.as('client').call('view.create', view)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422, 422])
  })

  test('two people confirming the same address: one is refused', async () => {
    const users = [await app.make.user(), await app.make.user(), await app.make.user()]
    const email = 'one@mail.test'
    await Promise.all(users.map(({ id }) => app.as('admin').call('user.edit', { id, email })))
    const letters = await app.db.selectFrom('mails').select('body').where('to_address', '=', email).execute()
    const tokens = letters.map(({ body }) => /token=([\w-]+)/.exec(body)![1]!)
    expect(tokens).toHaveLength(3)
    const answers = await Promise.all(tokens.map((token) => app.as('stranger').call('session.confirmEmail', { token })))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409])
  })
})

describe('a project', () => {
  const under = (id: number, parent_id: number) => app.as('admin').call('project.edit', { id, parent_id })

  test('can’t be its own parent, directly or through a child', async () => {
    const [top, other] = [
      await app.make.project({ client_id: app.client.id }),
      await app.make.project({ client_id: app.client.id }),
    ]
    expect((await under(top.id, top.id)).body.fields).toHaveProperty('parent_id')
    expect((await under(top.id, other.id)).status).toBe(200)
    expect((await under(other.id, top.id)).body.fields).toHaveProperty('parent_id')
    const third = await app.make.project({ client_id: app.client.id })
    expect((await under(other.id, third.id)).body.fields).toHaveProperty('parent_id')
  })

  test('can’t become another’s child while that one becomes its child', async () => {
    const [one, two] = [
      await app.make.project({ client_id: app.client.id }),
      await app.make.project({ client_id: app.client.id }),
    ]
    const answers = await Promise.all([under(one.id, two.id), under(two.id, one.id)])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422])
  })
})

test('email addresses that look alike are the same', async () => {
  const invite = (email: string) => app.as('admin').call('user.invite', { email, role_id: 2 })
  expect((await invite('jose\u0301@mail.test')).body.data.email).toBe('jos\u00e9@mail.test')
  expect((await invite('jos\u00e9@mail.test')).body.code).toBe('taken')
  for (const unseen of ['a\u200bb@mail.test', 'a\ud800b@mail.test', 'a\u202eb@mail.test'])
    expect((await invite(unseen)).body.fields, JSON.stringify(unseen)).toHaveProperty('email')
})

describe('a live stream', () => {
  test('tells a reader with an impossible event id to reload everything', async () => {
    const url = await app.app.listen({ port: 0 })
    for (const id of ['1.5', '-3', 'x', '1e308']) {
      const stop = new AbortController()
      const headers = { ...app.as('admin').headers, 'last-event-id': id }
      const answer = await fetch(`${url}/v3/portal/live`, { headers, signal: stop.signal })
      const { value } = await answer.body!.getReader().read()
      expect(new TextDecoder().decode(value), id).toContain('"missed":true')
      stop.abort()
    }
  })

  test('responds to HEAD, and ends', async () => {
    const answer = await app.app.inject({ method: 'HEAD', url: '/v3/portal/live', headers: app.as('admin').headers })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
  })
})

test('the log contains no working link', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const server = await buildApp({ ...app.services, log, settings: { ...app.services.settings, test: false } })
  const signed = app.services.secrets.sign('download', '1', Math.floor(Date.now() / 1000) + 900)
  await server.inject({ method: 'GET', url: `/v3/portal/download/${signed}` })
  await server.inject({ method: 'GET', url: '/v3/portal/config' })
  await server.close()
  const paths = lines.map((line) => (JSON.parse(line) as { path?: string }).path)
  expect(paths).toContain('/v3/portal/download/:signed')
  expect(paths).toContain('/v3/portal/config')
  expect(lines.join()).not.toContain(signed)
})

test('no response is cached, however its address is spelled', async () => {
  for (const url of ['/v3/portal/config', '/%763/portal/config', '/v3/portal/nothing'])
    expect((await app.as('stranger').raw('GET', url)).headers['cache-control'], url).toBe('no-store')
})

test('endless or idle senders lose their connection', async () => {
  const { requestTimeout, timeout } = app.app.server
  expect(requestTimeout).toBeGreaterThanOrEqual(5 * 60_000)
  expect(requestTimeout).toBeLessThanOrEqual(30 * 60_000)
  // Longer than a live stream stays silent, and than a statement may take.
  expect(timeout).toBeGreaterThan(65_000)
  expect(timeout).toBeLessThanOrEqual(5 * 60_000)
})

describe('the history that a client user reads', () => {
  const read = async (id: number) => (await app.as('client').call('project.history', { id })).body.data

  test('begins when the project became their client’s', async () => {
    const other = await app.make.client({ name: 'Rival Snacks' })
    const project = await app.make.project({ client_id: other.id, name: 'Secret Launch' })
    await app.as('admin').call('project.edit', { id: project.id, description: 'Rival plans' })
    await app.as('admin').call('project.edit', { id: project.id, client_id: app.client.id, name: 'Shelf Test', description: '' })
    await app.as('admin').call('project.edit', { id: project.id, name: 'Shelf Test 2' })
    const lines = await read(project.id)
    expect(lines.map((line) => line.after.name)).toEqual(['Shelf Test 2', 'Shelf Test'])
    expect(JSON.stringify(lines)).not.toMatch(/Secret|Rival/)
  })

  test('contains no partner names, rewards or fraud flags', async () => {
    const project = await app.make.project({ client_id: app.client.id, status: 'pricing' })
    const survey = await app.make.survey({ project_id: project.id })
    const entry = await app.make.entry({ project_id: project.id, survey_id: survey.id })
    const partner = await app.make.partner({ name: 'Quiet Panel', email: 'quiet@panel.test' })
    await app.make.assign(project.id, partner.id)
    const rows = [{ respondent_id: 'f', outcome: 'completes' as const, fraud: true }]
    for (const done of [
      await app.as('admin').call('project.mailPartnerNow', { project_id: project.id, partner_id: partner.id }),
      await app.as('admin').call('entry.reject', { ids: [entry.id], reason: 'looks bought' }),
      await app.as('admin').call('runtime.ingest', { surveyId: survey.id, rows }),
      await app.as('admin').call('runtime.clearFraud', { surveyId: survey.id }),
    ])
      expect(done.status, done.text).toBe(200)
    expect(JSON.stringify(await read(project.id))).not.toMatch(/Quiet Panel|looks bought|fraud|amount/)
    expect((await app.as('admin').call('project.history', { id: project.id })).text).toMatch(/Quiet Panel.*|looks bought/)
  })
})

test('respondents whose ids differ only in lone surrogates are refused', async () => {
  const project = await app.make.project({ client_id: app.client.id })
  const survey = await app.make.survey({ project_id: project.id })
  const rows = ['\ud800', '\ud801'].map((half) => ({ respondent_id: `r${half}`, outcome: 'completes' as const }))
  const { status, body } = await app.as('admin').call('runtime.ingest', { surveyId: survey.id, rows })
  expect(status).toBe(422)
  expect(body.data.errors.map(({ field, message }) => [field, message])).toEqual(
    rows.map(() => ['respondent_id', 'respondent_id holds half of a character: send UTF-8']),
  )
})

test('a market named six thousand times counts once, and too many names are refused', async () => {
  const form = {
    client_id: app.client.id,
    name: 'Shelf Diary',
    goal: 50,
    start_dt: '2026-12-01',
    activity_type: 'survey',
    url: 'https://survey.test/s',
    location_based: 'no',
    age: Array<string>(4000).fill('2'),
    gender: ['male'],
  }
  const ask = (targeted_locations: string[]) => app.as('client').call('request.create', { ...form, targeted_locations } as never)
  const { body } = await ask(Array<string>(6000).fill('501'))
  expect(body.data.activities[0]?.target).toMatchObject({ targeted_locations: '501', age: '2' })
  const many = await ask(Array.from({ length: 6000 }, (_, at) => String(501 + at)))
  expect([many.status, Object.keys(many.body.fields)]).toEqual([422, ['targeted_locations']])
})
