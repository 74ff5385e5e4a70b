import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Input } from '../../contract/calls.ts'
import { secretsOf } from '../../server/core/secrets.ts'
import { renewSeals } from '../../server/domain/webhook/webhookState.ts'
import { isSignedBy, type Receiver, receiver } from './receiver.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

let app: Fieldwork
let target: Receiver
/** How far the server's clock is ahead (ms); it never goes back. */
let offset = 0
beforeAll(async () => {
  app = await fieldwork({ WEBHOOK_INSIDE: '127.0.0.0/8' })
  Object.assign(app.services, { now: () => new Date(Date.now() + offset) })
})
beforeEach(async () => {
  target = await receiver()
})
afterEach(async () => {
  // Each test hears its own webhooks alone.
  await app.write((tx) => tx.updateTable('webhooks').set({ deleted_at: 'gone' }).where('deleted_at', 'is', null).execute())
})

const admin = () => app.as('admin')
async function hook(given: Partial<Input<'webhook.create'>> = {}, owner: Person = admin()) {
  const answer = await owner.call('webhook.create', { name: 'Board', url: target.url, nouns: ['project'], ...given } as never)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
const project = (client_id = app.client.id, given: object = {}) => app.make.project({ client_id, ...given })
const rename = async (id: number, name: string) =>
  expect((await admin().call('project.edit', { id, name })).status, `project ${id}`).toBe(200)
const deliveries = (webhook_id: number) =>
  app.db.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', webhook_id).orderBy('id').execute()
/** Waits until a webhook's messages are in these states. */
const settled = (webhook_id: number, states: readonly string[]) =>
  vi.waitFor(async () => expect((await deliveries(webhook_id)).map(({ status }) => status)).toEqual(states), {
    timeout: 15_000,
    interval: 20,
  })
/** Lets time pass for the server's jobs. */
function pass(seconds: number): void {
  offset += seconds * 1000
  app.services.jobs.wake()
}
/** Seconds beyond each pause between tries. */
const PAUSES = [10, 40, 160, 800, 2400, 5000, 9000, 18_000, 27_000, 45_000]
/** Fails a message in each of its tries, so many times slower than need be. */
async function exhaust(webhook_id: number, slower = 1): Promise<void> {
  for (let tries = 1; tries <= PAUSES.length + 1; tries++) {
    await vi.waitFor(
      async () => {
        app.services.jobs.wake()
        expect((await deliveries(webhook_id)).at(-1)).toMatchObject({
          attempts: tries,
          status: tries > PAUSES.length ? 'failed' : 'queued',
        })
      },
      { timeout: 15_000, interval: 20 },
    )
    offset += (PAUSES[tries - 1] ?? 0) * 1000 * slower
  }
}

describe('a webhook', () => {
  test('gets the changed record, signed, as its read returns it', async () => {
    const { id } = await project()
    const { signing_secret } = await hook()
    await rename(id, 'Heard of')
    const [message] = await target.heard(({ body }) => body.data.id === id)
    expect(isSignedBy(signing_secret, message!)).toBe(true)
    expect(isSignedBy(`whsec_${Buffer.from('another key').toString('base64')}`, message!)).toBe(false)
    expect(message!.body).toMatchObject({ type: 'project.updated', action: 'project.edit', data: { name: 'Heard of' } })
    expect(message!.body.id).toBe(message!.headers['webhook-id'])
    expect(Math.abs(Number(message!.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(30)
    expect(message!.body.data).toEqual((await admin().call('project.get', { id })).body.data)
    expect(Number(message!.body.sequence)).toBeGreaterThan(0)
  })

  test('stores its secret encrypted, and shows it in no list, message, history or log', async () => {
    const { id, signing_secret } = await hook()
    const bare = signing_secret.slice('whsec_'.length)
    const rows = JSON.stringify([
      await app.db.selectFrom('webhooks').selectAll().execute(),
      await app.db.selectFrom('history').selectAll().where('subject', '=', 'webhook').execute(),
      await app.db.selectFrom('attempts').selectAll().execute(),
    ])
    expect(rows).not.toContain(bare)
    for (const answer of [await admin().call('webhook.list'), await admin().call('webhook.get', { id })])
      expect(answer.text).not.toContain(bare)
  })

  test('gets only the chosen nouns and clients', async () => {
    const other = await app.make.client({ name: 'Other' })
    const [ours, theirs] = [await project(), await project(other.id)]
    await hook({ clients: [app.client.id] })
    await rename(theirs.id, 'Not told')
    await admin().call('client.edit', { id: app.client.id, name: 'Acme Beverage' })
    await rename(ours.id, 'Told')
    await target.heard(({ body }) => body.data.id === ours.id)
    expect(target.arrived.map(({ body }) => [body.type, body.data.name])).toEqual([['project.updated', 'Told']])
  })

  test('of a client user sends what they see, without who did it and how, and nothing after they lose access', async () => {
    const [theirs, secret] = [await project(), await project((await app.make.client()).id)]
    const { id: webhook } = await hook({ nouns: ['project', 'user', 'note'] }, app.as('client'))
    await rename(secret.id, 'Unseen')
    await admin().call('note.create', { project_id: theirs.id, note: 'For administrators' })
    await rename(theirs.id, 'Seen')
    const [message] = await target.heard(({ body }) => body.data.name === 'Seen')
    expect(message!.body).toMatchObject({ type: 'project.updated', action: null })
    expect(message!.body.data).toEqual((await app.as('client').call('project.get', { id: theirs.id })).body.data)
    target.answers(500)
    await rename(theirs.id, 'Then lost')
    await target.heard(({ body }) => body.data.name === 'Then lost')
    const { id: elsewhere } = await app.make.client()
    await app.write((tx) => tx.updateTable('projects').set({ client_id: elsewhere }).where('id', '=', theirs.id).execute())
    target.answers(204)
    pass(60)
    await vi.waitFor(async () => expect((await deliveries(webhook)).at(-1)!.status).toBe('skipped'), { timeout: 15_000 })
    expect(target.arrived.map(({ body }) => body.data.name)).toEqual(['Seen', 'Then lost'])
  })

  test('of a client user reports that a project of theirs is gone, and no other', async () => {
    const rejected = { status: 'rejected' as const }
    const [theirs, unseen] = [await project(app.client.id, rejected), await project((await app.make.client()).id, rejected)]
    await hook({}, app.as('client'))
    await rename(theirs.id, 'Known')
    await target.heard(({ body }) => body.data.name === 'Known')
    for (const { id } of [unseen, theirs]) expect((await admin().call('project.remove', { id })).status).toBe(200)
    const gone = await target.heard(({ body }) => body.type === 'project.removed')
    expect(gone.map(({ body }) => body.data)).toEqual([{ id: theirs.id }])
  })

  test('ends with its owner', async () => {
    const owner = await app.make.user({ role: 'admin' })
    const { id: webhook } = await hook({}, await app.signIn(owner))
    const { id } = await project()
    target.answers(503)
    await rename(id, 'Once')
    await target.heard(() => true)
    await app.write((tx) =>
      tx
        .updateTable('users')
        .set({ status: 'disabled' as never })
        .where('id', '=', owner.id)
        .execute(),
    )
    pass(60)
    await vi.waitFor(
      async () =>
        expect((await admin().call('webhook.get', { id: webhook })).body.data.reason).toBe('Its owner can’t sign in any more.'),
      { timeout: 15_000 },
    )
    expect(target.arrived).toHaveLength(1)
  })

  test('of somebody else is a 404 for client users; administrators see and stop it, but can’t redirect it', async () => {
    const { id } = await hook({}, app.as('client'))
    const stranger = await app.signIn(await app.make.user({ role: 'client', clients: [app.client.id] }))
    expect((await stranger.call('webhook.get', { id })).status).toBe(404)
    expect((await stranger.call('delivery.list', { webhook_id: id })).body.count).toBe(0)
    const others = await admin().call('webhook.edit', { id, url: 'https://example.com' })
    expect([others.status, others.body.message]).toEqual([403, 'Only who made it can do this, as it is sent what they see.'])
    expect((await admin().call('webhook.rotate', { id })).status).toBe(403)
    expect((await admin().call('webhook.pause', { id })).status).toBe(200)
    expect((await admin().call('webhook.resume', { id })).status).toBe(403)
    expect((await admin().call('webhook.remove', { id })).status).toBe(200)
    expect((await app.as('client').call('webhook.get', { id })).status).toBe(404)
  })

  test('can’t be managed by a token, as its messages contain records of every noun', async () => {
    const { token } = (await admin().call('token.create', { name: 'All', scopes: ['*:write'] })).body.data
    const program = app.person({ authorization: `Bearer ${token}` })
    for (const call of ['webhook.list', 'delivery.list'] as const) expect((await program.call(call)).status).toBe(403)
  })
})

describe('a message that can’t be delivered', () => {
  test('is retried with the same id after growing pauses, and records each response', async () => {
    const { id: webhook } = await hook()
    const { id } = await project()
    target.answers((response) =>
      response.writeHead(500, { 'content-type': 'text/plain' }).end(`out of order\u0000${'x'.repeat(5000)}`),
    )
    await rename(id, 'Again')
    await vi.waitFor(async () => expect((await deliveries(webhook))[0]).toMatchObject({ attempts: 1, status: 'queued' }), {
      timeout: 15_000,
    })
    const [row] = await deliveries(webhook)
    const pause = (Date.parse(row!.not_before) - Date.parse(row!.sent_at!)) / 1000
    expect(pause).toBeGreaterThanOrEqual(5)
    // A fifth by chance, and what the try itself took.
    expect(pause).toBeLessThan(30)
    expect(row).toMatchObject({ error: 'It answered 500.', response_status: 500 })
    expect(row!.response).toHaveLength(2000)
    expect(row!.response).toMatch(/^out of orderx/)
    target.answers(204)
    pass(10)
    await settled(webhook, ['delivered'])
    expect(new Set(target.arrived.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect((await admin().call('webhook.get', { id: webhook })).body.data).toMatchObject({ failing_since: null, failed_count: 0 })
  })

  test('waits as long as the receiver asks', async () => {
    const { id: webhook } = await hook()
    const { id } = await project()
    target.answers((response) => response.writeHead(429, { 'retry-after': '600' }).end())
    await rename(id, 'Later')
    await vi.waitFor(async () => expect((await deliveries(webhook))[0]).toMatchObject({ attempts: 1, status: 'queued' }), {
      timeout: 15_000,
    })
    const [row] = await deliveries(webhook)
    expect(Date.parse(row!.not_before) - Date.parse(row!.sent_at!)).toBeGreaterThanOrEqual(600_000)
  })

  test('fails after a day of retries, of which its owner is notified once; after three days the webhook is disabled', async () => {
    const owner = await app.make.user({ role: 'admin' })
    const { id: webhook } = await hook({ name: 'Deaf' }, await app.signIn(owner))
    const mails = async () => {
      const rows = await app.db
        .selectFrom('mails')
        .select('subject')
        .where('to_address', '=', owner.email)
        .where('about', 'not like', 'security %')
        .orderBy('id')
        .execute()
      return rows.map(({ subject }) => subject)
    }
    const { id } = await project()
    target.answers(503)
    await rename(id, 'Lost')
    const before = offset
    await exhaust(webhook)
    expect(offset - before).toBeLessThan(36 * 3_600_000)
    expect(await mails()).toEqual(['Your webhook “Deaf” fails'])
    await rename(id, 'Lost too')
    await exhaust(webhook, 2)
    expect(await mails()).toEqual(['Your webhook “Deaf” fails', 'Your webhook “Deaf” is disabled'])
    expect((await admin().call('webhook.get', { id: webhook })).body.data).toMatchObject({
      status: 'disabled',
      reason: 'Nothing was delivered for three days. The last try: It answered 503.',
      failed_count: 2,
    })
  }, 60_000)

  test('ends the webhook after a 410', async () => {
    const { id: webhook } = await hook()
    const { id } = await project()
    target.answers(410)
    await rename(id, 'Gone')
    await settled(webhook, ['failed'])
    await rename(id, 'Not told any more')
    const { data } = (await admin().call('webhook.get', { id: webhook })).body
    expect(data).toMatchObject({ status: 'disabled', reason: 'The receiver answered 410 Gone.' })
    expect(
      await app.db
        .selectFrom('history')
        .select('action')
        .where('subject', '=', 'webhook')
        .where('subject_id', '=', webhook)
        .execute(),
    ).toContainEqual({
      action: 'webhook.disable',
    })
    expect(target.arrived).toHaveLength(1)
  })

  test('follows no redirect', async () => {
    const elsewhere = await receiver()
    const { id: webhook } = await hook()
    const { id } = await project()
    target.answers((response) => response.writeHead(307, { location: elsewhere.url }).end())
    await rename(id, 'Elsewhere')
    await vi.waitFor(
      async () => expect((await deliveries(webhook))[0]!.error).toBe('It answered 307. Redirects are not followed.'),
      { timeout: 15_000 },
    )
    expect(elsewhere.arrived).toEqual([])
  })

  test('delays no other webhook, however slow its receiver is', async () => {
    const quick = await receiver()
    const { id: slow } = await hook({ name: 'Slow' })
    await hook({ name: 'Quick', url: quick.url })
    target.answers(() => {})
    const { id } = await project()
    for (let at = 0; at < 12; at++) await rename(id, `Change ${at}`)
    await quick.heard(() => true, 12)
    const states = (await deliveries(slow)).map(({ status }) => status)
    expect(states.filter((status) => status === 'sending').length).toBeLessThanOrEqual(4)
    expect(states).not.toContain('delivered')
  })

  test('ends the webhook after a 410 to a test, too', async () => {
    const { id: webhook } = await hook()
    target.answers(410)
    await admin().call('webhook.test', { id: webhook })
    await settled(webhook, ['failed'])
    const { data } = (await admin().call('webhook.get', { id: webhook })).body
    expect(data).toMatchObject({ status: 'disabled', reason: 'The receiver answered 410 Gone.' })
  })

  test('has one body for one id, whatever becomes of the record meanwhile', async () => {
    const { id: webhook } = await hook()
    const { id } = await project()
    target.answers(204)
    await rename(id, 'At first')
    await settled(webhook, ['delivered'])
    await admin().call('webhook.pause', { id: webhook })
    await rename(id, 'Later')
    await admin().call('webhook.resume', { id: webhook })
    const [delivery] = await deliveries(webhook)
    await admin().call('delivery.replay', { id: delivery!.id })
    const again = await target.heard(({ headers }) => headers['webhook-id'] === delivery!.message, 2)
    expect(new Set(again.map(({ text }) => text)).size).toBe(1)
    expect(again[1]!.body.data.name).toBe('At first')
  })

  test('can be sent again, one or all, with the same ids', async () => {
    const { id: webhook } = await hook()
    const [one, other] = [await project(), await project()]
    target.answers(410)
    await rename(one.id, 'One')
    await settled(webhook, ['failed'])
    await admin().call('webhook.resume', { id: webhook })
    await rename(other.id, 'Other')
    await settled(webhook, ['failed', 'failed'])
    expect((await admin().call('webhook.replayFailed', { id: webhook })).status).toBe(409)
    await admin().call('webhook.resume', { id: webhook })
    target.answers(204)
    const future = new Date(Date.now() + offset + 3_600_000).toISOString()
    expect((await admin().call('webhook.replayFailed', { id: webhook, since: future })).body).toMatchObject({ replayed: 0 })
    expect((await admin().call('webhook.replayFailed', { id: webhook })).body).toMatchObject({
      replayed: 2,
      message: '2 messages are on the way again.',
    })
    await settled(webhook, ['delivered', 'delivered'])
    const [first] = await deliveries(webhook)
    expect((await admin().call('delivery.replay', { id: first!.id })).status).toBe(200)
    await target.heard(({ headers }) => headers['webhook-id'] === first!.message, 3)
    const ids = target.arrived.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(2)
    expect(ids).toHaveLength(5)
  })
})

describe('nothing is lost', () => {
  test('events from before a shutdown become messages after it, in one transaction', async () => {
    const { id: webhook } = await hook()
    const { id } = await project()
    // As a process leaves it that died between an event's commit and its look.
    const at = new Date().toISOString()
    await app.write((tx) => app.services.live.append(tx, [{ noun: 'project', id, project_id: id }], null, at, 'project.edit'))
    app.services.jobs.wake()
    await settled(webhook, ['delivered'])
  })

  test('a message held by a dead process is sent again, once', async () => {
    const { id: webhook } = await hook()
    const { id } = await project()
    target.answers(500)
    await rename(id, 'Held')
    await vi.waitFor(async () => expect((await deliveries(webhook))[0]).toMatchObject({ attempts: 1, status: 'queued' }), {
      timeout: 15_000,
    })
    target.answers(204)
    await app.write((tx) =>
      tx
        .updateTable('webhook_deliveries')
        .set({ status: 'sending', not_before: new Date(Date.now() + offset - 1000).toISOString() })
        .where('webhook_id', '=', webhook)
        .execute(),
    )
    app.services.jobs.wake()
    await settled(webhook, ['delivered'])
    expect(target.arrived).toHaveLength(2)
  })

  test('events wait to be processed, however many arrive meanwhile', async () => {
    await hook()
    const before = await app.services.live.last()
    await app.write((tx) =>
      tx
        .updateTable('webhook_cursor')
        .set({ event_id: before - 5 })
        .execute(),
    )
    await app.services.live.sweep()
    expect(await app.services.live.reaches(before - 5)).toBe(true)
  })

  test('a pending counter event covers those that arrive meanwhile', async () => {
    const { id: webhook } = await hook()
    const { id } = await project()
    await app.write((tx) => tx.updateTable('webhooks').set({ failing_since: null }).where('id', '=', webhook).execute())
    const at = new Date().toISOString()
    const counted = { noun: 'project', id, project_id: id, kind: 'counters' } as const
    await app.write((tx) => app.services.live.append(tx, [counted, counted, counted], null, at, 'runtime.ingest'))
    app.services.jobs.wake()
    const [message] = await target.heard(({ body }) => body.type === 'project.counted')
    expect(message!.body.data.id).toBe(id)
    await delay(200)
    expect(await deliveries(webhook)).toHaveLength(1)
  })
})

describe('a secret', () => {
  test('is rotated without a gap: both sign until the old one ends', async () => {
    const { id: webhook, signing_secret: old } = await hook()
    const { id } = await project()
    const { signing_secret: fresh } = (await admin().call('webhook.rotate', { id: webhook, overlap_hours: 1 })).body.data
    await rename(id, 'Both')
    const [both] = await target.heard(() => true)
    expect([isSignedBy(old, both!), isSignedBy(fresh, both!)]).toEqual([true, true])
    offset += 3_700_000
    await rename(id, 'One')
    const [, one] = await target.heard(() => true, 2)
    expect([isSignedBy(old, one!), isSignedBy(fresh, one!)]).toEqual([false, true])
    const { signing_secret: last } = (await admin().call('webhook.rotate', { id: webhook, overlap_hours: 0 })).body.data
    await rename(id, 'At once')
    const [, , third] = await target.heard(() => true, 3)
    expect([isSignedBy(fresh, third!), isSignedBy(last, third!)]).toEqual([false, true])
  })

  test('survives a change of the signing key, and is encrypted again with the new one', async () => {
    const [before, after] = [secretsOf(['a'.repeat(32)]), secretsOf(['b'.repeat(32), 'a'.repeat(32)])]
    const sealed = before.seal('webhook', 'whsec_x')
    expect(after.unseal('webhook', sealed)).toEqual({ text: 'whsec_x', current: false })
    expect(after.unseal('webhook', after.seal('webhook', 'whsec_x'))).toEqual({ text: 'whsec_x', current: true })
    expect(secretsOf(['c'.repeat(32)]).unseal('webhook', sealed)).toBeNull()
    expect(before.unseal('other', sealed)).toBeNull()
    const { id } = await hook()
    const services = { ...app.services, secrets: secretsOf(['d'.repeat(32)]) }
    const old = services.secrets.seal('webhook', 'whsec_old')
    await app.write((tx) => tx.updateTable('webhooks').set({ secret: old }).where('id', '=', id).execute())
    const both = secretsOf(['e'.repeat(32), 'd'.repeat(32)])
    await app.write((tx) => renewSeals({ tx, now: new Date().toISOString(), services: { ...services, secrets: both } } as never))
    const { secret } = await app.db.selectFrom('webhooks').select('secret').where('id', '=', id).executeTakeFirstOrThrow()
    expect(both.unseal('webhook', secret)).toEqual({ text: 'whsec_old', current: true })
  })
})

describe('a test', () => {
  test('is sent at once and tried once', async () => {
    const { id: webhook, signing_secret } = await hook()
    const { data } = (await admin().call('webhook.test', { id: webhook })).body
    expect(data).toMatchObject({ type: 'webhook.test', status: 'queued' })
    const [message] = await target.heard(({ body }) => body.type === 'webhook.test')
    expect(isSignedBy(signing_secret, message!)).toBe(true)
    await settled(webhook, ['delivered'])
    target.answers(500)
    await admin().call('webhook.test', { id: webhook })
    await settled(webhook, ['delivered', 'failed'])
    const { request, response_status } = (await admin().call('delivery.get', { id: (await deliveries(webhook))[1]!.id })).body
      .data
    expect(JSON.parse(request)).toMatchObject({ type: 'webhook.test', data: { name: 'Board' } })
    expect(response_status).toBe(500)
  })

  test('a paused webhook gets nothing new, and later continues with what waits', async () => {
    const { id: webhook } = await hook()
    const { id } = await project()
    target.answers(500)
    await rename(id, 'Waits')
    await vi.waitFor(async () => expect((await deliveries(webhook))[0]).toMatchObject({ attempts: 1, status: 'queued' }), {
      timeout: 15_000,
    })
    await admin().call('webhook.pause', { id: webhook })
    target.answers(204)
    await rename(id, 'Missed')
    pass(60)
    await delay(300)
    expect(target.arrived).toHaveLength(1)
    await admin().call('webhook.resume', { id: webhook })
    await settled(webhook, ['delivered'])
    expect(target.arrived).toHaveLength(2)
  })
})

describe('an address', () => {
  test('is refused if it is internal, not https, or contains a password', async () => {
    const strict = await fieldwork()
    const refused = async (url: string) => {
      const answer = await strict.as('admin').call('webhook.create', { name: 'X', url, nouns: ['project'] })
      return [answer.status, answer.body.fields?.url]
    }
    const INSIDE = 'It leads to an address inside the network, which webhooks may not reach.'
    for (const host of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '[::1]', '[::ffff:10.0.0.1]', '2130706433', '0x7f.1'])
      expect([host, ...(await refused(`https://${host}/`))]).toEqual([host, 422, INSIDE])
    expect(await refused('http://example.com/')).toEqual([422, 'It must begin with https://.'])
    expect(await refused('ftp://example.com/')).toEqual([422, 'It must begin with https://.'])
    expect(await refused('https://ada:secret@example.com/')).toEqual([422, 'It must not hold a user name or password.'])
    expect(await refused('nonsense')).toEqual([422, 'It must begin with https://.'])
  })

  test('whose name resolves to an internal address is never contacted', async () => {
    const strict = await fieldwork()
    const listening = await receiver()
    const { port } = new URL(listening.url)
    const made = await strict
      .as('admin')
      .call('webhook.create', { name: 'X', url: `https://localhost:${port}/`, nouns: ['project'] })
    expect(made.status).toBe(200)
    await strict.as('admin').call('webhook.test', { id: made.body.data.id })
    await vi.waitFor(
      async () => {
        const row = await strict.db.selectFrom('webhook_deliveries').select(['status', 'error']).executeTakeFirst()
        expect(row).toEqual({
          status: 'failed',
          error: 'It leads to an address inside the network, which webhooks may not reach.',
        })
      },
      { timeout: 15_000 },
    )
    expect(listening.arrived).toEqual([])
  })

  test('needs existing nouns and clients, and one person has at most fifty', async () => {
    const wrong = async (given: object) => {
      const answer = await admin().call('webhook.create', { name: 'X', url: target.url, nouns: ['project'], ...given } as never)
      return [answer.status, Object.keys(answer.body.fields ?? {})[0]]
    }
    expect(await wrong({ nouns: ['session'] })).toEqual([422, 'nouns'])
    expect(await wrong({ nouns: [] })).toEqual([422, 'nouns'])
    expect(await wrong({ clients: [999_999] })).toEqual([422, 'clients'])
    expect(
      (await app.as('client').call('webhook.create', { name: 'X', url: target.url, nouns: ['project'], clients: [999_999] }))
        .status,
    ).toBe(422)
  })
})

test('messages are kept for 30 days', async () => {
  const { id: webhook } = await hook()
  await admin().call('webhook.test', { id: webhook })
  await settled(webhook, ['delivered'])
  const sweep = app.services.jobs.kind('webhook')!.sweep!
  offset += 29 * 86_400_000
  await sweep(app.services)
  expect(await deliveries(webhook)).toHaveLength(1)
  offset += 2 * 86_400_000
  await sweep(app.services)
  expect(await deliveries(webhook)).toHaveLength(0)
})
