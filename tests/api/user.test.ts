import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const mailTo = (address: string) =>
  app.db.selectFrom('mails').selectAll().where('to_address', '=', address).orderBy('id', 'desc').executeTakeFirst()
const tokenIn = (text: string | undefined) => /invitation_token=(.{64})/.exec(text ?? '')?.[1] ?? ''
let serial = 0
const address = () => `invited${++serial}@mail.test`

describe('the lists of users', () => {
  test('are an administrator’s: a stranger gets 401, a client user 403', async () => {
    for (const path of [
      '/v1/users?role=admin',
      '/v3/portal/users/all?role=admin',
      '/v3/portal/users/',
      '/v3/portal/users/all/dropdown/',
      '/v3/portal/users/client/1',
    ]) {
      expect((await app.as('stranger').raw('GET', path)).status, path).toBe(401)
      expect((await app.as('client').raw('GET', path)).status, path).toBe(403)
    }
  })

  test('read a role in each spelling, and refuse another by name', async () => {
    const roles = async (path: string) =>
      (await admin().raw('GET', path)).body as unknown as {
        data: { role: string }[] & { users: { role: string; role_id: number }[] }
        fields: Record<string, string>
      }
    expect((await roles('/v3/portal/users/all?role=2')).data.every((user) => user.role === 'admin')).toBe(true)
    expect((await roles('/v3/portal/users/all?role=client')).data.every((user) => user.role === 'client')).toBe(true)
    expect((await roles('/v1/users?role=2')).data.users.every((user) => user.role === 'client' && user.role_id === 2)).toBe(true)
    expect((await roles('/v1/users?role=3')).fields.role).toContain('role is not a role')
    expect((await roles('/v3/portal/users?role=1')).fields.role).toContain('role is not a role')
  })

  test('find words of the name, the e-mail and the company, whatever their case', async () => {
    const user = await app.make.user({ first_name: 'Marguerite', last_name: 'Dubois', clients: [app.client.id] })
    for (const search of ['marguerite dub', user.email.toUpperCase(), 'dubois ACME']) {
      expect(
        (await admin().call('user.list', { search })).body.data.map((row) => row.id),
        search,
      ).toEqual([user.id])
    }
    expect((await admin().call('user.list', { search: 'mar%ite' })).body.count).toBe(0)
  })

  test('come ten to a page, of a client a hundred, sorted by a column', async () => {
    const client = await app.make.client()
    for (let at = 0; at < 12; at++)
      await app.make.user({ first_name: 'Paged', last_name: String.fromCharCode(65 + at), clients: [client.id] })
    const first = (await admin().call('user.list', { search: 'Paged', column: 'last_name', order: 'desc' })).body
    expect([first.count, first.page, first.data.length, first.data[0]?.last_name]).toEqual([12, 1, 10, 'L'])
    const second = (await admin().call('user.list', { search: 'Paged', column: 'last_name', order: 'desc', page: 2 })).body
    expect(second.data.map((user) => user.last_name)).toEqual(['B', 'A'])
    expect((await admin().call('user.listOfClient', { client_id: client.id })).body.data).toHaveLength(12)
    expect((await admin().call('client.users', { id: client.id })).body.data).toHaveLength(12)
  })

  test('name who may be deleted, and why the others not', async () => {
    const { data } = (await admin().call('user.get', { id: app.admin.id })).body
    expect(data.allowed_actions).toContain('user.edit')
    expect(data.refused_actions['user.remove']).toBe('you cannot delete yourself')
  })
})

