import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Output } from '../../contract/calls.ts'
import { forgetOld, lapseSessions } from '../../server/domain/fieldSession/sessionJobs.ts'
import { sessionPostKind } from '../../server/webhooks/sessionPostKind.ts'
import { closeAfterFile } from '../support/after-file.ts'
import { type Fieldwork, fieldwork, withoutDeliveries } from './support.ts'
import { fresh, send } from './surveyed.ts'

let app: Fieldwork
vi.setConfig({ testTimeout: 60_000 })
beforeAll(async () => {
  app = await fieldwork({ WEBHOOK_INSIDE: '127.0.0.0/8' })
  withoutDeliveries(app)
})
const admin = () => app.as('admin')
const stranger = () => app.as('stranger')

const EXITS = {
  return_complete: 'https://panel.test/c?id={pid}&rid={rid}&t={t}&sig={sig}',
  return_terminate: 'https://panel.test/t?id={pid}',
  return_quota_full: 'https://panel.test/q?id={pid}&why={reason}',
  return_security: 'https://panel.test/s?id={pid}&why={reason}',
}
type Made = Output<'entryLink.create'>
interface Field extends Awaited<ReturnType<typeof fresh>> {
  partner_id: number
  link: Made['data']
  secret: string
  partner_secret: string
  path: string
}

