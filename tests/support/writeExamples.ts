import { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls, type WriteId } from '../../contract/calls.ts'
import { deskIdOf } from '../../contract/deskRules.ts'
import { OLDER_CALLS } from '../../contract/olderCalls.ts'
import { addDays } from '../../contract/pacing.ts'
import type { RestoredNoun } from '../../contract/restored.ts'
import { hashPassword } from '../../server/core/passwords.ts'
import { hashToken, randomToken } from '../../server/core/secrets.ts'
import { signMailLink } from '../../server/domain/news/mailLink.ts'
import { deliveryOf } from '../../server/domain/webhook/deliveryQueue.ts'
import { requestOf } from '../api/calling.ts'
import type { Answer, Fieldwork, Person } from '../api/support.ts'

/** A valid write: its input and caller. */
export interface WriteExample {
  input: Record<string, unknown>
  as: Person
  /** Files to send after the fields, as multipart. */
  files?: [name: string, content: Buffer][]
}

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64)])
const PASSWORD = 'Fieldwork-1!'
let serial = 0
/** A word that nothing else uses, not even a maker. */
const fresh = (word: string) => `Fresh ${word} ${++serial}`
const later = () => new Date(Date.now() + 3_600_000).toISOString()

const idOf = async (made: Promise<{ id: number }>) => ({ id: (await made).id })
const admin = (app: Fieldwork) => app.as('admin')
const client = (app: Fieldwork) => app.as('client')
const project = (app: Fieldwork, given: object = {}) => app.make.project({ client_id: app.client.id, ...given })
const campaign = (app: Fieldwork) => project(app, { generation: 'campaign' })

/** The line of a project without an owner. */
const deskLine = async (app: Fieldwork) => deskIdOf('unowned', (await project(app, { status: 'requirements' })).id)

