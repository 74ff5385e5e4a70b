import { mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import { beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { logTo } from '../../server/core/log.ts'
import { readSettings } from '../../server/core/settings.ts'
import { connect } from '../../server/db/connect.ts'
import { payThrough } from '../../server/domain/payout/provider.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { engine } from '../support/engine.ts'
import { makers } from '../support/makers.ts'
import { createDatabase } from '../support/postgres.ts'
import { startServer } from '../support/server.ts'
import { mountSmallDisk, smallDisk } from '../support/small-disk.ts'
import { signedIn } from './calling.ts'
import { callsTo, listenTo } from './outside.ts'
import { type Fieldwork, fieldwork } from './support.ts'

const FULL = { code: 'disk_full', message: expect.stringContaining('The server’s disk is full. Nothing was changed') }
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (one) => one.isFile() && /uploads|exports/.test(one.parentPath),
  ).length

describe('a full database', () => {
  let app: Fieldwork
  let project: { id: number }
  beforeAll(async () => {
    app = await fieldwork({}, 'fatal')
    project = await app.make.project({ client_id: app.client.id })
  })

  /** Makes inserts fail: by SQLite's own limit, or by PostgreSQL's disk error. */
  async function fill(): Promise<() => Promise<unknown>> {
    const { db } = app.services.database
    if (engine === 'sqlite') {
      await sql`pragma max_page_count = 1`.execute(db)
      // Uses up the free room in existing pages.
      for (let size = 4000; size >= 10; size = Math.floor(size / 2)) while ((await note('x'.repeat(size))).status === 200) {}
      return () => sql`pragma max_page_count = 4294967294`.execute(db)
    }
    await sql`create function no_room() returns trigger language plpgsql as $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(
      db,
    )
    for (const table of ['history', 'notes', 'jobs', 'payouts'])
      await sql`create trigger no_room before insert on ${sql.table(table)} execute function no_room()`.execute(db)
    return () => sql`drop function no_room() cascade`.execute(db)
  }
  const note = (text: string) => app.as('admin').call('note.create', { project_id: project.id, note: text })
  const countOf = async (table: 'notes' | 'history') =>
    Number(
      (
        await app.db
          .selectFrom(table)
          .select((eb) => eb.fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    )

  test('refuses writes with its own message, changes nothing, still reads, and recovers with room', async () => {
    const free = await fill()
    const before = [await countOf('notes'), await countOf('history')]
    const refused = await note(`too much ${'x'.repeat(9000)}`)
    expect(refused).toMatchObject({ status: 507, body: FULL })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect([await countOf('notes'), await countOf('history')]).toEqual(before)
    // A read records that a user was seen after a minute; a full disk mustn't fail it.
    const later = app.services.now
    app.services.now = () => new Date(Date.now() + 120_000)
    expect((await app.as('admin').call('project.list', {})).status).toBe(200)
    app.services.now = later
    expect((await app.as('stranger').raw('GET', '/healthz')).status).toBe(200)
    await free()
    expect((await note('room again')).status).toBe(200)
  })

  test('interrupts a payout, which continues later and pays each reward once', async () => {
    const paid: number[] = []
    let free: (() => Promise<unknown>) | null = null
    payThrough({
      async pay(payments) {
        const fresh = payments.filter((payment) => !paid.includes(payment.key))
        paid.push(...fresh.map((payment) => payment.key))
        // The payment succeeds, but there is no room to record it.
        free ??= await fill()
        return payments.map(({ key }) => ({ key, paid: `L-${key}` }))
      },
    })
    onTestFinished(() => payThrough(null))
    // Enough of them to make their history too large.
    await app.make.entries(Array.from({ length: 150 }, (_, at) => ({ project_id: project.id, email: `w${at}@mail.test` })))
    const ids = (await app.db.selectFrom('entries').select('id').orderBy('id').execute()).map((row) => row.id)
    expect((await app.as('admin').call('entry.redeem', { ids, confirm_repeats: true })).status).toBe(200)
    await app.write((tx) =>
      tx.updateTable('jobs').set({ not_before: new Date().toISOString() }).where('kind', '=', 'payout').execute(),
    )
    app.services.jobs.wake()
    await vi.waitFor(() => expect(free).not.toBe(null), { timeout: 8000 })
    await delay(300)
    await free!()
    const states = () => app.db.selectFrom('entries').select('status').where('id', 'in', ids).execute()
    await vi.waitFor(async () => expect((await states()).filter((row) => row.status === 'sent')).toHaveLength(150), {
      timeout: 15_000,
    })
    expect(paid.sort((a, b) => a - b)).toEqual(ids)
    const job = () =>
      app.db.selectFrom('jobs').select(['status', 'attempts']).where('kind', '=', 'payout').executeTakeFirstOrThrow()
    // The rewards are settled a moment before the job is.
    await vi.waitFor(async () => expect(await job()).toEqual({ status: 'done', attempts: 1 }), { timeout: 8000 })
  }, 40_000)
})

/** Fills a folder before its server starts; returns an administrator's headers. */
async function filled(env: Record<string, string>, rewards = 0) {
  const services = await createServices(readSettings({ ...env, NODE_ENV: 'test', DEMO: 'none' }), pino({ level: 'silent' }))
  const make = makers(services)
  const client = await make.client()
  const project = await make.project({ client_id: client.id })
  const survey = await make.survey({ project_id: project.id })
  await make.entries(
    Array.from({ length: rewards }, (_, at) => ({ project_id: project.id, email: `winner.with.a.long.name.${at}@mail.test` })),
  )
  const headers = await signedIn(services, await make.user({ role: 'admin', email: 'admin@fieldwork.test' }))
  await closeServices(services)
  return { project: project.id, survey: survey.id, headers }
}
const uploadOf = (size: number): RequestInit => {
  const body = new FormData()
  body.append('file', new Blob([Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(size)])]), 'big.png')
  return { method: 'POST', body }
}
const people = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    respondent_id: `r${from + at}`,
    outcome: 'completes',
    at: new Date(Date.now() - 60_000).toISOString(),
  }))

describe.runIf(engine === 'sqlite')('a server whose disk is full', () => {
  test('says so, keeps what it acknowledged, corrupts nothing, and recovers by itself', async ({ skip }) => {
    const disk = smallDisk(12)
    if (!disk) return skip('neither mount nor prlimit')
    onTestFinished(disk.remove)
    const env = { DATA_DIR: disk.folder, DEMO: 'none', LOG_LEVEL: 'fatal' }
    const world = await filled(env)
    const server = await startServer(env)
    onTestFinished(server.kill)
    const { call, ask } = callsTo(server.url, world.headers)
    const ear = await listenTo(server.url, world.headers)
    const note = (at: number) => call('note.create', { project_id: world.project, note: `note ${at} ${'x'.repeat(3000)}` })
    const accepted: number[] = []
    expect((await note(0)).status).toBe(200)
    accepted.push(0)

    disk.fill(server.pid)
    let serial = 1
    for (; serial < 200; serial++) {
      const answer = await note(serial)
      if (answer.status !== 200) {
        expect(answer).toMatchObject({ status: 507, body: FULL })
        break
      }
      accepted.push(serial)
    }
    expect(serial).toBeLessThan(200)
    expect(await call('runtime.ingest', { surveyId: world.survey, rows: people(0, 500) })).toMatchObject({
      status: 507,
      body: FULL,
    })
    // Larger than the socket buffer: the response must arrive although not everything was read.
    for (const size of [300_000, 6_000_000])
      expect(await ask('/v3/portal/files', uploadOf(size))).toMatchObject({ status: 507, body: FULL })
    expect(filesIn(disk.folder)).toBe(0)
    expect((await call('project.list')).status).toBe(200)
    expect((await ask('/healthz')).status).toBe(200)

    disk.free(server.pid)
    expect((await note(1000)).status).toBe(200)
    accepted.push(1000)
    expect((await call('runtime.ingest', { surveyId: world.survey, rows: people(0, 500) })).body.data).toMatchObject({
      added: 500,
      repeated: 0,
    })
    expect((await ask('/v3/portal/files', uploadOf(300_000))).status).toBe(200)
    await vi.waitFor(() => expect(ear.events.filter((event) => event.noun === 'note')).toHaveLength(accepted.length))
    expect(ear.open).toBe(true)
    ear.stop()
    await server.stop()

    const database = connect({ file: join(disk.folder, 'fieldwork.db') })
    onTestFinished(database.close)
    const notes = await database.db.selectFrom('notes').select('note').orderBy('id').execute()
    expect(notes.map(({ note }) => Number(note.split(' ')[1]))).toEqual(accepted)
    const { completes } = await database.db
      .selectFrom('day_cells')
      .select((eb) => eb.fn.sum('completes').as('completes'))
      .where('cell', '=', -1)
      .executeTakeFirstOrThrow()
    expect(Number(completes)).toBe(500)
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(database.db)
    expect(rows).toEqual([{ integrity_check: 'ok' }])
  }, 60_000)

  test('fails an export for lack of room, leaves no partial file, and completes it on retry', async ({ skip }) => {
    const disk = smallDisk(12)
    if (!disk) return skip('neither mount nor prlimit')
    onTestFinished(disk.remove)
    const env = {
      DATA_DIR: mkdtempSync(join(inject('scratch'), 'export-')),
      FILES_URL: `file://${disk.folder}`,
      DEMO: 'none',
      LOG_LEVEL: 'fatal',
    }
    const world = await filled(env, 30_000)
    const server = await startServer(env)
    onTestFinished(server.kill)
    const { call } = callsTo(server.url, world.headers)
    disk.fill(server.pid, 2_000_000)
    const { body } = await call('export.start', { source: 'entries', filter: { project_id: world.project } })
    const job = async () => (await call('job.get', { id: body.data.id })).body.data
    await vi.waitFor(async () => expect((await job()).status).toBe('failed'), { timeout: 15_000 })
    expect(await job()).toMatchObject({ error: 'The server’s disk is full. Retry when there is room.', retryable: true })
    expect(filesIn(disk.folder)).toBe(0)
    disk.free(server.pid)
    await call('job.retry', { id: body.data.id })
    await vi.waitFor(async () => expect((await job()).status).toBe('done'), { timeout: 15_000 })
    expect((await job()).result.rows).toBe(30_000)
    expect(filesIn(disk.folder)).toBe(1)
  }, 120_000)
})

