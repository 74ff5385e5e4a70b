import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork({ MAP_STYLE_URL: 'https://tiles.test/style.json' })
})
const admin = () => app.as('admin')
const someone = async () => app.signIn(await app.make.user())

describe('the caller’s own account', () => {
  test('requires signing in', async () => {
    expect((await app.as('stranger').call('account.get')).status).toBe(401)
  })

  test('saves each preference separately', async () => {
    const person = await someone()
    await person.call('account.edit', { preferences: { theme: 'dark', keys: { 'project.goLive': 'g x' } } })
    await person.call('account.edit', { preferences: { density: 'comfortable', single_keys: false, time_zone: 'Europe/Paris' } })
    expect((await person.call('account.get')).body.data.preferences).toEqual({
      theme: 'dark',
      keys: { 'project.goLive': 'g x' },
      density: 'comfortable',
      single_keys: false,
      time_zone: 'Europe/Paris',
    })
  })

  test('saving a preference doesn’t make an open edit of the user stale', async () => {
    const user = await app.make.user()
    await (await app.signIn(user)).call('account.edit', { preferences: { theme: 'light' } })
    expect((await admin().call('user.edit', { id: user.id, first_name: 'Edited', lock_version: 1 })).status).toBe(200)
  })

  test('names the invalid preference', async () => {
    const answer = await (await someone()).call('account.edit', { preferences: { time_zone: 'Mars/Olympus' } })
    expect(answer.body.fields).toHaveProperty(['preferences.time_zone'])
  })

  test('validates the profile like every user form', async () => {
    const person = await someone()
    expect((await person.call('account.edit', { first_name: '', phone: '1' })).body.fields).toEqual({
      first_name: MESSAGES.firstName,
      phone: MESSAGES.phoneLength,
    })
    const refused = await person.call('account.edit', { first_name: 'Noor', role: 'admin', status: 'invited' })
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['role', 'status']])
    expect((await person.call('account.edit', { first_name: 'Noor', role: 'client' })).body.data).toMatchObject({
      first_name: 'Noor',
      role: 'client',
    })
  })

  test('lists its devices, and signs out one or all others', async () => {
    const user = await app.make.user()
    const [here, there, third] = [await app.signIn(user), await app.signIn(user), await app.signIn(user)]
    const { data } = (await here.call('account.sessions')).body
    expect(data.map((session) => session.current).sort()).toEqual([false, false, true])
    const other = data.find((session) => session.client === there.headers.client)!
    expect((await (await someone()).call('account.endSession', { id: other.id })).status).toBe(404)
    expect((await here.call('account.endSession', { id: other.id })).status).toBe(200)
    expect((await there.call('account.get')).status).toBe(401)
    await here.call('account.endOtherSessions')
    expect((await third.call('account.get')).status).toBe(401)
    expect((await here.call('account.get')).status).toBe(200)
  })
})

describe('API keys', () => {
  test('can only be managed by administrators', async () => {
    expect((await app.as('stranger').call('key.list')).status).toBe(401)
    expect((await app.as('client').call('key.create', { name: 'Mine' })).status).toBe(403)
    expect((await admin().call('key.create', { name: '' })).body.fields).toHaveProperty('name')
  })

  test('are shown once and kept as a hash', async () => {
    const { data } = (await admin().call('key.create', { name: 'Panel importer' })).body
    expect(data.key).toMatch(/^fwk_[\w-]{43}$/)
    expect((await admin().call('key.list')).text).not.toContain(data.key)
    expect(JSON.stringify(await app.db.selectFrom('api_keys').selectAll().execute())).not.toContain(data.key)
  })

  test('open only the importers’ calls, until revoked', async () => {
    const { data } = (await admin().call('key.create', { name: 'Panel importer' })).body
    const importer = app.person({ authorization: `Bearer ${data.key}` })
    expect((await importer.call('user.list')).status).toBe(401)
    const send = () => importer.raw('POST', '/v3/portal/surveys/runtime/999999/responses', [])
    expect((await send()).status).not.toBe(401)
    expect((await admin().call('key.list')).body.data.find((key) => key.id === data.id)?.last_used_at).not.toBeNull()
    await admin().call('key.revoke', { id: data.id })
    expect((await send()).status).toBe(401)
    expect((await admin().call('key.list')).body.data.find((key) => key.id === data.id)?.revoked_at).not.toBeNull()
  })
})