/** A project in field with a survey, a partner and an active link. */
async function field(
  more: object = {},
  { ordered = 475, state = 'active' }: { ordered?: number; state?: string } = {},
): Promise<Field> {
  const made = await fresh(app, { ordered, status: 'active' })
  await app.db
    .updateTable('surveys')
    .set({ survey_link: 'https://survey.test/run?s=1' })
    .where('id', '=', made.survey.id)
    .execute()
  const partner = await app.make.partner({})
  return { ...made, partner_id: partner.id, ...(await linked(made.project.id, partner.id, more, state)) }
}
async function linked(project_id: number, partner_id: number, more: object = {}, state = 'active') {
  const answer = await admin().call('entryLink.create', { id: project_id, partner_id, name: 'Main', ...EXITS, ...more })
  expect(answer.status, answer.text).toBe(200)
  const { data: link, secret, partner_secret } = answer.body
  if (state === 'active') expect((await admin().call('entryLink.resume', { id: link.id })).status).toBe(200)
  return { link, secret, partner_secret, path: new URL(link.url).pathname }
}
const seconds = () => Math.floor(app.services.now().getTime() / 1000)
const sign = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('base64url')
const signed = (secret: string, rid: string, word: string, t = seconds()) => ({ t, sig: sign(secret, `${rid}|${word}|${t}`) })
/** Opens an address as a browser does, again while the machine is busy. */
async function open(path: string, query: Record<string, string | number>) {
  const address = `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`
  for (;;) {
    const answer = await stranger().raw('GET', address)
    if (answer.status !== 503) return answer
  }
}
const leave = (rid: string, o: string, more: Record<string, string | number> = {}) => open(`/x/${rid}`, { o, ...more })
const locationOf = ({ headers }: { headers: Record<string, unknown> }) => new URL(String(headers.location))
/** Lets somebody in and returns their session. */
async function arrive({ path }: Pick<Field, 'path'>, pid: string, more: Record<string, string> = {}): Promise<string> {
  const answer = await open(path, { pid, ...more })
  expect(answer.status, answer.text).toBe(302)
  expect(locationOf(answer).host).toBe('survey.test')
  return locationOf(answer).searchParams.get('rid')!
}
const session = async (rid: string) => {
  const answer = await admin().call('fieldSession.get', { rid })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
const traffic = async ({ project }: Pick<Field, 'project'>, by: 'partner' | 'reason' | 'minute' = 'partner') =>
  (await admin().call('fieldSession.traffic', { id: project.id, by })).body.data
const outcome = (field: Pick<Field, 'secret'>, rid: string, word: string, more: object = {}) =>
  stranger().call('fieldSession.outcome', { rid, outcome: word, ...signed(field.secret, rid, word), ...more } as never)
/** Sets the server's clock ahead for some work. */
async function ahead<T>(minutes: number, work: () => Promise<T>): Promise<T> {
  const { services } = app
  const { now } = services
  services.now = () => new Date(Date.now() + minutes * 60_000)
  try {
    return await work()
  } finally {
    services.now = now
  }
}
const delivered = async ({ project }: Pick<Field, 'project'>) =>
  Number(
    (await app.db.selectFrom('projects').select('delivered').where('id', '=', project.id).executeTakeFirstOrThrow()).delivered,
  )

describe('entry', () => {
  test('lets a person in by a signed address, and shows no session of anybody to strangers', async () => {
    const made = await field()
    const answer = await open(made.path, { pid: 'p1', age: '3', utm: 'x' })
    const to = locationOf(answer)
    const { rid, t, sig, s } = Object.fromEntries(to.searchParams)
    expect([to.origin + to.pathname, s]).toEqual(['https://survey.test/run', '1'])
    expect(sig).toBe(sign(made.secret, `${rid}|entered|${t}`))
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(await session(rid!)).toMatchObject({
      pid: 'p1',
      state: 'admitted',
      proof: 'none',
      profile: { age: '3' },
      partner_id: made.partner_id,
    })
    expect((await app.as('client').call('fieldSession.get', { rid: rid! })).status).toBe(403)
    expect((await stranger().call('fieldSession.get', { rid: rid! })).status).toBe(401)
  })

  test('1,000 entries with 10 equal pids each, sent at once, make one session for each person', async () => {
    const made = await field({ max_entrants_minute: 6000 })
    const answers = await Promise.all(Array.from({ length: 1000 }, (_, at) => open(made.path, { pid: `p${at % 100}` })))
    const rids = new Map<string, Set<string>>()
    for (const [at, answer] of answers.entries()) {
      expect(answer.status, answer.text).toBe(302)
      const pid = `p${at % 100}`
      rids.set(pid, (rids.get(pid) ?? new Set()).add(locationOf(answer).searchParams.get('rid')!))
    }
    expect([...rids.values()].every(({ size }) => size === 1)).toBe(true)
    const rows = await app.db
      .selectFrom('field_sessions')
      .innerJoin('session_steps', 'session_steps.rid', 'field_sessions.rid')
      .select(['pid', 'kind'])
      .where('link_id', '=', made.link.id)
      .execute()
    expect(rows.filter(({ kind }) => kind === 'entered')).toHaveLength(100)
    expect(rows.filter(({ kind }) => kind === 'resumed')).toHaveLength(900)
    expect((await traffic(made)).entrants).toBe(100)
  })

  test('without a pid, with one that is too long, or by an unknown link it is a small page without a session', async () => {
    const made = await field()
    for (const [answer, status] of [
      [await open(made.path, {}), 400],
      [await open(made.path, { pid: 'x'.repeat(101) }), 400],
      [await open('/e/AAAAAAAAAAAAAAAAAAAAAA', { pid: 'p' }), 404],
      [await open('/x/01JDVX0000FIELDWORK0000009', { o: 'complete' }), 404],
    ] as const) {
      expect(answer.status).toBe(status)
      expect(answer.text.length).toBeLessThan(15_000)
      expect(answer.text).not.toMatch(/<script|style=/)
    }
    expect((await traffic(made)).entrants).toBe(0)
  })

  test('a link that asks for a signature refuses others, and says the time to a clock that is wrong', async () => {
    const made = await field({ require_signature: true, return_security: '' })
    const token = made.path.slice(3)
    const of = (t: number) => ({ pid: 'p1', t, sig: sign(made.partner_secret, `${token}|p1|${t}`) })
    expect((await open(made.path, { pid: 'p1' })).status).toBe(200)
    const stale = await open(made.path, of(seconds() - 1200))
    expect(stale.status).toBe(400)
    expect(stale.text).toContain(new Date().toISOString().slice(0, 13))
    expect(locationOf(await open(made.path, of(seconds()))).host).toBe('survey.test')
    // Who couldn't sign for the person took nobody's place.
    expect(await traffic(made, 'reason')).toMatchObject({ entrants: 1, in_survey: 1, anomalies: { refused: 2 } })
  })

  test('a paused link, a full minute and a repeat are refused by their reasons', async () => {
    const made = await field({ max_entrants_minute: 2 })
    const rid = await arrive(made, 'p1')
    expect((await outcome(made, rid, 'terminate', { reason: 'Q4' })).status).toBe(200)
    expect(locationOf(await open(made.path, { pid: 'p1' })).href).toBe('https://panel.test/s?id=p1&why=duplicate')
    await arrive(made, 'p2')
    const wait = await open(made.path, { pid: 'p3' })
    expect([wait.status, wait.headers['retry-after']]).toEqual([429, '60'])
    await arrive(made, 'p2')
    expect((await admin().call('entryLink.pause', { id: made.link.id })).status).toBe(200)
    await delay(250)
    expect(locationOf(await open(made.path, { pid: 'p4' })).searchParams.get('why')).toBe('closed')
    expect(await session(rid)).toMatchObject({ why: 'The survey screened this person out. It said: Q4', entries: 2 })
    // Who is inside finishes and counts.
    const inside = (await admin().call('fieldSession.list', { project_id: made.project.id, outcome: 'admitted' })).body.data[0]!
    expect((await outcome(made, inside.rid, 'complete')).status).toBe(200)
  })

  test('people who completed another project aren’t let in', async () => {
    const first = await field()
    const second = await linked((await surveyedProject()).project.id, first.partner_id, {
      exclude_project_ids: [first.project.id],
    })
    const rid = await arrive(first, 'p1')
    await outcome(first, rid, 'complete')
    expect(locationOf(await open(second.path, { pid: 'p1' })).href).toBe('https://panel.test/t?id=p1')
    await arrive(second, 'p2')
  })

  test('the quotas decide in the same step, and name the cell to administrators alone', async () => {
    const made = await field()
    const cells = [
      { name: 'Women', conditions: { gender: ['female'] }, target: 1 },
      { name: 'Men', conditions: { gender: ['male'] }, target: 1 },
    ]
    const plan = await admin().call('quota.create', {
      id: made.project.id,
      total: 2,
      dimensions: [{ name: 'Gender', fields: ['gender'], cells }],
    })
    expect(plan.status, plan.text).toBe(200)
    await admin().call('quota.live', { id: plan.body.data.id })
    await delay(250)
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => open(made.path, { pid: `w${at}`, gender: 'female' })))
    const hosts = answers.map((answer) => locationOf(answer).host)
    expect(hosts.filter((host) => host === 'survey.test')).toHaveLength(1)
    expect(new Set(answers.map((answer) => locationOf(answer).searchParams.get('why')))).toEqual(new Set([null, 'full']))
    const full = (await admin().call('fieldSession.list', { project_id: made.project.id, outcome: 'quota_full' })).body.data[0]!
    expect((await session(full.rid)).why).toBe('The quota “Women” had no place.')
    const inside = answers.find((answer) => locationOf(answer).host === 'survey.test')!
    const rid = locationOf(inside).searchParams.get('rid')!
    expect((await session(rid)).cells.map(({ name }) => name).sort()).toEqual(['Total', 'Women'])
    expect((await outcome(made, rid, 'complete')).body.data.beyond).toBe(false)
    const { all } = (await admin().call('quota.get', { id: plan.body.data.id })).body.data
    expect([all.completes, all.held]).toEqual([1, 0])
  })

  test('a link in test lets people through without counting them', async () => {
    const made = await field({}, { state: 'test' })
    const rid = await arrive(made, 'p1')
    await arrive(made, 'p1')
    expect(locationOf(await leave(rid, 'complete', signed(made.secret, rid, 'complete'))).pathname).toBe('/c')
    expect(await session(rid)).toMatchObject({ test: true, state: 'complete', respondent_id: null })
    expect([(await traffic(made)).entrants, await delivered(made)]).toEqual([0, 0])
  })
})

