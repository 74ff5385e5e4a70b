import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toHttpError } from '../../server/core/httpErrors.ts'
import { connect, type Database, transact } from '../../server/db/connect.ts'
import { CommitUnknown } from '../../server/db/dbErrors.ts'
import { migrate } from '../../server/db/migrate.ts'
import { engine } from '../support/engine.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'

describe.runIf(engine === 'postgres')('a database among several', () => {
  let primary: Postgres
  let replica: Postgres
  let database: Database
  let admin: pg.Client
  let url: string
  beforeAll(async () => {
    const started = await startPostgres()
    if ('reason' in started) throw new Error(started.reason)
    primary = started
    url = await primary.url('failover')
    database = connect({ url, poolSize: 2, patience: 60_000 })
    await migrate(database)
    replica = await primary.standby()
    admin = new pg.Client(primary.adminUrl)
    await admin.connect()
  })
  afterAll(async () => {
    await admin?.end()
    await database?.close()
    await replica?.stop()
    await primary?.stop()
  })

  const write = (to: Database, key: string) =>
    transact(to, (tx) => tx.insertInto('meta').values({ key, value: 'written' }).execute())
  /** A write's error as a caller gets it, or null. */
  const errorOf = async (to: Database, work: Promise<unknown>) => {
    const error = await work.then(
      () => null,
      (error: unknown) => error,
    )
    return error === null ? null : { error, answer: toHttpError(to, error) }
  }

  test('a write that reaches a replica is a 503 with Retry-After, and its connection isn’t used again', async () => {
    const other = new URL(replica.adminUrl)
    other.pathname = '/failover'
    const demoted = connect({ url: other.href, poolSize: 1 })
    const backend = async () =>
      (await demoted.onOneSession((db) => db.selectNoFrom((eb) => eb.fn<number>('pg_backend_pid').as('pid')).execute()))[0]!.pid
    try {
      const before = await backend()
      expect(await backend()).toBe(before)
      const result = await errorOf(demoted, write(demoted, 'to a replica'))
      expect(result!.answer).toMatchObject({ status: 503, code: 'database_away', more: { retry_after: 2 } })
      expect(await backend()).not.toBe(before)
    } finally {
      await demoted.close()
    }
  })

  test('of two writes that wait for each other one is a 503 with Retry-After, and the other is made', async () => {
    await write(database, 'one')
    await write(database, 'two')
    const both = Promise.withResolvers<void>()
    let begun = 0
    const change = (first: string, second: string) =>
      // Without the two retries of `transact`, after which a caller is told.
      database.db.transaction().execute(async (tx) => {
        await tx.updateTable('meta').set({ value: first }).where('key', '=', first).execute()
        if (++begun === 2) both.resolve()
        await both.promise
        await tx.updateTable('meta').set({ value: first }).where('key', '=', second).execute()
      })
    const results = await Promise.all([errorOf(database, change('one', 'two')), errorOf(database, change('two', 'one'))])
    expect(results.filter((result) => result === null)).toHaveLength(1)
    const refused = results.find((result) => result !== null)!
    expect(refused.answer).toMatchObject({ status: 503, code: 'collided', more: { retry_after: 1 } })
  })

  describe('whose commits wait for a replica that isn’t there', () => {
    beforeAll(async () => {
      await admin.query('alter database failover set synchronous_commit = on')
      await admin.query(`alter system set synchronous_standby_names = 'nobody'`)
      await admin.query('select pg_reload_conf()')
    })
    afterAll(async () => {
      await admin.query('alter system reset synchronous_standby_names')
      await admin.query('select pg_reload_conf()')
    })
    const waiting = async () =>
      (await admin.query<{ pid: number }>(`select pid from pg_stat_activity where wait_event = 'SyncRep'`)).rows.map(
        ({ pid }) => pid,
      )

    test('a commit that stops waiting isn’t acknowledged: it may or may not be saved', async () => {
      const work = connect({ url, poolSize: 1, patience: 60_000 })
      const result = errorOf(work, write(work, 'cancelled'))
      await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(1)
      await admin.query(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
      expect((await result)!.error).toBeInstanceOf(CommitUnknown)
      expect((await result)!.answer).toMatchObject({ status: 503, code: 'in_doubt' })
      await work.close()
    })

    test('a commit that waits for good gets a response, and so do those behind it', async () => {
      const work = connect({ url, poolSize: 2, patience: 60_000 })
      const first = errorOf(work, write(work, 'endless'))
      await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(1)
      const behind = errorOf(work, write(work, 'endless'))
      expect((await first)!.error).toBeInstanceOf(CommitUnknown)
      expect((await behind)!.answer).toMatchObject({ status: 503, code: 'too_slow' })
      // Outside a transaction the statement is its own commit.
      const alone = await errorOf(work, work.db.insertInto('meta').values({ key: 'alone', value: 'written' }).execute())
      expect(alone!.answer).toMatchObject({ status: 503, code: 'database_away' })
      await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
      await work.close()
    }, 30_000)
  })
})
