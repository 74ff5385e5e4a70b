import { beforeAll, describe, expect, test } from 'vitest'
import { ruleOf } from '../../contract/access.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { MESSAGES, PASSWORD_RULE } from '../../contract/messages.ts'
import { hashPassword } from '../../server/core/passwords.ts'
import { requestOf } from './calling.ts'
import { confirmed, holder, mailTo, PASSWORD, signIn } from './signing.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
let hash: string
beforeAll(async () => {
  app = await fieldwork()
  hash = await hashPassword(PASSWORD)
})

const stranger = () => app.as('stranger')
const admin = () => app.as('admin')

describe('a forgotten password', () => {
  const tokenIn = (body: string | undefined) => /reset_password_token=([\w-]+)/.exec(body ?? '')?.[1] ?? ''

  test('responds the same whether or not the account exists, and emails only an existing one', async () => {
    const user = await app.make.user({ password_hash: hash })
    const there = await stranger().call('session.forgot', { email: user.email })
    const not = await stranger().call('session.forgot', { email: 'nobody@mail.test' })
    expect(there.text).toBe(not.text)
    expect((await mailTo(app, user.email))?.subject).toBe('Reset your Fieldwork password')
    expect(await mailTo(app, 'nobody@mail.test')).toBeUndefined()
  })

  test('explains an invalid address in the specification’s words', async () => {
    expect((await stranger().call('session.forgot', {})).body.fields.email).toBe(MESSAGES.forgotEmailBlank)
    expect((await stranger().call('session.forgot', { email: 'x@y' })).body.fields.email).toBe(MESSAGES.emailField)
  })

  test('links to no other site', async () => {
    for (const redirect_url of [
      'https://evil.test/password_reset',
      '//evil.test/',
      'http://fieldwork.test.evil.test/',
      'javascript:alert(1)',
      'blob:http://fieldwork.test/password_reset',
      'http://evil@fieldwork.test/password_reset',
      'http://fieldwork.test@evil.test/password_reset',
      '/dashboard/all-projects',
      '/password_reset/../v3/portal/exports',
      'password_reset',
    ]) {
      const answer = await stranger().call('session.forgot', { email: 'nobody@mail.test', redirect_url })
      expect(answer.body.fields?.redirect_url, redirect_url).toBe(
        'redirect_url must be one of /password_reset, /settlers/reset-password on this site.',
      )
    }
  })

  test('a link whose owner changed address opens nothing, nor do earlier ones', async () => {
    const user = await app.make.user({ password_hash: hash })
    const [first] = await askedAt(user.email, [0, 2])
    await admin().call('user.edit', { id: user.id, email: `moved.${user.email}` })
    await confirmed(app, `moved.${user.email}`)
    expect((await setBy(first!)).status).toBe(422)
    // A new password doesn't make old links work again.
    await askedAt(`moved.${user.email}`, [4])
    expect((await setBy(first!)).status).toBe(422)
  })

  test('the link’s token sets a password once, and ends every session', async () => {
    const user = await app.make.user({ password_hash: hash })
    const open = await app.signIn(user)
    await stranger().call('session.forgot', { email: user.email, redirect_url: 'http://fieldwork.test/settlers/reset-password' })
    const { body } = (await mailTo(app, user.email))!
    expect(body).toContain('http://fieldwork.test/settlers/reset-password?reset_password_token=')
    const input = { password: 'New-pass-99', password_confirmation: 'New-pass-99', reset_password_token: tokenIn(body) }
    expect((await stranger().call('session.setPasswordSettlers', input)).body.message).toBe(MESSAGES.passwordChanged)
    expect((await open.call('session.validate')).status).toBe(401)
    expect((await signIn(app, user.email, 'New-pass-99')).status).toBe(200)
    const again = await stranger().call('session.setPassword', input)
    expect([again.status, again.body.message]).toEqual([422, MESSAGES.passwordFailed('Fieldwork')])
  })

  test('of two requests with one token, one wins', async () => {
    const user = await app.make.user({ password_hash: hash })
    await stranger().call('session.forgot', { email: user.email })
    const reset_password_token = tokenIn((await mailTo(app, user.email))?.body)
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
    const reset_password_token = tokenIn((await mailTo(app, user.email))?.body)
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

  test('requested repeatedly, sends one email a minute', async () => {
    const user = await app.make.user({ password_hash: hash })
    for (let time = 0; time < 3; time++) await stranger().call('session.forgot', { email: user.email })
    const mails = await app.db.selectFrom('mails').select('id').where('to_address', '=', user.email).execute()
    expect(mails).toHaveLength(1)
  })

  /** Requests a reset in each of the given minutes; returns the token of every email. */
  async function askedAt(email: string, minutes: readonly number[]): Promise<string[]> {
    const real = app.services.now
    try {
      for (const minute of minutes) {
        app.services.now = () => new Date(Date.now() + minute * 60_000)
        expect((await stranger().call('session.forgot', { email })).status).toBe(200)
        // The mail is written now, whatever time the test sets, so its date is set to that time.
        const at = app.services.now().toISOString()
        await app.write((tx) =>
          tx
            .updateTable('mails')
            .set({ created_at: at })
            .where(
              'id',
              '=',
              tx
                .selectFrom('mails')
                .select((eb) => eb.fn.max('id').as('id'))
                .where('to_address', '=', email),
            )
            .where('created_at', '<', new Date().toISOString())
            .where('created_at', '>', new Date(Date.now() - 5000).toISOString())
            .execute(),
        )
      }
    } finally {
      app.services.now = real
    }
    const mails = await app.db.selectFrom('mails').select('body').where('to_address', '=', email).orderBy('id').execute()
    return mails.map(({ body }) => tokenIn(body))
  }
  const setBy = (reset_password_token: string) =>
    stranger().call('session.setPassword', {
      password: 'Next-pass-77',
      password_confirmation: 'Next-pass-77',
      reset_password_token,
    })

  test('requested by a stranger, keeps the owner’s link: the last three work for their hour', async () => {
    const user = await app.make.user({ password_hash: hash })
    const [first, second, third, fourth] = await askedAt(user.email, [0, 2, 4, 6])
    expect((await setBy(first!)).status).toBe(422)
    expect((await setBy(second!)).status).toBe(200)
    // A used link voids the others of its kind.
    for (const token of [second, third, fourth]) expect((await setBy(token!)).status).toBe(422)
  })

  test('requested all day, sends five emails', async () => {
    const user = await app.make.user({ password_hash: hash })
    const tokens = await askedAt(
      user.email,
      Array.from({ length: 12 }, (_, nth) => nth * 60),
    )
    expect(tokens).toHaveLength(5)
    expect((await askedAt(user.email, [24 * 60 + 5])).length).toBe(6)
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

  test('set by its owner requires the current one, and ends only other sessions', async () => {
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

  test('can’t be common or the current one: by link, in the account, in registration', async () => {
    const user = await app.make.user({ password_hash: hash })
    const person = await app.signIn(user)
    await stranger().call('session.forgot', { email: user.email })
    const reset_password_token = /reset_password_token=([\w-]+)/.exec((await mailTo(app, user.email))?.body ?? '')?.[1] ?? ''
    const email = 'weak-one@mail.test'
    const { link } = (await admin().call('user.invite', { email, role_id: 2, skip_invitation: true })).body
    const form = { first_name: 'Ines', last_name: 'Iris', phone: '2125550100', invitation_token: link!.slice(-64) }
    const faults = async (password: string) => {
      const twice = { password, password_confirmation: password }
      const answers = [
        await stranger().call('session.setPassword', { ...twice, reset_password_token }),
        await person.call('session.setPassword', { ...twice, current_password: PASSWORD }),
        await stranger().call('session.register', { ...twice, ...form }),
      ]
      return answers.map((answer) => [answer.status, answer.body.fields?.password])
    }
    const common = 'This password is too easy to guess. Choose another one.'
    for (const fault of await faults('Password1!')) expect(fault).toEqual([422, common])
    const again = 'That’s already your password. Choose another one.'
    expect((await faults(PASSWORD)).slice(0, 2)).toEqual([
      [422, again],
      [422, again],
    ])
    // None of these attempts has used up the link.
    const right = { password: 'Brand-new-77', password_confirmation: 'Brand-new-77', reset_password_token }
    expect((await stranger().call('session.setPassword', right)).status).toBe(200)
  })

  test('requires a token or a session', async () => {
    expect((await stranger().call('session.setPassword', { password: PASSWORD, password_confirmation: PASSWORD })).status).toBe(
      401,
    )
  })
})

describe('a temporary password', () => {
  const temporary = async () => {
    const user = await app.make.user({ password_hash: 'none' })
    const open = await app.signIn(user)
    const answer = await admin().call('user.resetPassword', { id: user.id, password: 'ignored' })
    const password = /Temporary password: (\S+)/.exec((await mailTo(app, user.email))?.body ?? '')?.[1] ?? ''
    return { user, open, answer, password }
  }

  test('is generated and emailed by the server, never returned, and ends all sessions', async () => {
    const { open, answer, password } = await temporary()
    expect(password).toMatch(/^[A-Za-z0-9]{10}$/)
    expect(password.replace(/\D/g, '').length).toBeGreaterThanOrEqual(3)
    expect(password.replace(/\d/g, '').length).toBeGreaterThanOrEqual(5)
    expect(answer.text).not.toContain(password)
    expect((await open.call('session.validate')).status).toBe(401)
  })

  test('must be changed before anything else', async () => {
    const { user, password } = await temporary()
    const answer = await app.as('stranger').call('session.signIn', { email: user.email, password })
    expect(answer.body.data.must_change_password).toBe(true)
    const person = holder(app, answer)
    expect((await person.call('account.get')).body.code).toBe('change_password')
    expect(
      (await person.call('session.setPassword', { password: 'Own-pass-11', password_confirmation: 'Own-pass-11' })).status,
    ).toBe(200)
    expect((await person.call('account.get')).status).toBe(200)
  })

  test('opens only the calls that allow it', async () => {
    const { user, password } = await temporary()
    const person = holder(app, await app.as('stranger').call('session.signIn', { email: user.email, password }))
    for (const id of Object.keys(calls) as CallId[]) {
      const { who, whileLocked } = ruleOf(id)
      // Calls for administrators, and for partners without a link, refuse a client user whatever the password.
      if (who === 'public' || who === 'admin' || who === 'partner') continue
      const { method, url, body } = requestOf(id, {})
      const { code } = (await person.raw(method, url, body)).body
      expect([id, code === 'change_password']).toEqual([id, !whileLocked])
    }
  })

  test('lasts 72 hours', async () => {
    const { user, password } = await temporary()
    const { password_expires_at } = await app.db
      .selectFrom('users')
      .select('password_expires_at')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(Math.round((Date.parse(password_expires_at ?? '') - Date.now()) / 3_600_000)).toBe(72)
    await app.write((tx) =>
      tx.updateTable('users').set({ password_expires_at: new Date().toISOString() }).where('id', '=', user.id).execute(),
    )
    expect((await app.as('stranger').call('session.signIn', { email: user.email, password })).body.code).toBe('password_expired')
  })
})
