import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../server/core/passwords.ts'
import { mailTo, PASSWORD } from './signing.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
let hash: string
beforeAll(async () => {
  app = await fieldwork()
  hash = await hashPassword(PASSWORD)
})
const admin = () => app.as('admin')
const stranger = () => app.as('stranger')
const HOUR = 3_600_000

/** Runs `work` at another time. */
async function at<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const real = app.services.now
  app.services.now = () => new Date(Date.now() + milliseconds)
  try {
    return await work()
  } finally {
    app.services.now = real
  }
}
/** Waits for a mail to reach a state, because the mailer works in the background. */
async function mailWhen(address: string, is: (mail: { body: string; status: string }) => boolean) {
  for (let tries = 0; tries < 1000; tries++) {
    const mail = await mailTo(app, address)
    if (mail && is(mail)) return mail
    app.services.jobs.wake()
    await delay(20)
  }
  throw new Error(`The mail to ${address} did not become what it should be.`)
}
const outboxMail = (address: string) => mailWhen(address, (mail) => mail.status === 'outbox')
const tokenIn = (body: string) => /token=([\w-]{16,})/.exec(body)?.[1] ?? ''
const forgot = (email: string) => stranger().call('session.forgot', { email })
const setBy = (reset_password_token: string, password = 'Brand-new-77') =>
  stranger().call('session.setPassword', { password, password_confirmation: password, reset_password_token })

