import { beforeAll, describe, expect, test } from 'vitest'
import { EXPORT_COLUMNS, type ExportName, exportColumns } from '../../contract/exports.ts'
import type { RunningJob } from '../../server/jobs/types.ts'
import { KINDS } from '../../server/jobs/kinds.ts'
import { asSystem } from '../../server/mount.ts'
import { NOBODY } from '../../server/nobody.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const client = () => app.as('client')

/** Starts an export, waits for it and reads its file. */
async function exported(who: Person, source: ExportName, filter: Record<string, unknown> = {}, columns?: string[]) {
  const started = await who.call('export.start', { source, filter, ...(columns ? { columns } : {}) })
  expect(started.status).toBe(200)
  await app.house.jobs.settled(started.body.data.id, 10_000)
  const job = (await who.call('job.get', { id: started.body.data.id })).body.data
  return { job, text: (await app.as('stranger').raw('GET', job.download ?? '')).text, rows: () => job.result.rows }
}
const start = (run: (job: RunningJob) => Promise<object>, caller = NOBODY, kind = `test ${Math.random()}`) => {
  app.house.jobs.define(kind, { run })
  return asSystem(app.house, 'test', caller, (ctx) => app.house.jobs.add(ctx, { kind, title: 'A test', input: { n: 1 } }))
}