describe.runIf(engine === 'postgres')('a PostgreSQL whose disk is full', () => {
  test('is distinguished from an unreachable one, and recovers by itself', async ({ skip }) => {
    const admin = inject('postgres')
    const disk = new URL(admin).searchParams.get('host')?.startsWith('/') ? mountSmallDisk(64) : null
    if (!disk) return skip('nothing may be mounted here, or this PostgreSQL is not ours')
    const url = await createDatabase(admin, `small_${process.pid}`, disk.folder)
    onTestFinished(async () => {
      const control = connect({ url: admin, poolSize: 1 })
      await sql.raw(`drop database "small_${process.pid}" with (force)`).execute(control.db)
      await sql.raw(`drop tablespace "small_${process.pid}"`).execute(control.db)
      await control.close()
      await disk.remove()
    })
    const app = await fieldwork({ DATABASE_URL: url }, 'fatal')
    const { id: project_id } = await app.make.project({ client_id: app.client.id })
    const note = (text: string) => app.as('admin').call('note.create', { project_id, note: text })
    disk.fill(0)
    let accepted = 0
    let answer = await note('x'.repeat(7000))
    for (; answer.status === 200 && accepted < 3000; accepted++) answer = await note('x'.repeat(7000))
    expect(answer).toMatchObject({ status: 507, body: FULL })
    expect((await app.as('admin').call('note.list', { id: project_id })).status).toBe(200)
    disk.free(0)
    expect((await note('room again')).status).toBe(200)
    const { n } = await app.db
      .selectFrom('notes')
      .select((eb) => eb.fn.countAll().as('n'))
      .executeTakeFirstOrThrow()
    expect(Number(n)).toBe(accepted + 1)
  }, 60_000)
})

test('an unwritable log loses lines, says so, and stops nothing', () => {
  let room = true
  const written: string[] = []
  const log = logTo(7, (_fd, text) => {
    if (!room) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    written.push(text.toString())
    return text.length
  })
  log.write('one\n')
  room = false
  log.write('two\n')
  log.write('three\n')
  room = true
  log.write('four\n')
  log.write('five\n')
  expect(written).toEqual(['one\n', expect.stringMatching(/^\n.*2 lines of this log were lost.*\nfour\n$/), 'five\n'])
})
