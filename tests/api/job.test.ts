import { beforeAll, describe, expect, test } from 'vitest'
import type { RunningJob } from '../../server/jobs/jobs.ts'
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
async function exported(
  who: Person,
  source: 'projects' | 'campaigns' | 'clients' | 'users' | 'entries' | 'responses',
  filter: Record<string, unknown> = {},
) {
  const started = await who.call('export.start', { source, filter })
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
    for (const source of ['clients', 'users', 'entries'] as const)
      expect((await client().call('export.start', { source })).status).toBe(403)
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
