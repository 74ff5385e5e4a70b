import { beforeAll, describe, expect, test } from 'vitest'
import { exportColumns } from '../../contract/exportColumns.ts'
import { EXPORT_COLUMNS, type ExportName } from '../../contract/exports.ts'
import { KINDS } from '../../server/jobRegistry.ts'
import { unzipped } from '../support/unzipped.ts'
import { exported } from './exporting.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh, person, send } from './surveyed.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const client = () => app.as('client')

describe('exports', () => {
  test('return a job whose file has a row per record', async () => {
    const before = await app.db
      .selectFrom('clients')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    const { job, text } = await exported(app, admin(), 'clients')
    expect(job).toMatchObject({ status: 'done', done: Number(before.n), total: Number(before.n) })
    expect(text.trimEnd().split('\r\n')).toHaveLength(Number(before.n) + 1)
  })

  test('cover more than one page', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    await app.make.entries(Array.from({ length: 2201 }, () => ({ project_id: project.id, email: 'many@mail.test' })))
    expect((await exported(app, admin(), 'entries', { project_id: project.id })).rows()).toBe(2201)
  })

  test('of administrators’ lists are refused to client users', async () => {
    for (const source of ['clients', 'users', 'entries', 'mails', 'teams', 'groups'] as const)
      expect((await client().call('export.start', { source })).status).toBe(403)
  })

  test('of administrators’ lists open no more to who has become a client user', async () => {
    const user = await app.make.user({ role: 'admin' })
    const before = await app.signIn(user)
    const { job, text } = await exported(app, before, 'clients')
    expect(text).toContain('Acme Beverage')
    await app.db.updateTable('users').set({ role: 'client' }).where('id', '=', user.id).execute()
    await app.db.insertInto('user_clients').values({ client_id: app.client.id, user_id: user.id }).execute()
    const now = await app.signIn(user)
    expect((await now.call('job.get', { id: job.id })).status).toBe(404)
    expect((await now.call('job.link', { id: job.id })).status).toBe(404)
    expect((await app.as('stranger').raw('GET', job.download!)).status).toBe(404)
  })

  test('have exactly the requested columns, in order', async () => {
    const { text } = await exported(app, admin(), 'clients', {}, ['projects_count', 'name', 'projects_count'])
    expect(text.split('\r\n')[0]).toBe('\uFEFFProjects,Name')
    expect(text.split('\r\n')[1]).toMatch(/^\d+,[^,]+$/)
    expect((await admin().call('export.start', { source: 'clients', columns: ['password'] })).status).toBe(422)
  })

  test('have every field by name when no columns are requested', async () => {
    const { id } = await app.make.project({ client_id: app.client.id })
    const ids: Partial<Record<ExportName, object>> = {
      entries: { project_id: id },
      teams: { client_id: app.client.id },
      groups: { id: app.client.id },
    }
    for (const source of ['projects', 'users', 'teams', 'groups', 'entries', 'jobs', 'mails'] as const) {
      const { text } = await exported(app, admin(), source, { ...ids[source] })
      expect(text.split('\r\n')[0], source).toBe(`\uFEFF${Object.values(EXPORT_COLUMNS[source]).join(',')}`)
    }
  })

  test('of jobs, mails, teams and location lists have what their lists show, in the same order', async () => {
    const { id } = app.client
    for (const [name, at] of [
      ['b team', 1],
      ['A team', 2],
      ['C crew', 3],
    ] as const) {
      const created_at = `2026-01-0${at}T00:00:00.000Z`
      await app.make.team({ client_id: id, name, created_at })
      await app.make.group({ client_id: id, name, created_at })
      const body = 'https://a.link/that-opens'
      await app.make.mail({ to_address: `${at}@mail.test`, subject: name, body, about: 'a test', created_at })
    }
    const names = (text: string) => text.trimEnd().split('\r\n').slice(1)
    const sorted = { search: 'team', column: 'name', order: 'desc' } as const
    const teams = (await admin().call('client.teams', { id, ...sorted })).body.data
    expect(teams.map((row) => row.name)).toEqual(['b team', 'A team'])
    expect(names((await exported(app, admin(), 'teams', { client_id: id, ...sorted }, ['name'])).text)).toEqual([
      'b team',
      'A team',
    ])
    expect(names((await exported(app, admin(), 'groups', { id, ...sorted }, ['name', 'locations_count'])).text)).toEqual([
      'b team,0',
      'A team,0',
    ])
    const mails = await exported(app, admin(), 'mails', { search: 'team', column: 'to_address', order: 'asc' }, [
      'subject',
      'status',
    ])
    expect(names(mails.text)).toEqual(['b team,Not sent', 'A team,Not sent'])
    expect((await exported(app, admin(), 'mails', { search: 'team' })).text).not.toContain('a.link')
    const jobs = (await client().call('job.list', { column: 'created_at', order: 'asc', per_page: 500 })).body.data
    const own = names((await exported(app, client(), 'jobs', { column: 'created_at', order: 'asc' }, ['id'])).text)
    expect(own.slice(0, jobs.length)).toEqual(jobs.map((job) => String(job.id)))
    expect(own.length).toBe(jobs.length + 1)
  })

  test('of selected rows have only those', async () => {
    const teams = (await admin().call('client.teams', { id: app.client.id, search: 'team' })).body.data
    const { text } = await exported(app, admin(), 'teams', { client_id: app.client.id, ids: [teams[1]!.id] }, ['id'])
    expect(text.trimEnd().split('\r\n').slice(1)).toEqual([String(teams[1]!.id)])
  })

  test('put visible columns first, and omit the others on request', () => {
    expect(exportColumns(EXPORT_COLUMNS.clients, ['users_count', 'trend', 'name']).slice(0, 3)).toEqual([
      'users_count',
      'name',
      'id',
    ])
    expect(exportColumns(EXPORT_COLUMNS.clients, ['users_count', 'trend', 'name']).length).toBe(
      Object.keys(EXPORT_COLUMNS.clients).length,
    )
    expect(exportColumns(EXPORT_COLUMNS.clients, ['users_count', 'trend', 'name'], true)).toEqual(['users_count', 'name'])
  })

  test('also come as a workbook with the same rows', async () => {
    const started = await admin().call('export.start', { source: 'clients', filter: {}, columns: ['id', 'name'], format: 'xlsx' })
    await app.services.jobs.settled(started.body.data.id, 10_000)
    const job = (await admin().call('job.get', { id: started.body.data.id })).body.data
    expect(job.result.file_name).toMatch(/^Clients-.*\.xlsx$/)
    const { rawPayload, headers } = await app.app.inject({ method: 'GET', url: job.download! })
    expect(headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    expect(headers['content-disposition']).toMatch(/^attachment; filename="Clients-.*\.xlsx"/)
    const sheet = unzipped(rawPayload).get('xl/worksheets/sheet1.xml')!
    const { rows } = await exported(app, admin(), 'clients')
    expect(sheet.match(/<row>/g)).toHaveLength(Number(rows()) + 1)
    expect(sheet).toContain('Acme Beverage')
    expect((await admin().call('export.start', { source: 'clients', format: 'pdf' } as never)).status).toBe(422)
  })

  test('say which part of the filter is wrong', async () => {
    const answer = await admin().call('export.start', { source: 'entries', filter: { project_id: 'all' } })
    expect(answer.status).toBe(422)
    expect(answer.body.fields).toHaveProperty('project_id')
  })

  test('hold only what the caller can see', async () => {
    await app.make.project({ client_id: app.client.id, name: 'Ours to see' })
    await app.make.project({ client_id: (await app.make.client()).id, name: 'Not ours' })
    const { text } = await exported(app, client(), 'projects')
    expect(text).toContain('Ours to see')
    expect(text).not.toContain('Not ours')
  })

  test('put children under their parent', async () => {
    const parent = await app.make.project({ client_id: app.client.id, name: 'Zebra parent', generation: 'campaign' })
    await app.make.project({ client_id: app.client.id, name: 'Somebody else', generation: 'campaign' })
    await app.make.project({ client_id: app.client.id, name: 'Zebra child', generation: 'campaign', parent_id: parent.id })
    const { text } = await exported(app, client(), 'campaigns')
    const names = text.split('\r\n').map((line) => line.split(',')[1])
    expect(names.indexOf('Zebra child')).toBe(names.indexOf('Zebra parent') + 1)
  })

  test('of responses contain no personal data for client users', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    await app.make.survey({ project_id: project.id })
    expect((await exported(app, client(), 'responses', { project_id: project.id })).text).not.toMatch(/IP|Latitude|hash/)
    expect((await exported(app, admin(), 'responses', { project_id: project.id })).text).toMatch(/IP/)
  })

  test('of a campaign stream directly, and only to those who see it', async () => {
    const mine = await app.make.project({ client_id: app.client.id, generation: 'campaign' })
    const foreign = await app.make.project({ client_id: (await app.make.client()).id, generation: 'campaign' })
    expect((await client().call('campaign.exportCsv', { id: mine.id })).headers['content-type']).toContain('text/csv')
    expect((await client().call('campaign.exportCsv', { id: foreign.id })).status).toBe(404)
  })
})

