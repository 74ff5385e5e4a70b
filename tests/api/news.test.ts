import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailNews } from '../../server/mail/newsKind.ts'
import { type Smtp, startSmtp } from '../support/smtp.ts'
import { locationFile } from '../support/writeExamples.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

// What the inbox and its emails tell people about projects that they own or follow.

let app: Fieldwork
let smtp: Smtp
let other: Person
let otherId = 0
const otherMail = 'olga@fieldwork.test'
beforeAll(async () => {
  smtp = await startSmtp()
  app = await fieldwork({ SMTP_URL: smtp.url })
  const user = await app.make.user({ role: 'admin', email: otherMail, first_name: 'Olga', last_name: 'Other' })
  otherId = user.id
  other = await app.signIn(user)
})
afterAll(() => smtp.stop())

const admin = () => app.as('admin')
const client = () => app.as('client')
const project = (more: object = {}) => app.make.project({ client_id: app.client.id, status: 'active', ...more })
const inbox = async (person: Person) => (await person.call('notice.list', { per_page: 100 } as never)).body.data
const newsOf = async (person: Person, id: number) =>
  (await inbox(person)).find((line) => line.subject_id === id && line.kind !== 'job')?.news.map(({ kind }) => kind) ?? []
const unread = async (person: Person) => (await person.call('notice.unread')).body.data.unread
const pause = (id: number) => admin().call('project.setStatus', { id, status: 'Paused', reason: 'A holiday' } as never)
const resume = (id: number) => admin().call('project.setStatus', { id, status: 'active', reason: 'It is over' } as never)
const due = () =>
  app.db.updateTable('news').set({ mail_due: app.services.now().toISOString() }).where('mail_due', 'is not', null).execute()
const wants = (person: Person, news_mail: object) => person.call('account.edit', { preferences: { news_mail } } as never)

