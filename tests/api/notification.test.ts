import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { notice } from '../support/writeExamples.ts'
import { listenTo } from './listening.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const client = () => app.as('client')
const unread = async (who: Person) => (await who.call('notice.unread')).body.data.unread
const inbox = async (who: Person) => (await who.call('notice.list')).body.data
/** Sends a draft at once and waits until everybody has it. */
async function sent(given: object = {}) {
  const { id } = await app.make.notification(given)
  const { body } = await admin().call('notification.send', { id, delay_seconds: 0 })
  await app.services.jobs.settled(body.data.job_id!, 20_000)
  return { id, ...body.data }
}

describe('the five notification calls', () => {
  test('are only for administrators', async () => {
    const calls = [
      ['GET', '/v1/notifications.json'],
      ['POST', '/v1/notifications.json'],
      ['POST', '/v1/notifications/send_all.json'],
      ['PUT', '/v1/notifications/1.json'],
      ['DELETE', '/v1/notifications/1.json'],
      ['GET', '/v3/portal/notifications'],
      ['GET', '/v3/portal/notifications/1/readers'],
    ] as const
    for (const [method, path] of calls) {
      expect((await app.as('stranger').raw(method, path, method === 'GET' ? undefined : {})).status, path).toBe(401)
      expect((await client().raw(method, path, method === 'GET' ? undefined : {})).status, path).toBe(403)
    }
  })

  test('require a name and a message, in the specification’s pattern', async () => {
    const { status, body } = await admin().raw('POST', '/v1/notifications.json', { notification: { name: ' ', message: '' } })
    expect([status, body.fields]).toEqual([422, { name: MESSAGES.notificationName, message: MESSAGES.notificationMessage }])
  })

  test('drop the link of a map or feed action, and require one for a web action', async () => {
    const given = { name: 'Hours', message: 'Closed', url: 'https://a.test/x' }
    expect((await admin().call('notification.create', { ...given, message_action: 'map' })).body.data.url).toBe('')
    expect((await admin().call('notification.create', { ...given, message_action: 'web' })).body.data.url).toBe(given.url)
    for (const url of ['', 'javascript:alert(1)', 'ftp://a.test/x', 'http://']) {
      const { status, body } = await admin().call('notification.create', { ...given, url, message_action: 'web' })
      const sentence = url ? MESSAGES.notificationUrlWrong : MESSAGES.notificationUrl
      expect([url, status, body.fields]).toEqual([url, 422, { url: sentence }])
    }
  })

  test('return data.count and data.notifications in v1, drafts first, and data, count and page in v3', async () => {
    const name = `Spelling ${Date.now()}`
    const first = await app.make.notification({ name, created_at: '2020-01-01T00:00:00.000Z' })
    const { id } = await sent({ name })
    const older = (await admin().raw('GET', `/v1/notifications.json?search=${encodeURIComponent(name)}`)).body as unknown as {
      data: { count: number; notifications: { id: number; status: string }[] }
    }
    expect([older.data.count, older.data.notifications.map((one) => [one.id, one.status])]).toEqual([
      2,
      [
        [first.id, 'draft'],
        [id, 'sent'],
      ],
    ])
    const { body } = await admin().call('notification.list', { search: name, status: 'sent' })
    expect([body.count, body.page, body.data.map((one) => one.id)]).toEqual([1, 1, [id]])
  })

  test('find one by its id, and nothing for a number larger than any id', async () => {
    const { id } = await app.make.notification({ name: `Numbered ${Date.now()}` })
    const found = async (search: string) => {
      const { status, body } = await admin().call('notification.list', { search })
      return [status, body.data.map((one) => one.id).includes(id)]
    }
    expect(await found(String(id))).toEqual([200, true])
    for (const search of ['2147483648', '99999999999999']) expect(await found(search)).toEqual([200, false])
  })
})

