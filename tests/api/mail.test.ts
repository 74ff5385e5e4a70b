import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { queueMail } from '../../server/domain/mail/outbox.ts'
import { KINDS } from '../../server/jobRegistry.ts'
import { openJobs } from '../../server/jobs/jobs.ts'
import { closeAll } from '../support/after-file.ts'
import { engine } from '../support/engine.ts'
import { type Smtp, startSmtp } from '../support/smtp.ts'
import { type Fieldwork, fieldwork } from './support.ts'

const until = async (done: () => Promise<boolean>) => {
  await vi.waitFor(async () => expect(await done()).toBe(true), { timeout: 20_000, interval: 30 })
}
const rowOf = (app: Fieldwork, to: string) =>
  app.db.selectFrom('mails').selectAll().where('to_address', '=', to).orderBy('id', 'desc').executeTakeFirstOrThrow()

describe('without an SMTP server', () => {
  let app: Fieldwork
  beforeAll(async () => {
    app = await fieldwork()
  })

  test('an email waits in the Outbox, where administrators read it', async () => {
    await app.as('admin').call('user.invite', { email: 'kept@mail.test', role_id: 'admin' })
    await until(async () => (await rowOf(app, 'kept@mail.test')).status === 'outbox')
    const { data } = (await app.as('admin').call('outbox.list', { search: 'kept', status: 'outbox' })).body
    expect(data).toMatchObject([{ to_address: 'kept@mail.test', subject: 'You are invited to Fieldwork' }])
    expect((await app.as('admin').call('outbox.get', { id: data[0]!.id })).body.data.body).toContain(
      '/registration?invitation_token=…',
    )
  })

  test('the Outbox is closed to client users', async () => {
    expect((await app.as('client').call('outbox.list')).status).toBe(403)
    expect((await app.as('stranger').call('outbox.list')).status).toBe(401)
  })

  test('waits as long as its sender has set for themselves, from 8 to 30 seconds', async () => {
    const person = await app.signIn(await app.make.user({ role: 'admin', first_name: 'Slow' }))
    const waitOf = async (to: string, delay_seconds: number) => {
      await person.call('user.invite', { email: to, role_id: 'admin', delay_seconds })
      const { created_at, not_before } = await rowOf(app, to)
      return not_before ? (Date.parse(not_before) - Date.parse(created_at)) / 1000 : 0
    }
    expect(await waitOf('usual@mail.test', 8)).toBe(8)
    expect((await person.call('account.edit', { preferences: { outside_seconds: 20 } })).status).toBe(200)
    expect(await waitOf('slow@mail.test', 8)).toBe(20)
    expect(await waitOf('given@mail.test', 12)).toBe(12)
    expect(await waitOf('now@mail.test', 0)).toBe(0)
    for (const outside_seconds of [7, 31])
      expect((await person.call('account.edit', { preferences: { outside_seconds } })).status).toBe(422)
  })

  test('a waiting email can be withdrawn, and sent after all', async () => {
    await app.as('admin').call('user.invite', { email: 'later@mail.test', role_id: 'admin', delay_seconds: 30 })
    const { id } = await rowOf(app, 'later@mail.test')
    expect((await app.as('admin').call('outbox.withdraw', { id })).body.data.status).toBe('withdrawn')
    expect((await app.as('admin').call('outbox.withdraw', { id })).status).toBe(409)
    await app.as('admin').call('outbox.retry', { id })
    await until(async () => (await rowOf(app, 'later@mail.test')).status === 'outbox')
  })

  test('an email is refused with the list’s disabled reason', async () => {
    await app.as('admin').call('user.invite', { email: 'state@mail.test', role_id: 'admin' })
    await until(async () => (await rowOf(app, 'state@mail.test')).status === 'outbox')
    const { id } = await rowOf(app, 'state@mail.test')
    for (const status of ['sending', 'sent', 'outbox', 'failed', 'withdrawn'] as const) {
      // Too far in the future for any dispatcher.
      await app.write((tx) =>
        tx.updateTable('mails').set({ status, not_before: '2099-01-01T00:00:00.000Z' }).where('id', '=', id).execute(),
      )
      const { allowed_actions, refused_actions } = (await app.as('admin').call('outbox.get', { id })).body.data
      expect([...allowed_actions, ...Object.keys(refused_actions)].sort()).toEqual([
        'outbox.retry',
        'outbox.reveal',
        'outbox.withdraw',
      ])
      for (const [action, why] of Object.entries(refused_actions)) {
        const answer = await app.as('admin').call(action as 'outbox.withdraw', { id })
        expect([status, action, answer.status, answer.body.message]).toEqual([
          status,
          action,
          409,
          `${why[0]!.toUpperCase()}${why.slice(1)}.`,
        ])
      }
    }
  })

  test('a refused call leaves no email', async () => {
    const before = (await app.as('admin').call('outbox.list')).body.count
    await app.as('admin').call('user.invite', { email: 'kept@mail.test', role_id: 'admin' })
    expect((await app.as('admin').call('outbox.list')).body.count).toBe(before)
  })
})

