import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES, PASSWORD_RULE } from '../../contract/messages.ts'
import { hashPassword } from '../../server/passwords.ts'
import { type Answer, type Fieldwork, fieldwork } from './support.ts'

const PASSWORD = 'Fieldwork-1!'
let app: Fieldwork
let hash: string
beforeAll(async () => {
  app = await fieldwork()
  hash = await hashPassword(PASSWORD)
})

const stranger = () => app.as('stranger')
const signIn = (email: string, password = PASSWORD, headers = {}) =>
  stranger().call('session.signIn', { email, password }, headers)
/** The caller that an answer's token headers make. */
const holder = (answer: Answer) =>
  app.person(
    Object.fromEntries(
      ['access-token', 'token-type', 'client', 'expiry', 'uid'].map((name) => [name, String(answer.headers[name])]),
    ),
  )
/** The cookies of answers, as a browser would send them back. */
function cookies(...answers: Answer[]) {
  const jar = new Map<string, string>()
  for (const line of answers.flatMap((answer) => (answer.headers['set-cookie'] as string[] | string | undefined) ?? [])) {
    const [name, value] = line.split(';')[0]!.split('=') as [string, string]
    if (value) jar.set(name, value)
    else jar.delete(name)
  }
  return app.person({ cookie: [...jar].map((pair) => pair.join('=')).join('; ') })
}
const mailTo = (address: string) =>
  app.db.selectFrom('mails').selectAll().where('to_address', '=', address).orderBy('id', 'desc').executeTakeFirst()