describe('sending a notification', () => {
  test('first counts the audience, and those who get it by email', async () => {
    const { id } = await app.make.notification()
    await app.make.user({ preferences: '{"notification_mail":true}' })
    await app.make.user({ status: 'invited', preferences: '{"notification_mail":true}' })
    const people = await app.db
      .selectFrom('users')
      .select(['id', 'preferences'])
      .where('status', '=', 'active')
      .where('deleted_at', 'is', null)
      .execute()
    const tried = await admin().call('notification.send', { id, dry: '1' })
    expect(tried.body.data).toMatchObject({
      audience: people.length,
      by_mail: people.filter(({ preferences }) => preferences.includes('notification_mail')).length,
      job_id: null,
    })
    expect((await admin().call('notification.get', { id })).body.data.status).toBe('draft')
  })

  test('reaches every account once, and by email those who asked for it', async () => {
    const asked = await app.make.user({ preferences: '{"notification_mail":true}' })
    const before = await unread(client())
    const { id, audience } = await sent({ name: 'Holiday hours', message_action: 'web', url: 'https://a.test/hours' })
    expect(await unread(client())).toBe(before + 1)
    const [row] = await inbox(client())
    expect(row).toMatchObject({ id, name: 'Holiday hours', status: 'unread', message_action: 'web', url: 'https://a.test/hours' })
    const mails = await app.db
      .selectFrom('mails')
      .select(['to_address', 'body'])
      .where('about', '=', `notification:${id}`)
      .execute()
    expect(mails.map((mail) => mail.to_address)).toContain(asked.email)
    expect(mails[0]!.body).toContain('https://a.test/hours')
    expect((await admin().call('notification.get', { id })).body.data).toMatchObject({
      status: 'sent',
      audience,
      by: 'Ada Admin',
    })
  })

  test('happens once, however often it is requested', async () => {
    const { id } = await app.make.notification()
    const key = { 'idempotency-key': 'the-same-intent' }
    const [one, other] = [
      await admin().call('notification.send', { id, delay_seconds: 0 }, key),
      await admin().call('notification.send', { id, delay_seconds: 0 }, key),
    ]
    expect([one.status, other.body.data.job_id]).toEqual([200, one.body.data.job_id])
    await app.services.jobs.settled(one.body.data.job_id!, 20_000)
    const again = await admin().call('notification.send', { id })
    expect([again.status, again.body.message]).toEqual([409, expect.stringMatching(/^It was sent on \w+ \d+\.$/)])
    // A resumed job skips users who already have it.
    await app.write((tx) => tx.updateTable('notifications').set({ sent_at: null }).where('id', '=', id).execute())
    await app.write((tx) => tx.updateTable('jobs').set({ status: 'queued' }).where('id', '=', one.body.data.job_id!).execute())
    app.services.jobs.wake()
    await app.services.jobs.settled(one.body.data.job_id!, 20_000)
    const { count } = (await admin().call('notification.readers', { id })).body
    expect((await admin().call('notification.get', { id })).body.data).toMatchObject({ status: 'sent', audience: count })
  })

  test('can be undone within its delay, which leaves a draft that can be sent', async () => {
    const { id } = await app.make.notification()
    const { headers, body } = await admin().call('notification.send', { id })
    expect((await admin().call('notification.get', { id })).body.data.status).toBe('sending')
    for (const call of ['notification.send', 'notification.edit', 'notification.remove'] as const) {
      const refused = await admin().call(call, { id, name: 'Another' })
      expect([call, refused.status, refused.body.message]).toEqual([call, 409, 'It is being sent.'])
    }
    expect((await admin().call('undo.take', { id: Number(headers['x-undo']) })).status).toBe(200)
    expect((await admin().call('notification.get', { id })).body.data).toMatchObject({ status: 'draft', by: '', audience: 0 })
    expect(await app.db.selectFrom('jobs').select('id').where('id', '=', body.data.job_id!).executeTakeFirst()).toBeUndefined()
    expect((await admin().call('notification.readers', { id })).body.count).toBe(0)
    expect((await admin().call('notification.send', { id })).status).toBe(200)
  })

  test('can also be cancelled in the jobs list until it begins', async () => {
    const { id } = await app.make.notification()
    const { body } = await admin().call('notification.send', { id })
    const events = app.db.selectFrom('events').select('id').where('noun', '=', 'notification').where('subject_id', '=', id)
    const before = (await events.execute()).length
    expect((await admin().call('job.cancel', { id: body.data.job_id! })).status).toBe(200)
    expect((await admin().call('notification.get', { id })).body.data.status).toBe('draft')
    expect((await events.execute()).length).toBeGreaterThan(before)
  })

  test('can’t be undone once it has begun', async () => {
    const { id } = await app.make.notification()
    const { headers, body } = await admin().call('notification.send', { id, delay_seconds: 0 })
    await app.services.jobs.settled(body.data.job_id!, 20_000)
    const refused = await admin().call('undo.take', { id: Number(headers['x-undo']) })
    expect([refused.status, refused.body.message]).toEqual([409, 'It has already started.'])
  })
})

