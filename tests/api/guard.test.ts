import pino from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { authenticate } from '../../server/core/authenticate.ts'
import { hashPassword } from '../../server/core/passwords.ts'
import { addressPrefix } from '../../server/core/rateLimit.ts'
import { buildApp } from '../../server/http/app.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { confirmed, holder } from './signing.ts'
import { type Answer, type Fieldwork, fieldwork } from './support.ts'

const PASSWORD = 'Fieldwork-1!'
let app: Fieldwork
let hash: string
beforeAll(async () => {
  // Production mode, because attempts aren't limited in test mode. The proxy header sets a test's address.
  app = await fieldwork({ NODE_ENV: 'production', TRUST_PROXY: '1' })
  hash = await hashPassword(PASSWORD)
})

let line = 0
/** An address no other test uses. */
const newLine = () => ({ 'x-forwarded-for': `198.51.${Math.floor(++line / 200)}.${(line % 200) + 1}` })
const tryIn = (email: string, password: string, headers: Record<string, string>) =>
  app.as('stranger').call('session.signIn', { email, password }, headers)
async function tryOften(times: number, email: string, headers: () => Record<string, string>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let at = 0; at < times; at++) answers.push(await tryIn(email, 'Wrong-1!', headers()))
  return answers
}
const countOf = (answers: readonly Answer[], status: number) => answers.filter((answer) => answer.status === status).length
const from = (headers: Record<string, string>) => () => headers
const cookieOf = (answer: Answer, name: string) =>
  ([answer.headers['set-cookie']].flat() as string[]).find((text) => text.startsWith(`${name}=`))!.split(';')[0]!

describe('guessing passwords', () => {
  test('is stopped after a few attempts, with a message and Retry-After', async () => {
    const user = await app.make.user({ password_hash: hash })
    const answers = await tryOften(9, user.email, from(newLine()))
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401, 401, 401, 401, 401, 401, 429])
    const last = answers.at(-1)!
    expect(last.body).toMatchObject({
      code: 'too_many',
      message: expect.stringMatching(/^Too many attempts. Please wait \d+ seconds/),
    })
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(20)
    expect(Number(last.headers['retry-after'])).toBeLessThanOrEqual(30)
  })

  test('is stopped the same way for unknown accounts', async () => {
    const user = await app.make.user({ password_hash: hash })
    const there = await tryOften(9, user.email, from(newLine()))
    const nobody = await tryOften(9, 'nobody.at.all@mail.test', from(newLine()))
    const messagesOf = (answers: readonly Answer[]) =>
      answers.map(({ status, body }) => [status, body.code, body.message.replace(/\d+/, 'n')])
    expect(messagesOf(nobody)).toEqual(messagesOf(there))
  })

  test('rejects even the right password until the wait is over', async () => {
    const user = await app.make.user({ password_hash: hash })
    const here = newLine()
    await tryOften(9, user.email, from(here))
    expect((await tryIn(user.email, PASSWORD, here)).status).toBe(429)
    const real = app.services.now
    app.services.now = () => new Date(Date.now() + 31_000)
    try {
      expect((await tryIn(user.email, PASSWORD, here)).status).toBe(200)
    } finally {
      app.services.now = real
    }
  })

  test('counts across processes', async () => {
    const user = await app.make.user({ password_hash: hash })
    const here = newLine()
    const second = await createServices(app.services.settings, pino({ level: 'error' }))
    const other = await buildApp(second)
    try {
      expect(countOf(await tryOften(8, user.email, from(here)), 401)).toBe(8)
      const answer = await other.inject({
        method: 'POST',
        url: '/v3/portal/auth/sign_in',
        headers: here,
        payload: { email: user.email, password: PASSWORD },
      })
      expect(answer.statusCode).toBe(429)
    } finally {
      await other.close()
      await closeServices(second)
    }
  })

  test('gains no attempts by concurrency', async () => {
    const user = await app.make.user({ password_hash: hash })
    const here = newLine()
    const answers = await Promise.all(Array.from({ length: 16 }, () => tryIn(user.email, 'Wrong-1!', here)))
    expect(countOf(answers, 401)).toBe(8)
    expect(countOf(answers, 429)).toBe(8)
  })

  test('from many addresses is stopped, without locking out known browsers', async () => {
    const user = await app.make.user({ password_hash: hash })
    const entered = await tryIn(user.email, PASSWORD, { ...newLine(), 'x-fieldwork': 'workspace' })
    expect(entered.status).toBe(200)
    const strangers = await tryOften(34, user.email, newLine)
    expect(countOf(strangers, 401)).toBe(30)
    expect((await tryIn(user.email, PASSWORD, newLine())).status).toBe(429)
    const device = cookieOf(entered, 'fieldwork_device')
    expect((await tryIn(user.email, PASSWORD, { ...newLine(), cookie: device })).status).toBe(200)
  })

  test('with another account’s browser token counts as a stranger’s', async () => {
    const [one, two] = [await app.make.user({ password_hash: hash }), await app.make.user({ password_hash: hash })]
    const entered = await tryIn(one.email, PASSWORD, { ...newLine(), 'x-fieldwork': 'workspace' })
    await tryOften(31, two.email, newLine)
    const cookie = cookieOf(entered, 'fieldwork_device')
    expect((await tryIn(two.email, PASSWORD, { ...newLine(), cookie })).status).toBe(429)
  })

  test('costs nothing with the right password', async () => {
    const user = await app.make.user({ password_hash: hash })
    const here = newLine()
    const answers: Answer[] = []
    for (let at = 0; at < 12; at++) answers.push(await tryIn(user.email, PASSWORD, here))
    expect(countOf(answers, 200)).toBe(12)
  })

  test('of the user’s own password in an open session is stopped too', async () => {
    const user = await app.make.user({ password_hash: hash })
    const person = await app.signIn(user)
    const tryOwn = () =>
      person.call(
        'session.setPassword',
        { password: 'Fieldwork-2!', password_confirmation: 'Fieldwork-2!', current_password: 'Wrong-1!' },
        newLine(),
      )
    const answers: Answer[] = []
    for (let at = 0; at < 9; at++) answers.push(await tryOwn())
    expect(answers.map((answer) => answer.status)).toEqual([422, 422, 422, 422, 422, 422, 422, 422, 429])
  })
})