describe('signing in', () => {
  test('answers the token headers, which open the other calls', async () => {
    const user = await app.make.user({ password_hash: hash })
    const answer = await signIn(` ${user.email.toUpperCase()} `)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({ 'token-type': 'Bearer', uid: user.email })
    expect(Number(answer.headers.expiry) * 1000 - Date.now()).toBeGreaterThan(13.9 * 86_400_000)
    expect((await holder(answer).call('session.validate')).body).toMatchObject({
      success: true,
      data: { id: user.id, role: 'client', role_id: 3 },
    })
  })

  test('names both blank fields in the words of the specification', async () => {
    const answer = await stranger().call('session.signIn', {})
    expect(answer.status).toBe(422)
    expect(answer.body.fields).toEqual({ email: MESSAGES.loginName, password: MESSAGES.loginPassword })
  })

  test('answers alike for a wrong password, an unknown address, an invited and a deleted user', async () => {
    const known = await app.make.user({ password_hash: hash })
    const invited = await app.make.user({ status: 'invited' })
    const deleted = await app.make.user({ password_hash: hash, deleted_at: new Date().toISOString() })
    const answers = [
      await signIn(known.email, 'Wrong-pass-1'),
      await signIn('nobody@mail.test'),
      await signIn(invited.email),
      await signIn(deleted.email),
    ]
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.code} ${body.message}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(401)
  })

  test('gives the workspace an HttpOnly, SameSite=Strict cookie, and nobody else one', async () => {
    const user = await app.make.user({ password_hash: hash })
    const plain = await signIn(user.email)
    const workspace = await signIn(user.email, PASSWORD, { 'x-fieldwork': 'workspace' })
    expect(plain.headers['set-cookie']).toBeUndefined()
    expect(String([workspace.headers['set-cookie']].flat()[0])).toMatch(
      /^fieldwork=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    )
    expect((await cookies(workspace).call('session.meFull')).body.data.id).toBe(user.id)
  })

  test('keeps a token as a hash alone', async () => {
    const user = await app.make.user({ password_hash: hash })
    const token = String((await signIn(user.email)).headers['access-token'])
    const rows = await app.db.selectFrom('sessions').selectAll().where('user_id', '=', user.id).execute()
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('lets the eleventh device push the oldest out', async () => {
    const user = await app.make.user({ password_hash: hash })
    const first = await signIn(user.email)
    for (let device = 2; device <= 10; device++) await app.signIn(user)
    expect((await holder(first).call('session.validate')).status).toBe(200)
    const eleventh = await signIn(user.email)
    expect((await holder(first).call('session.validate')).status).toBe(401)
    expect((await holder(eleventh).call('account.sessions')).body.count).toBe(10)
  })

  test('a session past its end is over', async () => {
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
    const workspace = cookies(await signIn(user.email, PASSWORD, { 'x-fieldwork': 'workspace' }))
    const answer = await workspace.call('session.signOut')
    expect(String(answer.headers['set-cookie'])).toContain('Max-Age=0')
    expect((await workspace.call('session.validate')).status).toBe(401)
  })

  test('a body that names no session ends none, and says so', async () => {
    const person = await app.signIn(await app.make.user())
    const answer = await person.call('session.signOut')
    expect(answer.body.fields).toHaveProperty('client')
    expect((await person.call('session.validate')).status).toBe(200)
    expect((await person.call('session.signOut', { client: person.headers.client })).status).toBe(200)
    expect((await person.call('session.validate')).status).toBe(401)
  })

  test('a stranger gets 401', async () => {
    expect((await stranger().call('session.signOut')).status).toBe(401)
  })
})

describe('a forgotten password', () => {
  const tokenIn = (body: string | undefined) => /reset_password_token=([\w-]+)/.exec(body ?? '')?.[1] ?? ''

  test('answers alike whether or not the account exists, and mails only the one that does', async () => {
    const user = await app.make.user({ password_hash: hash })
    const there = await stranger().call('session.forgot', { email: user.email })
    const not = await stranger().call('session.forgot', { email: 'nobody@mail.test' })
    expect(there.text).toBe(not.text)
    expect((await mailTo(user.email))?.subject).toBe('Reset your Fieldwork password')
    expect(await mailTo('nobody@mail.test')).toBeUndefined()
  })

  test('says in the words of the specification what is wrong with the address', async () => {
    expect((await stranger().call('session.forgot', {})).body.fields.email).toBe(MESSAGES.forgotEmailBlank)
    expect((await stranger().call('session.forgot', { email: 'x@y' })).body.fields.email).toBe(MESSAGES.forgotEmail)
  })

  test('leads to no other site', async () => {
    for (const redirect_url of [
      'https://evil.test/password_reset',
      '//evil.test/',
      'http://fieldwork.test.evil.test/',
      'javascript:alert(1)',
    ]) {
      const answer = await stranger().call('session.forgot', { email: 'nobody@mail.test', redirect_url })
      expect(answer.body.fields?.redirect_url, redirect_url).toBe('redirect_url must lead to this site.')
    }
  })

  test('the link’s token sets a password once, and ends every session', async () => {
    const user = await app.make.user({ password_hash: hash })
    const open = await app.signIn(user)
    await stranger().call('session.forgot', { email: user.email, redirect_url: 'http://fieldwork.test/settlers/reset-password' })
    const { body } = (await mailTo(user.email))!
    expect(body).toContain('http://fieldwork.test/settlers/reset-password?reset_password_token=')
    const input = { password: 'New-pass-99', password_confirmation: 'New-pass-99', reset_password_token: tokenIn(body) }
    expect((await stranger().call('session.setPasswordSettlers', input)).body.message).toBe(MESSAGES.passwordChanged)
    expect((await open.call('session.validate')).status).toBe(401)
    expect((await signIn(user.email, 'New-pass-99')).status).toBe(200)
    const again = await stranger().call('session.setPassword', input)
    expect([again.status, again.body.message]).toEqual([422, MESSAGES.passwordFailed('Fieldwork')])
  })

  test('of two requests with one token, one wins', async () => {
    const user = await app.make.user({ password_hash: hash })
    await stranger().call('session.forgot', { email: user.email })
    const reset_password_token = tokenIn((await mailTo(user.email))?.body)
    const answers = await Promise.all(
      ['One-pass-11', 'Two-pass-22'].map((password) =>
        stranger().call('session.setPassword', { password, password_confirmation: password, reset_password_token }),
      ),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422])
  })

  test('the token lasts an hour', async () => {
    const user = await app.make.user({ password_hash: hash })
    await stranger().call('session.forgot', { email: user.email })
    const reset_password_token = tokenIn((await mailTo(user.email))?.body)
    await app.write((tx) =>
      tx
        .updateTable('users')
        .set({ reset_expires_at: new Date(Date.now() - 1000).toISOString() })
        .where('id', '=', user.id)
        .execute(),
    )
    expect(
      (
        await stranger().call('session.setPassword', {
          password: PASSWORD,
          password_confirmation: PASSWORD,
          reset_password_token,
        })
      ).status,
    ).toBe(422)
  })

  test('asked for again and again, sends one mail a minute', async () => {
    const user = await app.make.user({ password_hash: hash })
    for (let time = 0; time < 3; time++) await stranger().call('session.forgot', { email: user.email })
    const mails = await app.db.selectFrom('mails').select('id').where('to_address', '=', user.email).execute()
    expect(mails).toHaveLength(1)
  })
})

