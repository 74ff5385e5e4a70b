import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toHttpError } from '../../server/core/httpErrors.ts'
import { connect, type Database, transact } from '../../server/db/connect.ts'
import { CommitUnknown } from '../../server/db/dbErrors.ts'
import { migrate } from '../../server/db/migrate.ts'
import { inBackground } from '../../server/db/statementTag.ts'
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

  describe('with short limits', () => {
    const background = { lock: 20_000, statement: 30_000 }
    /** One with a short limit for locks and commits, and one for statements. */
    let work: Database
    let hasty: Database
    beforeAll(() => {
      work = connect({ url, poolSize: 2, patience: 30_000, waits: { commit: 2000, lock: 2000, background } })
      hasty = connect({ url, poolSize: 2, patience: 1000, waits: { commit: 20_000, lock: 20_000, background } })
    })
    afterAll(async () => {
      await work.close()
      await hasty.close()
    })
    const slowly = (to: Database, key: string, seconds: number) =>
      sql`insert into meta (key, value) select ${key}, 'written' from pg_sleep(${seconds})`.execute(to.db)
    const value = async (key: string) =>
      (await database.db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value
    /** Changes a row while somebody else holds it for a second. */
    const behindAnother = async (change: () => Promise<unknown>) => {
      const held = Promise.withResolvers<void>()
      const other = database.db.transaction().execute(async (tx) => {
        await tx.updateTable('meta').set({ value: 'held' }).where('key', '=', 'contested').execute()
        held.resolve()
        await sql`select pg_sleep(3)`.execute(tx)
      })
      await held.promise
      const result = await errorOf(work, change())
      await other
      return result
    }

    test('a write outside a transaction takes longer than its commit may', async () => {
      expect(await errorOf(work, slowly(work, 'slow', 2.5))).toBe(null)
      expect(await value('slow')).toBe('written')
    })

    test('a statement of a job, and one that reads, take longer than those of a call may', async () => {
      expect((await errorOf(hasty, slowly(hasty, 'too slow', 1.5)))!.answer).toMatchObject({ status: 503, code: 'too_slow' })
      expect(await value('too slow')).toBe(undefined)
      await inBackground('job 1 export', async () => {
        expect(await errorOf(hasty, slowly(hasty, 'slow job', 1.5))).toBe(null)
        expect(await errorOf(hasty, sql`select pg_sleep(1.5)`.execute(hasty.db))).toBe(null)
        expect(
          await errorOf(
            hasty,
            transact(hasty, (tx) => sql`select pg_sleep(1.5)`.execute(tx)),
          ),
        ).toBe(null)
      })
      expect(await value('slow job')).toBe('written')
      // Its limit ends with it.
      expect((await errorOf(hasty, sql`select pg_sleep(1.5)`.execute(hasty.db)))!.answer).toMatchObject({ code: 'too_slow' })
    })

    test('a call waits for a lock as long as it may, and a job longer', async () => {
      await write(database, 'contested')
      const change = () => work.db.updateTable('meta').set({ value: 'mine' }).where('key', '=', 'contested').execute()
      expect((await behindAnother(change))!.answer).toMatchObject({ status: 503, code: 'too_slow' })
      expect(await value('contested')).toBe('held')
      expect(await inBackground('job 1 export', () => behindAnother(change))).toBe(null)
      expect(await value('contested')).toBe('mine')
    })
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
      // Outside a transaction too the statement is done, and its commit waits.
      const alone = await errorOf(work, work.db.insertInto('meta').values({ key: 'alone', value: 'written' }).execute())
      expect(alone!.answer).toMatchObject({ status: 503, code: 'in_doubt' })
      await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
      await work.close()
    }, 30_000)
  })
})