describe('over SMTP', () => {
  let smtp: Smtp
  let app: Fieldwork
  beforeAll(async () => {
    smtp = await startSmtp()
    app = await fieldwork({ SMTP_URL: smtp.url })
  })
  afterAll(async () => {
    // Servers first, including those of single tests: a mail server waits half a minute for open connections.
    await closeAll()
    await smtp.stop()
  })

  test('sends an administrator a test mail with the organization’s sender, reply-to and footer, and reports the server’s reply', async () => {
    const admin = app.as('admin')
    const names = { sender_name: 'Fieldwork Desk', sender_mail: 'desk@mail.test', reply_to: 'answers@mail.test' }
    await admin.call('organization.edit', { ...names, mail_footer: 'Fieldwork, 1 Main St' })
    const { data } = (await admin.call('organization.testMail')).body
    expect(data).toEqual({ accepted: true, words: `The mail server accepted it for ${app.admin.email}.`, to: app.admin.email })
    const mail = await smtp.waitFor((one) => one.messageId?.startsWith('<test-') === true)
    expect(mail.envelope.to).toEqual([app.admin.email])
    expect(mail.from).toMatchObject({ name: 'Fieldwork Desk', address: 'desk@mail.test' })
    expect(mail.replyTo).toMatchObject([{ address: 'answers@mail.test' }])
    expect(mail.text).toContain('Fieldwork, 1 Main St')
    await admin.call('organization.edit', { sender_name: '', sender_mail: '', reply_to: '', mail_footer: '' })
  })

  test('an invitation arrives, from the product and the support address', async () => {
    await app.as('admin').call('user.invite', { email: 'arrives@mail.test', role_id: 'client', client_id: app.client.id })
    const mail = await smtp.waitFor((one) => one.envelope.to.includes('arrives@mail.test'))
    expect(mail.from).toMatchObject({ name: 'Fieldwork', address: 'support@fieldwork.test' })
    expect(mail.text).toContain('Acme Beverage')
    expect(mail.html).toContain('Accept invitation')
  })

  test('our copy of a sent email contains no working secret', async () => {
    await app.as('admin').call('user.invite', { email: 'clean@mail.test', role_id: 'admin' })
    const mail = await smtp.waitFor((one) => one.envelope.to.includes('clean@mail.test'))
    const token = /invitation_token=(.{64})/.exec(mail.text ?? '')![1]!
    await until(async () => (await rowOf(app, 'clean@mail.test')).status === 'sent')
    const row = await rowOf(app, 'clean@mail.test')
    expect(`${row.body}${row.html}`).not.toContain(token)
    expect((await app.as('admin').call('outbox.retry', { id: row.id })).status).toBe(409)
  })

  test('an undo window is respected', async () => {
    await app.as('admin').call('user.invite', { email: 'window@mail.test', role_id: 'admin', delay_seconds: 1 })
    await smtp.waitFor((mail) => mail.envelope.to.includes('window@mail.test'))
    await until(async () => (await rowOf(app, 'window@mail.test')).status === 'sent')
    const { sent_at } = await rowOf(app, 'window@mail.test')
    // Counted from the request.
    const { created_at } = await app.db
      .selectFrom('users')
      .select('created_at')
      .where('email', '=', 'window@mail.test')
      .executeTakeFirstOrThrow()
    expect(Date.parse(sent_at!) - Date.parse(created_at)).toBeGreaterThanOrEqual(1000)
  })

  test('a sent email isn’t sent again because it couldn’t be recorded', async () => {
    const own = await fieldwork({ SMTP_URL: smtp.url })
    await own.services.jobs.close()
    const { database } = own.services
    // The database fails for a moment, just when the mail is marked as sent.
    await sql
      .raw(
        engine === 'sqlite'
          ? `create trigger failing before update on mails when new.status = 'sent' begin select raise(abort, 'failing'); end`
          : `create function failing() returns trigger language plpgsql as $$ begin raise exception 'failing'; end $$;
             create trigger failing before update on mails for each row when (new.status = 'sent') execute function failing()`,
      )
      .execute(own.db)
    let failed = 0
    const isUnavailable = (error: unknown) => {
      const failing = /failing/.test(String(error))
      failed += Number(failing)
      return failing
    }
    const services = { ...own.services, database: { ...database, isUnavailable } }
    const jobs = openJobs(() => services, KINDS)
    await own.write((tx) => queueMail(tx, { to: 'marked@mail.test', subject: 'Marked', text: 'x', about: 'test' }))
    jobs.wake()
    await smtp.waitFor((mail) => mail.subject === 'Marked')
    // Recording it was attempted more than once.
    await until(async () => failed > 1)
    expect((await rowOf(own, 'marked@mail.test')).status).toBe('sending')
    await sql.raw(`drop trigger failing ${engine === 'sqlite' ? '' : 'on mails'}`).execute(own.db)
    await until(async () => (await rowOf(own, 'marked@mail.test')).status === 'sent')
    await jobs.close()
    expect((await rowOf(own, 'marked@mail.test')).attempts).toBe(1)
    expect(smtp.mails.filter((mail) => mail.subject === 'Marked')).toHaveLength(1)
  })

  test('an email whose process died is sent once its lease expires; on its last attempt it fails', async () => {
    const now = new Date().toISOString()
    const later = new Date(Date.now() + 300_000).toISOString()
    const left = (to: string, not_before: string, attempts: number) =>
      app.write((tx) =>
        tx
          .insertInto('mails')
          // As a process of any release leaves it behind.
          .values({
            to_address: to,
            subject: 'Left',
            body: 'x',
            html: '',
            status: 'sending',
            error: '',
            attempts,
            about: 'test',
            not_before,
            created_at: now,
            sent_at: null,
          })
          .execute(),
      )
    await left('over@mail.test', now, 1)
    await left('last@mail.test', now, 8)
    await left('held@mail.test', later, 1)
    app.services.jobs.wake()
    await until(async () => (await rowOf(app, 'over@mail.test')).status === 'sent')
    await until(async () => (await rowOf(app, 'last@mail.test')).status === 'failed')
    expect(await rowOf(app, 'last@mail.test')).toMatchObject({
      error: 'The server stopped while it ran, in the last of 8 tries.',
    })
    expect(await rowOf(app, 'over@mail.test')).toMatchObject({ attempts: 2 })
    expect(await rowOf(app, 'held@mail.test')).toMatchObject({ status: 'sending', attempts: 1, not_before: later })
    expect(smtp.mails.filter((mail) => mail.subject === 'Left').map((mail) => mail.envelope.to[0])).toEqual(['over@mail.test'])
  })

  test('a process waits for its current email before exiting', async () => {
    const own = await fieldwork({ SMTP_URL: smtp.url })
    await own.write(async (tx) => {
      for (let at = 0; at < 5; at++) await queueMail(tx, { to: `ends${at}@mail.test`, subject: 'Ends', text: 'x', about: 'test' })
    })
    own.services.jobs.wake()
    await smtp.waitFor((mail) => mail.subject === 'Ends')
    await own.services.jobs.close()
    const rows = await own.db.selectFrom('mails').select('status').where('subject', '=', 'Ends').execute()
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['sent']))
    expect(smtp.mails.filter((mail) => mail.subject === 'Ends')).toHaveLength(5)
  })

  test('several dispatchers send each email once', async () => {
    const others = [1, 2, 3].map(() => openJobs(() => app.services, KINDS))
    await app.write(async (tx) => {
      for (let at = 0; at < 40; at++)
        await queueMail(tx, { to: `once${at}@mail.test`, subject: 'Once', text: 'Once.', about: 'test' })
    })
    for (const jobs of [app.services.jobs, ...others]) jobs.wake()
    await until(
      async () =>
        (await app.db.selectFrom('mails').select('id').where('subject', '=', 'Once').where('status', '=', 'sent').execute())
          .length === 40,
    )
    for (const jobs of others) await jobs.close()
    const addresses = smtp.mails.filter((mail) => mail.subject === 'Once').map((mail) => mail.envelope.to[0])
    expect([addresses.length, new Set(addresses).size]).toEqual([40, 40])
  })
})