describe('a new password', () => {
  test.each([
    ['', '', 'password', MESSAGES.passwordBlank],
    ['Good-pass-1', 'Other-pass-1', 'password_confirmation', MESSAGES.passwordMatch],
    ['Sh0rt-a', 'Sh0rt-a', 'password', PASSWORD_RULE],
    ['no-upper-1', 'no-upper-1', 'password', PASSWORD_RULE],
    ['NO-LOWER-1', 'NO-LOWER-1', 'password', PASSWORD_RULE],
    ['No-digit-x', 'No-digit-x', 'password', PASSWORD_RULE],
    ['NoSymbol11', 'NoSymbol11', 'password', PASSWORD_RULE],
  ])('%o is refused by name', async (password, password_confirmation, field, message) => {
    const answer = await stranger().call('session.setPassword', { password, password_confirmation, reset_password_token: 'x' })
    expect(answer.status).toBe(422)
    expect(answer.body.fields).toEqual({ [field]: message })
  })

  test('of one’s own needs the current one, and ends the other sessions only', async () => {
    const user = await app.make.user({ password_hash: hash })
    const [here, there] = [await app.signIn(user), await app.signIn(user)]
    const input = { password: 'Next-pass-1', password_confirmation: 'Next-pass-1' }
    expect((await here.call('session.setPassword', { ...input, current_password: 'Wrong-pass-1' })).body.fields).toHaveProperty(
      'current_password',
    )
    expect((await here.call('session.setPassword', { ...input, current_password: PASSWORD })).status).toBe(200)
    expect((await here.call('session.validate')).status).toBe(200)
    expect((await there.call('session.validate')).status).toBe(401)
  })

  test('needs a token or a session', async () => {
    expect((await stranger().call('session.setPassword', { password: PASSWORD, password_confirmation: PASSWORD })).status).toBe(
      401,
    )
  })
})

describe('an account request', () => {
  test('says all that is missing, in order', async () => {
    const answer = await stranger().raw('PUT', '/v3/portal/users/request_account/', {})
    expect(Object.values(answer.body.fields)).toEqual([
      MESSAGES.requestName,
      MESSAGES.requestCompany,
      MESSAGES.requestEmailBlank,
      MESSAGES.requestPhoneBlank,
    ])
  })

  test('takes a phone of at least ten digits', async () => {
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
    expect(answer.body.message).toBe(MESSAGES.requestSent('Fieldwork'))
    const mail = await mailTo('support@fieldwork.test')
    expect(mail?.subject).toBe('Account request from Jo Bcc: x@y.test, Acme')
  })
})