describe('exports', () => {
  test('answer a job whose file has a row for each record', async () => {
    const before = await app.db
      .selectFrom('clients')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    const { job, text } = await exported(admin(), 'clients')
    expect(job).toMatchObject({ status: 'done', done: Number(before.n), total: Number(before.n) })
    expect(text.trimEnd().split('\r\n')).toHaveLength(Number(before.n) + 1)
  })

  test('go on beyond a page', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    const now = new Date().toISOString()
    const row = {
      project_id: project.id,
      survey_id: null,
      reward_id: null,
      email: 'many@mail.test',
      email_key: 'many@mail.test',
      ip: '',
      amount_cents: 500,
      provider_id: 1,
      status: 'pending' as const,
      reason: '',
      claimed_at: null,
      payout_job: null,
      sent_at: null,
      created_at: now,
      updated_at: now,
    }
    await app.write((tx) =>
      tx
        .insertInto('entries')
        .values(Array.from({ length: 1500 }, () => row))
        .execute(),
    )
    await app.write((tx) =>
      tx
        .insertInto('entries')
        .values(Array.from({ length: 701 }, () => row))
        .execute(),
    )
    expect((await exported(admin(), 'entries', { project_id: project.id })).rows()).toBe(2201)
  })

  test('of lists that are an administrator’s are refused to client users', async () => {
    for (const source of ['clients', 'users', 'entries', 'mails', 'teams', 'groups'] as const)
      expect((await client().call('export.start', { source })).status).toBe(403)
  })

  test('have the columns that were asked for, in their order, and no others', async () => {
    const { text } = await exported(admin(), 'clients', {}, ['projects_count', 'name', 'projects_count'])
    expect(text.split('\r\n')[0]).toBe('\uFEFFProjects,Name')
    expect(text.split('\r\n')[1]).toMatch(/^\d+,[^,]+$/)
    expect((await admin().call('export.start', { source: 'clients', columns: ['password'] })).status).toBe(422)
  })

  test('have every field with its name when no columns are asked for', async () => {
    const { id } = await app.make.project({ client_id: app.client.id })
    const ids: Partial<Record<ExportName, object>> = {
      entries: { project_id: id },
      teams: { id: app.client.id },
      groups: { id: app.client.id },
    }
    for (const source of ['projects', 'users', 'teams', 'groups', 'entries', 'jobs', 'mails'] as const) {
      const { text } = await exported(admin(), source, { ...ids[source] })
      expect(text.split('\r\n')[0], source).toBe(`\uFEFF${Object.values(EXPORT_COLUMNS[source]).join(',')}`)
    }
  })

  test('of jobs, mails, teams and location lists have what their lists show, in the same order', async () => {
    const { id } = app.client
    await app.write(async (tx) => {
      for (const [name, at] of [
        ['b team', 1],
        ['A team', 2],
        ['C crew', 3],
      ] as const) {
        const row = { client_id: id, name, created_at: `2026-01-0${at}T00:00:00.000Z`, updated_at: '' }
        await tx.insertInto('teams').values(row).execute()
        await tx.insertInto('location_groups').values(row).execute()
        await tx
          .insertInto('mails')
          .values({
            to_address: `${at}@mail.test`,
            subject: name,
            body: 'https://a.link/that-opens',
            html: '',
            status: 'outbox',
            about: 'a test',
            error: '',
            attempts: 0,
            not_before: row.created_at,
            created_at: row.created_at,
          })
          .execute()
      }
    })
    const names = (text: string) => text.trimEnd().split('\r\n').slice(1)
    const sorted = { search: 'team', column: 'name', order: 'desc' } as const
    const teams = (await admin().call('client.teams', { id, ...sorted })).body.data
    expect(teams.map((row) => row.name)).toEqual(['b team', 'A team'])
    expect(names((await exported(admin(), 'teams', { id, ...sorted }, ['name'])).text)).toEqual(['b team', 'A team'])
    expect(names((await exported(admin(), 'groups', { id, ...sorted }, ['name', 'locations_count'])).text)).toEqual([
      'b team,0',
      'A team,0',
    ])
    const mails = await exported(admin(), 'mails', { search: 'team', column: 'to_address', order: 'asc' }, ['subject', 'status'])
    expect(names(mails.text)).toEqual(['b team,Kept here', 'A team,Kept here'])
    expect((await exported(admin(), 'mails', { search: 'team' })).text).not.toContain('a.link')
    const jobs = (await client().call('job.list', { column: 'created_at', order: 'asc', per_page: 500 })).body.data
    const own = names((await exported(client(), 'jobs', { column: 'created_at', order: 'asc' }, ['id'])).text)
    expect(own.slice(0, jobs.length)).toEqual(jobs.map((job) => String(job.id)))
    expect(own.length).toBe(jobs.length + 1)
  })

  test('of marked rows have those alone', async () => {
    const teams = (await admin().call('client.teams', { id: app.client.id, search: 'team' })).body.data
    const { text } = await exported(admin(), 'teams', { id: app.client.id, ids: [teams[1]!.id] }, ['id'])
    expect(text.trimEnd().split('\r\n').slice(1)).toEqual([String(teams[1]!.id)])
  })

  test('put what the list shows first, and leave the rest out when only that is wanted', () => {
    expect(exportColumns('clients', ['users_count', 'trend', 'name']).slice(0, 3)).toEqual(['users_count', 'name', 'id'])
    expect(exportColumns('clients', ['users_count', 'trend', 'name']).length).toBe(Object.keys(EXPORT_COLUMNS.clients).length)
    expect(exportColumns('clients', ['users_count', 'trend', 'name'], true)).toEqual(['users_count', 'name'])
  })

  test('say which part of the filter is wrong', async () => {
    const answer = await admin().call('export.start', { source: 'entries', filter: { project_id: 'all' } })
    expect(answer.status).toBe(422)
    expect(answer.body.fields).toHaveProperty('project_id')
  })

  test('hold what the caller sees, and no more', async () => {
    await app.make.project({ client_id: app.client.id, name: 'Ours to see' })
    await app.make.project({ client_id: (await app.make.client()).id, name: 'Not ours' })
    const { text } = await exported(client(), 'projects')
    expect(text).toContain('Ours to see')
    expect(text).not.toContain('Not ours')
  })

  test('put children under their parent', async () => {
    const parent = await app.make.project({ client_id: app.client.id, name: 'Zebra parent', generation: 'campaign' })
    await app.make.project({ client_id: app.client.id, name: 'Somebody else', generation: 'campaign' })
    await app.make.project({ client_id: app.client.id, name: 'Zebra child', generation: 'campaign', parent_id: parent.id })
    const { text } = await exported(client(), 'campaigns')
    const names = text.split('\r\n').map((line) => line.split(',')[1])
    expect(names.indexOf('Zebra child')).toBe(names.indexOf('Zebra parent') + 1)
  })

  test('of responses give a client user no personal data', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    await app.make.survey({ project_id: project.id })
    expect((await exported(client(), 'responses', { project_id: project.id })).text).not.toMatch(/IP|Latitude|hash/)
    expect((await exported(admin(), 'responses', { project_id: project.id })).text).toMatch(/IP/)
  })

  test('of a campaign stream straight, and only to those who see it', async () => {
    const mine = await app.make.project({ client_id: app.client.id, generation: 'campaign' })
    const foreign = await app.make.project({ client_id: (await app.make.client()).id, generation: 'campaign' })
    expect((await client().call('campaign.exportCsv', { id: mine.id })).headers['content-type']).toContain('text/csv')
    expect((await client().call('campaign.exportCsv', { id: foreign.id })).status).toBe(404)
  })
})

test('an exported file is kept for a week', async () => {
  const { job } = await exported(admin(), 'clients')
  await app.write((tx) =>
    tx
      .updateTable('files')
      .set({ created_at: '2020-01-01T00:00:00.000Z' })
      .where('id', '=', Number(job.result.file_id))
      .execute(),
  )
  await KINDS.export?.sweep?.(app.house)
  expect((await app.as('stranger').raw('GET', job.download ?? '')).status).toBe(404)
  expect((await admin().call('job.link', { id: job.id })).status).toBe(404)
})