describe('a stored email', () => {
  test('is shown without its secret; an administrator who reveals it is recorded', async () => {
    const user = await app.make.user({ password_hash: hash })
    await forgot(user.email)
    const mail = await outboxMail(user.email)
    const token = tokenIn(mail.body)
    const read = await admin().call('outbox.get', { id: mail.id })
    expect(read.body.data).toMatchObject({ secret: 'hidden', body: expect.stringContaining('reset_password_token=…') })
    expect(read.text).not.toContain(token)
    const revealed = await admin().call('outbox.reveal', { id: mail.id })
    expect(revealed.body.data.body).toContain(token)
    const line = await app.db
      .selectFrom('history')
      .selectAll()
      .where('action', '=', 'outbox.reveal')
      .where('subject_id', '=', mail.id)
      .executeTakeFirstOrThrow()
    expect([line.actor_id, JSON.parse(line.after)]).toEqual([app.admin.id, { to: user.email, about: `reset user:${user.id}` }])
  })

  test('never shows anybody an administrator’s link, only that there was one', async () => {
    const colleague = await app.make.user({ role: 'admin', password_hash: hash })
    await forgot(colleague.email)
    const mail = await outboxMail(colleague.email)
    const token = tokenIn(mail.body)
    const own = await app.signIn(colleague)
    for (const who of [admin(), own]) {
      const read = await who.call('outbox.get', { id: mail.id })
      expect(read.body.data).toMatchObject({ secret: 'withheld', to_address: colleague.email })
      expect(read.text).not.toContain(token)
      const asked = await who.call('outbox.reveal', { id: mail.id })
      expect([asked.status, asked.text.includes(token)]).toEqual([403, false])
    }
    expect((await admin().call('outbox.list', { search: colleague.email })).body.count).toBe(1)
  })

  test('never shows an administrator’s temporary password or invitation either', async () => {
    const colleague = await app.make.user({ role: 'admin', password_hash: hash })
    await admin().call('user.resetPassword', { id: colleague.id })
    const password = /Temporary password: (\S{10})/.exec((await outboxMail(colleague.email)).body)?.[1] ?? ''
    await admin().call('user.invite', { email: 'second-admin@mail.test', role_id: 'admin' })
    const token = tokenIn((await outboxMail('second-admin@mail.test')).body)
    for (const [address, secret] of [
      [colleague.email, password],
      ['second-admin@mail.test', token],
    ] as const) {
      const { id } = (await mailTo(app, address))!
      expect(secret).not.toBe('')
      expect((await admin().call('outbox.get', { id })).text).not.toContain(secret)
      expect((await admin().call('outbox.reveal', { id })).status).toBe(403)
    }
  })

  test('loses its link once used, and all links ended by a new password', async () => {
    const user = await app.make.user({ password_hash: hash })
    await admin().call('user.resetPassword', { id: user.id })
    const temporary = /Temporary password: (\S{10})/.exec((await outboxMail(user.email)).body)?.[1] ?? ''
    await forgot(user.email)
    const token = tokenIn((await mailWhen(user.email, (mail) => mail.status === 'outbox' && mail.body.includes('token='))).body)
    expect((await setBy(token)).status).toBe(200)
    // The third one tells of the new password.
    const mails = await app.db.selectFrom('mails').selectAll().where('to_address', '=', user.email).orderBy('id').execute()
    expect(mails).toHaveLength(3)
    const texts = mails.map((mail) => `${mail.body}${mail.html}${mail.secrets}`).join()
    expect([texts.includes(token), texts.includes(temporary)]).toEqual([false, false])
    expect((await admin().call('outbox.get', { id: mails[1]!.id })).body.data.secret).toBe('over')
    expect((await admin().call('outbox.retry', { id: mails[1]!.id })).status).toBe(409)
  })

  test('loses its link when it expires', async () => {
    const user = await app.make.user({ password_hash: hash })
    await forgot(user.email)
    const mail = await outboxMail(user.email)
    const token = tokenIn(mail.body)
    const later = await at(HOUR + 1000, () => admin().call('outbox.get', { id: mail.id }))
    expect(later.body.data.secret).toBe('over')
    expect((await at(HOUR + 1000, () => admin().call('outbox.reveal', { id: mail.id }))).status).toBe(409)
    await app.write((tx) =>
      tx.updateTable('mails').set({ secrets_until: new Date().toISOString() }).where('id', '=', mail.id).execute(),
    )
    const swept = await mailWhen(user.email, ({ body }) => !body.includes(token))
    expect(`${swept.html}${swept.secrets}`).not.toContain(token)
  })

  test('loses its invitation when accepted, resent, or its user is deleted', async () => {
    const invite = async (email: string) => {
      const { body } = await admin().call('user.invite', { email, role_id: 'client', client_id: app.client.id })
      return { id: body.data.id, token: tokenIn((await outboxMail(email)).body) }
    }
    const accepted = await invite('accepted@mail.test')
    await stranger().call('session.register', {
      first_name: 'Ines',
      last_name: 'Iris',
      phone: '2125550100',
      password: 'Brand-new-77',
      password_confirmation: 'Brand-new-77',
      invitation_token: accepted.token,
    })
    const again = await invite('again@mail.test')
    await admin().call('user.resendActivation', { email: 'again@mail.test' })
    const deleted = await invite('deleted@mail.test')
    await admin().call('user.remove', { id: deleted.id })
    const texts = JSON.stringify(await app.db.selectFrom('mails').select(['body', 'html', 'secrets']).execute())
    for (const { token } of [accepted, again, deleted]) expect(texts).not.toContain(token)
  })

  test('isn’t sent any more once its link has expired', async () => {
    const user = await app.make.user({ password_hash: hash })
    await forgot(user.email)
    const mail = await outboxMail(user.email)
    const tomorrow = new Date(Date.now() + 24 * HOUR).toISOString()
    await app.write((tx) =>
      tx.updateTable('mails').set({ status: 'queued', not_before: tomorrow }).where('id', '=', mail.id).execute(),
    )
    await setBy(tokenIn(mail.body))
    const { status } = await app.db.selectFrom('mails').select('status').where('id', '=', mail.id).executeTakeFirstOrThrow()
    expect(status).toBe('withdrawn')
  })

  test('from an earlier release is treated the same', async () => {
    const user = await app.make.user({ password_hash: hash })
    const colleague = await app.make.user({ role: 'admin', password_hash: hash })
    const now = new Date().toISOString()
    const older = (to: { id: number; email: string }, about: string, body: string) =>
      app.make.mail({
        to_address: to.email,
        body,
        html: `<p>${body}</p>`,
        about: `${about} user:${to.id}`,
        created_at: now,
        sent_at: now,
        secrets: null,
      })
    const link = `https://x.test/password_reset?reset_password_token=${'older-token-'.repeat(3)}`
    const theirs = await older(colleague, 'reset', link)
    const word = await older(user, 'temporary password', 'Temporary password: abcde12345')
    expect((await admin().call('outbox.get', { id: theirs.id })).text).not.toContain('older-token')
    expect((await admin().call('outbox.reveal', { id: theirs.id })).status).toBe(403)
    expect((await admin().call('outbox.get', { id: word.id })).text).not.toContain('abcde12345')
    expect((await admin().call('outbox.reveal', { id: word.id })).body.data.body).toContain('abcde12345')
    await mailWhen(user.email, (mail) => (mail as { secrets?: string | null }).secrets === '["abcde12345"]')
    await admin().call('user.resetPassword', { id: user.id })
    expect((await app.db.selectFrom('mails').selectAll().where('id', '=', word.id).executeTakeFirstOrThrow()).body).toBe(
      'Temporary password: …',
    )
  })
})

test('an email’s secret is data, not text that looks like one: a project named like one stays unchanged', async () => {
  const client = await app.make.client()
  const reader = await app.make.user({ clients: [client.id] })
  const name = 'token=abcdefghijklmnopqrstuv Temporary password: abcdefghij of spring'
  const project = await app.make.project({ client_id: client.id, name, status: 'submit_approval', cost_cents: 100_00 })
  expect((await admin().call('project.notifyCost', { id: project.id })).status).toBe(200)
  // Without the eight seconds in which it can be undone.
  const not_before = new Date().toISOString()
  await app.write((tx) => tx.updateTable('mails').set({ not_before }).where('to_address', '=', reader.email).execute())
  const mail = await outboxMail(reader.email)
  expect((await admin().call('outbox.get', { id: mail.id })).body.data).toMatchObject({
    secret: 'none',
    body: expect.stringContaining(name),
  })
})
