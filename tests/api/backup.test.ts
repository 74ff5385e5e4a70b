import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import pino from 'pino'
import { beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { restoreBackup } from '../../server/backup/load.ts'
import { readBackup } from '../../server/backup/readBackup.ts'
import { openSnapshot } from '../../server/backup/snapshot.ts'
import { LEFT_OUT, writeBackup } from '../../server/backup/writeBackup.ts'
import { ANONYMOUS } from '../../server/core/caller.ts'
import { readSettings } from '../../server/core/settings.ts'
import { asSystem } from '../../server/core/unitOfWork.ts'
import { connect, type Database } from '../../server/db/connect.ts'
import { queueMail } from '../../server/domain/mail/outbox.ts'
import { claimForPaying, payoutKind } from '../../server/domain/payout/payout.ts'
import { payThrough } from '../../server/domain/payout/provider.ts'
import { rollUp } from '../../server/domain/visit/rollups.ts'
import { openFiles } from '../../server/files/fileStore.ts'
import { buildApp } from '../../server/http/app.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { engine, freshDatabase } from '../support/engine.ts'
import { makers } from '../support/makers.ts'
import { startServer } from '../support/server.ts'
import { signedIn } from './calling.ts'
import { type Fieldwork, fieldwork } from './support.ts'

type Place = Awaited<ReturnType<typeof freshDatabase>>
const whereOf = (place: Place) =>
  place.DATABASE_URL ? { url: place.DATABASE_URL } : { file: join(place.DATA_DIR, 'fieldwork.db') }
const filesOf = (place: Place) => openFiles({ dataDir: place.DATA_DIR, filesUrl: null })
const restored = async (path: string, place: Place, more: { replace?: boolean; resume?: boolean } = {}) =>
  restoreBackup(path, { where: whereOf(place), files: await filesOf(place), replace: false, resume: false, ...more })
async function looking<T>(place: Place, look: (database: Database) => Promise<T>): Promise<T> {
  const database = connect(whereOf(place))
  try {
    return await look(database)
  } finally {
    await database.close()
  }
}

let app: Fieldwork
let here: Place
let folder: string
let survey: { id: number }
let deleted: { id: number; name: string }
const content = randomBytes(300_000)
const hashOf = (data: Uint8Array) => createHash('sha256').update(data).digest('hex')
const KEY = 'uploads/2026-11/a-picture-of-somebody.png'

let serial = 0
const people = (count: number) =>
  Array.from({ length: count }, () => ({
    respondent_id: `r${++serial}`,
    outcome: 'completes',
    at: new Date(Date.now() - 3_600_000).toISOString(),
  }))
const send = async (count: number) => {
  const answer = await app.as('admin').call('runtime.ingest', { surveyId: survey.id, rows: people(count) })
  expect(answer.status, answer.text).toBe(200)
}

beforeAll(async () => {
  app = await fieldwork()
  const { dataDir, databaseUrl } = app.services.settings
  here = { DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) }
  folder = mkdtempSync(join(inject('scratch'), 'backups-'))
  const project = await app.make.project({ client_id: app.client.id, name: 'Ünïcode   "quoted"' })
  survey = await app.make.survey({ project_id: project.id })
  await app.services.files.put(KEY, content, 'image/png')
  await app.make.file({ project_id: project.id, storage_key: KEY, size: content.length, uploaded_by: app.admin.id })
  await send(50)
  deleted = await app.make.team({ client_id: app.client.id, name: 'Deleted before' })
  await app.as('admin').call('team.addUsers', { team_id: deleted.id, user_ids: [app.member.id] })
  expect((await app.as('admin').call('team.remove', { id: deleted.id })).status).toBe(200)
  const { id } = await app.make.service({ brand_id: (await app.make.brand()).id, start_dt: '2025-01-01' })
  const rows = ['2025-06-30T23:59:59Z', '2025-07-01T00:00:00Z', '2025-10-11T12:00:00Z'].map((at) => ({
    ...{ service_id: id, device: 'phone', venue: 'shop', at, dma: 501 },
  }))
  expect((await app.as('admin').call('visit.ingest', { rows })).status).toBe(200)
  // The job would roll up by itself, between a backup and the comparison with its source.
  await rollUp(app.services, new Date().toISOString().slice(0, 10))
})
const backup = async (name: string) => {
  const path = join(folder, name)
  return { path, manifest: await writeBackup(whereOf(here), await filesOf(here), path) }
}
/** Every row of every table, as sorted text. */
const everything = (place: Place, tables: readonly string[]) =>
  looking(place, async ({ db }) => {
    const all: Record<string, string[]> = {}
    for (const table of tables) {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)
      // The signing key is a row on PostgreSQL and a file on SQLite; tests/api/signing-key.test.ts covers it.
      const expected = rows.filter((row) => table !== 'change_sets' || row.removes === 1)
      const same = expected.filter((row) => table !== 'meta' || !String(row.key).startsWith('signing_key'))
      const shown = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value)
      const entries = same.map((row) => Object.entries(row).map(([column, value]) => [column, shown(value)]))
      all[table] = entries.map((row) => JSON.stringify(row.sort())).sort()
    }
    return all
  })