describe('jobs', () => {
  test('are one’s own; an administrator sees all', async () => {
    const { job } = await exported(admin(), 'clients')
    expect((await client().call('job.get', { id: job.id })).status).toBe(404)
    expect((await client().call('job.cancel', { id: job.id })).status).toBe(404)
    const own = (await exported(client(), 'projects')).job
    expect((await admin().call('job.get', { id: own.id })).body.data.created_by_name).toBe('Cleo Client')
  })

  test('that run are cancelled, and hear of it', async () => {
    let heard = false
    const job = await start(
      (running) =>
        new Promise((_, reject) =>
          running.signal.addEventListener('abort', () => {
            heard = true
            reject(running.signal.reason)
          }),
        ),
    )
    await expect.poll(async () => (await admin().call('job.get', { id: job.id })).body.data.status).toBe('running')
    expect((await admin().call('job.cancel', { id: job.id })).body.data.status).toBe('cancelled')
    await expect.poll(() => heard).toBe(true)
    expect((await admin().call('job.get', { id: job.id })).body.data.status).toBe('cancelled')
  })

  test('that were cancelled are begun again as they were asked for, once', async () => {
    const { id } = (await admin().call('export.start', { source: 'clients', filter: {} })).body.data
    await admin().call('job.cancel', { id })
    const cancelled = (await admin().call('job.get', { id })).body.data
    // It may have been quicker than the cancel.
    if (cancelled.status === 'done') await app.db.updateTable('jobs').set({ status: 'failed' }).where('id', '=', id).execute()
    const both = await Promise.all([admin().call('job.retry', { id }), admin().call('job.retry', { id })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await app.house.jobs.settled(id, 10_000)).status).toBe('done')
  })

  test('of another person are not begun again', async () => {
    const { id } = (await admin().call('export.start', { source: 'clients', filter: {} })).body.data
    expect((await client().call('job.retry', { id })).status).toBe(404)
  })

  test('that pay are never begun again', async () => {
    const { id } = await asSystem(app.house, 'test', NOBODY, (ctx) =>
      app.house.jobs.add(ctx, { kind: 'payout', title: 'A payout', input: {}, notBefore: '2099-01-01T00:00:00.000Z' }),
    )
    await app.db.updateTable('jobs').set({ status: 'failed' }).where('id', '=', id).execute()
    const answer = await admin().call('job.retry', { id })
    expect([answer.status, (await admin().call('job.get', { id })).body.data]).toMatchObject([
      409,
      { status: 'failed', retryable: false },
    ])
  })

  test('that have ended can’t be cancelled', async () => {
    const { job } = await exported(admin(), 'clients')
    expect((await admin().call('job.cancel', { id: job.id })).status).toBe(409)
  })

  test('that fail say so, without the server’s insides', async () => {
    const job = await start(async () => {
      throw new Error('secret detail')
    })
    const ended = await app.house.jobs.settled(job.id, 5000)
    expect(ended.status).toBe('failed')
    expect(ended.error).not.toContain('secret')
  })

  test('begin again after their process died, and end with a reason when that happened three times', async () => {
    let runs = 0
    const kind = 'fragile'
    app.house.jobs.define(kind, { run: async () => ({ runs: ++runs }) })
    const dead = {
      kind,
      title: 'Dead',
      input: '{}',
      status: 'running' as const,
      result: '{}',
      error: '',
      created_by: null,
      created_at: '',
      not_before: '',
      started_at: '',
      worker: 'gone',
      beat_at: '2020-01-01T00:00:00.000Z',
      ended_at: null,
    }
    const [once, thrice] = await app.write((tx) =>
      tx
        .insertInto('jobs')
        .values([
          { ...dead, attempts: 1 },
          { ...dead, attempts: 3 },
        ])
        .returning('id')
        .execute(),
    )
    app.house.jobs.wake()
    expect((await app.house.jobs.settled(once?.id ?? 0, 5000)).status).toBe('done')
    expect(await app.house.jobs.settled(thrice?.id ?? 0, 5000)).toMatchObject({
      status: 'failed',
      error: 'The server stopped 3 times while it ran.',
    })
    expect(runs).toBe(1)
  })

  test('tell how far they are at most four times a second', async () => {
    const { db } = app
    const job = await start(async (running) => {
      for (let at = 1; at <= 100; at++) {
        running.progress(at, 100)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return {}
    })
    expect(await app.house.jobs.settled(job.id, 5000)).toMatchObject({ done: 100, total: 100 })
    const events = await db.selectFrom('events').select('id').where('noun', '=', 'job').where('subject_id', '=', job.id).execute()
    expect(events.length).toBeLessThan(8)
  })

  test('that ask for a person who is gone fail', async () => {
    const user = await app.make.user({ role: 'admin' })
    const record = await app.db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
    await app.write((tx) =>
      tx.updateTable('users').set({ deleted_at: new Date().toISOString() }).where('id', '=', user.id).execute(),
    )
    const job = await start(async () => ({}), { ...NOBODY, user: record, actor: { id: user.id, role: 'admin', admin_id: null } })
    expect((await app.house.jobs.settled(job.id, 5000)).error).toBe('Whoever asked for it has no account any more.')
  })
})