test('several answers can be told apart in one cell or in columns, and headings differ', async () => {
  const { project, survey } = await fresh(app)
  const options = JSON.stringify(['Bar; pub', 'Home'])
  const where = await app.make.question({ survey_id: survey.id, name: 'Where', answer_type: 'multiple', options })
  const one = await app.make.question({ survey_id: survey.id, name: 'Best', answer_type: 'single', options })
  for (const name of ['Same', 'same']) await app.make.question({ survey_id: survey.id, name, answer_type: 'open', options: '[]' })
  await send(app, survey.id, [
    person({ respondent_id: '2026-05-01', answers: { [where.id]: ['Bar; pub', 'Home'], [one.id]: 'Bar; pub' } }),
    person({ respondent_id: '2026-05-02', answers: { [where.id]: 'Bar; pub' } }),
    person({ respondent_id: '2026-05-03', answers: { [where.id]: ['Home', 'At "Joe’s"'] } }),
  ])
  for (const source of ['responses', 'report'] as const) {
    const cell = (await exported(app, admin(), source, { project_id: project.id })).text
    expect(cell.split('\r\n')[0]).toMatch(/,Where,Best,Same,same \(2\)/)
    expect(cell).toMatch(/"""Bar; pub""; Home",Bar; pub,/)
    expect(cell).toMatch(/"""Bar; pub""",,/)
    expect(cell).toMatch(/"Home; ""At """"Joe’s"""""""/)
    const columns = (await exported(app, admin(), source, { project_id: project.id, answers: 'columns' })).text
    expect(columns.split('\r\n')[0]).toContain(',Where: Bar; pub,Where: Home,Where: other answers,Best,')
    expect(columns).toMatch(/yes,yes,,Bar; pub,/)
    expect(columns).toMatch(/yes,no,,,/)
    expect(columns).toMatch(/no,yes,"""At """"Joe’s"""""""/)
  }
  expect((await exported(app, admin(), 'datamap', { project_id: project.id })).text).toContain('"""Bar; pub""; Home"')
  const wrong = { source: 'responses', filter: { project_id: project.id, answers: 'rows' } } as const
  expect((await admin().call('export.start', wrong)).status).toBe(422)
})

test('an exported file is kept for a week', async () => {
  const { job } = await exported(app, admin(), 'clients')
  await app.write((tx) =>
    tx
      .updateTable('files')
      .set({ created_at: '2020-01-01T00:00:00.000Z' })
      .where('id', '=', Number(job.result.file_id))
      .execute(),
  )
  await KINDS.export?.sweep?.(app.services)
  expect((await app.as('stranger').raw('GET', job.download ?? '')).status).toBe(404)
  expect((await admin().call('job.link', { id: job.id })).status).toBe(404)
})