describe('the inbox', () => {
  test('tells owners and followers what others did, one line a record, and its author nothing', async () => {
    const { id, name } = await project({ owner_id: otherId, requested_by: app.member.id })
    const before = await unread(other)
    expect((await pause(id)).status).toBe(200)
    expect((await resume(id)).status).toBe(200)
    expect(await newsOf(other, id)).toEqual(['live', 'paused'])
    expect(await newsOf(client(), id)).toEqual(['live', 'paused'])
    expect(await newsOf(admin(), id)).toEqual([])
    const line = (await inbox(other)).find((one) => one.subject_id === id)!
    expect(line).toMatchObject({
      name,
      kind: 'project',
      message_action: 'record',
      status: 'unread',
      message: 'In field by Ada Admin',
    })
    expect(line.news[0]).toMatchObject({ line: 'In field', author: 'Ada Admin', unread: true })
    expect(await unread(other)).toBe(before + 1)
  })

  test('tells whom a project is assigned to, and no client user', async () => {
    const { id } = await project({ owner_id: app.admin.id, requested_by: app.member.id })
    await admin().call('project.setOwner', { id, owner_id: otherId })
    expect(await newsOf(other, id)).toEqual(['assigned'])
    expect(await newsOf(client(), id)).toEqual([])
  })

  test('tells administrators of a request that nobody owns, then its followers of quote and approval', async () => {
    const form = { client_id: app.client.id, name: 'Asked for', goal: 200, start_dt: app.make.today(), activity_type: 'survey' }
    const audience = { url: 'https://survey.test/2', location_based: 'yes', age: ['2', '3'], gender: ['male', 'female'] }
    const { body, text } = await client().call('request.create', { ...form, ...audience } as never)
    const id = (body as { data?: { id: number } }).data?.id ?? 0
    expect(id, text).toBeGreaterThan(0)
    expect([await newsOf(admin(), id), await newsOf(other, id), await newsOf(client(), id)]).toEqual([
      ['request'],
      ['request'],
      [],
    ])
    await admin().call('project.setOwner', { id, owner_id: otherId })
    await app.make.assign(id, (await app.make.partner()).id)
    await app.db.updateTable('projects').set({ status: 'pricing' }).where('id', '=', id).execute()
    const priced = await admin().call('project.setCost', { id, cost: 500, notify: 1 } as never)
    expect(priced.status, priced.text).toBe(200)
    expect(await newsOf(client(), id)).toEqual(['quote'])
    expect((await client().call('project.approve', { project_id: id })).status).toBe(200)
    expect(await newsOf(other, id)).toEqual(['approved', 'quote', 'assigned', 'request'])
    expect(JSON.stringify(await inbox(client()))).not.toMatch(/partner|invit|proffer|margin/i)
  })

  test('tells the owner that a partner answered, by the partner’s name, and no client user', async () => {
    const { id } = await project({ owner_id: otherId, requested_by: app.member.id, status: 'requirements' })
    const partner = await app.make.partner({ name: 'Answering Panel' })
    await admin().call('invitation.create', { id, partner_ids: [partner.id], title: 'Oats' })
    const answer = { fill_requirements: 'Yes', on_behalf: 'by phone', feasible_completes: 300, cpi_cents: 600 }
    const { status, text } = await admin().call('proffer.create', { campaign_id: id, partner_id: partner.id, ...answer } as never)
    expect(status, text).toBe(200)
    const line = (await inbox(other)).find((one) => one.subject_id === id)!
    expect(line.news).toMatchObject([{ kind: 'answer', line: 'Partner answered', author: 'Answering Panel' }])
    expect(await newsOf(client(), id)).toEqual([])
  })

  test('tells the other side of a message, administrators alone of a partner’s, and nobody of an answer to one', async () => {
    const { id } = await project({ owner_id: otherId, requested_by: app.member.id, status: 'pricing' })
    const partner = await app.make.partner({ name: 'Writing Panel' })
    await app.make.assign(id, partner.id)
    await wants(other, { partnerMessage: 'now', message: 'never' })
    const tellsAll = async () => [await newsOf(other, id), await newsOf(client(), id), await newsOf(admin(), id)]
    expect((await client().call('message.send', { id, text: 'Are teens included?' })).status).toBe(200)
    expect(await tellsAll()).toEqual([['message'], [], []])
    await admin().call('message.send', { id, text: 'Yes' })
    expect(await tellsAll()).toEqual([['message', 'message'], ['message'], []])
    const until = Math.floor(Date.now() / 1000) + 600
    const link = { 'fieldwork-partner': app.services.secrets.sign('partner', [id, partner.id, 1, 1].join(':'), until) }
    const asked = await app.as('stranger').call('invitation.ask', { id, text: 'Which markets?' }, link)
    expect(asked.status, asked.text).toBe(200)
    await admin().call('message.send', { id, partner_id: partner.id, text: 'All of them' })
    expect(await tellsAll()).toEqual([['partnerMessage', 'message', 'message'], ['message'], []])
    const line = (await inbox(other)).find((one) => one.subject_id === id)!
    expect(line.news[0]).toMatchObject({ line: 'Partner wrote', author: 'Writing Panel' })
    expect(JSON.stringify(await inbox(client()))).not.toContain('Writing Panel')
    const rows = await app.db.selectFrom('news').select(['kind', 'mail_due']).where('subject_id', '=', id).orderBy('id').execute()
    expect(rows.filter(({ mail_due }) => mail_due).map(({ kind }) => kind)).toEqual(['partnerMessage'])
  })

  test('tells nobody of what a dry run did', async () => {
    const { id } = await project({ owner_id: otherId })
    await admin().call('project.setStatus', { id, status: 'Paused', reason: 'A holiday', dry: 1 } as never)
    expect(await newsOf(other, id)).toEqual([])
  })

  test('marks a line read and unread, in numbers and undone', async () => {
    const { id } = await project({ owner_id: otherId })
    await pause(id)
    const line = (await inbox(other)).find((one) => one.subject_id === id)!
    const before = await unread(other)
    const done = await other.call('notice.mark', { ids: [line.id] })
    expect(done.body.data).toEqual({ marked: 1, unread: before - 1 })
    expect((await inbox(other)).find((one) => one.subject_id === id)).toMatchObject({ status: 'read' })
    await other.call('undo.take', { id: Number(done.headers['x-undo']) } as never)
    expect(await unread(other)).toBe(before)
    await other.call('notice.mark', { ids: [line.id] })
    await other.call('notice.mark', { ids: [line.id], read: false })
    expect(await unread(other)).toBe(before)
    expect((await client().call('notice.mark', { ids: [line.id] })).body.data.marked).toBe(0)
  })

  test('shows nothing of a record that the reader doesn’t see any more', async () => {
    const { id } = await project({ requested_by: app.member.id })
    await pause(id)
    expect(await newsOf(client(), id)).toEqual(['paused'])
    const before = await unread(client())
    const elsewhere = await app.make.client()
    await app.db.updateTable('projects').set({ client_id: elsewhere.id }).where('id', '=', id).execute()
    expect(await newsOf(client(), id)).toEqual([])
    expect(await unread(client())).toBe(before - 1)
    await resume(id)
    expect(
      await app.db.selectFrom('news').select('id').where('subject_id', '=', id).where('kind', '=', 'live').execute(),
    ).toEqual([])
  })

  test('tells who started an export once it is ready', async () => {
    const { body } = await admin().call('export.start', { source: 'projects', filter: {} } as never)
    const { id } = (body as { data: { id: number } }).data
    await app.services.jobs.settled(id, 20_000)
    const line = (await inbox(admin())).find((one) => one.kind === 'job' && one.subject_id === id)
    expect(line).toMatchObject({ name: 'Export: Projects', message: 'Export ready', status: 'unread' })
    expect((await inbox(other)).some((one) => one.kind === 'job' && one.subject_id === id)).toBe(false)
  })
})

test('who started an import is told once that it is done, and nobody else', async () => {
  const { body, text } = await admin().call('import.run', { id: await locationFile(app) })
  const { job_id } = (body as { data: { job_id: number } }).data
  expect(job_id, text).toBeGreaterThan(0)
  await app.services.jobs.settled(job_id, 20_000)
  const lines = async (person: Person) => (await inbox(person)).filter((one) => one.kind === 'job' && one.subject_id === job_id)
  expect(await lines(admin())).toMatchObject([{ message: 'Import done', status: 'unread', news: [{ kind: 'import' }] }])
  expect(await lines(other)).toEqual([])
})