const surveyedProject = async () => {
  const made = await fresh(app, { status: 'active' })
  await app.db.updateTable('surveys').set({ survey_link: 'https://survey.test/run' }).where('id', '=', made.survey.id).execute()
  return made
}

describe('outcomes', () => {
  test('100 forged completes are claimed, and none counts', async () => {
    const made = await field()
    const rids: string[] = []
    for (let at = 0; at < 100; at++) rids.push(await arrive(made, `p${at}`))
    for (const rid of rids) {
      const forged = await leave(rid, 'complete', { t: seconds(), sig: sign('guess', `${rid}|complete|${seconds()}`) })
      expect([forged.status, forged.headers.location]).toEqual([200, undefined])
    }
    expect(await traffic(made)).toMatchObject({ complete: 0, in_survey: 100, anomalies: { claimed: 100 } })
    expect(await delivered(made)).toBe(0)
    const rewards = app.db.selectFrom('entries').select('id').where('project_id', '=', made.project.id)
    expect(await rewards.execute()).toEqual([])
    // The partner's own secret signs no outcome.
    const theirs = signed(made.partner_secret, rids[0]!, 'complete')
    expect((await leave(rids[0]!, 'complete', theirs)).status).toBe(200)
    expect((await stranger().call('fieldSession.outcome', { rid: rids[0]!, outcome: 'complete', ...theirs })).status).toBe(401)
  })

  test.each([['redirect first'], ['server first']])('one complete by redirect and server is one, %s', async (order) => {
    const made = await field()
    const rid = await arrive(made, 'p1')
    const respondent = { respondent_id: `r-${rid}`, outcome: 'completes', dma: 501 }
    const byRedirect = () => leave(rid, 'complete', signed(made.secret, rid, 'complete'))
    const byServer = () => outcome(made, rid, 'complete', { respondent })
    const works = order === 'redirect first' ? [byRedirect, byServer] : [byServer, byRedirect]
    for (const work of works) {
      const answer = await work()
      expect([200, 302], answer.text).toContain(answer.status)
    }
    expect(await session(rid)).toMatchObject({ state: 'complete', proof: 's2s', respondent_id: respondent.respondent_id })
    expect(await delivered(made)).toBe(1)
    const rows = app.db.selectFrom('respondents').select(['respondent_id', 'dma', 'rid', 'partner_id'])
    expect(await rows.where('survey_id', '=', made.survey.id).execute()).toEqual([
      { respondent_id: respondent.respondent_id, dma: 501, rid, partner_id: made.partner_id },
    ])
    expect((await traffic(made)).complete).toBe(1)
  })

  test('an outcome that is sent again changes nothing, and another one is a 409 with both', async () => {
    const made = await field()
    const rid = await arrive(made, 'p1')
    expect((await outcome(made, rid, 'complete')).body.data).toMatchObject({ repeated: false, state: 'complete' })
    expect((await outcome(made, rid, 'complete')).body.data).toMatchObject({ repeated: true })
    const other = await outcome(made, rid, 'terminate')
    expect([other.status, other.body.code]).toEqual([409, 'ended'])
    expect(other.body).toMatchObject({ ended: { state: 'complete', proof: 's2s' }, sent: { outcome: 'terminate' } })
    expect(await session(rid)).toMatchObject({ state: 'complete', conflicts: 1 })
    expect(await delivered(made)).toBe(1)
  })

  test('what is wrong with an outcome is said by its field', async () => {
    const made = await field()
    const rid = await arrive(made, 'p1')
    const wrong = await outcome(made, rid, 'complete', { respondent: { respondent_id: 'r', outcome: 'terminates' } })
    expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([422, ['respondent.outcome']])
    const code = await outcome(made, rid, 'complete', { respondent: { respondent_id: 'r', outcome: 'completes', age: 99 } })
    expect([code.status, Object.keys(code.body.fields)]).toEqual([422, ['respondent.age']])
    const late = await stranger().call('fieldSession.outcome', {
      rid,
      outcome: 'complete',
      ...signed(made.secret, rid, 'complete', seconds() - 301),
    })
    expect([late.status, late.body.code]).toEqual([401, 'signature'])
    expect((await admin().call('fieldSession.outcome', { rid: '01JDVX0000FIELDWORK0000009', outcome: 'complete' })).status).toBe(
      404,
    )
    expect((await session(rid)).state).toBe('admitted')
  })

  test('a batch ends sessions, and takes the place of what a redirect left', async () => {
    const made = await field()
    const [one, two] = [await arrive(made, 'p1'), await arrive(made, 'p2')]
    await leave(one, 'complete', signed(made.secret, one, 'complete'))
    const at = new Date().toISOString()
    const sent = await send(app, made.survey.id, [
      { respondent_id: 'b1', outcome: 'completes', at, rid: one, gender: 'male' },
      { respondent_id: 'b2', outcome: 'completes', at, rid: two },
    ])
    expect(sent.body.data).toMatchObject({ added: 2, refused: 0 })
    expect(await session(one)).toMatchObject({ proof: 'redirect', respondent_id: 'b1' })
    expect(await session(two)).toMatchObject({ state: 'complete', proof: 'import', respondent_id: 'b2' })
    expect(await delivered(made)).toBe(2)
  })

  test('who leaves without an exit is abandoned, and a late complete counts while the project is open', async () => {
    const made = await field()
    const [one, two] = [await arrive(made, 'p1'), await arrive(made, 'p2')]
    await ahead(37, async () => {
      await lapseSessions(app.services)
      expect((await session(one)).state).toBe('abandoned')
      expect((await outcome(made, one, 'complete')).status).toBe(200)
      await app.db.updateTable('projects').set({ status: 'completed' }).where('id', '=', made.project.id).execute()
      const late = await outcome(made, two, 'complete')
      expect([late.status, late.body.code]).toEqual([410, 'expired'])
    })
    expect(await traffic(made)).toMatchObject({ complete: 1, abandoned: 1, drop_off: 50 })
  })

  test('a heartbeat keeps somebody inside, once in 20 seconds', async () => {
    const made = await field()
    const rid = await arrive(made, 'p1')
    const until = (await session(rid)).until_at!
    const beat = () => stranger().call('fieldSession.seen', { rid, ...signed(made.secret, rid, 'seen') })
    await ahead(5, async () => {
      const first = await beat()
      expect(first.status, first.text).toBe(200)
      expect(first.body.data.until_at! > until).toBe(true)
      expect((await beat()).status).toBe(429)
    })
    expect((await stranger().call('fieldSession.seen', { rid })).status).toBe(401)
  })

  test('the partner’s server is told, signed, and with the cost of a complete alone', async () => {
    const got: { body: string; signature: string; t: string }[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () => {
        const { 'fieldwork-signature': signature, 'fieldwork-timestamp': t } = request.headers as Record<string, string>
        got.push({ body, signature: signature!, t: t! })
        response.end()
      })
    }).listen(0, '127.0.0.1')
    closeAfterFile(async () => void server.close())
    await new Promise((done) => server.once('listening', done))
    const made = await field({ s2s_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/s2s` })
    const rid = await arrive(made, 'p1')
    await outcome(made, rid, 'complete')
    await vi.waitFor(() => expect(got).toHaveLength(1), { timeout: 20_000 })
    expect(JSON.parse(got[0]!.body)).toEqual({ rid, pid: 'p1', outcome: 'complete', reason: '', cpi_cents: null })
    expect(got[0]!.signature).toBe(sign(made.partner_secret, `${got[0]!.t}.${got[0]!.body}`))
    expect(sessionPostKind.pauses).toHaveLength(10)
  })
})

describe('links', () => {
  test('a former secret counts for 24 hours after a rotation', async () => {
    const made = await field()
    const [one, two] = [await arrive(made, 'p1'), await arrive(made, 'p2')]
    const rotated = await admin().call('entryLink.rotate', { id: made.link.id })
    expect(rotated.body.secret).not.toBe(made.secret)
    expect((await outcome(made, one, 'terminate')).status).toBe(200)
    await ahead(24 * 60 + 1, async () => {
      expect((await outcome(made, two, 'terminate')).status).toBe(401)
      expect((await outcome({ secret: rotated.body.secret }, two, 'terminate')).status).toBe(200)
    })
    expect(JSON.stringify((await admin().call('entryLink.get', { id: made.link.id })).body)).not.toContain('fws_')
  })

  test('its exits are tried without anybody, and strange parameters are named', async () => {
    const made = await field({ param_map: { pid: 'psid' } })
    const { data } = (await admin().call('entryLink.test', { id: made.link.id, query: { psid: '<b>', utm: 'x' } })).body
    expect(data.exits.terminate).toBe('https://panel.test/t?id=%3Cb%3E')
    expect(data.ignored).toEqual(['utm'])
    expect((await traffic(made)).entrants).toBe(0)
  })

  test('an exit inside the network is refused by its field', async () => {
    const project = (await surveyedProject()).project.id
    const partner = await app.make.partner({})
    const refused = async (more: object) => {
      const answer = await admin().call('entryLink.create', { id: project, partner_id: partner.id, name: 'Main', ...more })
      return [answer.status, Object.keys(answer.body.fields)]
    }
    expect(await refused({ return_complete: 'https://10.0.0.1/x' })).toEqual([422, ['return_complete']])
    expect(await refused({ return_terminate: 'https://panel.test/{who}' })).toEqual([422, ['return_terminate']])
    expect(await refused({ partner_id: 999_999 })).toEqual([422, ['partner_id']])
    expect(await refused({ max_entrants_minute: 6001 })).toEqual([422, ['max_entrants_minute']])
  })
})

test('a partner reads their own sessions, and those of another don’t exist', async () => {
  const made = await field()
  const other = await app.make.partner({})
  const theirs = await linked(made.project.id, other.id)
  const [mine, foreign] = [await arrive(made, 'p1'), await arrive(theirs, 'p1')]
  await outcome(made, mine, 'complete')
  const until = Math.floor(Date.now() / 1000) + 3600
  const token = app.services.secrets.sign('partner', `${made.project.id}:${made.partner_id}:1:1`, until)
  const partner = app.person({ 'fieldwork-partner': token })
  const own = await partner.call('fieldSession.own', {})
  expect(own.status, own.text).toBe(200)
  expect(own.body.data.sessions.map(({ rid }) => rid)).toEqual([mine])
  expect(own.body.data.links).toEqual([{ name: 'Main', state: 'active', url: made.link.url }])
  expect(own.body.data.traffic).toMatchObject({ entrants: 1, complete: 1 })
  expect(own.text).not.toMatch(/cpi|epc|"ip"/)
  expect((await partner.call('fieldSession.ownOne', { rid: mine })).body.data.why).toBe('This person completed the survey.')
  expect((await partner.call('fieldSession.ownOne', { rid: foreign })).status).toBe(404)
  expect((await partner.call('fieldSession.get', { rid: foreign })).status).toBe(401)
  // Client users read entrants and outcomes in sum.
  const sum = await app.as('client').call('fieldSession.traffic', { id: made.project.id })
  expect(sum.body.data).toMatchObject({ entrants: 2, complete: 1 })
  expect(sum.text).not.toMatch(/epc|anomalies|"by"/)
  expect((await app.as('client').call('entryLink.ofProject', { id: made.project.id })).status).toBe(403)
})

test('a field like project 4162 has the figures of the worked example', async () => {
  const made = await field()
  const states = { complete: 306, terminate: 518, quota_full: 128, abandoned: 173 } as const
  const at = new Date().toISOString()
  let serial = 0
  const rows = Object.entries(states).flatMap(([state, count]) =>
    Array.from({ length: count }, () => ({
      ...{
        rid: `${made.link.id}-seeded-${++serial}`,
        survey_id: made.survey.id,
        project_id: made.project.id,
        link_id: made.link.id,
      },
      ...{ partner_id: made.partner_id, pid: `p${serial}`, early: '', test: 0, state: state as 'complete', reason: '' },
      ...{
        proof: 's2s' as const,
        entered_at: at,
        admitted_at: at,
        until_at: null,
        last_seen_at: null,
        ended_at: at,
        updated_at: at,
      },
      ...{ seconds: 600, ip: '', device_hash: '', profile: '{}', entries: 1, claimed_at: null, conflicts: 0, cpi_cents: 480 },
      respondent_id: null,
    })),
  )
  for (let from = 0; from < rows.length; from += 30)
    await app.db
      .insertInto('field_sessions')
      .values(rows.slice(from, from + 30))
      .execute()
  expect(await traffic(made)).toMatchObject({
    ...{ entrants: 1125, incidence: 54, incidence_screened: 37.1, drop_off: 36.1, epc_cents: 131, median_seconds: 600 },
    by: [{ name: expect.any(String), entrants: 1125, epc_cents: 131 }],
  })
})

test('after 24 months only outcome, partner and month of a session are known', async () => {
  const made = await field()
  const rid = await arrive(made, 'p1')
  await outcome(made, rid, 'complete')
  await ahead(25 * 31 * 24 * 60, () => forgetOld(app.services))
  const rows = await app.db.selectFrom('field_sessions').selectAll().where('link_id', '=', made.link.id).execute()
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ pid: '', ip: '', state: 'complete', partner_id: made.partner_id })
  expect(rows[0]!.entered_at).toMatch(/^\d{4}-\d\d-01T00:00:00\.000Z$/)
  expect(await app.db.selectFrom('session_steps').select('id').where('rid', '=', rid).execute()).toEqual([])
  expect((await traffic(made)).complete).toBe(1)
})