describe('a backup', () => {
  test('restores into an empty place, identical row by row and byte by byte', async () => {
    const { path, manifest } = await backup('whole.tar.gz')
    const there = await freshDatabase()
    await restored(path, there, { resume: true })
    const tables = Object.keys(manifest.tables)
    expect(tables.length).toBeGreaterThan(35)
    expect(await everything(there, tables)).toEqual(await everything(here, tables))
    const chunks: Uint8Array[] = []
    for await (const piece of await (await filesOf(there)).read(KEY)) chunks.push(piece as Uint8Array)
    expect(hashOf(Buffer.concat(chunks))).toBe(hashOf(content))
  })

  test.runIf(engine === 'postgres')('moves between engines and back, identical row by row', async () => {
    const { path, manifest } = await backup('across.tar.gz')
    const sqlite = { DATA_DIR: mkdtempSync(join(inject('scratch'), 'across-')) }
    await restored(path, sqlite, { resume: true })
    const tables = Object.keys(manifest.tables)
    expect(await everything(sqlite, tables)).toEqual(await everything(here, tables))
    const second = join(folder, 'back.tar.gz')
    const again = await writeBackup(whereOf(sqlite), await filesOf(sqlite), second)
    const back = await freshDatabase()
    await restored(second, back, { resume: true })
    expect(await everything(back, tables)).toEqual(await everything(here, tables))
    expect([manifest.engine, again.engine]).toEqual(['postgres', 'sqlite'])
    // PostgreSQL also lists sequences that never assigned an id.
    const given = Object.entries(manifest.sequences).filter(([, last]) => last > 0)
    expect(again.sequences).toEqual(Object.fromEntries(given))
  })

  test('restored during a payout pays nothing twice, and reuses no key known to the provider', async () => {
    // A provider outside our database, like a real one: it pays a key once and remembers it.
    const paid = new Set<number>()
    const asked: number[] = []
    payThrough({
      async pay(payments) {
        for (const { key } of payments) {
          asked.push(key)
          paid.add(key)
        }
        return payments.map(({ key }) => ({ key, paid: `L-${key}` }))
      },
    })
    onTestFinished(() => payThrough(null))
    const project = await app.make.project({ client_id: app.client.id })
    const claimed = { project_id: project.id, status: 'processing' as const, claimed_at: '2020-01-01T00:00:00.000Z' }
    const { id: open } = await app.make.entry(claimed)
    const { id: noted } = await app.make.entry(claimed)
    const at = new Date().toISOString()
    await app.write((tx) =>
      tx
        .insertInto('payouts')
        .values({ entry_id: noted, provider_id: 1, amount_cents: 1000, email: '', reference: 'L', at })
        .execute(),
    )
    const { path } = await backup('paying.tar.gz')
    // After the backup, the provider pays the open one and a later one.
    const { id: later } = await app.make.entry({ project_id: project.id })
    for (const id of [open, later]) paid.add(id)

    const there = await freshDatabase()
    await restored(path, there)
    const services = await createServices(readSettings({ ...there, NODE_ENV: 'test', DEMO: 'none' }), pino({ level: 'error' }))
    onTestFinished(() => closeServices(services))
    const entry = (id: number) =>
      services.database.db.selectFrom('entries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    await payoutKind.sweep?.(services)
    await vi.waitFor(async () => expect((await entry(noted)).status).toBe('sent'), { timeout: 8000 })
    expect(await entry(open)).toMatchObject({ status: 'pending', reason: expect.stringContaining('may have been paid since') })
    expect(asked).toEqual([])
    const fresh = await makers(services).entry({ project_id: project.id })
    expect(paid.has(fresh.id)).toBe(false)
    // An administrator pays the open one; the provider receives the key it already knows.
    const held = await entry(open)
    await asSystem(services, 'test', ANONYMOUS, (ctx) => claimForPaying(ctx, [held], ctx.now))
    services.jobs.wake()
    await vi.waitFor(async () => expect((await entry(open)).status).toBe('sent'), { timeout: 8000 })
    expect(asked).toEqual([open])
  }, 40_000)

  test('made while results arrive is consistent: its counters match its respondents', async () => {
    let going = true
    const writing = (async () => {
      while (going) {
        await send(20)
        await delay(20)
      }
    })()
    const path = join(folder, 'busy.tar.gz')
    const before = serial
    await writeBackup(whereOf(here), await filesOf(here), path)
    await writeBackup(whereOf(here), await filesOf(here), path)
    const after = serial
    going = false
    await writing
    expect(after).toBeGreaterThan(before)
    const there = await freshDatabase()
    await restored(path, there)
    const [people, counted] = await looking(there, ({ db }) =>
      Promise.all([
        db
          .selectFrom('respondents')
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow(),
        db
          .selectFrom('day_cells')
          .where('cell', '=', -1)
          .select((eb) => eb.fn.sum<number>('completes').as('n'))
          .executeTakeFirstOrThrow(),
      ]),
    )
    expect(Number(counted.n)).toBe(Number(people.n))
    expect(Number(people.n)).toBeGreaterThanOrEqual(before)
  })

  test.runIf(engine === 'postgres')('whose connection breaks fails, and nothing else does', async () => {
    const snapshot = await openSnapshot(whereOf(here))
    await looking(here, ({ db }) =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`.execute(db),
    )
    const rows = snapshot.rows('users')[Symbol.asyncIterator]()
    await expect(rows.next()).rejects.toThrow()
    await expect(snapshot.close()).rejects.toThrow()
  })

  test('holds no session, and is readable only by its owner', async () => {
    const { path, manifest } = await backup('quiet.tar.gz')
    for (const table of LEFT_OUT) expect(Object.keys(manifest.tables)).not.toContain(table)
    expect(statSync(path).mode & 0o077).toBe(0)
  })

  test('contains what restores records deleted before it, and nobody’s other changes', async () => {
    const there = await freshDatabase()
    await restored((await backup('deleted.tar.gz')).path, there)
    const settings = readSettings({ ...there, NODE_ENV: 'test', DEMO: 'none', PUBLIC_URL: 'http://fieldwork.test' })
    const services = await createServices(settings, pino({ level: 'error' }))
    onTestFinished(() => closeServices(services))
    const server = await buildApp(services)
    onTestFinished(() => server.close())
    const { db } = services.database
    const sets = await db.selectFrom('change_sets').select(['call', 'removes']).execute()
    expect(sets).toEqual([{ call: 'team.remove', removes: 1 }])
    expect((await app.db.selectFrom('change_sets').select('id').execute()).length).toBeGreaterThan(1)
    const headers = await signedIn(services, app.admin)
    const answer = await server.inject({ method: 'POST', url: `/v3/portal/teams/${deleted.id}/restore`, headers })
    expect([answer.statusCode, answer.json().message]).toEqual([200, '“Deleted before” was restored, with 1 user.'])
    const members = await db.selectFrom('team_users').select('user_id').where('team_id', '=', deleted.id).execute()
    expect(members).toEqual([{ user_id: app.member.id }])
  })

  test('once restored, doesn’t repeat waiting work, and reuses no id', async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString()
    await app.write(async (tx) => {
      await queueMail(tx, { to: 'late@mail.test', subject: 'Later', text: 'x', about: 'backup', notBefore: at })
      const { id } = await tx
        .insertInto('partners')
        .values({ name: 'Gone', email: '', phone: '', created_at: at, updated_at: at, deleted_at: null })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx.deleteFrom('partners').where('id', '=', id).execute()
    })
    const there = await freshDatabase()
    await restored((await backup('waiting.tar.gz')).path, there)
    await looking(there, async ({ db }) => {
      const mail = await db
        .selectFrom('mails')
        .select(['status', 'error'])
        .where('to_address', '=', 'late@mail.test')
        .executeTakeFirstOrThrow()
      expect(mail).toMatchObject({ status: 'failed', error: expect.stringContaining('Retry it if it wasn’t.') })
      const gone = await app.db
        .selectFrom('partners')
        .select((eb) => eb.fn.max('id').as('id'))
        .executeTakeFirst()
      const next = await db
        .insertInto('partners')
        .values({ name: 'Next', email: '', phone: '', created_at: at, updated_at: at, deleted_at: null })
        .returning('id')
        .executeTakeFirstOrThrow()
      expect(next.id).toBeGreaterThan((gone?.id ?? 0) + 1)
    })
  })

  test('replaces existing records only on request', async () => {
    const { path } = await backup('again.tar.gz')
    const there = await freshDatabase()
    await restored(path, there)
    await looking(there, ({ db }) => db.updateTable('clients').set({ name: 'Changed since' }).execute())
    await expect(restored(path, there)).rejects.toThrow('add --replace')
    await restored(path, there, { replace: true })
    const names = await looking(there, ({ db }) => db.selectFrom('clients').select('name').execute())
    expect(names.map((row) => row.name)).not.toContain('Changed since')
  })

  test('that is truncated, altered or from a newer release is refused before anything is touched', async () => {
    const { path } = await backup('torn.tar.gz')
    const whole = readFileSync(path)
    const there = await freshDatabase()
    const torn = join(folder, 'half.tar.gz')
    writeFileSync(torn, whole)
    truncateSync(torn, Math.floor(whole.length * 0.6))
    await expect(restored(torn, there)).rejects.toThrow('damaged')
    const plain = gunzipSync(whole)
    const name = plain.indexOf('Acme Beverage')
    expect(name).toBeGreaterThan(0)
    plain.write('Evil', name)
    writeFileSync(torn, gzipSync(plain))
    await expect(restored(torn, there)).rejects.toThrow('doesn’t match its manifest')
    const newer = gunzipSync(whole)
    newer.write('9999', newer.lastIndexOf('0044-visit-packs'))
    writeFileSync(torn, gzipSync(newer))
    await expect(restored(torn, there)).rejects.toThrow('by a newer release (9999-visit-packs)')
    writeFileSync(torn, 'no archive at all')
    await expect(readBackup(torn)).rejects.toThrow('damaged')
    await restored(path, there)
  })

  test('starts a server once restored', async () => {
    const there = await freshDatabase()
    await restored((await backup('start.tar.gz')).path, there)
    const server = await startServer({ ...there, DEMO: 'none' } as Record<string, string>)
    const answer = await fetch(`${server.url}/healthz`)
    await server.stop()
    expect(answer.status).toBe(200)
  })
})