const webhookGiven = () => ({ name: fresh('Webhook'), url: 'https://hooks.test/x', nouns: ['project'] })
/** A webhook whose address nobody answers at. */
const webhook = async (app: Fieldwork) => ({ id: (await admin(app).call('webhook.create', webhookGiven())).body.data.id })
/** A message of a webhook that failed for good. */
export async function failedDelivery(app: Fieldwork) {
  const { id: webhook_id } = await webhook(app)
  const at = new Date().toISOString()
  const event = {
    id: 1,
    noun: 'project',
    subject_id: 1,
    kind: 'put',
    audience: 'scope' as const,
    user_id: null,
    project_id: null,
  }
  const row = deliveryOf({ id: webhook_id, owner_id: app.admin.id }, { ...event, client_id: null, at, action: '' }, at)
  const made = await app.write((tx) =>
    tx
      .insertInto('webhook_deliveries')
      .values({ ...row, status: 'failed', ended_at: at })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return { id: made.id, webhook_id }
}

/** A respondent sent a moment ago. */
async function respondent(app: Fieldwork, given: object = {}) {
  const { surveyId } = await survey(app)
  const respondentId = fresh('p')
  await admin(app).call('runtime.ingest', { surveyId, rows: [{ respondent_id: respondentId, outcome: 'completes', ...given }] })
  return { surveyId, respondentId }
}
/** A survey with a respondent flagged as fraud. */
const flagged = async (app: Fieldwork) => ({ surveyId: (await respondent(app, { fraud: true })).surveyId })
async function note(app: Fieldwork) {
  const { id } = await project(app)
  return { project_id: id, note_id: (await admin(app).call('note.create', { project_id: id, note: 'Called them' })).body.data.id }
}
export const file = (app: Fieldwork, given: Parameters<Fieldwork['make']['file']>[0] = {}) =>
  app.make.file({ uploaded_by: app.admin.id, ...given })
/** A project's activity. */
export const activity = (app: Fieldwork, project_id: number) => app.make.activity({ project_id })
/** An activity with dates and an address, which an occasion starts with. */
const dated = async (app: Fieldwork) =>
  app.make.activity({
    project_id: (await project(app)).id,
    start_dt: '2026-12-01',
    end_dt: '2026-12-20',
    url: 'https://media.test/0',
  })
/** An activity with a target of its own. */
async function targeted(app: Fieldwork, given: object = {}) {
  const { id } = await activity(app, (await project(app)).id)
  await app.make.target({ activity_id: id, age: '2,3', gender: 'female', targeted_locations: '501', ...given })
  return { activity_id: id }
}
/** A list of one location in the file store. */
async function locationList(app: Fieldwork): Promise<number> {
  const storage_key = `uploads/${fresh('list')}.csv`
  const street = fresh('Street')
  await app.services.files.put(storage_key, `Store,Address,ZIP\r\nOne,"12 ${street}",02108\r\n`, 'text/csv')
  return (await file(app, { kind: 'location', original_name: `${street}.csv`, storage_key })).id
}
/** A location file that is waiting for its mapping. */
export async function locationFile(app: Fieldwork, given: object = {}): Promise<number> {
  const { body } = await admin(app).call('import.process', {
    ...{ file_id: await locationList(app), client_id: app.client.id, name: fresh('Stores'), hold: true },
  })
  const id = body.data.import_id!
  if (Object.keys(given).length) await app.write((tx) => tx.updateTable('imports').set(given).where('id', '=', id).execute())
  return id
}
/** A line of a location file with an error in its ZIP, as calls identify it. */
export async function refusedLine(app: Fieldwork): Promise<{ id: number; row_id: number }> {
  const { id: group_id } = await app.make.group({ client_id: app.client.id })
  const id = await locationFile(app, { status: 'done', group_id, failed: 1 })
  const line = {
    ...{
      import_id: id,
      line: 3,
      kind: 'error' as const,
      column: 'ZIP',
      value: '0210',
      message: 'ZIP 0210 is not a ZIP code of 5 or 9 digits',
    },
    raw: JSON.stringify(['Two', `14 ${fresh('Street')}`, '0210']),
  }
  const row = await app.write((tx) => tx.insertInto('import_rows').values(line).returning('id').executeTakeFirstOrThrow())
  return { id, row_id: row.id }
}
/** An uploaded list of people to reward, with an error in one row. */
async function rewardFile(app: Fieldwork): Promise<number> {
  const { id: file_id } = await file(app, { kind: 'location', original_name: `${fresh('People')}.csv` })
  const made = {
    ...{ kind: 'reward' as const, name: 'People', file_id, file_hash: fresh('hash'), project_id: (await project(app)).id },
    ...{ client_id: app.client.id, group_id: null, activity_id: null, job_id: null, errors_file_id: null },
    ...{ mapping: JSON.stringify({ headings: ['Email', 'Amount'], columns: ['email', 'amount'] }), rows: 2, failed: 1 },
    ...{ status: 'done' as const, created_by: app.admin.id, created_at: later(), updated_at: later(), ended_at: later() },
  }
  return (await app.write((tx) => tx.insertInto('imports').values(made).returning('id').executeTakeFirstOrThrow())).id
}
const activityOf = async (app: Fieldwork) => idOf(activity(app, (await project(app)).id))
/** A photo from a participant. */
async function sent(app: Fieldwork) {
  const { id: project_id } = await project(app)
  const { id: activity_id } = await activity(app, project_id)
  const { id: file_id } = await file(app, { project_id, activity_id, kind: 'media', mime: 'image/jpeg' })
  return app.make.content({ project_id, activity_id, file_id, action: 'photo' })
}
const team = (app: Fieldwork, given: object = {}) => app.make.team({ client_id: app.client.id, ...given })
/** A user on a team. */
async function onTeam(app: Fieldwork) {
  const { id } = await app.make.user({ clients: [app.client.id] })
  return { team_id: (await team(app, { users: [id] })).id, user_id: id }
}
const group = (app: Fieldwork) => app.make.group({ client_id: app.client.id })
const place = (app: Fieldwork, given: object = {}) => app.make.place({ address: fresh('Street'), ...given })
/** A group with a place. */
async function grouped(app: Fieldwork) {
  const ids = { location_group_id: (await group(app)).id, location_id: (await place(app)).id }
  await admin(app).call('group.addLocations', ids)
  return ids
}
/** An activity with a group. */
async function located(app: Fieldwork) {
  const ids = { activity_id: (await activityOf(app)).id, location_group_id: (await group(app)).id }
  await admin(app).call('activity.linkGroups', ids)
  return ids
}
const mail = (app: Fieldwork) => idOf(app.make.mail({ status: 'queued', not_before: later() }))
async function job(app: Fieldwork, given: object) {
  const values = {
    kind: 'export',
    title: 'Clients',
    input: JSON.stringify({ source: 'clients', filter: {} }),
    result: '{}',
    error: '',
    created_by: app.admin.id,
    created_at: new Date().toISOString(),
    started_at: null,
    not_before: later(),
    worker: null,
    beat_at: null,
    ended_at: null,
    status: 'queued' as const,
    ...given,
  }
  return app.write((tx) => tx.insertInto('jobs').values(values).returning('id').executeTakeFirstOrThrow())
}
/** A job that produced a file. */
async function done(app: Fieldwork) {
  const { body } = await admin(app).call('export.start', { source: 'clients', filter: {} })
  await app.services.jobs.settled(body.data.id, 20_000)
  return { id: body.data.id }
}
async function partnered(app: Fieldwork, given: object = {}) {
  const made = await project(app, { status: 'pricing', ...given })
  const partner = await app.make.partner()
  await app.make.assign(made.id, partner.id)
  return { project_id: made.id, partner_id: partner.id }
}
const asInvitation = ({ project_id, partner_id }: { project_id: number; partner_id: number }) => ({ id: project_id, partner_id })
/** A project whose quote waits to be sent. */
async function priced(app: Fieldwork) {
  const { project_id } = await partnered(app, { cost_cents: null })
  await admin(app).call('project.setCost', { id: project_id, cost: 1500 })
  return project_id
}
/** A project whose quote the client can decide on. */
export async function quoted(app: Fieldwork) {
  const id = await priced(app)
  await admin(app).call('project.notifyCostNow', { id })
  return id
}
/** A project whose quote ended before its client decided. */
export async function expired(app: Fieldwork) {
  const id = await quoted(app)
  const quote_valid_until = addDays(app.make.today(), -1)
  await app.write((tx) => tx.updateTable('projects').set({ quote_valid_until }).where('id', '=', id).execute())
  return id
}
const withPassword = async (app: Fieldwork) =>
  app.make.user({ password_hash: await hashPassword(PASSWORD), clients: [app.client.id] })
async function resettable(app: Fieldwork) {
  const reset_password_token = randomToken()
  await app.make.user({ reset_hash: hashToken(reset_password_token), reset_expires_at: later(), clients: [app.client.id] })
  return { reset_password_token, password: 'Another-pass-2?', password_confirmation: 'Another-pass-2?' }
}
async function invited(app: Fieldwork) {
  const invitation_token = hashToken(randomToken())
  const given = { status: 'invited' as const, invitation_hash: hashToken(invitation_token), invitation_expires_at: later() }
  await app.make.user({ ...given, clients: [app.client.id] })
  return invitation_token
}
const entry = async (app: Fieldwork, given: object = {}) => ({
  id: (await app.make.entry({ project_id: (await project(app)).id, ...given })).id,
})
/** A project with a survey. */
async function surveyed(app: Fieldwork) {
  const { id } = await project(app)
  await app.make.survey({ project_id: id })
  return { project_id: id }
}
/** A draft of a quota plan. */
const quotaPlan = async (app: Fieldwork) => {
  const { project_id } = await surveyed(app)
  return { id: (await admin(app).call('quota.create', { id: project_id })).body.data.id }
}
/** An entry link in test. */
const entryLink = async (app: Fieldwork) => {
  const { project_id } = await surveyed(app)
  const made = await admin(app).call('entryLink.create', {
    id: project_id,
    partner_id: (await app.make.partner({})).id,
    name: fresh('Link'),
  })
  return { id: made.body.data.id, url: made.body.data.url, project_id }
}
/** A session of a link in test. */
const fieldSession = async (app: Fieldwork) => {
  const { url, project_id } = await entryLink(app)
  await app.db.updateTable('surveys').set({ survey_link: 'https://survey.test/1' }).where('project_id', '=', project_id).execute()
  const entered = await app.as('stranger').raw('GET', `${new URL(url).pathname}?pid=${fresh('pid').replace(/\W/g, '')}`)
  return { rid: new URL(String(entered.headers.location)).searchParams.get('rid')! }
}
const survey = async (app: Fieldwork) => ({ surveyId: (await app.make.survey({ project_id: (await project(app)).id })).id })
const vendored = { survey_link: 'https://survey.test/1', survey_vendor: 'Northstar', vendor_survey_id: 'N-1' }
const surveyOf = async (app: Fieldwork, given: object = {}) =>
  app.make.survey({ project_id: (await project(app)).id, ...vendored, ...given })
const questionOf = async (app: Fieldwork) => app.make.question({ survey_id: (await surveyOf(app)).id })
/** A survey with a data map of two questions. */
async function mapped(app: Fieldwork) {
  const { id: project_id } = await project(app)
  const storage_key = `uploads/map-${++serial}.csv`
  await app.services.files.put(storage_key, 'Key,Question,Answers\nq1,Which one?,Yes|No\nq2,Why?,\n', 'text/csv')
  const source = await file(app, { project_id, storage_key, original_name: 'map.csv' })
  return app.make.survey({ project_id, source_file_id: source.id })
}
/** A project's VIP experience, and an award of it. */
export const vip = async (app: Fieldwork) => app.make.vip({ project_id: (await project(app)).id })
export async function award(app: Fieldwork) {
  const { id: experience_id, project_id } = await vip(app)
  await admin(app).call('award.create', { id: project_id, experience_id, emails: [`vip${++serial}@mail.test`] })
  const { body } = await admin(app).call('award.list', { id: project_id })
  return body.data[0]!
}
/** A service of its own brand; one the client user can see, and a filter they saved for it. */
export const serviceOf = async (app: Fieldwork, given: object = {}) =>
  app.make.service({ brand_id: (await app.make.brand()).id, start_dt: '2024-01-01', ...given })
export async function givenService(app: Fieldwork) {
  const service = await serviceOf(app)
  await admin(app).call('service.addUser', { user_id: app.member.id, service_id: service.id })
  return service
}
async function savedFilter(app: Fieldwork) {
  const { id: service_id } = await givenService(app)
  const { body } = await client(app).call('filter.save', { service_id, filter_name: fresh('Filter'), filter: { date: 'week' } })
  return { filter_id: body.data.filter_id }
}
/** A notification in the client user's inbox. */
export async function notice(app: Fieldwork) {
  const now = new Date().toISOString()
  const { id } = await app.make.notification({ sent_at: now, sent_by: app.admin.id, audience: 1 })
  const row = { notification_id: id, user_id: app.member.id, read_at: null, created_at: now }
  await app.write((tx) => tx.insertInto('notices').values(row).execute())
  return { id }
}
const actable = async (app: Fieldwork) => ({
  id: (await app.make.user({ clients: [app.client.id] })).id,
  reason: 'To see what they see',
})
const emailed = async (app: Fieldwork) => ({
  email: (await app.make.user({ status: 'invited', clients: [app.client.id] })).email,
})

export type Maker = (app: Fieldwork) => Promise<WriteExample>
const byAdmin =
  (input: (app: Fieldwork) => Promise<object> | object): Maker =>
  async (app) => ({ input: { ...(await input(app)) }, as: admin(app) })
const byClient =
  (input: (app: Fieldwork) => Promise<object> | object): Maker =>
  async (app) => ({ input: { ...(await input(app)) }, as: client(app) })
const byStranger =
  (input: (app: Fieldwork) => Promise<object> | object): Maker =>
  async (app) => ({ input: { ...(await input(app)) }, as: app.as('stranger') })
const upload =
  (name: string, content: Buffer): Maker =>
  async (app) => ({
    input: { project_id: (await project(app)).id, asset_type: 'Creative Assets' },
    as: admin(app),
    files: [[name, content]],
  })
/** A user with a new email that waits to be confirmed. */
const pending = (app: Fieldwork, more: object = {}) =>
  app.make.user({
    ...{ clients: [app.client.id], pending_email: `${fresh('New').replace(/\W+/g, '').toLowerCase()}@mail.test` },
    ...{ pending_email_hash: 'of no token', pending_email_expires_at: '2999-01-01T00:00:00.000Z' },
    ...more,
  })
const owning: Maker = async (app) => ({ input: {}, as: await app.signIn(await pending(app)) })
const ended: Maker = async (app) => ({ input: {}, as: await app.signIn(await app.make.user({ clients: [app.client.id] })) })

/** Every call that writes: all methods but GET, and unsafe GETs. */
export const WRITES = (Object.entries(calls) as [CallId, Call][])
  .filter(([, row]) => row.method !== 'GET' || row.unsafe)
  .map(([id]) => id)

/** A call's required input by its schema: a unique text for each text, 1 for each number. */
function neededBy(id: CallId): Record<string, unknown> {
  const { properties = {}, required = [] } = z.toJSONSchema((calls[id] as Call).input, {
    io: 'input',
    unrepresentable: 'any',
  }) as {
    properties?: Record<string, { type?: string }>
    required?: string[]
  }
  return Object.fromEntries(required.map((name) => [name, properties[name]?.type === 'string' ? fresh(name) : 1]))
}
/** A noun's record created by its own call, with its input; undefined without such a call. */
export async function madeOf(app: Fieldwork, noun: string): Promise<{ id: number; told: Record<string, unknown> } | undefined> {
  const create = `${noun}.create`
  if (!(create in calls)) return undefined
  const needed = neededBy(create as CallId)
  const { body } = await admin(app).call(create as 'client.create', needed as never)
  return { id: body.data.id, told: needed }
}
/** A record that was deleted by its own call. */
async function deleted(app: Fieldwork, noun: RestoredNoun): Promise<{ id: number }> {
  const { input } = await WRITE_EXAMPLES[`${noun}.remove`](app)
  await admin(app).call(`${noun}.remove`, input)
  return { id: Number(input.id ?? input.location_group_id) }
}
/** A noun's plain `create`, `edit` and `remove` from their schemas; undefined for other calls. */
function plainly(id: CallId): Maker | undefined {
  const [noun = '', verb = ''] = id.split('.')
  if (verb === 'create') return byAdmin(() => neededBy(id))
  if (verb === 'restore') return byAdmin((app) => deleted(app, noun as RestoredNoun))
  if (verb !== 'edit' && verb !== 'remove') return undefined
  return byAdmin(async (app) => {
    const made = await madeOf(app, noun)
    const texts = Object.entries(made?.told ?? {}).filter(([, value]) => typeof value === 'string')
    return { id: made?.id, ...(verb === 'edit' ? Object.fromEntries(texts.map(([name]) => [name, fresh(name)])) : {}) }
  })
}

/** TABLE  writes that need more than their schema shows: an example of each, on its own records. */
const SPECIAL: Partial<Record<CallId, Maker>> = {
  'activity.create': byAdmin(async (app) => ({
    project_id: (await project(app)).id,
    name: fresh('Activity'),
    about: 'Answer ten questions.',
    activity_type: 'survey',
  })),
  'activity.whole': byAdmin(async (app) => ({
    project_id: (await project(app)).id,
    name: fresh('Activity'),
    about: 'Answer ten questions.',
    activity_type: 'survey',
    url: 'https://survey.test/whole',
  })),
  'activity.edit': byAdmin(async (app) => ({ ...(await activityOf(app)), name: fresh('Activity') })),
  'activity.remove': byAdmin(activityOf),
  'activity.duplicate': byAdmin(async (app) => ({ activity_id: (await activityOf(app)).id })),
  'activity.linkSurvey': byAdmin(async (app) => {
    const { id: project_id } = await project(app)
    const survey = await app.make.survey({ project_id })
    return { activity_id: (await activity(app, project_id)).id, survey_id: survey.id }
  }),
  'activity.editOlder': byAdmin(async (app) => ({ ...(await activityOf(app)), about: fresh('About') })),
  'session.signIn': byStranger(async (app) => ({ email: (await withPassword(app)).email, password: PASSWORD })),
  'session.signOut': ended,
  'session.forgot': byStranger(async (app) => ({ email: (await withPassword(app)).email })),
  'session.setPassword': byStranger(resettable),
  'session.register': byStranger(async (app) => ({
    invitation_token: await invited(app),
    first_name: 'Nora',
    last_name: 'New',
    phone: '2125550199',
    password: PASSWORD,
    password_confirmation: PASSWORD,
  })),
  'session.requestAccount': byStranger(() => ({
    name: 'Rita Request',
    company: 'Acme',
    email: 'rita@mail.test',
    phone: '2125550199',
  })),
  'session.actAs': byAdmin(actable),
  'session.switchBack': async (app) => {
    const { id, reason } = await actable(app)
    const answer = await admin(app).call('session.actAs', { id, reason })
    const names = ['access-token', 'token-type', 'client', 'expiry', 'uid']
    return { input: {}, as: app.person(Object.fromEntries(names.map((name) => [name, String(answer.headers[name])]))) }
  },
  'session.confirmEmail': byStranger(async (app) => {
    const token = fresh('token')
    await pending(app, { pending_email_hash: hashToken(token) })
    return { token }
  }),
  'notice.stopMail': byStranger((app) => ({ token: signMailLink(app, app.member.id, ['paused']).token, kind: 'paused' })),
  'account.resendEmail': owning,
  'account.cancelEmail': owning,
  'account.edit': byClient(() => ({ company: fresh('Acme') })),
  'account.endSession': async (app) => {
    const user = await app.make.user({ clients: [app.client.id] })
    const [as, other] = [await app.signIn(user), await app.signIn(user)]
    const { body } = await other.call('account.sessions')
    return { input: { id: body.data.find((one) => one.current)!.id }, as }
  },
  'account.endOtherSessions': ended,
  'key.create': byAdmin(() => ({ name: fresh('Importer') })),
  'key.revoke': byAdmin(async (app) => ({
    id: (await admin(app).call('key.create', { name: fresh('Importer') })).body.data.id,
  })),
  'token.create': byAdmin(() => ({ name: fresh('Program'), scopes: ['project:read'] })),
  'token.revoke': byAdmin(async (app) => ({
    id: (await admin(app).call('token.create', { name: fresh('Program'), scopes: ['project:read'] })).body.data.id,
  })),
  'webhook.create': byAdmin(() => webhookGiven()),
  'webhook.edit': byAdmin(async (app) => ({ ...(await webhook(app)), name: fresh('Webhook') })),
  'webhook.pause': byAdmin(webhook),
  'webhook.rotate': byAdmin(webhook),
  'webhook.test': byAdmin(webhook),
  'webhook.replayFailed': byAdmin(webhook),
  'webhook.remove': byAdmin(webhook),
  'webhook.resume': byAdmin(async (app) => {
    const made = await webhook(app)
    await admin(app).call('webhook.pause', made)
    return made
  }),
  'delivery.replay': byAdmin(async (app) => ({ id: (await failedDelivery(app)).id })),
  'organization.edit': byAdmin(() => ({ product: fresh('Fieldwork') })),
  'organization.testMail': byAdmin(() => ({})),
  'visit.rebuild': byAdmin(() => ({})),
  'outbox.retry': byAdmin(async (app) => {
    const { id } = await mail(app)
    await app.write((tx) => tx.updateTable('mails').set({ status: 'failed' }).where('id', '=', id).execute())
    return { id }
  }),
  'outbox.reveal': byAdmin(mail),
  'outbox.withdraw': byAdmin(mail),
  'user.edit': byAdmin(async (app) => ({
    id: (await app.make.user({ clients: [app.client.id] })).id,
    first_name: fresh('Nadia'),
  })),
  'user.approveEmail': byAdmin(async (app) => ({
    id: (await pending(app, { role: 'admin', clients: [], pending_email_by: app.member.id })).id,
  })),
  'user.resendEmail': byAdmin(async (app) => ({ id: (await pending(app)).id })),
  'user.cancelEmail': byAdmin(async (app) => ({ id: (await pending(app)).id })),
  'user.setTeams': byAdmin(async (app) => ({
    user_id: (await app.make.user()).id,
    join_ids: [(await team(app)).id],
  })),
  'user.remove': byAdmin(async (app) => ({ id: (await app.make.user({ clients: [app.client.id] })).id })),
  'user.invite': byAdmin((app) => ({ email: `new${++serial}@mail.test`, role_id: 3, client_id: app.client.id })),
  'user.inviteOlder': byAdmin((app) => ({ email: `new${++serial}@mail.test`, role_id: 2, client_id: app.client.id })),
  'user.resendActivation': byAdmin(emailed),
  'user.resetPassword': byAdmin(async (app) => ({ id: (await withPassword(app)).id })),
  'user.setCompany': byClient(() => ({ company: fresh('Acme') })),
  'client.restore': byAdmin(async (app) => {
    const { id } = await app.make.client()
    await admin(app).call('client.remove', { id })
    return { id }
  }),
  'client.removeUser': byAdmin(async (app) => ({
    client_id: app.client.id,
    user_id: (await app.make.user({ clients: [app.client.id] })).id,
  })),
  'client.setApprovers': byAdmin(async (app) => ({ id: app.client.id, user_ids: [app.member.id] })),
  'client.addUser': byAdmin(async (app) => ({ client_id: (await app.make.client()).id, user_id: app.member.id })),
  'location.create': byAdmin(() => ({ name: fresh('Location'), address: fresh('Street') })),
  'location.edit': byAdmin(async (app) => ({ ...(await idOf(place(app))), name: fresh('Location') })),
  'location.remove': byAdmin((app) => idOf(place(app))),
  'location.addToGroups': byAdmin(async (app) => ({ location_ids: [(await place(app)).id], group_ids: [(await group(app)).id] })),
  'location.merge': byAdmin(async (app) => ({ ids: [(await place(app)).id], into_id: (await place(app)).id })),
  'location.find': byAdmin(() => ({ lines: [fresh('Street')] })),
  'group.create': byAdmin((app) => ({ client_id: app.client.id, name: fresh('Stores') })),
  'group.edit': byAdmin(async (app) => ({ location_group_id: (await group(app)).id, name: fresh('Stores') })),
  'group.remove': byAdmin((app) => idOf(group(app))),
  'group.addLocations': byAdmin(async (app) => ({
    location_group_id: (await group(app)).id,
    location_id: (await place(app)).id,
  })),
  'group.removeLocations': byAdmin(grouped),
  'group.moveLocations': byAdmin(async (app) => {
    const { location_group_id, location_id } = await grouped(app)
    return { location_group_id, to_id: (await group(app)).id, location_ids: [location_id] }
  }),
  'group.merge': byAdmin(async (app) => ({ ids: [(await group(app)).id], into_id: (await group(app)).id })),
  'group.copy': byAdmin(async (app) => ({ ...(await idOf(group(app))), name: fresh('Stores') })),
  'activity.linkGroups': byAdmin(async (app) => ({
    activity_id: (await activityOf(app)).id,
    location_group_id: (await group(app)).id,
  })),
  'activity.unlinkGroup': byAdmin(located),
  'client.editLocationGroup': byAdmin(async (app) => ({ location_group_id: (await group(app)).id, name: fresh('Stores') })),
  'user.inviteMany': byAdmin((app) => ({
    people: [{ email: `many${++serial}@mail.test` }],
    role_id: 3,
    client_id: app.client.id,
    delay_seconds: 30,
  })),
  'team.create': byAdmin((app) => ({ client_id: app.client.id, name: fresh('Team') })),
  'team.createOlder': byAdmin((app) => ({ company_id: app.client.id, name: fresh('Team') })),
  'team.edit': byAdmin(async (app) => ({ id: (await team(app)).id, name: fresh('Team') })),
  'team.remove': byAdmin(async (app) => ({ id: (await team(app)).id })),
  'team.addUsers': byAdmin(async (app) => ({ team_id: (await team(app)).id, user_id: (await app.make.user()).id })),
  'team.removeUsers': byAdmin((app) => onTeam(app)),
  'team.addProjects': byAdmin(async (app) => ({ team_id: (await team(app)).id, project_id: (await project(app)).id })),
  'team.removeProjects': byAdmin(async (app) => {
    const { id } = await project(app)
    return { team_id: (await team(app, { projects: [id] })).id, project_id: id }
  }),
  'partner.merge': byAdmin(async (app) => ({ id: (await app.make.partner()).id, into_id: (await app.make.partner()).id })),
  'project.create': byAdmin((app) => ({
    name: fresh('Project'),
    goal: 100,
    client_id: app.client.id,
    start_dt: app.make.today(),
    end_dt: addDays(app.make.today(), 14),
  })),
  'file.addAssets': byAdmin(async (app) => ({
    id: (await project(app)).id,
    assets: [{ file_id: (await file(app, { original_name: 'brief.pdf' })).id, asset_type: 'Survey Document' }],
  })),
  'project.createChild': byAdmin(async (app) => ({
    project_id: (await project(app, { start_dt: app.make.today() })).id,
    name: fresh('Wave'),
    start_dt: app.make.today(),
  })),
  'project.setOwner': byAdmin(async (app) => ({
    id: (await project(app)).id,
    owner_id: (await app.make.user({ role: 'admin' })).id,
  })),
  'project.follow': byAdmin(async (app) => ({ id: (await project(app)).id, follows: true })),
  'project.edit': byAdmin(async (app) => ({ id: (await project(app)).id, name: fresh('Project') })),
  'project.setStatus': byAdmin(async (app) => ({ id: (await project(app)).id, status: 'Paused', reason: 'A holiday' })),
  'project.goLive': byAdmin(async (app) => ({ id: (await project(app, { status: 'approved' })).id })),
  'project.remove': byAdmin(async (app) => ({ id: (await project(app, { status: 'rejected' })).id })),
  'project.restore': byAdmin(async (app) => {
    const { id } = await project(app, { status: 'rejected' })
    await admin(app).call('project.remove', { id })
    return { id }
  }),
  'project.clone': byAdmin(async (app) => ({ id: (await project(app)).id })),
  'project.removeTeam': byAdmin(async (app) => {
    const { id } = await project(app)
    await app.make.team({ client_id: app.client.id, projects: [id] })
    return { project_id: id }
  }),
  'request.create': byClient((app) => ({
    client_id: app.client.id,
    name: fresh('Request'),
    goal: 200,
    start_dt: app.make.today(),
    activity_type: 'survey',
    url: 'https://survey.test/2',
    location_based: 'yes',
    age: ['2', '3'],
    gender: ['male', 'female'],
  })),
  'campaign.create': byClient((app) => ({
    client_id: app.client.id,
    campaign_name: fresh('Request'),
    start_date: app.make.today(),
    num_completed_actions: 200,
    age_range: '2,3',
    gender: 'female,male',
    targeted_location: '501',
    survey_url: 'https://survey.test/2',
  })),
  'event.edit': byAdmin(async (app) => ({
    id: (await dated(app)).id,
    name: fresh('Event'),
    start_date: '2026-12-01',
    end_date: '2026-12-03',
  })),
  'promo.edit': byAdmin(async (app) => ({
    id: (await dated(app)).id,
    name: fresh('Promo'),
    start_date: '2026-12-01',
    end_date: '2026-12-03',
  })),
  'post.edit': byAdmin(async (app) => ({ id: (await dated(app)).id, name: fresh('Post'), url: 'https://media.test/1' })),
  'target.create': byAdmin(async (app) => ({
    activity_id: (await activity(app, (await project(app)).id)).id,
    age: ['2', '3'],
    gender: ['female'],
  })),
  'target.edit': byAdmin(async (app) => ({ ...(await targeted(app)), age: ['4'] })),
  'target.check': byAdmin(async (app) => ({ ...(await targeted(app)), age: ['4'] })),
  'target.copy': byAdmin(async (app) => ({ ...(await targeted(app)), to: [(await targeted(app, { age: '5' })).activity_id] })),
  'request.correct': byClient(async (app) => ({
    id: (await project(app, { status: 'requirements', requested_by: app.member.id })).id,
    name: fresh('Corrected'),
  })),
  'request.setPo': byClient(async (app) => ({ id: (await project(app)).id, po_number: 'PO-4711' })),
  'request.check': byClient(() => ({ draft: { name: 'A draft' } })),
  'campaign.edit': byAdmin(async (app) => ({ id: (await campaign(app)).id, name: fresh('Campaign') })),
  'campaign.editProject': byAdmin(async (app) => ({ id: (await campaign(app)).id, name: fresh('Campaign') })),
  'campaign.authorize': byClient(async (app) => ({ campaign_id: await quoted(app), authorized: 'Yes' })),
  'project.assignPartner': byAdmin(async (app) => ({
    project_id: (await project(app, { status: 'requirements' })).id,
    partner_id: (await app.make.partner()).id,
  })),
  'project.assign': byAdmin(async (app) => ({
    project_id: (await project(app, { status: 'requirements' })).id,
    partner_id: (await app.make.partner()).id,
    status: 'OnQuote',
  })),
  'project.approve': byClient(async (app) => ({ project_id: await quoted(app), status: 'QuoteApproved' })),
  'project.reject': byClient(async (app) => ({ project_id: await quoted(app), status: 'OnQuote', reason: 'Too dear' })),
  'project.setCost': byAdmin(async (app) => ({ id: (await partnered(app, { cost_cents: null })).project_id, cost: 1500 })),
  'project.notifyCost': byAdmin(async (app) => ({ id: await priced(app) })),
  'project.mailPartner': byAdmin(partnered),
  'project.quoteOpened': byClient(async (app) => ({ id: await quoted(app) })),
  'project.askQuote': byClient(async (app) => ({ id: await expired(app) })),
  'invitation.create': byAdmin(async (app) => ({
    id: (await project(app, { status: 'pricing' })).id,
    partner_ids: [(await app.make.partner()).id],
  })),
  'invitation.edit': byAdmin(async (app) => ({
    id: (await partnered(app)).project_id,
    requirements: 'Primary grocery shoppers, half of them women.',
  })),
  'invitation.remind': byAdmin(async (app) => ({ id: (await partnered(app)).project_id })),
  'invitation.link': byAdmin(async (app) => asInvitation(await partnered(app))),
  'invitation.revoke': byAdmin(async (app) => ({ ...asInvitation(await partnered(app)), reason: 'Wrong panel' })),
  'invitation.opened': byAdmin(async (app) => ({ id: (await partnered(app)).project_id })),
  'invitation.ask': byAdmin(async (app) => {
    const { project_id, partner_id } = await partnered(app)
    return { id: project_id, partner_id, text: 'Are teens included?' }
  }),
  'message.send': byAdmin(async (app) => ({ id: (await project(app)).id, text: 'It starts on Monday' })),
  'invitation.requestLink': byAdmin(async (app) => ({ id: (await partnered(app)).project_id })),
  'proffer.create': byAdmin(async (app) => {
    const { project_id, partner_id } = await partnered(app)
    return { campaign_id: project_id, partner_id, fill_requirements: 'Yes', on_behalf: 'By phone' }
  }),
  'proffer.quote': byAdmin(async (app) => ({ ...(await partnered(app)), fill_requirements: 'Yes', on_behalf: 'By phone' })),
  'note.create': byAdmin(async (app) => ({ project_id: (await project(app)).id, note: 'Called them' })),
  'project.ask': byClient(async (app) => ({ id: (await project(app)).id, note: 'Are teens included?' })),
  'note.edit': byAdmin(async (app) => ({ ...(await note(app)), note: fresh('Called them') })),
  'note.remove': byAdmin(note),
  'category.check': byAdmin(async (app) => ({ project_id: (await project(app)).id, category_id: 1, checked: true })),
  'category.set': byAdmin(async (app) => ({ id: (await project(app)).id, category_ids: [1, 2] })),
  'brand.remove': byAdmin((app) => idOf(app.make.brand())),
  'service.create': byAdmin(async (app) => ({
    ...{ brand_id: (await app.make.brand()).id, category: 1, service_name: fresh('Service'), start_date: app.make.today() },
  })),
  'service.readVenues': async (app) => ({
    input: {},
    as: admin(app),
    files: [[`${fresh('venues')}.csv`, Buffer.from('Code,DMA\nA1,501\n')]],
  }),
  'service.edit': byAdmin(async (app) => ({ id: (await serviceOf(app)).id, name: fresh('Service') })),
  'service.remove': byAdmin(async (app) => ({ id: (await serviceOf(app)).id })),
  'service.addUser': byAdmin(async (app) => ({ user_id: app.member.id, service_id: (await serviceOf(app)).id })),
  'service.removeUser': byAdmin(async (app) => ({ user_id: app.member.id, service_id: (await givenService(app)).id })),
  'service.setUsers': byAdmin(async (app) => ({
    ...{ user_ids: [app.member.id], add: [(await serviceOf(app)).id], remove: [(await givenService(app)).id] },
  })),
  'service.request': async (app) => ({ input: {}, as: await app.signIn(await app.make.user({ clients: [app.client.id] })) }),
  'filter.save': byClient(async (app) => ({
    ...{ service_id: (await givenService(app)).id, filter_name: fresh('Filter'), filter: { date: 'week' } },
  })),
  'filter.remove': byClient(savedFilter),
  'visit.ingest': byAdmin(async (app) => ({
    service_id: (await app.make.service({ brand_id: (await app.make.brand()).id, start_dt: '2024-01-01' })).id,
    rows: [{ device: fresh('phone'), venue: 'shop', at: '2025-06-10T16:00:00Z', dma: 501 }],
  })),
  'runtime.ingest': byAdmin(async (app) => ({
    ...(await survey(app)),
    rows: [{ respondent_id: fresh('p'), outcome: 'completes', at: new Date(Date.now() - 3_600_000).toISOString() }],
  })),
  'runtime.correct': byAdmin(async (app) => ({ ...(await respondent(app)), outcome: 'terminates' })),
  'runtime.withdraw': byAdmin((app) => respondent(app)),
  'runtime.putBack': byAdmin(async (app) => {
    const one = await respondent(app)
    await app.as('admin').call('runtime.withdraw', one)
    return one
  }),
  'runtime.clearFraud': byAdmin(flagged),
  'quota.create': byAdmin(async (app) => ({ id: (await surveyed(app)).project_id, dimensions: [] })),
  'quota.edit': byAdmin(async (app) => ({ ...(await quotaPlan(app)), note: fresh('Note') })),
  'quota.cells': byAdmin(async (app) => {
    const { id } = await quotaPlan(app)
    const { all } = (await admin(app).call('quota.get', { id })).body.data
    return { id, cells: [{ id: all.id, target: all.target - 1 }] }
  }),
  'quota.live': byAdmin(quotaPlan),
  'quota.end': byAdmin(quotaPlan),
  'quota.admit': byAdmin(async (app) => {
    const { id } = await quotaPlan(app)
    const { survey_id } = (await admin(app).call('quota.live', { id })).body.data
    return { surveyId: survey_id, pid: fresh('arrival') }
  }),
  'entryLink.create': byAdmin(async (app) => ({
    ...{ id: (await surveyed(app)).project_id, partner_id: (await app.make.partner({})).id, name: fresh('Link') },
  })),
  'entryLink.edit': byAdmin(async (app) => ({ id: (await entryLink(app)).id, name: fresh('Link') })),
  'entryLink.remove': byAdmin(async (app) => ({ id: (await entryLink(app)).id })),
  'entryLink.rotate': byAdmin(async (app) => ({ id: (await entryLink(app)).id })),
  'entryLink.pause': byAdmin(async (app) => ({ id: (await entryLink(app)).id })),
  'entryLink.resume': byAdmin(async (app) => {
    const { id, project_id } = await entryLink(app)
    await app.db
      .updateTable('surveys')
      .set({ survey_link: 'https://survey.test/1' })
      .where('project_id', '=', project_id)
      .execute()
    return { id }
  }),
  'entryLink.test': byAdmin(async (app) => ({ id: (await entryLink(app)).id })),
  'fieldSession.outcome': byAdmin(async (app) => ({ ...(await fieldSession(app)), outcome: 'terminate' })),
  'fieldSession.seen': byAdmin(fieldSession),
  'reward.create': byAdmin(async (app) => ({ project_id: (await project(app)).id, name: fresh('Card'), amount: 5 })),
  'reward.edit': byAdmin(async (app) => ({
    id: (await app.make.reward({ project_id: (await project(app)).id })).id,
    name: fresh('Card'),
  })),
  'reward.remove': byAdmin(async (app) => ({ id: (await app.make.reward({ project_id: (await project(app)).id })).id })),
  'reward.copy': byAdmin(async (app) => ({
    ids: [(await app.make.reward({ project_id: (await project(app)).id })).id],
    project_ids: [(await project(app)).id],
  })),
  'reward.upload': async (app) => ({
    input: { project_id: (await project(app)).id },
    as: admin(app),
    files: [[`${fresh('people')}.csv`, Buffer.from(`Email,Amount\nkim${++serial}@mail.test,5\n`)]],
  }),
  'reward.importErrors': byAdmin(async (app) => ({ id: await rewardFile(app) })),
  'entry.redeem': byAdmin((app) => entry(app)),
  'entry.reject': byAdmin(async (app) => ({ ...(await entry(app)), reason: 'Twice' })),
  'entry.secondChance': byAdmin((app) => entry(app, { status: 'rejected', reason: 'Twice' })),
  'entry.clear': byAdmin(async (app) => {
    const { id } = await project(app)
    await app.make.entry({ project_id: id })
    return { id }
  }),
  'file.upload': upload('logo.png', PNG),
  'file.uploadDocument': upload('list.csv', Buffer.from('a,b')),
  'file.remove': byAdmin((app) => idOf(file(app, { kind: 'document' }))),
  'file.attach': byAdmin(async (app) => ({ project_id: (await project(app)).id, file_id: (await file(app)).id })),
  'file.attachToActivity': byAdmin(async (app) => ({
    activity_id: (await activity(app, (await project(app)).id)).id,
    file_id: (await file(app)).id,
  })),
  'file.detach': byAdmin(async (app) => {
    const { id } = await project(app)
    return { project_id: id, file_id: (await file(app, { project_id: id })).id }
  }),
  'file.link': byAdmin((app) => idOf(file(app))),
  'file.edit': byAdmin(async (app) => ({ ...(await idOf(file(app))), description: fresh('A shelf') })),
  'content.review': byAdmin(async (app) => ({ ...(await idOf(sent(app))), review: 'accepted' })),
  'content.reviewMany': byAdmin(async (app) => ({ ids: [(await sent(app)).id], review: 'rejected', reason: 'Blurred' })),
  'content.rotate': byAdmin(async (app) => ({ ids: [(await sent(app)).id] })),
  'content.download': byAdmin(async (app) => ({ id: (await sent(app)).project_id })),
  'content.import': byAdmin(async (app) => ({
    id: (await activity(app, (await project(app)).id)).id,
    rows: [{ external_id: fresh('act'), comment: 'Nice shelf' }],
  })),
  'import.process': byAdmin(async (app) => ({
    file_id: await locationList(app),
    client_id: app.client.id,
    name: fresh('Stores'),
  })),
  'import.map': byAdmin(async (app) => ({ id: await locationFile(app), mapping: ['name', 'address', ''] })),
  'import.run': byAdmin(async (app) => ({ id: await locationFile(app) })),
  'import.correct': byAdmin(async (app) => ({ ...(await refusedLine(app)), value: '02110' })),
  'import.errors': byAdmin(async (app) => ({ id: await locationFile(app, { failed: 1, status: 'done' }) })),
  'import.undo': byAdmin(async (app) => ({ id: await locationFile(app, { status: 'done' }) })),
  'job.cancel': byAdmin((app) => job(app, {})),
  'job.retry': byAdmin((app) => job(app, { status: 'failed' })),
  'job.link': byAdmin(done),
  'export.start': byAdmin(() => ({ source: 'clients', filter: {} })),
  'report.save': byAdmin(async (app) => ({
    project_id: (await project(app)).id,
    questions: [{ column_key: 'record', column_name: fresh('Column') }],
  })),
  'report.createTemplate': byAdmin(async (app) => ({ project_id: (await project(app)).id, name: fresh('Template') })),
  'report.removeTemplate': byAdmin(async (app) => {
    const { body } = await admin(app).call('report.createTemplate', {
      project_id: (await project(app)).id,
      name: fresh('Template'),
    })
    return { id: body.data.id }
  }),
  'report.datamap': byAdmin(surveyed),
  'report.export': byAdmin(surveyed),
  'landing.save': byAdmin(async (app) => {
    const { id } = await project(app)
    await app.make.landing({ project_id: id })
    return { cid: id, survey_url: 'https://survey.test/l' }
  }),
  'audience.edit': byAdmin(async (app) => ({ projectId: (await project(app)).id, facebook_active: 1 })),
  'vip.create': byAdmin(async (app) => ({ project_id: (await project(app)).id, name: fresh('Experience') })),
  'vip.edit': byAdmin(async (app) => ({ id: (await vip(app)).id, name: fresh('Experience') })),
  'vip.remove': byAdmin((app) => idOf(vip(app))),
  'award.create': byAdmin(async (app) => {
    const { id: experience_id, project_id } = await vip(app)
    return { id: project_id, experience_id, emails: [`vip${++serial}@mail.test`] }
  }),
  'award.withdraw': byAdmin(async (app) => {
    const { id, project_id } = await award(app)
    return { id: project_id, ids: [id], reason: 'Twice' }
  }),
  'notification.send': byAdmin((app) => idOf(app.make.notification())),
  'desk.acknowledge': byAdmin(async (app) => ({ ids: [await deskLine(app)] })),
  'desk.snooze': byAdmin(async (app) => ({ ids: [await deskLine(app)], until: later() })),
  'desk.reopen': byAdmin(async (app) => {
    const ids = [await deskLine(app)]
    await admin(app).call('desk.acknowledge', { ids })
    return { ids }
  }),
  'desk.handOver': byAdmin(async (app) => ({
    ids: [await deskLine(app)],
    owner_id: (await app.make.user({ role: 'admin' })).id,
  })),
  'notice.mark': byClient(async (app) => ({ ids: [(await notice(app)).id] })),
  'snapshot.create': byAdmin(() => ({ layout: '{"columns":[]}' })),
  'usage.record': byAdmin(() => ({ screen: 'allProjects' })),
  'view.create': byAdmin(() => ({ screen: 'allProjects', name: fresh('View') })),
  'view.edit': byAdmin(async (app) => ({ id: (await view(app)).id, name: fresh('View') })),
  'view.remove': byAdmin(view),
  'survey.create': byAdmin(async (app) => {
    const { id: project_id } = await project(app)
    const { id: activity_id } = await activity(app, project_id)
    return { ...vendored, name: fresh('Survey'), project_id, activity_id, questions_count: 12 }
  }),
  'survey.edit': byAdmin(async (app) => ({ id: (await surveyOf(app)).id, name: fresh('Survey') })),
  'survey.remove': byAdmin((app) => idOf(surveyOf(app))),
  'survey.refresh': byAdmin((app) => idOf(mapped(app))),
  'survey.applyComparison': byAdmin(async (app) => {
    const { id } = await mapped(app)
    return { id, digest: (await admin(app).call('survey.comparison', { id })).body.data.digest }
  }),
  'question.create': byAdmin(async (app) => ({
    survey_id: (await surveyOf(app)).id,
    name: fresh('Question'),
    options: ['Yes', 'No'],
    order: 1,
  })),
  'question.edit': byAdmin(async (app) => ({ id: (await questionOf(app)).id, name: fresh('Question') })),
  'question.remove': byAdmin((app) => idOf(questionOf(app))),
  'question.reorder': byAdmin(async (app) => {
    const { id } = await surveyOf(app)
    const [one, two] = [
      await app.make.question({ survey_id: id, position: 1 }),
      await app.make.question({ survey_id: id, position: 2 }),
    ]
    return { id, ids: [two.id, one.id] }
  }),
  'question.bulk': byAdmin(async (app) => ({
    id: (await surveyOf(app)).id,
    rows: [{ name: fresh('Question'), options: 'Yes|No' }],
  })),
  'undo.take': byAdmin(async (app) => ({ id: await undoable(app) })),
  'undo.redo': byAdmin(async (app) => {
    const id = await undoable(app)
    await admin(app).call('undo.take', { id })
    return { id }
  }),
}

const exampleOf = (id: CallId): Maker | undefined => SPECIAL[id] ?? plainly(id)
/** One example per write, on new records with every call; an older one without its own has its twin's. */
export const WRITE_EXAMPLES = Object.fromEntries(
  WRITES.map((id) => [id, SPECIAL[id] ?? exampleOf(OLDER_CALLS[id] ?? id)]),
) as Partial<Record<CallId, Maker>> & { [Id in WriteId]: Maker }

async function undoable(app: Fieldwork) {
  const { headers } = await admin(app).call('client.edit', { id: (await app.make.client()).id, name: fresh('Renamed client') })
  return Number(headers['x-undo'])
}

async function view(app: Fieldwork) {
  const { body } = await admin(app).call('view.create', { screen: 'allProjects', name: fresh('View') })
  return { id: body.data.id }
}

/** Sends an example; `more` adds to its body or form fields, `headers` to its headers. */
export async function sendExample(
  id: CallId,
  { input, as, files }: WriteExample,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const row: Call = calls[id]
  const { method, url, body } = requestOf(id, row.method === 'GET' ? { ...input, ...more } : input)
  const fields = { ...(body as object), ...more }
  // Empty input sends no body: a sign-out's would name the session that ends.
  if (!files) return as.raw(method, url, Object.keys(fields).length ? fields : undefined, headers)
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  for (const [name, content] of files) form.append('file', new Blob([new Uint8Array(content)]), name)
  const request = new Request('http://fieldwork.test', { method: 'POST', body: form })
  const sent = { 'content-type': request.headers.get('content-type') ?? '', ...headers }
  return as.raw(method, url, Buffer.from(await request.arrayBuffer()), sent)
}