describe('limits by address', () => {
  test('stop repeated requests for emails, and nobody else', async () => {
    const here = newLine()
    const ask = (headers: Record<string, string>) => app.as('stranger').call('session.forgot', { email: 'x@mail.test' }, headers)
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(here)))
    expect(countOf(answers, 200)).toBe(10)
    expect(countOf(answers, 429)).toBe(2)
    expect((await ask(newLine())).status).toBe(200)
  })

  test('treat an IPv6 /64 as one', () => {
    expect(addressPrefix('2001:db8:1:2:aaaa::1')).toBe(addressPrefix('2001:db8:1:2::99'))
    expect(addressPrefix('2001:db8:1:3::1')).not.toBe(addressPrefix('2001:db8:1:2::1'))
    expect(addressPrefix('::ffff:192.0.2.7')).toBe('192.0.2.7')
    expect(addressPrefix('::1')).toBe('0:0:0:0::/64')
  })
})

describe('limits by address, in any spelling', () => {
  const forgot = (ip: string) =>
    app.as('stranger').call('session.forgot', { email: 'nobody@mail.test' }, { 'x-forwarded-for': ip })
  const many = async (times: number, ipOf: (nth: number) => string) => {
    const statuses = await Promise.all(Array.from({ length: times }, async (_, nth) => (await forgot(ipOf(nth))).status))
    return statuses.filter((status) => status === 429).length
  }

  test.each([
    ['a port behind it', (nth: number) => `192.0.2.61:${40_000 + nth}`],
    ['brackets and a port', (nth: number) => `[2001:db8:61::1]:${40_000 + nth}`],
    ['text that is no address', (nth: number) => `caller-${nth}`],
  ])('are shared by an address with %s', async (_what, ipOf) => {
    expect(await many(15, ipOf)).toBeGreaterThan(0)
  })

  test('count sign-ins, as many as LIMITS says, for an office behind one address', async () => {
    const { limits } = app.services.settings
    const usual = limits.sign_ins_minute
    const statuses = async (most: number, times: number) => {
      limits.sign_ins_minute = most
      // IPv6 has larger budgets for wider networks; most divisions of a minute leave a part of a millisecond.
      const headers = { 'x-forwarded-for': `2001:db8:${most}:70::1` }
      const answers: Answer[] = []
      for (let at = 0; at < times; at++) answers.push(await tryIn(`nobody-${most}-${at}@mail.test`, 'Wrong-1!', headers))
      return answers.map((answer) => answer.status)
    }
    try {
      expect(usual).toBe(30)
      expect(await statuses(2, 3)).toEqual([401, 401, 429])
      expect(await statuses(7, 7)).toEqual(Array.from({ length: 7 }, () => 401))
      expect(await statuses(1_000_000, 2)).toEqual([401, 401])
    } finally {
      limits.sign_ins_minute = usual
    }
  })

  test('count the passwords one address tries, from any port', async () => {
    const user = await app.make.user({ password_hash: hash })
    let port = 40_000
    const answers = await tryOften(9, user.email, () => ({ 'x-forwarded-for': `192.0.2.62:${port++}` }))
    expect(countOf(answers, 429)).toBe(1)
  })

  test('apply to an IPv6 address’s /56 and /48, at a few times the limit', async () => {
    // Ten a minute per address, twenty for a /56, forty for a /48.
    expect(await many(25, (nth) => `2001:db8:5600:${nth.toString(16)}::1`)).toBeGreaterThan(0)
    expect(await many(18, (nth) => `2001:db8:5601:${nth.toString(16)}::1`)).toBe(0)
    expect(await many(60, (nth) => `2001:db8:4800:${(nth * 256).toString(16)}::1`)).toBeGreaterThan(0)
    expect(addressPrefix('2001:db8:1:2345::1', 56)).toBe('2001:db8:1:2300::/56')
    expect(addressPrefix('2001:db8:1:2345::1', 48)).toBe('2001:db8:1:0::/48')
  })

  test('count both spellings of a password change together', async () => {
    const here = newLine()
    const input = { password: PASSWORD, password_confirmation: PASSWORD, reset_password_token: 'x'.repeat(64) }
    const statuses: number[] = []
    for (let nth = 0; nth < 12; nth++) {
      const id = nth % 2 ? 'session.setPassword' : 'session.setPasswordSettlers'
      statuses.push((await app.as('stranger').call(id, input, here)).status)
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
  })
})

describe('tokens become worthless', () => {
  test('of every other session, acting ones included, after a password change', async () => {
    const admin = await app.make.user({ role: 'admin', password_hash: hash })
    const [here, elsewhere] = [await app.signIn(admin), await app.signIn(admin)]
    const acting = await here.call('session.actAs', { id: app.member.id, reason: 'to look' })
    const actor = holder(app, acting)
    expect((await actor.call('session.validate')).status).toBe(200)
    const changed = await here.call('session.setPassword', {
      password: 'Fieldwork-2!',
      password_confirmation: 'Fieldwork-2!',
      current_password: PASSWORD,
    })
    expect(changed.status).toBe(200)
    expect((await here.call('session.validate')).status).toBe(200)
    expect((await elsewhere.call('session.validate')).status).toBe(401)
    expect((await actor.call('session.validate')).status).toBe(401)
  })

  test('of an acting administrator who is demoted in any way', async () => {
    const admin = await app.make.user({ role: 'admin' })
    const acting = await (await app.signIn(admin)).call('session.actAs', { id: app.member.id, reason: 'to look' })
    const actor = holder(app, acting)
    await app.write((tx) => tx.updateTable('users').set({ role: 'client' }).where('id', '=', admin.id).execute())
    expect((await actor.call('session.validate')).status).toBe(401)
  })

  test('of a key whose maker is demoted, even if promoted again', async () => {
    const maker = await app.make.user({ role: 'admin' })
    const { body } = await (await app.signIn(maker)).call('key.create', { name: 'nightly' })
    const caller = () => authenticate(app.services, { headers: { authorization: `Bearer ${body.data.key}` }, query: {} } as never)
    expect((await caller()).apiKey).toMatchObject({ created_by: maker.id })
    for (const role of ['client', 'admin']) {
      const { lock_version } = await app.db
        .selectFrom('users')
        .select('lock_version')
        .where('id', '=', maker.id)
        .executeTakeFirstOrThrow()
      const edited = await app.as('admin').call('user.edit', { id: maker.id, role, lock_version } as never)
      expect(edited.status, edited.text).toBe(200)
      expect((await caller()).apiKey).toBe(null)
    }
  })

  test('of a partner’s signed link once the partner or the project is deleted', async () => {
    const partner = await app.make.partner()
    const project = await app.make.project({ client_id: app.client.id })
    const token = app.services.secrets.sign('partner', `${project.id}:${partner.id}`, Math.floor(Date.now() / 1000) + 60)
    const caller = () => authenticate(app.services, { headers: {}, query: { token } } as never)
    const set = (table: 'partners' | 'projects', id: number, deleted_at: string | null) =>
      app.write((tx) => tx.updateTable(table).set({ deleted_at }).where('id', '=', id).execute())
    expect((await caller()).partner).toEqual({
      project_id: project.id,
      partner_id: partner.id,
      addressed_id: partner.id,
      round: null,
      version: null,
      expired_at: null,
    })
    await set('partners', partner.id, new Date().toISOString())
    expect((await caller()).partner).toBe(null)
    await set('partners', partner.id, null)
    await set('projects', project.id, new Date().toISOString())
    expect((await caller()).partner).toBe(null)
  })

  test('of a reset email to an address that has changed since', async () => {
    const user = await app.make.user({ password_hash: hash })
    await app.as('stranger').call('session.forgot', { email: user.email }, newLine())
    const held = () =>
      app.db.selectFrom('users').select(['reset_hash', 'lock_version']).where('id', '=', user.id).executeTakeFirstOrThrow()
    const { reset_hash, lock_version } = await held()
    expect(reset_hash).not.toBe(null)
    const edited = await app.as('admin').call('user.edit', { id: user.id, email: `new.${user.email}`, lock_version } as never)
    expect(edited.status, edited.text).toBe(200)
    // The new address only waits.
    expect((await held()).reset_hash).toBe(reset_hash)
    expect((await confirmed(app, `new.${user.email}`)).status).toBe(200)
    expect((await held()).reset_hash).toBe(null)
  })
})
