import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { ANONYMOUS } from '../../server/core/caller.ts'
import type { RunningJob } from '../../server/core/context.ts'
import { asSystem } from '../../server/core/unitOfWork.ts'
import { KINDS } from '../../server/jobRegistry.ts'
import { exported } from './exporting.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const client = () => app.as('client')

const start = (run: (job: RunningJob) => Promise<object>, caller = ANONYMOUS, kind = `test ${Math.random()}`) => {
  app.services.jobs.define(kind, { run })
  return asSystem(app.services, 'test', caller, (ctx) => app.services.jobs.add(ctx, { kind, title: 'A test', input: { n: 1 } }))
}

describe('jobs', () => {
  test('belong to their user; administrators see all', async () => {
    const { job } = await exported(app, admin(), 'clients')
    expect((await client().call('job.get', { id: job.id })).status).toBe(404)
    expect((await client().call('job.cancel', { id: job.id })).status).toBe(404)
    const own = (await exported(app, client(), 'projects')).job
    expect((await admin().call('job.get', { id: own.id })).body.data.created_by_name).toBe('Cleo Client')
  })

  test('can be cancelled while running, and notice it', async () => {
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

  test('can be restarted after a cancel as requested, once', async () => {
    const { id } = (await admin().call('export.start', { source: 'clients', filter: {} })).body.data
    await admin().call('job.cancel', { id })
    const cancelled = (await admin().call('job.get', { id })).body.data
    // It may have finished before the cancel.
    if (cancelled.status === 'done') await app.db.updateTable('jobs').set({ status: 'failed' }).where('id', '=', id).execute()
    const both = await Promise.all([admin().call('job.retry', { id }), admin().call('job.retry', { id })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await app.services.jobs.settled(id, 10_000)).status).toBe('done')
  })

  test('of another user can’t be restarted', async () => {
    const { id } = (await admin().call('export.start', { source: 'clients', filter: {} })).body.data
    expect((await client().call('job.retry', { id })).status).toBe(404)
  })

  test('that pay are never restarted', async () => {
    const { id } = await asSystem(app.services, 'test', ANONYMOUS, (ctx) =>
      app.services.jobs.add(ctx, { kind: 'payout', title: 'A payout', input: {}, notBefore: '2099-01-01T00:00:00.000Z' }),
    )
    await app.db.updateTable('jobs').set({ status: 'failed' }).where('id', '=', id).execute()
    const answer = await admin().call('job.retry', { id })
    expect([answer.status, (await admin().call('job.get', { id })).body.data]).toMatchObject([
      409,
      { status: 'failed', retryable: false },
    ])
  })

  test('are refused with the list’s disabled reason', async () => {
    const stateOf = async (kind: string, status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled') => {
      const { id } = await asSystem(app.services, 'test', ANONYMOUS, (ctx) =>
        app.services.jobs.add(ctx, { kind, title: `${kind} ${status}`, input: {}, notBefore: '2099-01-01T00:00:00.000Z' }),
      )
      const beat_at = app.services.now().toISOString()
      await app.write((tx) =>
        tx.updateTable('jobs').set({ status, worker: 'another process', beat_at }).where('id', '=', id).execute(),
      )
      return id
    }
    for (const kind of ['export', 'payout'])
      for (const status of ['queued', 'running', 'done', 'failed', 'cancelled'] as const) {
        const id = await stateOf(kind, status)
        const { allowed_actions, refused_actions } = (await admin().call('job.get', { id })).body.data
        expect([...allowed_actions, ...Object.keys(refused_actions)].sort()).toEqual(['job.cancel', 'job.link', 'job.retry'])
        for (const [action, why] of Object.entries(refused_actions)) {
          const answer = await admin().call(action as 'job.cancel', { id })
          expect([kind, status, action, answer.status, answer.body.message]).toEqual([
            kind,
            status,
            action,
            409,
            `${why[0]!.toUpperCase()}${why.slice(1)}.`,
          ])
        }
        expect((await admin().call('job.get', { id })).body.data.status).toBe(status)
      }
  })

  test('can’t be cancelled once ended', async () => {
    const { job } = await exported(app, admin(), 'clients')
    expect((await admin().call('job.cancel', { id: job.id })).status).toBe(409)
  })

  test('report a failure without internals', async () => {
    const job = await start(async () => {
      throw new Error('secret detail')
    })
    const ended = await app.services.jobs.settled(job.id, 5000)
    expect(ended.status).toBe('failed')
    expect(ended.error).not.toContain('secret')
  })

  test('restart after their process died, and fail with a reason after the third time', async () => {
    let runs = 0
    const kind = 'fragile'
    app.services.jobs.define(kind, { run: async () => ({ runs: ++runs }) })
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
    app.services.jobs.wake()
    expect((await app.services.jobs.settled(once?.id ?? 0, 5000)).status).toBe('done')
    expect(await app.services.jobs.settled(thrice?.id ?? 0, 5000)).toMatchObject({
      status: 'failed',
      error: 'The server stopped 3 times while it ran.',
    })
    expect(runs).toBe(1)
  })

  test('report progress at most four times a second', async () => {
    const { db } = app
    const began = performance.now()
    const job = await start(async (running) => {
      for (let at = 1; at <= 100; at++) {
        running.progress(at, 100)
        await delay(5)
      }
      return {}
    })
    expect(await app.services.jobs.settled(job.id, 20_000)).toMatchObject({ done: 100, total: 100 })
    const quarters = Math.ceil((performance.now() - began) / 250)
    const events = await db.selectFrom('events').select('id').where('noun', '=', 'job').where('subject_id', '=', job.id).execute()
    // Plus its start, its first message and its end.
    expect(events.length).toBeLessThanOrEqual(quarters + 4)
  })

  test('fail if their user is gone', async () => {
    const user = await app.make.user({ role: 'admin' })
    const record = await app.db.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
    await app.write((tx) =>
      tx.updateTable('users').set({ deleted_at: new Date().toISOString() }).where('id', '=', user.id).execute(),
    )
    const job = await start(async () => ({}), {
      ...ANONYMOUS,
      user: record,
      actor: { id: user.id, role: 'admin', admin_id: null },
    })
    expect((await app.services.jobs.settled(job.id, 5000)).error).toBe('Its owner no longer has an account.')
  })
})

describe('exports of one user', () => {
  test('are limited to ten at a time, even if requested at once, with a message; one that ends makes room', async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => (open = resolve))
    app.services.jobs.define('export', { run: () => gate.then(() => ({})) })
    const start = () => client().call('export.start', { source: 'projects', filter: {} })
    const answers = await Promise.all(Array.from({ length: 14 }, start))
    const taken = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 409)
    expect([taken.length, refused.length]).toEqual([10, 4])
    expect(refused[0]!.body).toMatchObject({
      code: 'too_many_exports',
      message: '10 exports are still waiting or running. Wait for one to end, or cancel one under Jobs.',
    })
    expect((await admin().call('export.start', { source: 'projects', filter: {} })).status).toBe(200)
    open()
    for (const { body } of taken) await app.services.jobs.settled(body.data.id, 20_000)
    expect((await start()).status).toBe(200)
    app.services.jobs.define('export', KINDS.export!)
  })

  test('don’t block others: four hundred of a client user wait, and an administrator’s comes next', async () => {
    const order: number[] = []
    let open = () => {}
    const gate = new Promise<void>((resolve) => (open = resolve))
    app.services.jobs.define('taking turns', {
      async run(job) {
        order.push(Number((job.input as { by: number }).by))
        await gate
        return {}
      },
    })
    const add = (by: number, count: number) =>
      app.write((tx) =>
        tx
          .insertInto('jobs')
          .values(
            Array.from({ length: count }, () => ({
              kind: 'taking turns',
              title: 'A turn',
              input: JSON.stringify({ by }),
              status: 'queued' as const,
              result: '{}',
              error: '',
              created_by: by,
              created_at: '2026-01-01T00:00:00.000Z',
              not_before: '2026-01-01T00:00:00.000Z',
            })),
          )
          .execute(),
      )
    await add(app.member.id, 400)
    await add(app.admin.id, 1)
    app.services.jobs.wake()
    await expect.poll(() => order.length).toBe(2)
    expect([...order].sort()).toEqual([app.member.id, app.admin.id].sort())
    await app.write((tx) => tx.deleteFrom('jobs').where('kind', '=', 'taking turns').where('status', '=', 'queued').execute())
    open()
  })
})
