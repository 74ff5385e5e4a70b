import { beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../server/core/passwords.ts'
import { confirmed, linkTo, mailTo, PASSWORD, signIn } from './signing.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

let app: Fieldwork
let password_hash: string
beforeAll(async () => {
  app = await fieldwork()
  password_hash = await hashPassword(PASSWORD)
})
const admin = () => app.as('admin')
let made = 0
const fresh = () => `fresh${++made}@mail.test`
const stored = (id: number) => app.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const letters = async (to: string) =>
  (await app.db.selectFrom('mails').select('subject').where('to_address', '=', to).orderBy('id').execute()).map(
    (mail) => mail.subject,
  )
const asking = 'A new email for your Fieldwork account'
/** TABLE  the calls that change a user's address. */
const WAYS: Record<string, (user: { id: number; email: string }, fields: object) => ReturnType<Person['raw']>> = {
  'PUT /v3/portal/users': (user, fields) => admin().raw('PUT', '/v3/portal/users', { id: user.id, ...fields }),
  'PUT /v3/portal/users/:id, wrapped': (user, fields) => admin().raw('PUT', `/v3/portal/users/${user.id}`, { user: fields }),
  'PUT /v1/users/:id.json': (user, fields) => admin().raw('PUT', `/v1/users/${user.id}.json`, { user: fields }),
  'PUT /v3/portal/account': async (user, fields) => (await app.signIn(user)).raw('PUT', '/v3/portal/account', fields),
}

describe('a new email', () => {
  test('waits in every call that changes one, and is announced to the current one', async () => {
    for (const [way, change] of Object.entries(WAYS)) {
      const user = await app.make.user({ clients: [app.client.id] })
      const email = fresh()
      const answer = await change(user, { email: email.toUpperCase() })
      expect([answer.status, answer.body], way).toMatchObject([200, { data: { email: user.email, pending_email: email } }])
      expect(await stored(user.id), way).toMatchObject({ email: user.email, pending_email: email })
      expect(await letters(user.email), way).toEqual([asking])
      expect(await letters(email), way).toEqual(['Confirm your new email for Fieldwork'])
      expect((await mailTo(app, user.email))!.body).toContain(email)

      // Neither the pending one, nor the current one, nor the whole record written back changes anything.
      const before = await stored(user.id)
      for (const again of [{ email }, { email: user.email }, { email: user.email, pending_email: email }]) {
        const repeated = await change(user, again)
        expect([repeated.status, repeated.body], way).toMatchObject([200, { data: { email: user.email, pending_email: email } }])
      }
      const record = (await admin().call('user.get', { id: user.id })).body.data
      const back = await admin().raw('PUT', '/v3/portal/users', record)
      expect(back.status, back.text).toBe(200)
      expect(await stored(user.id), way).toEqual(before)
      expect(await letters(email), way).toHaveLength(1)

      expect((await confirmed(app, email)).body.message).toContain(email)
      expect(await stored(user.id), way).toMatchObject({ email, pending_email: null, pending_email_hash: null })
      expect(await letters(user.email), way).toEqual([asking, 'The email of your Fieldwork account has changed'])
    }
  })

  test('is confirmed once, in time, and by its own newest link', async () => {
    const user = await app.make.user()
    const [first, second] = [fresh(), fresh()]
    await admin().call('user.edit', { id: user.id, email: first })
    const old = await linkTo(app, first)
    await admin().call('user.edit', { id: user.id, email: second })
    const confirm = (token: string) => app.as('stranger').call('session.confirmEmail', { token })
    expect((await confirm(old)).status).toBe(404)
    const token = await linkTo(app, second)
    await app.db
      .updateTable('users')
      .set({ pending_email_expires_at: '2020-01-01T00:00:00.000Z' })
      .where('id', '=', user.id)
      .execute()
    expect((await confirm(token)).status).toBe(404)
    expect((await stored(user.id)).email).toBe(user.email)
    // An expired one is asked for again by sending it again.
    await admin().call('user.edit', { id: user.id, email: second })
    const newest = await linkTo(app, second)
    expect(newest).not.toBe(token)
    expect((await confirm(newest)).status).toBe(200)
    expect((await confirm(newest)).status).toBe(404)
    expect((await confirm('')).body.fields).toEqual({ token: 'The link is not complete' })
    // A letter that is being sent loses its link once it has gone.
    for (const secret of [old, token, newest])
      await expect
        .poll(async () => (await app.db.selectFrom('mails').select('body').execute()).filter(({ body }) => body.includes(secret)))
        .toEqual([])
  })

  test('can be sent again and cancelled, by its owner and by administrators', async () => {
    const user = await app.make.user()
    const [email, owner] = [fresh(), await app.signIn(user)]
    expect((await owner.call('account.resendEmail')).status).toBe(409)
    expect((await admin().call('user.cancelEmail', { id: user.id })).status).toBe(409)
    await owner.call('account.edit', { email })
    const first = await linkTo(app, email)
    // No storm of letters.
    expect((await owner.call('account.resendEmail')).status).toBe(429)
    await app.db
      .updateTable('mails')
      .set({ created_at: new Date(Date.now() - 120_000).toISOString() })
      .where('to_address', '=', email)
      .execute()
    expect((await admin().call('user.resendEmail', { id: user.id })).status).toBe(200)
    const second = await linkTo(app, email)
    expect(second).not.toBe(first)
    expect((await owner.call('account.cancelEmail')).body.message).toBe(`The email stays ${user.email}.`)
    for (const token of [first, second])
      expect((await app.as('stranger').call('session.confirmEmail', { token })).status).toBe(404)
    await admin().call('user.edit', { id: user.id, email })
    expect((await admin().call('user.cancelEmail', { id: user.id })).status).toBe(200)
    expect(await stored(user.id)).toMatchObject({ email: user.email, pending_email: null })
    expect((await app.as('client').call('user.cancelEmail', { id: user.id })).status).toBe(403)
  })

  test('causes only so many letters a day', async () => {
    const user = await app.make.user()
    let refused = 0
    for (let at = 0; at < 14 && !refused; at++) {
      const { status } = await admin().call('user.edit', { id: user.id, email: fresh() })
      if (status === 429) refused = at
    }
    expect(refused).toBe(10)
  })

  test('of an administrator takes their own password or a second administrator', async () => {
    const boss = await app.make.user({ role: 'admin', password_hash })
    const [other, own] = [await app.signIn(await app.make.user({ role: 'admin' })), await app.signIn(boss)]
    const [first, second] = [fresh(), fresh()]
    const wrong = await own.call('account.edit', { email: first, current_password: 'Wrong-pass-1' })
    expect([wrong.status, wrong.body.fields]).toEqual([422, { current_password: 'The current password is wrong.' }])
    expect((await stored(boss.id)).pending_email).toBe(null)

    // Another administrator alone gets nothing but a request, even with the password.
    const guessed = await other.call('user.edit', { id: boss.id, email: first, current_password: PASSWORD })
    expect([guessed.status, Object.keys(guessed.body.fields)]).toEqual([422, ['current_password']])
    const request = (await other.call('user.edit', { id: boss.id, email: first })).body.data
    expect(request).toMatchObject({ email: boss.email, pending_email: first, pending_email_needs_approval: true })
    expect(await letters(first)).toEqual([])
    expect(await letters(boss.email)).toEqual([asking])
    expect((await other.call('user.approveEmail', { id: boss.id })).body.message).toContain('another administrator')
    expect((await other.call('user.resendEmail', { id: boss.id })).status).toBe(409)
    expect((await app.as('client').call('user.approveEmail', { id: boss.id })).status).toBe(403)
    expect((await admin().call('user.approveEmail', { id: boss.id })).status).toBe(200)
    expect((await admin().call('user.approveEmail', { id: boss.id })).status).toBe(409)
    expect((await confirmed(app, first)).status).toBe(200)

    // Their own password does as well, in each call.
    for (const call of ['account.edit', 'user.edit', 'user.editOlder'] as const) {
      const email = fresh()
      const now = await app.signIn(await stored(boss.id))
      const alone = (await now.call(call, { id: boss.id, email } as never)).body.data
      expect(alone, call).toMatchObject({ pending_email: email, pending_email_needs_approval: true })
      const proven = (await now.call(call, { id: boss.id, email, current_password: PASSWORD } as never)).body.data
      expect(proven, call).toMatchObject({ pending_email: email, pending_email_needs_approval: false })
      expect((await confirmed(app, email)).status, call).toBe(200)
    }
    const { token } = (await admin().call('token.create', { name: 'T', scopes: ['*:write'] })).body.data
    const program = app.person({ authorization: `Bearer ${token}` })
    await other.call('user.edit', { id: boss.id, email: second })
    expect((await program.call('user.approveEmail', { id: boss.id })).status).toBe(403)
  })

  test('that waits when somebody becomes an administrator has to be approved', async () => {
    const user = await app.make.user()
    const email = fresh()
    await admin().call('user.edit', { id: user.id, email })
    await admin().call('user.edit', { id: user.id, role: 'admin' })
    expect((await confirmed(app, email)).status).toBe(409)
    expect((await stored(user.id)).email).toBe(user.email)
    // Nor does the same write get both.
    const [both, next] = [await app.make.user(), fresh()]
    const answer = (await admin().call('user.edit', { id: both.id, role: 'admin', email: next })).body.data
    expect(answer).toMatchObject({ role: 'admin', pending_email: next, pending_email_needs_approval: true })
    expect(await letters(next)).toEqual([])
  })

  test('of an administrator is approved by nobody whom the asker could have made one', async () => {
    const asker = await app.signIn(await app.make.user({ role: 'admin' }))
    const boss = await app.make.user({ role: 'admin', password_hash })
    await asker.call('user.edit', { id: boss.id, email: fresh() })
    const approvedBy = async (user: { id: number; email: string }) =>
      (await (await app.signIn(await stored(user.id))).call('user.approveEmail', { id: boss.id })).status

    // Promoted, demoted and promoted again, given a password or a restored account, or invited and registered.
    const promoted = await app.make.user()
    await asker.call('user.edit', { id: promoted.id, role: 'admin' })
    const again = await app.make.user({ role: 'admin' })
    for (const role of ['client', 'admin'] as const) await asker.call('user.edit', { id: again.id, role })
    const reset = await app.make.user({ role: 'admin', password_hash })
    expect((await asker.call('user.resetPassword', { id: reset.id })).status).toBe(200)
    await app.db.updateTable('users').set({ must_change_password: 0 }).where('id', '=', reset.id).execute()
    const restored = await app.make.user({ role: 'admin' })
    const removal = await asker.call('user.remove', { id: restored.id })
    expect((await asker.call('undo.take', { id: Number(removal.headers['x-undo']) })).status).toBe(200)
    const undone = await app.make.user({ role: 'admin' })
    const demotion = await asker.call('user.edit', { id: undone.id, role: 'client' })
    expect((await asker.call('undo.take', { id: Number(demotion.headers['x-undo']) })).status).toBe(200)
    const invited = fresh()
    expect((await asker.call('user.invite', { email: invited, role_id: 'admin' } as never)).status).toBe(200)
    const registered = await app.db.selectFrom('users').selectAll().where('email', '=', invited).executeTakeFirstOrThrow()
    await app.db.updateTable('users').set({ status: 'active' }).where('id', '=', registered.id).execute()
    for (const user of [promoted, again, reset, restored, undone, registered])
      expect(await approvedBy(user), user.email).toBe(409)
    // Nor by one whom such a one made.
    const further = await app.make.user()
    await (await app.signIn(await stored(promoted.id))).call('user.edit', { id: further.id, role: 'admin' })
    expect(await approvedBy(further)).toBe(409)

    // A week later, or after a change of what says nothing of trust, they do.
    await asker.call('user.edit', { id: again.id, first_name: 'Renamed' })
    const week = new Date(Date.now() - 8 * 86_400_000).toISOString()
    await app.db.updateTable('history').set({ at: week }).where('subject_id', '=', promoted.id).execute()
    expect(await approvedBy(promoted)).toBe(200)
    const named = await app.make.user({ role: 'admin' })
    await asker.call('user.edit', { id: boss.id, email: fresh() })
    await asker.call('user.edit', { id: named.id, first_name: 'Renamed' })
    expect(await approvedBy(named)).toBe(200)
  })

  test('and the Outbox guard an administrator’s account for a week after the role was taken', async () => {
    const boss = await app.make.user({ role: 'admin', password_hash })
    await admin().call('user.edit', { id: boss.id, role: 'client' })
    const request = (await admin().call('user.edit', { id: boss.id, email: fresh() })).body.data
    expect(request).toMatchObject({ role: 'client', pending_email_needs_approval: true })
    expect((await admin().call('user.approveEmail', { id: boss.id })).body.message).toContain('another administrator')
    expect((await admin().call('user.resetPassword', { id: boss.id })).status).toBe(200)
    const mail = await app.db
      .selectFrom('mails')
      .select('id')
      .where('about', '=', `temporary password user:${boss.id}`)
      .executeTakeFirstOrThrow()
    expect((await admin().call('outbox.reveal', { id: mail.id })).status).toBe(403)

    const week = new Date(Date.now() - 8 * 86_400_000).toISOString()
    await app.db.updateTable('history').set({ at: week }).where('subject_id', '=', boss.id).execute()
    const later = (await admin().call('user.edit', { id: boss.id, email: fresh() })).body.data
    expect(later).toMatchObject({ pending_email_needs_approval: false })
    expect((await admin().call('outbox.reveal', { id: mail.id })).status).toBe(200)
  })

  test('of an administrator says what to set where no mail server is', async () => {
    const boss = await app.make.user({ role: 'admin', password_hash })
    const own = await app.signIn(boss)
    const { message } = (await own.call('account.edit', { email: fresh(), current_password: PASSWORD })).body
    expect(message).toContain('Set SMTP_URL on the server')
    const user = await app.make.user()
    expect((await admin().call('user.edit', { id: user.id, email: fresh() })).body.message).toContain('a link was sent to')
  })

  test('taken by somebody else meanwhile is refused with a sentence', async () => {
    const [one, other, email] = [await app.make.user(), await app.make.user(), fresh()]
    await admin().call('user.edit', { id: one.id, email })
    const token = await linkTo(app, email)
    await app.db.updateTable('users').set({ email }).where('id', '=', other.id).execute()
    const answer = await app.as('stranger').call('session.confirmEmail', { token })
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([
      409,
      'taken',
      'Somebody else has this email now, so yours stays as it was. Choose another one.',
    ])
    expect((await admin().call('user.edit', { id: one.id, email: other.email })).status).toBe(200)
    expect((await admin().call('user.edit', { id: one.id, email })).body.code).toBe('taken')
  })

  test('leaves a forgotten password to the current one, whose new password cancels it', async () => {
    const user = await app.make.user({ password_hash })
    const email = fresh()
    await admin().call('user.edit', { id: user.id, email })
    const waiting = await linkTo(app, email)
    await app.as('stranger').call('session.forgot', { email })
    expect(await letters(email)).toHaveLength(1)
    await app.as('stranger').call('session.forgot', { email: user.email })
    const set = await app.as('stranger').call('session.setPassword', {
      ...{ password: 'New-pass-99', password_confirmation: 'New-pass-99' },
      reset_password_token: await linkTo(app, user.email),
    })
    expect(set.body).toMatchObject({ cancelled_email: email, paused_webhooks: [] })
    expect((await app.as('stranger').call('session.confirmEmail', { token: waiting })).status).toBe(404)
    expect((await mailTo(app, user.email))!.body).toContain(`The change of your email to ${email} was cancelled.`)
    expect((await signIn(app, user.email, 'New-pass-99')).status).toBe(200)
  })

  test('is undone and asked for again by undo and redo, which never change the address of an account in use', async () => {
    const [user, email] = [await app.make.user(), fresh()]
    const edit = await admin().call('user.edit', { id: user.id, email, first_name: 'Renamed' })
    const id = Number(edit.headers['x-undo'])
    expect((await admin().call('undo.take', { id })).status).toBe(200)
    expect(await stored(user.id)).toMatchObject({ email: user.email, pending_email: null, first_name: user.first_name })
    expect((await admin().call('undo.redo', { id })).status).toBe(200)
    expect(await stored(user.id)).toMatchObject({ email: user.email, pending_email: email })
    await app.db
      .updateTable('mails')
      .set({ created_at: new Date(Date.now() - 120_000).toISOString() })
      .where('to_address', '=', email)
      .execute()
    await admin().call('user.resendEmail', { id: user.id })
    expect((await confirmed(app, email)).status).toBe(200)
    expect((await admin().call('undo.take', { id })).status).toBe(409)
    expect((await stored(user.id)).email).toBe(email)

    // The address of an invitation is nobody's yet, until somebody has registered with it.
    const invited = await app.make.user({ status: 'invited' })
    const moved = await admin().call('user.edit', { id: invited.id, email: fresh() })
    expect((await mailTo(app, invited.email))!.subject).toBe('Your invitation to Fieldwork goes to another email')
    await app.db.updateTable('users').set({ status: 'active' }).where('id', '=', invited.id).execute()
    expect((await admin().call('undo.take', { id: Number(moved.headers['x-undo']) })).body.code).toBe('changed_since')
    expect((await stored(invited.id)).email).toBe(moved.body.data.email)
  })
})