describe('acting as a client user', () => {
  const reason = 'they see no projects'
  const target = () => app.make.user({ clients: [app.client.id], password_hash: hash })

  test('is for administrators, of active client users, with a reason', async () => {
    const [user, other, invited] = [
      await target(),
      await app.make.user({ role: 'admin' }),
      await app.make.user({ status: 'invited' }),
    ]
    expect((await app.as('client').call('session.actAs', { id: user.id, reason })).status).toBe(403)
    expect((await app.as('admin').call('session.actAs', { id: user.id })).body.fields).toHaveProperty('reason')
    expect((await app.as('admin').call('session.actAs', { id: other.id, reason })).body.message).toBe(
      'Only client users can be acted as.',
    )
    expect((await app.as('admin').call('session.actAs', { id: invited.id, reason })).body.code).toBe('not_now')
    expect((await app.as('admin').call('session.actAs', { id: 999_999, reason })).status).toBe(404)
  })

  test('sees what they see, for 30 minutes, with both names in the history', async () => {
    const user = await target()
    const answer = await app.as('admin').call('session.actAs', { id: user.id, reason })
    expect(Number(answer.headers.expiry) * 1000 - Date.now()).toBeLessThanOrEqual(30 * 60_000)
    const me = (await holder(answer).call('session.meFull')).body.data
    expect(me).toMatchObject({ id: user.id, role: 'client', acting: { admin_id: app.admin.id, admin_name: 'Ada Admin', reason } })
    await holder(answer).call('session.switchBack')
    const lines = await app.db
      .selectFrom('history')
      .select(['action', 'actor_id', 'admin_id', 'reason'])
      .where('subject', '=', 'user')
      .where('subject_id', '=', user.id)
      .orderBy('id')
      .execute()
    expect(lines).toEqual([
      { action: 'session.actAs', actor_id: app.admin.id, admin_id: null, reason },
      { action: 'session.switchBack', actor_id: user.id, admin_id: app.admin.id, reason: '' },
    ])
    expect((await holder(answer).call('session.validate')).status).toBe(401)
  })

  test('does not chain, and can’t touch what is the person’s own', async () => {
    const user = await target()
    const acting = holder(await app.as('admin').call('session.actAs', { id: user.id, reason }))
    expect((await acting.call('session.actAs', { id: (await target()).id, reason })).status).toBe(403)
    expect(
      (
        await acting.call('session.setPassword', {
          password: 'Next-pass-1',
          password_confirmation: 'Next-pass-1',
          current_password: PASSWORD,
        })
      ).status,
    ).toBe(403)
    expect((await acting.call('account.edit', { first_name: 'Hacked' })).body.code).toBe('acting')
  })

  test('does not count as one of the user’s ten devices', async () => {
    const user = await target()
    const first = await signIn(user.email)
    for (let device = 2; device <= 10; device++) await app.signIn(user)
    await app.as('admin').call('session.actAs', { id: user.id, reason })
    expect((await holder(first).call('session.validate')).status).toBe(200)
  })

  test('in a workspace, switching back gives the administrator their own cookie, also after the 30 minutes', async () => {
    const admin = await app.make.user({ role: 'admin', password_hash: hash })
    const user = await target()
    const own = await signIn(admin.email, PASSWORD, { 'x-fieldwork': 'workspace' })
    const answer = await cookies(own).call('session.actAs', { id: user.id, reason })
    expect((await cookies(own, answer).call('session.meFull')).body.data.id).toBe(user.id)
    await app.write((tx) => tx.deleteFrom('sessions').where('admin_id', '=', admin.id).execute())
    const back = await cookies(own, answer).call('session.switchBack')
    expect(back.status).toBe(200)
    expect((await cookies(own, answer, back).call('session.meFull')).body.data.id).toBe(admin.id)
  })

  test('never makes an administrator out of the acting token alone', async () => {
    const user = await target()
    const answer = await app.as('admin').call('session.actAs', { id: user.id, reason })
    const back = await holder(answer).call('session.switchBack')
    expect(back.headers['access-token']).toBeUndefined()
    expect(back.headers['set-cookie']).toBeUndefined()
  })

  test('by its GET address takes token headers, never a cookie', async () => {
    const admin = await app.make.user({ role: 'admin', password_hash: hash })
    const user = await target()
    const workspace = cookies(await signIn(admin.email, PASSWORD, { 'x-fieldwork': 'workspace' }))
    const path = `/v3/portal/switch_user/${user.id}?reason=helping`
    expect((await workspace.raw('GET', path)).status).toBe(401)
    expect((await app.as('admin').raw('GET', path)).status).toBe(200)
  })

  test('works although the user has a temporary password to change', async () => {
    const user = await app.make.user({ must_change_password: 1 })
    const acting = holder(await app.as('admin').call('session.actAs', { id: user.id, reason }))
    expect((await acting.call('account.get')).status).toBe(200)
  })

  test('ends when the administrator is one no longer', async () => {
    const admin = await app.make.user({ role: 'admin' })
    const user = await target()
    const acting = holder(await (await app.signIn(admin)).call('session.actAs', { id: user.id, reason }))
    await app.as('admin').call('user.remove', { id: admin.id })
    expect((await acting.call('session.validate')).status).toBe(401)
  })
})

describe('too many tries', () => {
  test('are turned away with the time to wait, by call', async () => {
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
})
