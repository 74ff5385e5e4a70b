import { type CompiledQuery, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { requestOf } from './calling.ts'
import { addCopies, statementsWith } from './filling.ts'
import { type Fieldwork, fieldwork, withoutDeliveries } from './support.ts'

// A program that asks a list every minute what has changed costs what has changed, not what exists.
const MANY = 2000
const OLD = '2020-05-01T00:00:00.000Z'
/** A moment for each call: two lists of projects of one moment share their order, which is read once. */
const sinceOf = (id: CallId) => new Date(Date.UTC(2024, 4, 1) + lists.indexOf(id)).toISOString()
const old = { created_at: OLD, updated_at: OLD }

/** TABLE  lists without an index for `updated_since`, with the reason why. */
const WITHOUT: Partial<Record<CallId, string>> = {
  'partner.list': 'there are some hundred channel partners',
  'partner.listAll': 'the same',
  'notification.list': 'there are some hundred notifications',
  'notification.listOlder': 'the same',
  'notification.readers': 'one notification has at most one row for each user',
  'notice.list': 'one person’s notifications',
  'desk.list': 'its lines are derived: what hasn’t changed may have come',
  'token.list': 'there are some hundred tokens',
  'webhook.list': 'there are some dozen webhooks',
  'note.list': 'one project’s notes',
  'note.listOfCampaign': 'the same',
  'question.list': 'one survey’s questions',
  'offer.list': 'one project’s offers',
  'team.history': 'one team’s lines, some hundred',
  'group.history': 'the same of a location group',
  'brand.history': 'the same of a brand',
  'service.history': 'the same of a service',
  'import.rows': 'lines have no time: they change with their import, whose row is compared',
  'reward.importRows': 'the same',
}

/** What one read may cost on PostgreSQL: a few rows of the records that the list is of. */
const READ_AT_MOST = 50
/** The tables with many rows. */
const filled = new Set(['changed'])

type Fields = Readonly<Record<string, unknown>>
/** TABLE  what a list is of, where its call needs it. */
let inputs: Partial<Record<CallId, Fields>>
let app: Fieldwork

const fill = (table: string, like: { id: number } | { where: string }, own?: Record<string, string>) => {
  filled.add(table)
  return addCopies(app, MANY, table, like, own)
}

beforeAll(async () => {
  app = await fieldwork()
  // Messages as old as these would be deleted within a minute.
  withoutDeliveries(app)
  const { make, db } = app
  const client_id = app.client.id
  const project = await make.project({ client_id, status: 'pricing', ...old })
  const request = await make.project({ client_id, generation: 'campaign', status: 'pricing', ...old })
  const project_id = project.id
  const activity = await make.activity({ project_id, activity_type: 'survey', ...old })
  const activity_id = activity.id
  const acts = await make.activity({ project_id, activity_type: 'photo', ...old } as never)
  const survey = await make.survey({ project_id, activity_id, ...old })
  const elsewhere = await make.survey({ project_id, ...old })
  const user = await make.user({ email: 'copied@index.test', clients: [client_id], ...old })
  const team = await make.team({ client_id, users: [user.id], projects: [project_id], ...old })
  const partner = await make.partner({ ...old })
  const group = await make.group({ client_id, ...old })
  const place = await make.place({ position: 'exact', ...old })
  const vip = await make.vip({ project_id, ...old })
  const brand = await make.brand({ ...old })
  const service = await make.service({ brand_id: brand.id, ...old })
  const notification = await make.notification({ ...old })
  const file = await make.file({ project_id, ...old })
  const content = await make.content({ project_id, activity_id: acts.id, at: OLD, ...old } as never)
  const reward = await make.reward({ project_id, amount_cents: 500, ...old } as never)
  const entry = await make.entry({ project_id, survey_id: survey.id, email: 'one@index.test', ...old })
  const proffer = await make.proffer({ project_id: request.id, partner_id: partner.id, ...old } as never)
  const quote = await make.quote({ project_id: request.id, ...old })
  const mail = await make.mail({ status: 'sent', created_at: OLD, not_before: OLD, sent_at: OLD } as never)
  const added = async (table: string, values: object) =>
    (await db
      .insertInto(table as 'clients')
      .values(values as never)
      .returning('id')
      .executeTakeFirstOrThrow()) as { id: number }
  const job = await added('jobs', {
    kind: 'export',
    title: 'Done',
    status: 'done',
    created_by: app.admin.id,
    created_at: OLD,
    not_before: OLD,
    started_at: OLD,
    beat_at: OLD,
    ended_at: OLD,
  })
  const upload = (kind: string) => ({
    kind,
    file_id: file.id,
    file_hash: 'x',
    project_id,
    client_id,
    mapping: '{"headings":[],"columns":[]}',
    status: 'done',
    created_by: app.admin.id,
    ...old,
  })
  const imports = { location: await added('imports', upload('location')), reward: await added('imports', upload('reward')) }
  const webhook = await added('webhooks', {
    name: 'Hook',
    url: 'https://hook.example',
    nouns: '[]',
    owner_id: app.admin.id,
    secret: 'x',
    since_event: 0,
    ...old,
  })
  const delivery = await added('webhook_deliveries', {
    webhook_id: webhook.id,
    owner_id: app.admin.id,
    message: 'm',
    type: 't',
    noun: 'project',
    subject_id: 1,
    kind: 'put',
    audience: 'admin',
    action: 'a',
    occurred_at: OLD,
    status: 'sent',
    not_before: OLD,
    created_at: OLD,
    sent_at: OLD,
    ended_at: OLD,
  })
  const plan = await added('quota_plans', {
    project_id,
    survey_id: survey.id,
    state: 'ended',
    total: 10,
    mode: 'exact',
    overage_percent: 0,
    hold_minutes: 30,
    silent_minutes: 8,
    unknown: 'refuse',
    ...old,
  })
  const total = { plan_id: plan.id, dimension_id: null, position: 0, name: 'Total', conditions: '{}', target: 10, ceiling: 10 }
  await added('quota_cells', total)
  const decision = await added('quota_decisions', {
    plan_id: plan.id,
    version: 1,
    rid: 'r',
    partner_id: 0,
    outcome: 'admitted',
    reason: '',
    free: '{}',
    profile: '{}',
    at: OLD,
  })
  const arrived = await added('field_sessions', {
    ...{ rid: 'r', survey_id: survey.id, project_id, link_id: 1, partner_id: partner.id, pid: '', early: '', test: 0 },
    ...{ state: 'complete', reason: '', entered_at: OLD, updated_at: OLD, ip: '', device_hash: '', profile: '{}' },
  })
  const line = await added('history', {
    subject: 'project',
    subject_id: project_id,
    project_id,
    action: 'project.edit',
    origin: 'client',
    at: OLD,
  })
  await db
    .insertInto('vip_awards')
    .values({
      experience_id: vip.id,
      email: 'a@index.test',
      email_key: 'a@index.test',
      awarded_by: null,
      created_at: OLD,
      withdrawn_at: null,
    })
    .execute()
  const respondent = {
    survey_id: survey.id,
    respondent_id: 'one',
    project_id,
    outcome: 'complete',
    at: OLD,
    cell: 0,
    marital: 0,
    children: 0,
    taken_on: 18_000,
  }
  await db
    .insertInto('respondents')
    .values([
      respondent,
      { ...respondent, respondent_id: 'older', taken_on: null },
      { ...respondent, survey_id: elsewhere.id },
    ] as never)
    .execute()

  await fill('clients', { id: client_id }, { name: `'Client ' || n`, updated_at: `'${OLD}'` })
  await fill('users', user, { email: `'copy' || n || '@index.test'` })
  await fill('teams', team, { name: `'Team ' || n` })
  for (const one of [project, request]) await fill('projects', one, { name: `'Project ' || n` })
  await fill('projects', project, { name: `'Child ' || n`, parent_id: String(project_id) })
  await fill('quotes', quote, { revision: 'n + 1' })
  await fill('proffers', proffer, { round: 'n + 1' })
  await fill('activities', activity, { project_id: String(project_id) })
  await fill('surveys', elsewhere)
  await fill('rewards', reward)
  await fill('entries', entry, { email: `'copy' || n || '@index.test'`, email_key: `'copy' || n || '@index.test'` })
  for (const one of Object.values(imports)) await fill('imports', one)
  await fill('user_activities', content)
  await fill('files', file, { storage_key: `'made/' || n` })
  await fill('files', file, { storage_key: `'media/' || n`, kind: `'media'` })
  await fill('places', place)
  await fill('location_groups', group, { name: `'Group ' || n` })
  await fill('vip_experiences', vip, { name: `'Experience ' || n` })
  await fill('vip_awards', { where: `email_key = 'a@index.test'` }, { email_key: `'copy' || n` })
  await fill('brands', brand, { name: `'Copied brand ' || n`, name_key: `'copied brand ' || n` })
  await fill('services', service, { name: `'Copied service ' || n`, name_key: `'copied service ' || n` })
  await fill('mails', mail)
  await fill('jobs', job)
  await fill('webhook_deliveries', delivery)
  await fill('history', line)
  await fill('quota_decisions', decision)
  await fill('field_sessions', arrived, { rid: "'r' || n" })
  for (const one of ['one', 'older'])
    await fill('respondents', { where: `respondent_id = '${one}'` }, { respondent_id: `'${one}' || n` })
  if (app.services.database.engine === 'postgres') await sql`analyze`.execute(db)

  const ofProject = { id: project_id }
  const ofClient = { id: client_id, client_id }
  const ofGroup = { id: group.id, location_group_id: group.id }
  inputs = {
    'user.listOfClient': ofClient,
    'client.groups': ofClient,
    'client.locationGroups': ofClient,
    'client.teams': ofClient,
    'client.users': ofClient,
    'team.users': { id: team.id },
    'team.usersOlder': { id: team.id },
    'team.ofUser': { id: user.id },
    'team.projects': { id: team.id },
    'team.history': { id: team.id },
    'project.ofClient': ofClient,
    'project.history': ofProject,
    'note.list': ofProject,
    'message.list': ofProject,
    'note.listOfCampaign': { id: request.id },
    'activity.ofProject': ofProject,
    'question.list': { id: survey.id },
    'runtime.rewards': { surveyId: survey.id },
    'reward.ofProject': ofProject,
    'reward.importRows': { id: imports.reward.id },
    'entry.list': ofProject,
    'content.place': { id: content.id, project_id },
    'content.list': { project_id },
    'content.respondents': { id: activity_id },
    'content.listOlder': { activity_id: acts.id },
    'content.comments': ofProject,
    'file.assets': ofProject,
    'file.documents': ofProject,
    'file.media': ofProject,
    'offer.list': ofProject,
    'group.history': ofGroup,
    'group.locations': ofGroup,
    'group.searchLocations': ofGroup,
    'activity.availableGroups': { id: acts.id },
    'import.rows': { id: imports.location.id },
    'vip.list': ofProject,
    'vip.searchInProject': ofProject,
    'award.list': ofProject,
    'quota.decisions': { id: plan.id },
    'notification.readers': { id: notification.id },
    'brand.history': { id: brand.id },
    'service.history': { id: service.id },
  }
}, 240_000)

const fieldsOf = ({ input }: Call) => z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }).properties ?? {}
const lists = (Object.entries(calls) as [CallId, Call][])
  .filter(([, call]) => call.method === 'GET' && 'updated_since' in fieldsOf(call))
  .map(([id]) => id)