describe('editing a user', () => {
  test('changes what is sent, and keeps before and after', async () => {
    const user = await app.make.user({ birth_date: '1990-05-05' })
    const answer = await admin().call('user.edit', { id: user.id, first_name: 'Nadia', phone: '(646) 555-0199', lock_version: 1 })
    expect(answer.body.data).toMatchObject({
      first_name: 'Nadia',
      last_name: user.last_name,
      phone: '6465550199',
      birth_date: '1990-05-05',
      lock_version: 2,
    })
    const line = await app.db
      .selectFrom('history')
      .selectAll()
      .where('subject', '=', 'user')
      .where('subject_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect([JSON.parse(line.before), JSON.parse(line.after)]).toEqual([
      { first_name: 'Pat', phone: '2125550100' },
      { first_name: 'Nadia', phone: '6465550199' },
    ])
  })

  test('refuses blanks and short phones to the letter, in both spellings', async () => {
    const user = await app.make.user()
    const bad = { first_name: ' ', last_name: '', phone: '12345' }
    const wanted = { first_name: MESSAGES.firstName, last_name: MESSAGES.lastName, phone: MESSAGES.phoneLength }
    expect((await admin().call('user.edit', { id: user.id, ...bad })).body.fields).toEqual(wanted)
    expect((await admin().raw('PUT', `/v1/users/${user.id}.json`, { user: bad })).body.fields).toEqual(wanted)
    expect((await admin().call('user.edit', { id: user.id, phone: '' })).body.fields).toEqual({ phone: MESSAGES.phoneBlank })
  })

  test('answers 409 with both versions when somebody else was quicker, and shows no secret', async () => {
    const user = await app.make.user({ password_hash: 'the hash' })
    await admin().call('user.edit', { id: user.id, first_name: 'Quick', lock_version: 1 })
    const answer = await admin().call('user.edit', { id: user.id, first_name: 'Slow', lock_version: 1 })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ code: 'stale', mine: { first_name: 'Slow' }, theirs: { first_name: 'Quick' } })
    expect(answer.text).not.toContain('the hash')
  })

  test('keeps addresses apart', async () => {
    const [one, other] = [await app.make.user(), await app.make.user()]
    const answer = await admin().call('user.edit', { id: one.id, email: other.email.toUpperCase() })
    expect([answer.status, answer.body.code]).toEqual([422, 'taken'])
  })

  test('changes no role of one’s own', async () => {
    expect((await admin().call('user.edit', { id: app.admin.id, role: 'client' })).status).toBe(409)
  })

  test('is refused to a client user, and a user who is not there is 404', async () => {
    expect((await app.as('client').call('user.edit', { id: app.member.id, first_name: 'X' })).status).toBe(403)
    expect((await admin().call('user.edit', { id: 999_999, first_name: 'X' })).status).toBe(404)
  })

  test('sets one’s own company', async () => {
    const user = await app.make.user()
    const person = await app.signIn(user)
    expect((await person.call('user.setCompany', { company: 'Own Company' })).body.data.company_name).toBe('Own Company')
  })
})

describe('deleting a user', () => {
  test('is soft, ends their sessions and frees their address', async () => {
    const user = await app.make.user()
    const person = await app.signIn(user)
    expect((await admin().raw('DELETE', `/v3/portal/users/?id=${user.id}`)).status).toBe(200)
    expect((await person.call('session.validate')).status).toBe(401)
    expect((await admin().call('user.get', { id: user.id })).status).toBe(404)
    expect((await admin().call('user.invite', { email: user.email, role_id: 'client', client_id: app.client.id })).status).toBe(
      200,
    )
  })

  test('never oneself', async () => {
    const answer = await admin().call('user.remove', { id: app.admin.id })
    expect([answer.status, answer.body.message]).toEqual([409, 'You cannot delete yourself.'])
  })

  test('never the last administrator: of two who delete each other, one stays', async () => {
    const fresh = await fieldwork()
    const second = await fresh.make.user({ role: 'admin' })
    const other = await fresh.signIn(second)
    const answers = await Promise.all([
      fresh.as('admin').call('user.remove', { id: second.id }),
      other.call('user.removeOlder', { id: fresh.admin.id }),
    ])
    expect(answers.map((answer) => answer.status).filter((status) => status === 200)).toHaveLength(1)
    const left = await fresh.db
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'admin')
      .where('deleted_at', 'is', null)
      .execute()
    expect(left).toHaveLength(1)
  })
})

