import { beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../server/core/passwords.ts'
import { sweepChanges } from '../../server/core/undo/changeSets.ts'
import { blankDeleted } from '../../server/domain/user/deleted.ts'
import { holder, linkTo, PASSWORD, signIn } from './signing.ts'
import { type Fieldwork, fieldwork, type Person, withoutDeliveries } from './support.ts'

let app: Fieldwork
let password_hash: string
beforeAll(async () => {
  app = await fieldwork()
  withoutDeliveries(app)
  password_hash = await hashPassword(PASSWORD)
})
const admin = () => app.as('admin')
const stored = (id: number) => app.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const letters = (to: string) =>
  app.db.selectFrom('mails').select(['subject', 'body', 'about']).where('to_address', '=', to).orderBy('id').execute()
const subjects = async (to: string) => (await letters(to)).map(({ subject }) => subject)
const webhookOf = async (person: Person, name: string) =>
  (await person.call('webhook.create', { name, url: 'https://93.184.216.34/x', nouns: ['project'] })).body.data
const NEW = { password: 'New-pass-99', password_confirmation: 'New-pass-99' }
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

type User = Awaited<ReturnType<Fieldwork['make']['user']>>
/** TABLE  what happens to an account: the letter's subject, and how it comes about. `by`: another person does it. */
const EVENTS: readonly { subject: RegExp; does: (user: User, own: Person) => Promise<unknown>; by?: true; role?: 'admin' }[] = [
  { subject: /^A new email for/, does: (_, own) => own.call('account.edit', { email: 'asked@mail.test' }) },
  {
    subject: /password was changed$/,
    does: (_, own) => own.call('session.setPassword', { ...NEW, current_password: PASSWORD }),
  },
  {
    subject: /password was reset$/,
    async does({ email }) {
      await app.as('stranger').call('session.forgot', { email })
      return app.as('stranger').call('session.setPassword', { ...NEW, reset_password_token: await linkTo(app, email) })
    },
  },
  { subject: /^Your temporary/, does: ({ id }) => admin().call('user.resetPassword', { id }), by: true },
  { subject: /^New sign-in to/, does: ({ email }) => signIn(app, email, PASSWORD, { 'user-agent': FIREFOX }) },
  { subject: /^New token for .*: Bot$/, does: (_, own) => own.call('token.create', { name: 'Bot', scopes: ['project:read'] }) },
  { subject: /^New API key for .*: Feed$/, does: (_, own) => own.call('key.create', { name: 'Feed' }), role: 'admin' },
  { subject: /^New webhook of .*: Board$/, does: async (_, own) => ({ made: await webhookOf(own, 'Board') }) },
  {
    subject: /webhook “Board” has a new address$/,
    async does(_, own) {
      const { id } = await webhookOf(own, 'Board')
      return own.call('webhook.edit', { id, url: 'https://93.184.216.35/y' })
    },
  },
  { subject: /^Your role in/, does: ({ id }) => admin().call('user.edit', { id, role: 'admin' }), by: true },
]

describe('an account’s owner', () => {
  test('is told by letters that nobody can withdraw, neither an administrator nor a token', async () => {
    const scopes = ['*:write', 'user:email', 'user:role']
    const made = await admin().call('token.create', { name: 'Silencer', scopes })
    const bot = app.person({ authorization: `Bearer ${made.body.data.token}` })
    for (const { subject, does, by, role = 'client' } of EVENTS) {
      const user = await app.make.user({ role, password_hash })
      await does(user, await app.signIn(user))
      const sent = await app.db.selectFrom('mails').select(['id', 'subject', 'about']).where('user_id', '=', user.id).execute()
      const letter = sent.find((one) => subject.test(one.subject))
      // As long as the mail server doesn't answer.
      const waits = { status: 'queued', not_before: '2099-01-01T00:00:00.000Z' } as const
      await app.write((tx) => tx.updateTable('mails').set(waits).where('id', '=', letter!.id).execute())
      for (const person of by ? [admin(), bot] : [admin()]) {
        const answer = await person.call('outbox.withdraw', { id: letter!.id })
        expect(answer.status, `${letter!.about}: ${answer.text}`).toBe(409)
      }
      expect(await app.db.selectFrom('mails').select('status').where('id', '=', letter!.id).executeTakeFirst()).toEqual({
        status: 'queued',
      })
    }
  })

  test('gets a letter about each change of it, which says when, from where, who did it and what to do', async () => {
    for (const { subject, does, by, role = 'client' } of EVENTS) {
      const user = await app.make.user({ role, password_hash, first_name: 'Olive', preferences: '{"notification_mail":false}' })
      const answer = (await does(user, await app.signIn(user))) as { status?: number; text?: string }
      expect(answer.status ?? 200, `${subject}: ${answer.text}`).toBe(200)
      const letter = (await letters(user.email)).find((mail) => subject.test(mail.subject))
      expect(letter, `${subject} of ${await subjects(user.email)}`).toBeDefined()
      const { body } = letter!
      expect(body, String(subject)).toMatch(/^Hello Olive,/)
      expect(body, String(subject)).toMatch(/When: \w+day, \w+ \d+, 20\d\d at /)
      expect(body, String(subject)).toMatch(/From: 127\.0\.0\.1/)
      expect(body.includes('By: Ada Admin (admin@fieldwork.test)'), String(subject)).toBe(by === true)
      expect(body, String(subject)).toContain('support@fieldwork.test')
    }
  })

  test('gets none for a dry run or a refused call, and undo takes none of them', async () => {
    const user = await app.make.user()
    const own = await app.signIn(user)
    await own.raw('POST', '/v3/portal/tokens?dry=1', { name: 'Dry', scopes: ['project:read'] })
    await own.call('token.create', { name: '', scopes: ['project:read'] })
    expect(await subjects(user.email)).toEqual([])
    const made = await own.call('token.create', { name: 'Real', scopes: ['project:read'] })
    expect((await own.call('undo.take', { id: Number(made.headers['x-undo']) })).status).toBe(200)
    expect(await app.db.selectFrom('mails').select('status').where('to_address', '=', user.email).execute()).not.toContainEqual({
      status: 'withdrawn',
    })
    // A role that an undo takes again is told as well.
    const promoted = await admin().call('user.edit', { id: user.id, role: 'admin' })
    await admin().call('undo.take', { id: Number(promoted.headers['x-undo']) })
    expect((await subjects(user.email)).filter((subject) => subject.startsWith('Your role'))).toHaveLength(2)
  })

  test('hears of a new device once, whatever its version', async () => {
    const user = await app.make.user({ password_hash })
    const from = (agent: string) => signIn(app, user.email, PASSWORD, { 'user-agent': agent })
    for (const agent of [FIREFOX, FIREFOX, FIREFOX.replaceAll('140', '141'), 'curl/8.1', 'curl/8.2']) await from(agent)
    const devices = (await letters(user.email)).map(({ body }) => /seen before: (.*)\./.exec(body)?.[1])
    expect(devices).toEqual(['Firefox on Linux', 'curl/8.1'])
  })

  test('hears of the commonest browser, too, once it signs in from another network', async () => {
    const user = await app.make.user({ password_hash })
    for (const remoteAddress of ['192.0.2.7', '192.0.2.8', '198.51.100.7', '2001:db8:1:2::3', '2001:db8:1:9::4', '2001:db8:2::3'])
      await app.app.inject({
        ...{ method: 'POST', url: '/v3/portal/auth/sign_in', remoteAddress, headers: { 'user-agent': FIREFOX } },
        payload: { email: user.email, password: PASSWORD },
      })
    const heard = (await letters(user.email)).map(({ body }) => /From: (.*)/.exec(body)?.[1])
    expect(heard).toEqual(
      ['192.0.2.7', '198.51.100.7', '2001:db8:1:2::3', '2001:db8:2::3'].map((one) => expect.stringContaining(one)),
    )
  })

  test('finds their webhooks paused and named after a new password or signing out everywhere', async () => {
    const ways: Record<string, (user: User, own: Person) => ReturnType<Person['call']>> = {
      changed: (_, own) => own.call('session.setPassword', { ...NEW, current_password: PASSWORD }) as never,
      reset: async ({ email }) => {
        await app.as('stranger').call('session.forgot', { email })
        return app.as('stranger').call('session.setPasswordSettlers', {
          ...{ ...NEW, reset_password_token: await linkTo(app, email) },
        }) as never
      },
      temporary: ({ id }) => admin().call('user.resetPassword', { id }) as never,
      everywhere: (_, own) => own.call('account.endOtherSessions') as never,
    }
    for (const [way, does] of Object.entries(ways)) {
      const user = await app.make.user({ password_hash })
      const own = await app.signIn(user)
      const [first, second] = [await webhookOf(own, `First ${way}`), await webhookOf(own, `Second ${way}`)]
      await own.call('webhook.pause', { id: second.id })
      const others = await webhookOf(admin(), `Other ${way}`)
      const answer = await does(user, own)
      expect([answer.status, answer.body], way).toMatchObject([200, { paused_webhooks: [{ id: first.id, name: first.name }] }])
      const after = (await admin().call('webhook.get', { id: first.id })).body.data
      expect([after.status, after.reason !== ''], way).toEqual(['paused', true])
      const acting = holder(app, await admin().call('session.actAs', { id: user.id, reason: 'to resume it' }))
      expect((await acting.call('webhook.resume', { id: first.id })).status, way).toBe(403)
      expect((await admin().call('webhook.get', { id: others.id })).body.data.status, way).toBe('active')
      expect((await letters(user.email)).at(-1)!.body, way).toContain(`“First ${way}”`)
      if (way === 'changed' || way === 'everywhere')
        expect((await own.call('webhook.resume', { id: first.id })).body.data, way).toMatchObject({
          status: 'active',
          reason: '',
        })
    }
  })
})

test('a token revoked before a new password stays revoked: no undo of that revocation brings it back', async () => {
  const user = await app.make.user({ role: 'admin', password_hash })
  const own = await app.signIn(user)
  const tokens = []
  for (const name of ['Own', 'Kept']) tokens.push((await own.call('token.create', { name, scopes: ['project:read'] })).body.data)
  const undoOf = ({ headers }: { headers: Record<string, unknown> }) => Number(headers['x-undo'])
  const revoked = undoOf(await own.call('token.revoke', { id: tokens[0]!.id }))
  const demoted = undoOf(await admin().call('user.edit', { id: user.id, role: 'client' }))
  const later = await app.signIn(user)
  const changed = await later.call('session.setPassword', { ...NEW, current_password: PASSWORD })
  expect(changed.status, changed.text).toBe(200)
  expect((await admin().call('undo.take', { id: demoted })).status).toBe(409)
  expect((await later.call('undo.take', { id: revoked })).status).toBe(409)
  for (const { token } of tokens)
    expect((await app.person({ authorization: `Bearer ${token}` }).call('token.current')).status).toBe(401)
})

describe('the history', () => {
  const lines = async (input: object) => (await admin().call('history.list', { per_page: 200, ...input })).body.data

  test('has sign-ins with and without success, sign-outs, acting, tokens and rights', async () => {
    const user = await app.make.user({ password_hash, clients: [app.client.id] })
    const headers = { 'user-agent': FIREFOX }
    await signIn(app, user.email, 'Wrong-pass-1', headers)
    const signed = await signIn(app, user.email, PASSWORD, headers)
    const own = app.person(
      Object.fromEntries(['access-token', 'client', 'uid'].map((name) => [name, String(signed.headers[name])])),
    )
    const token = (await own.call('token.create', { name: 'Bot', scopes: ['project:read'] })).body.data
    await own.call('token.revoke', { id: token.id })
    const hook = await webhookOf(own, 'Board')
    await own.call('webhook.remove', { id: hook.id })
    await own.call('session.signOut', {}, headers)
    const acting = await admin().call('session.actAs', { id: user.id, reason: 'They asked' })
    const as = app.person(
      Object.fromEntries(['access-token', 'client', 'uid'].map((name) => [name, String(acting.headers[name])])),
    )
    await as.call('session.switchBack')
    await admin().call('user.edit', { id: user.id, role: 'admin' })
    const found = (await lines({ user_id: user.id })).reverse()
    expect(found.map(({ action }) => action)).toEqual([
      ...['session.refused', 'session.signIn', 'token.create', 'token.revoke', 'webhook.create', 'webhook.remove'],
      ...['session.signOut', 'session.actAs', 'session.switchBack', 'user.edit'],
    ])
    const [refused, signIn_, , , , , , began] = found
    expect(refused).toMatchObject({ who: 'Unknown', record: `${user.first_name} ${user.last_name}`, subject: 'session' })
    expect(refused!.after).toEqual({ from: '127.0.0.1', device: FIREFOX, why: 'wrong password' })
    expect(signIn_).toMatchObject({ actor_id: user.id, words: 'signed in', after: { from: '127.0.0.1', device: FIREFOX } })
    expect(began).toMatchObject({ who: 'Ada Admin', reason: 'They asked' })
    expect(JSON.stringify(found)).not.toMatch(/Wrong-pass-1|fwt_|whsec_|Fieldwork-1!/)
  })

  test('is filtered by noun and time, searched, paged, and exported by administrators alone', async () => {
    expect((await lines({ noun: 'token' })).every(({ subject }) => subject === 'token')).toBe(true)
    expect(await lines({ end: '2020-01-01' })).toEqual([])
    expect((await lines({ start: '2020-01-01', noun: 'session' })).length).toBeGreaterThan(1)
    expect(await lines({ start: '2040-01-01' })).toEqual([])
    expect((await lines({ search: 'They asked' })).length).toBe(1)
    const wrong = await admin().call('history.list', { noun: 'nonsense', start: 'soon' } as never)
    expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([422, ['noun', 'start']])
    expect(wrong.body.fields.noun).toContain('project')
    expect((await app.as('client').call('history.list')).status).toBe(403)
    expect((await app.as('client').call('export.start', { source: 'history' } as never)).status).toBe(403)
    const job = await admin().call('export.start', { source: 'history', filter: { noun: 'session' } } as never)
    expect(job.status, job.text).toBeLessThan(300)
  })

  test('isn’t filled by failed sign-ins without bound, nor by what somebody typed in the wrong field', async () => {
    const count = async (id: number) =>
      Number(
        (
          await app.db
            .selectFrom('history')
            .select((eb) => eb.fn.countAll().as('count'))
            .where('action', '=', 'session.refused')
            .where('subject_id', '=', id)
            .executeTakeFirstOrThrow()
        ).count,
      )
    const before = await count(0)
    // Each takes a password's hash, so they are made many at a time.
    for (let round = 0; round < 13; round++)
      await Promise.all(Array.from({ length: 20 }, (_, at) => signIn(app, `nobody${round}-${at}@mail.test`, 'Some-secret-1')))
    expect((await count(0)) - before).toBeLessThanOrEqual(205)
    await signIn(app, 'My-own-secret-7', 'x')
    const typed = await app.db.selectFrom('history').select('after').where('action', '=', 'session.refused').execute()
    expect(JSON.stringify(typed)).not.toMatch(/Some-secret-1|My-own-secret-7/i)
  }, 60_000)
})

describe('a deleted user', () => {
  test('leaves no password, phone or birth date behind, and undo restores them for a day', async () => {
    const user = await app.make.user({ password_hash, phone: '5035550100', birth_date: '1990-05-05', clients: [app.client.id] })
    const removed = await admin().call('user.remove', { id: user.id })
    const blank = { password_hash: null, phone: '', birth_date: null }
    expect(await stored(user.id)).toMatchObject({ ...blank, first_name: user.first_name })
    const line = await app.db
      .selectFrom('history')
      .selectAll()
      .where('subject', '=', 'user')
      .where('subject_id', '=', user.id)
      .execute()
    expect(JSON.stringify(line)).not.toMatch(/5035550100|1990-05-05/)
    await admin().call('undo.take', { id: Number(removed.headers['x-undo']) })
    expect(await stored(user.id)).toMatchObject({
      password_hash,
      phone: '5035550100',
      birth_date: '1990-05-05',
      deleted_at: null,
    })
    expect((await signIn(app, user.email)).status).toBe(200)

    // After the day nothing of it is left, of those deleted by earlier releases either.
    await admin().call('user.removeOlder', { id: user.id })
    const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString()
    const older = await app.make.user({ password_hash, phone: '5035550101', birth_date: '1990-05-06', deleted_at: yesterday })
    const recent = await app.make.user({ password_hash, deleted_at: new Date().toISOString() })
    await app.db.updateTable('change_sets').set({ at: yesterday }).where('rows', 'like', '%5035550100%').execute()
    await sweepChanges(app.services, true)
    expect(await blankDeleted(app.services)).toBe(1)
    expect(await app.db.selectFrom('change_sets').select('id').where('rows', 'like', '%5035550100%').execute()).toEqual([])
    expect(await stored(older.id)).toMatchObject(blank)
    expect((await stored(recent.id)).password_hash).toBe(password_hash)
  })
})

describe('an email that looks like another one', () => {
  /** TABLE  addresses that no account gets, and what the sentence names. */
  const LOOK_ALIKES: readonly (readonly [email: string, names: RegExp])[] = [
    ['аdmin@fieldwork.test', /mixes alphabets: “а” \(U\+0430\) is Cyrillic/],
    ['admin@fieldwοrk.test', /U\+03BF\) is Greek/],
    ['admin@fieldwork.tеst', /Cyrillic/],
    ['сора@acme.test', /Cyrillic letters “сора”/],
    ['ａdmin@fieldwork.test', /looks like “a”/],
    ['admın@fieldwork.test', /U\+0131/],
    ['ad\u034fmin@fieldwork.test', /U\+034F/],
    ['adminㅤ@fieldwork.test', /U\+3164/],
    ['a̲dmin@fieldwork.test', /U\+0332/],
    ['admin1\u0323@fieldwork.test', /U\+0323/],
    ['admin@fieldwork-\u0323x.test', /U\+0323/],
    ['admin@xn--fieldwork-.test', /“xn--fieldwork-”/],
    ['admin․x@fieldwork.test', /looks like “\.”/],
    ['ꭺdmin@fieldwork.test', /alphabet/],
  ]
  const FINE = [
    "o'neil@mail.test",
    'anna@xn--bcher-kva.test',
    'दीपिका@mail.test',
    'josé.müller+x_1@mail.test',
    'иван.петров@пример.рф',
    '田中@mail.test',
  ]

  test('is refused in every way that an account or an address is made', async () => {
    const ways: Record<string, (email: string) => ReturnType<Person['raw']>> = {
      'user.invite': (email) => admin().call('user.invite', { email, role_id: 'admin' }) as never,
      'user.inviteOlder': (email) => admin().call('user.inviteOlder', { email, role_id: 'admin' }) as never,
      'user.edit': async (email) => admin().call('user.edit', { id: (await app.make.user()).id, email }) as never,
      'user.editOlder': async (email) => admin().call('user.editOlder', { id: (await app.make.user()).id, email }) as never,
      'account.edit': async (email) => (await app.signIn(await app.make.user())).call('account.edit', { email }) as never,
      'session.requestAccount': (email) =>
        app.as('stranger').call('session.requestAccount', { name: 'N', company: 'C', email, phone: '5035550100' }) as never,
    }
    const wrong: string[] = []
    for (const [email, names] of LOOK_ALIKES) {
      for (const [way, does] of Object.entries(ways)) {
        const { status, body } = await does(email)
        if (status !== 422 || !body.fields.email) wrong.push(`${way} ${email}: ${status} ${body.message}`)
        else if (!names.test(body.fields.email) && !/not valid/.test(body.fields.email))
          wrong.push(`${email}: ${body.fields.email}`)
      }
      const many = await admin().call('user.inviteMany', {
        people: [{ email }, { email: `ok${email.length}@mail.test` }],
        role_id: 'admin',
      })
      if (many.status === 200 && many.body.data[0]!.invited) wrong.push(`user.inviteMany ${email}`)
    }
    expect(wrong).toEqual([])
    expect(
      await app.db
        .selectFrom('users')
        .select('email')
        .where(
          'email',
          'in',
          LOOK_ALIKES.map(([email]) => email),
        )
        .execute(),
    ).toEqual([])
  })

  test('lets other alphabets be', async () => {
    for (const email of FINE) {
      const { status, text } = await admin().call('user.invite', { email, role_id: 'admin' })
      expect([email, status], text).toEqual([email, 200])
    }
  })
})
