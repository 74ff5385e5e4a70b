import { beforeAll, describe, expect, test } from 'vitest'
import { calls } from '../../contract/calls.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { hashPassword } from '../../server/core/passwords.ts'
import { cookies, holder, mailTo, PASSWORD, signIn } from './signing.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
let hash: string
beforeAll(async () => {
  app = await fieldwork()
  hash = await hashPassword(PASSWORD)
})

const stranger = () => app.as('stranger')

describe('signing in', () => {
  test('returns token headers, which open the other calls', async () => {
    const user = await app.make.user({ password_hash: hash })
    const answer = await signIn(app, ` ${user.email.toUpperCase()} `)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({ 'token-type': 'Bearer', uid: user.email })
    expect(Number(answer.headers.expiry) * 1000 - Date.now()).toBeGreaterThan(13.9 * 86_400_000)
    expect((await holder(app, answer).call('session.validate')).body).toMatchObject({
      success: true,
      data: { id: user.id, role: 'client', role_id: 3 },
    })
  })

  test('names both blank fields in the specification’s words', async () => {
    const answer = await stranger().call('session.signIn', {})
    expect(answer.status).toBe(422)
    expect(answer.body.fields).toEqual({ email: MESSAGES.loginName, password: MESSAGES.loginPassword })
  })

  test('responds the same for a wrong password, an unknown address, an invited and a deleted user', async () => {
    const known = await app.make.user({ password_hash: hash })
    const invited = await app.make.user({ status: 'invited' })
    const deleted = await app.make.user({ password_hash: hash, deleted_at: new Date().toISOString() })
    const answers = [
      await signIn(app, known.email, 'Wrong-pass-1'),
      await signIn(app, 'nobody@mail.test'),
      await signIn(app, invited.email),
      await signIn(app, deleted.email),
    ]
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.code} ${body.message}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(401)
  })

  test('gives an HttpOnly, SameSite=Strict cookie to the workspace only', async () => {
    const user = await app.make.user({ password_hash: hash })
    const plain = await signIn(app, user.email)
    const workspace = await signIn(app, user.email, PASSWORD, { 'x-fieldwork': 'workspace' })
    expect(plain.headers['set-cookie']).toBeUndefined()
    expect(String([workspace.headers['set-cookie']].flat()[0])).toMatch(
      /^fieldwork=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    )
    expect((await cookies(app, workspace).call('session.meFull')).body.data.id).toBe(user.id)
  })

  test('stores only a token’s hash', async () => {
    const user = await app.make.user({ password_hash: hash })
    const token = String((await signIn(app, user.email)).headers['access-token'])
    const rows = await app.db.selectFrom('sessions').selectAll().where('user_id', '=', user.id).execute()
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('ends the oldest session with the eleventh device', async () => {
    const user = await app.make.user({ password_hash: hash })
    const first = await signIn(app, user.email)
    for (let device = 2; device <= 10; device++) await app.signIn(user)
    expect((await holder(app, first).call('session.validate')).status).toBe(200)
    const eleventh = await signIn(app, user.email)
    expect((await holder(app, first).call('session.validate')).status).toBe(401)
    expect((await holder(app, eleventh).call('account.sessions')).body.count).toBe(10)
  })

  test('an expired session has ended', async () => {
    const user = await app.make.user()
    const person = await app.signIn(user)
    await app.write((tx) =>
      tx
        .updateTable('sessions')
        .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
        .where('user_id', '=', user.id)
        .execute(),
    )
    expect((await person.call('session.validate')).status).toBe(401)
  })
})

describe('token headers', () => {
  const FIVE = ['access-token', 'client', 'expiry', 'token-type', 'uid']
  const five = (answer: { headers: Record<string, unknown> }) =>
    Object.fromEntries(FIVE.map((name) => [name, answer.headers[name]]).filter(([, value]) => value !== undefined))

  test('belong together: access-token, client and uid of one session, else 401', async () => {
    const [one, other] = [await app.signIn(await app.make.user()), await app.signIn(await app.make.user())]
    const { 'access-token': token, client, uid } = one.headers as Record<string, string>
    const status = async (headers: Record<string, string>) => (await app.person(headers).call('session.validate')).status
    expect(await status({ 'access-token': token!, client: client!, uid: uid! })).toBe(200)
    expect(await status({ 'access-token': token!, client: client!, uid: uid!.toUpperCase() })).toBe(200)
    const wrong: Record<string, string>[] = [
      { 'access-token': token! },
      { 'access-token': token!, client: client! },
      { 'access-token': token!, uid: uid! },
      { 'access-token': token!, client: client!, uid: other.headers.uid! },
      { 'access-token': token!, client: other.headers.client!, uid: uid! },
      { 'access-token': token!, client: '', uid: '' },
    ]
    for (const headers of wrong) expect(await status(headers), JSON.stringify(Object.keys(headers))).toBe(401)
  })

  test('are in every response to a caller who sent them: a read, a write, a refusal, an error', async () => {
    const person = app.as('client')
    const sent = Object.fromEntries(FIVE.map((name) => [name, person.headers[name]]))
    for (const answer of [
      await person.call('session.validate'),
      await person.call('account.edit', { company: 'Reed & Co' }),
      await person.call('account.edit', { phone: 'abc' }),
      await person.call('user.list'),
      await person.raw('PUT', '/v3/portal/account', '{', { 'content-type': 'application/json' }),
      await person.call('project.get', { id: 999_999 }),
    ])
      expect(five(answer), String(answer.status)).toEqual(sent)
  })

  test('are in no response to a cookie, a stranger, or after signing out', async () => {
    const user = await app.make.user({ password_hash: hash })
    const workspace = await signIn(app, user.email, PASSWORD, { 'x-fieldwork': 'workspace' })
    expect(five(workspace)).toEqual({})
    expect(five(await cookies(app, workspace).call('session.validate'))).toEqual({})
    expect(five(await stranger().call('organization.config'))).toEqual({})
    expect(five(await (await app.signIn(user)).call('session.signOut'))).toEqual({})
  })
})

describe('over https', () => {
  let secure: Fieldwork
  beforeAll(async () => {
    secure = await fieldwork({ PUBLIC_URL: 'https://fieldwork.test' })
  })

  test('the cookie is bound to this host, and its old name is removed', async () => {
    const user = await secure.make.user({ password_hash: hash })
    const set = [(await signIn(secure, user.email, PASSWORD, { 'x-fieldwork': 'workspace' })).headers['set-cookie']].flat()
    expect(set).toContainEqual(
      expect.stringMatching(/^__Host-fieldwork=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/),
    )
    expect(set).toContainEqual(expect.stringMatching(/^fieldwork=; Path=\/; .*Max-Age=0/))
  })

  test('a session under the old name continues, and signs out', async () => {
    const old = await secure.signIn(await secure.make.user())
    const browser = secure.person({ cookie: `fieldwork=${old.headers['access-token']}`, 'sec-fetch-site': 'same-origin' })
    expect((await browser.call('session.validate')).status).toBe(200)
    expect((await browser.call('session.signOut')).status).toBe(200)
    expect((await browser.call('session.validate')).status).toBe(401)
  })
})

describe('signing out', () => {
  test('ends this session and no other', async () => {
    const user = await app.make.user()
    const [here, there] = [await app.signIn(user), await app.signIn(user)]
    expect((await here.raw('DELETE', '/v3/portal/auth/sign_out')).status).toBe(200)
    expect((await here.call('session.validate')).status).toBe(401)
    expect((await there.call('session.validate')).status).toBe(200)
  })

  test('takes the cookie away', async () => {
    const user = await app.make.user({ password_hash: hash })
    const workspace = cookies(app, await signIn(app, user.email, PASSWORD, { 'x-fieldwork': 'workspace' }))
    const answer = await workspace.call('session.signOut')
    expect(String(answer.headers['set-cookie'])).toContain('Max-Age=0')
    expect((await workspace.call('session.validate')).status).toBe(401)
  })

  test.each([
    ['an empty object', '{}', 'application/json'],
    ['another client', '{"client":"another"}', 'application/json'],
    ['no JSON', '{"client', 'application/json'],
    ['text', 'bye', 'text/plain'],
    ['a list', '[1]', 'application/json'],
  ])('ends the session whatever its body is: %s', async (_what, body, type) => {
    const person = await app.signIn(await app.make.user())
    const answer = await person.raw('DELETE', '/v3/portal/auth/sign_out', body, { 'content-type': type })
    expect(answer.status, answer.text).toBe(200)
    expect((await person.call('session.validate')).status).toBe(401)
  })

  test('a stranger gets 401', async () => {
    expect((await stranger().call('session.signOut')).status).toBe(401)
  })
})

describe('an account request', () => {
  test('names all missing fields, in order', async () => {
    const answer = await stranger().raw('PUT', '/v3/portal/users/request_account/', {})
    expect(Object.values(answer.body.fields)).toEqual([
      MESSAGES.requestName,
      MESSAGES.requestCompany,
      MESSAGES.requestEmailBlank,
      MESSAGES.requestPhoneBlank,
    ])
  })

  test('requires a phone of at least ten digits', async () => {
    const answer = await stranger().call('session.requestAccount', {
      name: 'Jo',
      company: 'Acme',
      email: 'jo@mail.test',
      phone: '555 0100',
    })
    expect(answer.body.fields).toEqual({ phone: MESSAGES.requestPhone })
  })

  test('mails the support address', async () => {
    const answer = await stranger().call('session.requestAccount', {
      name: 'Jo\r\nBcc: x@y.test',
      company: 'Acme',
      email: 'jo@mail.test',
      phone: '(212) 555-0100',
    })
    expect(answer.body.message).toBe(`Account request sent. ${MESSAGES.requestFollows('Fieldwork')}`)
    const mail = await mailTo(app, 'support@fieldwork.test')
    expect(mail?.subject).toBe('Account request from Jo Bcc: x@y.test, Acme')
  })
})

describe('too many tries', () => {
  test('are refused with the time to wait, per call', async () => {
    const busy = await fieldwork({ NODE_ENV: 'production' })
    const ask = () =>
      busy
        .as('stranger')
        .call('session.requestAccount', { name: 'Jo', company: 'Acme', email: 'jo@mail.test', phone: '2125550100' })
    for (let time = 0; time < 5; time++) expect((await ask()).status).toBe(200)
    const answer = await ask()
    expect([answer.status, answer.body.code]).toEqual([429, 'too_many'])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect((await busy.as('stranger').call('session.signIn', { email: 'nobody@mail.test', password: 'x' })).status).toBe(401)
  })

  test('by those who may not make a call stop nobody who may', async () => {
    const busy = await fieldwork({ NODE_ENV: 'production' })
    const tries = calls['organization.testMail'].limit! + 2
    for (let time = 0; time < tries; time++) expect((await busy.as('stranger').call('organization.testMail')).status).toBe(401)
    expect((await busy.as('client').call('organization.testMail')).status).toBe(403)
    expect((await busy.as('admin').call('organization.testMail')).status).toBe(200)
  })
})