describe('an invitation', () => {
  test('says to the letter what is missing', async () => {
    expect((await admin().call('user.invite', {})).body.fields).toEqual({
      email: MESSAGES.inviteEmailBlank,
      role_id: MESSAGES.inviteRole,
    })
    expect((await admin().call('user.invite', { email: 'no address', role_id: 3, client_id: 1 })).body.fields).toEqual({
      email: MESSAGES.inviteEmail,
    })
    expect((await admin().call('user.invite', { email: address(), role_id: 3 })).body.fields).toEqual({
      client_id: MESSAGES.inviteClient,
    })
  })

  test('of an administrator carries no client', async () => {
    const answer = await admin().call('user.invite', { email: address(), role_id: 2, client_id: app.client.id })
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ['client_id']])
  })

  test('reads role ids by their spelling', async () => {
    const role = async (path: string, role_id: unknown, client_id?: number) => {
      const answer = await admin().raw('POST', path, { user: { email: address(), role_id, client_id } })
      return answer.status === 200 ? (answer.body as unknown as { data: { role: string } }).data.role : answer.status
    }
    expect(await role('/auth/invitation.json', 1)).toBe('admin')
    expect(await role('/auth/invitation.json', '2')).toBe('client')
    expect(await role('/auth/invitation.json', 3)).toBe(422)
    expect(await role('/v3/portal/auth/invitation.json', 2)).toBe('admin')
    expect(await role('/v3/portal/auth/invitation.json', 3, app.client.id)).toBe('client')
    expect(await role('/v3/portal/auth/invitation.json', 1)).toBe(422)
    expect(await role('/v3/portal/auth/invitation.json', 'Client', app.client.id)).toBe('client')
  })

  test('mails a link whose last 64 characters are the token, and registering with it opens the account', async () => {
    const email = address()
    await admin().call('user.invite', { email, role_id: 'client', client_id: app.client.id })
    const mail = await mailTo(email)
    const link = /http:\/\/fieldwork\.test\/registration\?\S+/.exec(mail?.body ?? '')?.[0] ?? ''
    const invitation_token = link.slice(-64)
    expect((await app.as('stranger').call('session.invitation', { invitation_token })).body.data.email).toBe(email)
    const form = {
      first_name: 'Ines',
      last_name: 'Iris',
      phone: '212-555-0100',
      password: 'Good-pass-1',
      password_confirmation: 'Good-pass-1',
      invitation_token,
    }
    expect((await app.as('stranger').call('session.register', form)).status).toBe(200)
    expect((await app.as('stranger').call('session.signIn', { email, password: 'Good-pass-1' })).body.data).toMatchObject({
      name: 'Ines Iris',
      phone: '2125550100',
      status: 'active',
      clients: [{ id: app.client.id }],
    })
    expect((await app.as('stranger').call('session.register', form)).body.code).toBe('bad_token')
  })

  test('registering asks for everything at once', async () => {
    const answer = await app.as('stranger').call('session.register', { invitation_token: 'x'.repeat(64) })
    expect(answer.body.fields).toEqual({
      password: MESSAGES.passwordBlank,
      password_confirmation: MESSAGES.passwordMatch,
      first_name: MESSAGES.firstName,
      last_name: MESSAGES.lastName,
      phone: MESSAGES.phoneBlank,
    })
  })

  test('skipped, shows its link once and mails nobody', async () => {
    const email = address()
    const answer = await admin().call('user.invite', { email, role_id: 2, skip_invitation: true })
    expect(tokenIn(answer.body.link)).toHaveLength(64)
    expect(await mailTo(email)).toBeUndefined()
    expect((await admin().call('user.get', { id: answer.body.data.id })).text).not.toContain('invitation_token')
  })

  test('of an address that is known is refused with what to do', async () => {
    const email = address()
    await admin().call('user.invite', { email, role_id: 2 })
    const answer = await admin().call('user.invite', { email: email.toUpperCase(), role_id: 2 })
    expect([answer.status, answer.body.fields.email]).toEqual([
      422,
      'This e-mail was invited already: you can resend the activation.',
    ])
  })

  test('is sent again with a new link; the old one is dead', async () => {
    const email = address()
    await admin().call('user.invite', { email, role_id: 2 })
    const old = tokenIn((await mailTo(email))?.body)
    expect((await admin().call('user.resendActivation', { email })).status).toBe(200)
    const fresh = tokenIn((await mailTo(email))?.body)
    expect((await app.as('stranger').call('session.invitation', { invitation_token: old })).status).toBe(404)
    expect((await app.as('stranger').call('session.invitation', { invitation_token: fresh })).status).toBe(200)
  })

  test('is not sent again to somebody who is active', async () => {
    const user = await app.make.user()
    expect((await admin().call('user.resendActivation', { email: user.email })).body.message).toBe(
      'The account is active already.',
    )
  })

  test('waits in its undo window, and deleting the user withdraws it', async () => {
    const email = address()
    const { body } = await admin().call('user.invite', { email, role_id: 2, delay_seconds: 30 })
    await app.house.mailer.wake()
    expect((await mailTo(email))?.status).toBe('queued')
    await admin().call('user.remove', { id: body.data.id })
    expect((await mailTo(email))?.status).toBe('withdrawn')
  })
})

describe('a temporary password', () => {
  const temporary = async () => {
    const user = await app.make.user({ password_hash: 'none' })
    const open = await app.signIn(user)
    const answer = await admin().call('user.resetPassword', { id: user.id, password: 'ignored' })
    const password = /Temporary password: (\S+)/.exec((await mailTo(user.email))?.body ?? '')?.[1] ?? ''
    return { user, open, answer, password }
  }

  test('is made by the server, mailed, never answered, and ends the sessions', async () => {
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
    const person = app.person({ 'access-token': String(answer.headers['access-token']) })
    expect((await person.call('account.get')).body.code).toBe('change_password')
    expect(
      (await person.call('session.setPassword', { password: 'Own-pass-11', password_confirmation: 'Own-pass-11' })).status,
    ).toBe(200)
    expect((await person.call('account.get')).status).toBe(200)
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