describe('while the SMTP server is unreachable', () => {
  let app: Fieldwork
  beforeAll(async () => {
    const smtp = await startSmtp()
    await smtp.stop()
    app = await fieldwork({ SMTP_URL: smtp.url })
  })

  test('an email is retried with growing pauses, at most eight times', async () => {
    await app.as('admin').call('user.invite', { email: 'tries@mail.test', role_id: 'admin' })
    const pauses: number[] = []
    for (let attempt = 1; attempt <= 8; attempt++) {
      await until(async () => {
        const row = await rowOf(app, 'tries@mail.test')
        return row.attempts === attempt && row.status !== 'sending'
      })
      const row = await rowOf(app, 'tries@mail.test')
      if (row.status === 'failed') break
      pauses.push(Date.parse(row.not_before) - Date.now())
      await app.write((tx) =>
        tx.updateTable('mails').set({ not_before: new Date().toISOString() }).where('id', '=', row.id).execute(),
      )
      app.services.jobs.wake()
    }
    const row = await rowOf(app, 'tries@mail.test')
    expect([row.status, row.attempts]).toEqual(['failed', 8])
    expect(row.error).toContain('ECONNREFUSED')
    expect(pauses).toHaveLength(7)
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b))
  })

  test('a test mail fails with the connection’s error', async () => {
    const { data } = (await app.as('admin').call('organization.testMail')).body
    expect(data).toMatchObject({ accepted: false, words: expect.stringContaining('ECONNREFUSED') })
  })

  test('the call that queued it succeeded anyway', async () => {
    expect((await app.as('admin').call('user.invite', { email: 'answered@mail.test', role_id: 'admin' })).status).toBe(200)
  })

  test('an administrator resends a failed email', async () => {
    const { id } = await rowOf(app, 'tries@mail.test')
    expect((await app.as('admin').call('outbox.retry', { id })).body.data).toMatchObject({
      status: 'queued',
      attempts: 0,
      error: '',
    })
  })
})