describe('the email of news', () => {
  const mailed = () => smtp.mails.filter(({ to }) => to?.some(({ address }) => address === otherMail))

  test('gathers what happened to one record, once for two processes, and its link stops one kind signed out', {
    timeout: 90_000,
  }, async () => {
    await app.db.updateTable('news').set({ mail_due: null }).execute()
    await wants(other, { paused: 'now', live: 'hourly', assigned: 'never' })
    const { id, name } = await project({ owner_id: otherId, name: 'Mailed project' })
    await pause(id)
    await resume(id)
    await due()
    await Promise.all([mailNews(app.services), mailNews(app.services)])
    const mail = await smtp.waitFor(({ to, subject }) => to?.[0]?.address === otherMail && (subject ?? '').includes(name), 20_000)
    expect(mail.subject).toBe('Paused, In field: Mailed project')
    expect(mail.text).toContain('Paused by Ada Admin')
    await mailNews(app.services)
    expect(mailed().filter(({ subject }) => subject?.includes(name))).toHaveLength(1)

    const token = /stop-mail\?token=(\S+)/.exec(mail.text ?? '')![1]!
    const stranger = app.as('stranger')
    const kinds = async () =>
      (await stranger.call('notice.mailKinds', { token })).body.data.kinds.map(({ kind, stopped }) => [kind, stopped])
    expect(await kinds()).toEqual([
      ['live', false],
      ['paused', false],
    ])
    const stopped = await stranger.call('notice.stopMail', { token, kind: 'paused' })
    expect([stopped.status, stopped.body.message]).toEqual([200, expect.stringContaining('Paused')])
    expect(await kinds()).toEqual([
      ['live', false],
      ['paused', true],
    ])
    await pause(id)
    const rows = await app.db.selectFrom('news').selectAll().where('user_id', '=', otherId).where('kind', '=', 'paused').execute()
    expect(rows.at(-1)!.mail_due).toBeNull()
    for (const wrong of [`${token}x`, 'a.b.c'])
      expect((await stranger.call('notice.mailKinds', { token: wrong })).status).toBe(404)
  })

  test('isn’t sent of what was read, isn’t wanted or isn’t seen any more', async () => {
    await wants(other, { paused: 'now' })
    const { id, name } = await project({ owner_id: otherId, name: 'Unmailed project' })
    await pause(id)
    const line = (await inbox(other)).find((one) => one.subject_id === id)!
    await other.call('notice.mark', { ids: [line.id] })
    await due()
    await mailNews(app.services)
    const gone = await project({ owner_id: otherId, name: 'Unmailed and gone' })
    await pause(gone.id)
    await app.db.updateTable('projects').set({ deleted_at: app.services.now().toISOString() }).where('id', '=', gone.id).execute()
    await due()
    await mailNews(app.services)
    const queued = await app.db.selectFrom('mails').select('subject').where('about', '=', `news user:${otherId}`).execute()
    expect(queued.filter(({ subject }) => subject.includes(name) || subject.includes('Unmailed'))).toEqual([])
  })

  test('of one person that can’t be made waits an hour, and holds up nobody else’s', async () => {
    await app.db.updateTable('news').set({ mail_due: null }).execute()
    const users = [await app.make.user({ role: 'admin' }), await app.make.user({ role: 'admin' })]
    for (const user of users) await pause((await project({ owner_id: user.id })).id)
    await due()
    await app.db.updateTable('news').set({ created_at: 'damaged' }).where('user_id', '=', users[0]!.id).execute()
    await mailNews(app.services)
    const of = users.map(({ id }) => `news user:${id}`)
    const queued = await app.db.selectFrom('mails').select('about').where('about', 'in', of).execute()
    expect(queued.map(({ about }) => about)).toEqual([of[1]])
    const left = await app.db.selectFrom('news').select('mail_due').where('user_id', '=', users[0]!.id).execute()
    expect(left.map(({ mail_due }) => Date.parse(mail_due!) > Date.now())).toEqual([true])
  })

  test('is due at once, at the next hour, in the morning or never', async () => {
    await wants(other, { paused: 'daily', live: 'hourly' })
    const { id } = await project({ owner_id: otherId })
    await pause(id)
    await resume(id)
    const rows = await app.db.selectFrom('news').selectAll().where('subject_id', '=', id).where('user_id', '=', otherId).execute()
    const [paused, live] = ['paused', 'live'].map((kind) => rows.find((row) => row.kind === kind)!.mail_due!)
    expect(live).toMatch(/:00:00\.000Z$/)
    expect(Date.parse(paused!)).toBeGreaterThan(Date.now())
    const hour = new Intl.DateTimeFormat('en-US', { hour: 'numeric', timeZone: app.services.settings.timeZone })
    expect(hour.format(new Date(paused!))).toBe('8 AM')
  })
})