describe('the organization', () => {
  test('changes nothing when written back as read, unset values included', async () => {
    const { data } = (await admin().call('organization.get')).body
    const answer = await admin().call('organization.edit', data)
    expect([answer.status, answer.headers['x-undo']]).toEqual([200, undefined])
    expect(await app.db.selectFrom('organizations').select('id').execute()).toEqual([])
  })

  test('accepts the visit settings as flat fields or as one object, and returns both', async () => {
    const set = (input: object) => admin().call('organization.edit', input as never)
    const both = ({ body }: Awaited<ReturnType<typeof set>>) => [body.data?.visits_silence_days, body.data?.visitation]
    const as = (silence_days: number) => ({ keep_months: 13, silence_days, timeout_seconds: 10, closed_since: null })
    expect(both(await set({ visitation: { silence_days: 4 } }))).toEqual([4, as(4)])
    const answer = await set({ visits_silence_days: 5 })
    expect(both(answer)).toEqual([5, as(5)])
    // A record written back changes only what differs, under either name.
    const { data } = (await admin().call('organization.get')).body
    expect((await set(data)).headers['x-undo']).toBeUndefined()
    expect(both(await set({ ...data, visits_silence_days: 6 }))).toEqual([6, as(6)])
    const { lock_version: _, ...later } = data
    expect(both(await set({ ...later, visits_silence_days: 8, visitation: as(7) }))).toEqual([undefined, undefined])
    expect(both(await set({ visitation: as(2) }))).toEqual([2, as(2)])
    const fields = async (visitation: object) => Object.keys((await set({ visitation })).body.fields ?? {})
    expect(await fields({ closed_since: '2020-01-01' })).toEqual(['visitation.closed_since'])
    expect(await fields({ keep_months: -1 })).toEqual(['visitation.keep_months'])
    await app.write((tx) => tx.deleteFrom('organizations').execute())
  })

  test('shows everyone its names and the workspace settings, but no secret', async () => {
    const { data } = (await app.as('stranger').call('organization.config')).body
    expect(data).toEqual({
      name: 'Fieldwork',
      product: 'Fieldwork',
      support_mail: 'support@fieldwork.test',
      support_team: '',
      map_style_url: 'https://tiles.test/style.json',
      time_zone: 'America/New_York',
      analytics: false,
    })
  })

  test('can be changed by administrators, and messages that quote it follow', async () => {
    expect((await app.as('client').call('organization.edit', { product: 'Mine' })).status).toBe(403)
    const answer = await admin().call('organization.edit', { name: 'Epicenter Experience', support_mail: 'help@epicenter.test' })
    expect(answer.body.data).toMatchObject({ name: 'Epicenter Experience', product: 'Fieldwork', mail: 'outbox' })
    const request = await app
      .as('stranger')
      .call('session.requestAccount', { name: 'Jo', company: 'Acme', email: 'jo@mail.test', phone: '2125550100' })
    expect(request.body.message).toBe(
      'Account request sent. The Epicenter Experience team will review your information & get back to you shortly.',
    )
    expect((await admin().call('outbox.list', { search: 'help@epicenter.test' })).body.count).toBe(1)
  })

  test('has optional sender fields for mail, and refuses an invalid address', async () => {
    const given = {
      support_team: 'Insights',
      sender_name: 'Acme',
      sender_mail: 'hello@acme.test',
      reply_to: '',
      mail_footer: 'A\nB',
    }
    expect((await admin().call('organization.edit', given)).body.data).toMatchObject(given)
    const wrong = async (input: Record<string, unknown>) => (await admin().call('organization.edit', input)).body.message
    expect(await wrong({ reply_to: 'nowhere' })).toContain('The Email is not valid')
    expect(await wrong({ support_mail: ' ' })).toContain('The field Email cant be blank')
    expect(await wrong({ name: ' ' })).toContain('Organization Name cannot be blank')
    expect(await wrong({ mail_footer: 'A\nB\nC\nD\nE' })).toContain('at most 4 lines')
    const asked = { name: 'Jo', company: 'Acme', email: 'jo2@mail.test', phone: '2125550100' }
    expect((await app.as('stranger').call('session.requestAccount', asked)).body.message).toContain(
      'The Insights team will review',
    )
    const { data } = (await admin().call('outbox.list', { search: 'account request', per_page: 1 })).body
    expect((await admin().call('outbox.get', { id: data[0]!.id })).body.data.body).toMatch(/A\nB$/)
  })

  test('tells an administrator whether a test mail was sent', async () => {
    expect((await app.as('client').call('organization.testMail')).status).toBe(403)
    expect((await admin().call('organization.testMail')).body.data).toEqual({
      accepted: false,
      words: 'No mail server: emails are kept in the Outbox.',
      to: 'admin@fieldwork.test',
    })
  })
})
