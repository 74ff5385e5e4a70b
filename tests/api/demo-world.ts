import { join } from 'node:path'
import { sql } from 'kysely'
import type { Call } from '../../contract/call.ts'
import type { CallId } from '../../contract/calls.ts'
import { connect, transact } from '../../server/db/connect.ts'
import type { Schema } from '../../server/db/schema.ts'
import { seed } from '../../server/demo/seed.ts'
import { signMailLink } from '../../server/domain/news/mailLink.ts'
import { openFiles } from '../../server/files/fileStore.ts'
import { migratedDatabase } from '../support/engine.ts'
import { otherWorld } from './other-world.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

/** A server on the smallest demo marketplace, with an administrator and a client user who can see much of it. */
export async function demoWorld(env: Record<string, string> = {}) {
  const place = await migratedDatabase()
  const database = connect(place.DATABASE_URL ? { url: place.DATABASE_URL } : { file: join(place.DATA_DIR, 'fieldwork.db') })
  await seed(database, { size: 'test', files: await openFiles({ dataDir: place.DATA_DIR, filesUrl: null }) })
  // The tests' users have the same addresses as the demo's.
  await transact(database, (tx) => sql`update users set email = 'demo-' || email`.execute(tx))
  await database.close()
  const app = await fieldwork({ ...place, ...env })
  const clients = await app.db.selectFrom('clients').select('id').where('deleted_at', 'is', null).execute()
  const member = await app.make.user({ email: 'member@fieldwork.test', clients: clients.map(({ id }) => id) })
  const other = await otherWorld(app)
  const people: Record<'admin' | 'client' | 'other', Person> = {
    admin: app.as('admin'),
    client: await app.signIn(member),
    other: other.person,
  }
  for (const [name, person] of Object.entries(people)) {
    const { body } = await person.call('webhook.create', { name, url: 'https://hooks.test/x', nouns: ['offer'] })
    await person.call('webhook.test', { id: body.data.id })
  }
  const quotas = await livePlan(app)
  const sessions = await oneSession(app, quotas.project_id)
  return { app, people, ids: await idsOf(app), given: { ...(await givenIn(app, quotas)), ...sessions } }
}

/** An entry link and somebody who came by it, as everybody reads them. */
async function oneSession(app: Fieldwork, id: number): Promise<Record<string, Record<string, unknown>[]>> {
  const admin = app.as('admin')
  const { id: partner_id } = await app.make.partner({})
  const link = (await admin.call('entryLink.create', { id, partner_id, name: 'Main' })).body.data
  await app.db.updateTable('surveys').set({ survey_link: 'https://survey.test/1' }).where('project_id', '=', id).execute()
  await app.db.updateTable('projects').set({ status: 'active' }).where('id', '=', id).execute()
  await admin.call('entryLink.resume', { id: link.id })
  const entered = await app.as('stranger').raw('GET', `${new URL(link.url).pathname}?pid=p1&gender=female`)
  const rid = new URL(String(entered.headers.location)).searchParams.get('rid')!
  const token = app.services.secrets.sign('partner', `${id}:${partner_id}:1:1`, Math.floor(Date.now() / 1000) + 3600)
  return {
    'entryLink.ofProject': [{ id }],
    'entryLink.get': [{ id: link.id }],
    'fieldSession.traffic': [{ id }],
    'fieldSession.list': [{ project_id: id }],
    'fieldSession.get': [{ rid }],
    'fieldSession.own': [{ token }],
    'fieldSession.ownOne': [{ rid, token }],
  }
}

/** A live quota plan with an arrival, which the demo doesn't have. */
async function livePlan(app: Fieldwork) {
  const admin = app.as('admin')
  const { id: project_id } = await app.make.project({ client_id: app.client.id, ordered: 10 })
  const survey = await app.make.survey({ project_id })
  const cells = [{ conditions: { gender: ['female'] }, target: 10 }]
  const made = await admin.call('quota.create', { id: project_id, dimensions: [{ name: 'Gender', fields: ['gender'], cells }] })
  const plan = made.body.data.id
  await admin.call('quota.live', { id: plan })
  await admin.call('quota.admit', { surveyId: survey.id, pid: 'p1', profile: { gender: 'female' } })
  return { plan, project_id }
}

