import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { mailTo } from './signing.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const tokenIn = (text: string | undefined) => /invitation_token=(.{64})/.exec(text ?? '')?.[1] ?? ''
let serial = 0
const address = () => `invited${++serial}@mail.test`

describe('an invitation', () => {
  test('names missing fields in the specification’s words', async () => {
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

  test('for an administrator has no client', async () => {
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

  test('emails a link whose last 64 characters are the token, and registering with it opens the account', async () => {
    const email = address()
    await admin().call('user.invite', { email, role_id: 'client', client_id: app.client.id })
    const mail = await mailTo(app, email)
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

  test('without email shows its link once and emails nobody', async () => {
    const email = address()
    const answer = await admin().call('user.invite', { email, role_id: 2, skip_invitation: true })
    expect(tokenIn(answer.body.link)).toHaveLength(64)
    expect(await mailTo(app, email)).toBeUndefined()
    expect((await admin().call('user.get', { id: answer.body.data.id })).text).not.toContain('invitation_token')
  })

  test('for a known address is refused with advice', async () => {
    const email = address()
    await admin().call('user.invite', { email, role_id: 2 })
    const answer = await admin().call('user.invite', { email: email.toUpperCase(), role_id: 2 })
    expect([answer.status, answer.body.fields.email]).toEqual([
      422,
      'This email was already invited. You can resend the activation.',
    ])
  })

  test('is resent with a new link, and the old one stops working', async () => {
    const email = address()
    await admin().call('user.invite', { email, role_id: 2 })
    const old = tokenIn((await mailTo(app, email))?.body)
    expect((await admin().call('user.resendActivation', { email })).status).toBe(200)
    const fresh = tokenIn((await mailTo(app, email))?.body)
    expect((await app.as('stranger').call('session.invitation', { invitation_token: old })).status).toBe(404)
    expect((await app.as('stranger').call('session.invitation', { invitation_token: fresh })).status).toBe(200)
  })

  const forgotten = (email: string) => app.as('stranger').call('session.forgot', { email })
  const opens = async (invitation_token: string) =>
    (await app.as('stranger').call('session.invitation', { invitation_token })).status === 200
  const laterBy = async <T>(milliseconds: number, work: () => Promise<T>): Promise<T> => {
    const real = app.services.now
    app.services.now = () => new Date(Date.now() + milliseconds)
    return work().finally(() => {
      app.services.now = real
    })
  }
  const DAY = 86_400_000

  test('with a link given to an administrator isn’t ended by a stranger, and both links end together', async () => {
    const email = address()
    const { link } = (await admin().call('user.invite', { email, role_id: 2, skip_invitation: true })).body
    const own = tokenIn(link)
    for (const minutes of [2, 4, 6, 8]) await laterBy(minutes * 60_000, () => forgotten(email))
    const mailed = tokenIn((await mailTo(app, email))?.body)
    expect([await opens(own), await opens(mailed)]).toEqual([true, true])
    const form = {
      first_name: 'Ines',
      last_name: 'Iris',
      phone: '2125550100',
      password: 'Good-pass-1',
      password_confirmation: 'Good-pass-1',
    }
    expect((await app.as('stranger').call('session.register', { ...form, invitation_token: mailed })).status).toBe(200)
    expect((await app.as('stranger').call('session.register', { ...form, invitation_token: own })).status).toBe(404)
  })

  test('isn’t extended by a stranger, nor renewed once expired', async () => {
    const email = address()
    await admin().call('user.invite', { email, role_id: 2 })
    const asked = await laterBy(13 * DAY, () => forgotten(email))
    const fresh = tokenIn((await mailTo(app, email))?.body)
    expect([await opens(fresh), await laterBy(14 * DAY + 1000, () => opens(fresh))]).toEqual([true, false])
    const mails = () => app.db.selectFrom('mails').select('id').where('to_address', '=', email).execute()
    const before = (await mails()).length
    const over = await laterBy(15 * DAY, () => forgotten(email))
    expect([over.text, (await mails()).length]).toEqual([asked.text, before])
    expect((await admin().call('user.resendActivation', { email })).status).toBe(200)
    expect(await opens(tokenIn((await mailTo(app, email))?.body))).toBe(true)
  })

  test('isn’t resent to an active user', async () => {
    const user = await app.make.user()
    expect((await admin().call('user.resendActivation', { email: user.email })).body.message).toBe(
      'The account is already active.',
    )
  })

  test('waits in its undo window, and deleting the user withdraws it', async () => {
    const email = address()
    const { body } = await admin().call('user.invite', { email, role_id: 2, delay_seconds: 30 })
    app.services.jobs.wake()
    expect((await mailTo(app, email))?.status).toBe('queued')
    await admin().call('user.remove', { id: body.data.id })
    expect((await mailTo(app, email))?.status).toBe('withdrawn')
  })
})

describe('several invitations at once', () => {
  test('return a result per address, join client and teams, and are undone together', async () => {
    const team = await app.make.team({ client_id: app.client.id })
    const [first, second] = [address(), address()]
    const answer = await admin().call('user.inviteMany', {
      people: [{ email: first, first_name: 'Ana', last_name: 'Diaz' }, { email: app.admin.email }, { email: second }],
      role_id: 3,
      client_id: app.client.id,
      team_ids: [team.id],
      delay_seconds: 30,
    })
    expect(answer.body.data).toMatchObject([
      { email: first, invited: true },
      { email: app.admin.email, invited: false, said: 'This email already has an account.' },
      { email: second, invited: true },
    ])
    expect(answer.body.message).toContain('2 invitations will be sent in 30 seconds.')
    expect((await admin().call('team.users', { id: team.id })).body.count).toBe(2)
    expect((await admin().call('undo.take', { id: Number(answer.headers['x-undo']) })).status).toBe(200)
    expect((await admin().call('team.users', { id: team.id })).body.count).toBe(0)
  })
})