describe('a sent notification', () => {
  test('can’t be edited, but can be written back as read, and copied', async () => {
    const { id } = await sent({ name: 'As it was' })
    const { data } = (await admin().call('notification.get', { id })).body
    const refused = await admin().call('notification.edit', { id, name: 'Changed', lock_version: data.lock_version })
    expect([refused.status, refused.body.message]).toEqual([409, 'It is sent. Copy it to send a changed one.'])
    const { name, message, message_action, url } = data
    expect((await admin().call('notification.edit', { id, name, message, message_action, url })).status).toBe(200)
    expect((await admin().call('notification.get', { id })).body.data.lock_version).toBe(data.lock_version)
  })

  test('disappears from every inbox when deleted, and undo restores it', async () => {
    const { id } = await sent({ name: 'Short-lived' })
    const has = async () => (await inbox(client())).some((one) => one.id === id)
    const before = await unread(client())
    const { headers } = await admin().call('notification.remove', { id })
    expect([await has(), await unread(client())]).toEqual([false, before - 1])
    await admin().call('undo.take', { id: Number(headers['x-undo']) })
    expect([await has(), await unread(client())]).toEqual([true, before])
  })

  test('lists and counts its readers', async () => {
    const { id } = await sent()
    await client().call('notice.mark', { ids: [id] })
    const { data, count } = (await admin().call('notification.readers', { id })).body
    expect(data[0]).toMatchObject({ user_id: app.member.id, name: 'Cleo Client' })
    expect(data[0]!.read_at).not.toBeNull()
    expect((await admin().call('notification.get', { id })).body.data).toMatchObject({ read_count: 1, audience: count })
    expect((await admin().call('notification.readers', { id, search: 'cleo' })).body.count).toBe(1)
  })
})

describe('an inbox', () => {
  test('is private: nobody reads, marks, finds or exports another’s', async () => {
    const { id, name } = await (async () => {
      const made = await notice(app)
      return (await admin().call('notification.get', made)).body.data
    })()
    const other = await app.signIn(await app.make.user({ clients: [app.client.id] }))
    expect((await inbox(client())).map((one) => one.id)).toContain(id)
    for (const who of [other, admin()]) {
      expect((await inbox(who)).map((one) => one.id)).not.toContain(id)
      expect((await who.call('notice.list', { search: name })).body.data.map((one) => one.id)).not.toContain(id)
      expect((await who.call('notice.mark', { ids: [id] })).body.data.marked).toBe(0)
      const { rows } = (await who.call('list.selection', { list: 'inbox', filter: '{}', ids: String(id) } as never)).body
      expect(rows).toEqual([])
    }
    const index = async (who: Person) => (await who.call('palette.index')).body.put.filter(([kind]) => kind === 'notice')
    expect(await index(client())).toContainEqual(['notice', id, name, 'in your inbox'])
    expect((await index(other)).map((entry) => entry[1])).not.toContain(id)
    expect((await client().call('palette.index')).body.put.some(([kind]) => kind === 'notification')).toBe(false)
    expect((await client().call('notice.list')).body.data.find((one) => one.id === id)!.status).toBe('unread')
  })

  test('shows unread first, then newest, and marks one, several or all as read, with undo', async () => {
    const made = [await notice(app), await notice(app), await notice(app)].map(({ id }) => id)
    const { body, headers } = await client().call('notice.mark', { ids: [made[2]!] })
    expect(body.data.marked).toBe(1)
    const ids = (await client().call('notice.list', { per_page: 500 })).body.data.map((one) => one.id)
    expect(ids.indexOf(made[1]!)).toBeLessThan(ids.indexOf(made[0]!))
    expect(ids.indexOf(made[0]!)).toBeLessThan(ids.indexOf(made[2]!))
    await client().call('undo.take', { id: Number(headers['x-undo']) })
    expect((await inbox(client()))[0]!.id).toBe(made[2])
    await client().call('notice.mark', { all: true })
    expect(await unread(client())).toBe(0)
    await client().call('notice.mark', { ids: made, read: 'false' })
    expect(await unread(client())).toBe(3)
    expect((await client().call('notice.list', { unread: '1' })).body.count).toBe(3)
  })

  test('is updated on the live stream with each person’s own unread count, and a read mark only for its reader', async () => {
    const base = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const [mine, theirs] = [await listenTo(base, client()), await listenTo(base, admin())]
    const { id } = await sent()
    const counted = async (ear: typeof mine) =>
      (await ear.until((event) => event.noun === 'notice' && event.subject_id === id)) as unknown as { unread: number }
    expect([(await counted(mine)).unread, (await counted(theirs)).unread]).toEqual([
      await unread(client()),
      await unread(admin()),
    ])
    await client().call('notice.mark', { ids: [id] })
    await mine.until((event) => event.noun === 'notice' && event.kind === 'put' && event.own)
    expect(theirs.heard.filter((event) => event.noun === 'notice' && event.subject_id === id)).toHaveLength(1)
    await Promise.all([mine.stop(), theirs.stop()])
  })

  test('can be exported by its owner', async () => {
    const { status } = await client().call('export.start', { source: 'inbox', filter: {} })
    expect(status).toBe(200)
    expect((await client().call('export.start', { source: 'notifications', filter: {} })).status).toBe(403)
  })
})