/** Inputs of reads that need more than an id: records to create first, or values that fit together. */
async function givenIn(
  app: Fieldwork,
  { plan, project_id }: Awaited<ReturnType<typeof livePlan>>,
): Promise<Partial<Record<CallId, Record<string, unknown>[]>>> {
  const admin = app.as('admin')
  const asked = async (type: 'single' | 'open') => {
    const { id, survey, project_id } = await app.db
      .selectFrom('questions')
      .innerJoin('surveys', 'surveys.id', 'questions.survey_id')
      .innerJoin('respondents', 'respondents.survey_id', 'surveys.id')
      .select(['questions.id', 'questions.survey_id as survey', 'surveys.project_id'])
      .where('answer_type', '=', type)
      .where('retired_at', 'is', null)
      .executeTakeFirstOrThrow()
    return { question: id, surveyId: survey, id: project_id }
  }
  const closed = await asked('single')
  const open = await asked('open').catch(() => closed)
  const file = await app.db.selectFrom('files').select('id').where('kind', '=', 'asset').executeTakeFirstOrThrow()
  const { url } = (await admin.call('file.link', { id: file.id })).body.data
  const arrived = await app.db.selectFrom('respondents').select(['survey_id', 'respondent_id']).executeTakeFirstOrThrow()
  const report = await admin.call('report.datamap', { project_id: closed.id })
  const gone = await app.make.client()
  await admin.call('client.remove', { id: gone.id })
  const layout = JSON.stringify({ columns: [] })
  const signed = (link: string) => decodeURIComponent(link.split('/').at(-1)!)
  const invited = (await admin.call('user.invite', { email: 'new@fieldwork.test', role_id: 'admin', skip_invitation: true })).body
  return {
    'quota.ofProject': [{ id: project_id }],
    'quota.get': [{ id: plan }],
    'quota.decisions': [{ id: plan }],
    'quota.plans': [{ id: project_id }],
    'quota.arrivals': [{ id: plan }],
    'notice.mailKinds': [{ token: signMailLink(app, app.member.id, ['paused']).token }],
    'session.invitation': [{ invitation_token: invited.link!.slice(-64) }],
    'runtime.respondent': [{ surveyId: arrived.survey_id, respondentId: arrived.respondent_id }],
    'runtime.crosstab': ['age', 'gender', closed.question].map((by) => ({ ...closed, by })),
    'runtime.crosstabV1': [{ ...closed, by: 'income' }],
    'runtime.openAnswers': [open],
    'runtime.openAnswersV1': [open],
    'file.download': [{ signed: signed(url) }],
    'report.download': [{ signed: signed(report.body.report_download_link) }],
    'snapshot.get': [{ id: (await admin.call('snapshot.create', { layout })).body.data.id }],
    'undo.deletion': [{ noun: 'client', id: gone.id }],
  }
}

type Table = keyof Schema & string
type Ids = Partial<Record<Table, number[]>>

/** Some records of each kind, from first to last; of projects one of each status and generation. */
async function idsOf({ db }: Fieldwork): Promise<Ids> {
  const found: Ids = {}
  for (const table of new Set(Object.values({ ...BY_NAME, ...Object.fromEntries(BY_PATH.map(([, table]) => [table, table])) }))) {
    const rows = await db
      .selectFrom(table as 'projects')
      .select('id')
      .orderBy('id')
      .execute()
    const step = Math.max(1, Math.floor(rows.length / 3))
    found[table] = [...new Set([...rows.filter((_, at) => at % step === 0), ...rows.slice(-1)].map(({ id }) => id))]
  }
  const projects = await db.selectFrom('projects').select(['id', 'status', 'generation', 'parent_id']).orderBy('id').execute()
  const kinds = new Map(projects.map((row) => [`${row.status} ${row.generation} ${row.parent_id === null}`, row.id]))
  found.projects = [...kinds.values()].slice(0, 8)
  return found
}

/** TABLE  the table that a field refers to, if its name determines it. */
const BY_NAME: Readonly<Record<string, Table>> = {
  client_id: 'clients',
  cid: 'projects',
  client: 'clients',
  project_id: 'projects',
  projectId: 'projects',
  project: 'projects',
  campaign_id: 'projects',
  activity_id: 'activities',
  survey_id: 'surveys',
  surveyId: 'surveys',
  brand_id: 'brands',
  bid: 'brands',
  sid: 'services',
  service_id: 'services',
  user_id: 'users',
  partner_id: 'partners',
  location_group_id: 'location_groups',
}

/** TABLE  the table that an `id` refers to, by its call's path. */
const BY_PATH: readonly (readonly [RegExp, Table])[] = [
  [/\/quotas\//, 'quota_plans'],
  [/\/entry_links\//, 'entry_links'],
  [/\/outbox\//, 'mails'],
  [/\/webhooks\//, 'webhooks'],
  [/\/webhook_deliveries\//, 'webhook_deliveries'],
  [/\/surveys\/questions\/\{id\}$/, 'questions'],
  [/\/projects\/note\//, 'notes'],
  [/\/messages\//, 'messages'],
  [/\/projects\/team\/|\/teams\/|team_users/, 'teams'],
  [/\/user_teams\/|\/users\//, 'users'],
  [/\/rewards\/imports\/|\/locations\/imports\//, 'imports'],
  [/\/projects\/|campaigns|\/dashboard\/|\/offers\/project\/|index_for_campaign|vip_experiences\/project/, 'projects'],
  [/\/activities\//, 'activities'],
  [/\/clients\//, 'clients'],
  [/\/partners\//, 'partners'],
  [/\/surveys\//, 'surveys'],
  [/\/rewards\//, 'rewards'],
  [/\/content\//, 'user_activities'],
  [/\/files\//, 'files'],
  [/\/jobs\//, 'jobs'],
  [/\/offers\//, 'offers'],
  [/\/(events|promos|contents)\//, 'activities'],
  [/\/locations\//, 'places'],
  [/\/locationgroups\//, 'location_groups'],
  [/\/vip_experiences\//, 'vip_experiences'],
  [/\/notifications\//, 'notifications'],
  [/\/brands\//, 'brands'],
  [/\/services\//, 'services'],
]

/** The ids that a field of a call can refer to; empty if it refers to no record. */
export function idsFor(ids: Ids, row: Call, field: string): number[] {
  const table = field === 'id' ? BY_PATH.find(([path]) => path.test(row.path))?.[1] : BY_NAME[field]
  return (table && ids[table]) || []
}