/** The statements of one call that compare with the moment. */
async function statementsOf(id: CallId, more: Fields = {}): Promise<CompiledQuery[]> {
  return statementsWith(app, sinceOf(id), async () => {
    const { url } = requestOf(id, { ...inputs[id], ...more, updated_since: sinceOf(id) })
    const answer = await app.as('admin').raw('GET', url)
    expect(answer.status, answer.text).toBe(200)
  })
}

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}
/** How many rows PostgreSQL read from tables. */
function rowsRead(node: Node): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const own = node['Relation Name'] ? (node['Actual Rows'] + removed) * node['Actual Loops'] : 0
  return (node.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), own)
}

/**
 * Steps of a plan on SQLite that read more of a filled table than a range of moments, or a row by a unique key.
 * Other names are those of reads within a row, or of one record's links.
 */
function wideSteps(steps: readonly string[]): string[] {
  const made = steps.flatMap((step) => /^(?:CO-ROUTINE|MATERIALIZE) (\w+)/.exec(step)?.[1] ?? [])
  return steps.filter((step) => {
    const table = /^(?:SCAN|SEARCH) (\w+)/.exec(step)?.[1] ?? ''
    return (
      filled.has(table) &&
      !made.includes(table) &&
      !/rowid=\?|>\?\)|KEY \(team_id=\?|INDEX ix_projects_deleted$|INDEX (ux|sqlite_autoindex)_|ix_surveys_13 /.test(step)
    )
  })
}

/** What is wrong with a statement's plan; empty if it reads next to nothing, because nothing has changed. */
async function faultsOf(query: CompiledQuery): Promise<string[]> {
  const isPostgres = app.services.database.engine === 'postgres'
  const how = isPostgres ? 'explain (analyze, format json)' : 'explain query plan'
  const { rows } = await app.db.executeQuery({ ...query, sql: `${how} ${query.sql}` } as never)
  if (!isPostgres) return wideSteps((rows as { detail: string }[]).map(({ detail }) => detail))
  const [{ Plan: plan }] = (rows as { 'QUERY PLAN': [{ Plan: Node }] }[])[0]!['QUERY PLAN']
  const read = rowsRead(plan)
  return read > READ_AT_MOST ? [`${read} rows read: ${JSON.stringify(plan)}`] : []
}

describe('updated_since', () => {
  test('belongs to dozens of lists, and no other list is excepted here', () => {
    expect(lists.length).toBeGreaterThan(75)
    expect(lists).toEqual(expect.arrayContaining(Object.keys(WITHOUT)))
  })

  test.each(lists.filter((id) => !(id in WITHOUT)))('of %s reads an index where nothing has changed', async (id) => {
    const statements = await statementsOf(id)
    expect(statements).not.toEqual([])
    for (const statement of statements) expect(await faultsOf(statement), statement.sql).toEqual([])
  })
})
