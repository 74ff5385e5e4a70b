import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, inject, test } from 'vitest'
import { RELEASE } from '../../server/core/release.ts'
import { connect, type Database } from '../../server/db/connect.ts'
import { migrate, migrationNames, oneWayMigrations } from '../../server/db/migrate.ts'
import { ENDINGS } from '../../server/domain/endings.ts'
import { recordBackup } from '../../server/domain/lastBackup.ts'
import { runCli } from '../support/cli.ts'
import { engine, freshDatabase } from '../support/engine.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
let here: Record<string, string>
beforeAll(async () => {
  app = await fieldwork()
  const { dataDir, databaseUrl } = app.services.settings
  here = { DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) }
})
const doctor = (settings: Record<string, string>, args: string[] = []) => runCli('doctor', args, settings)

test('says how everything is, a line each, and is well', async () => {
  const at = new Date().toISOString()
  await recordBackup(here.DATABASE_URL ? { url: here.DATABASE_URL } : { file: join(here.DATA_DIR!, 'fieldwork.db') }, at)
  const { code, out, err } = await doctor(here)
  expect([code, err]).toEqual([0, ''])
  const lines = out.trim().split('\n')
  for (const line of lines) expect(line).toMatch(/^(ok {3}|LOOK ) /)
  for (const part of [
    `Fieldwork ${RELEASE} on Node ${process.version}`,
    `DATA_DIR=${here.DATA_DIR}`,
    engine === 'postgres' ? /PostgreSQL \d+\.\d+.*, role \w+, .*, 0 replicas\./ : /SQLite 3\./,
    'None is pending.',
    'Of 0 files that were looked for, 0 have no content',
    `is of ${at}`,
    'SMTP_URL is not set: emails stay in the Outbox.',
    /mails: .*0 rows; kept 400 days \(KEEP_DAYS=mails=400\)\./,
    /history: .*; kept for good \(HISTORY_YEARS=0\)\./,
  ])
    expect(out).toMatch(part)
  const growing = Object.values(ENDINGS).filter((ending) => !/^(a|its) (record|count|use|parent|day)$/.test(ending)).length
  expect(lines.filter((line) => line.includes(' grows '))).toHaveLength(growing)
  if (engine === 'postgres') expect(out).toMatch(/clock +0\.\d s from the database’s/)
}, 30_000)

test('names each thing that is wrong, with exit code 2, and shows no secret', async () => {
  const project = await app.make.project({ client_id: app.client.id })
  await app.make.file({ project_id: project.id, storage_key: 'uploads/2026-11/gone.png', uploaded_by: app.admin.id })
  const folder = mkdtempSync(join(inject('scratch'), 'doctor-'))
  mkdirSync(join(folder, 'open'))
  const file = join(folder, 'fieldwork.env')
  writeFileSync(file, 'SMTP_URL=smtp://somebody:secret@127.0.0.1:1\nSIGNING_KEY=secret-secret-secret-secret-secret-secret\n')
  const places = { FILES_URL: `file://${folder}/open`, PUBLIC_URL: 'https://127.0.0.1:1' }
  const { code, out, err } = await doctor({ ...here, ...places }, ['--env-file', file])
  expect([code, err]).toEqual([2, ''])
  expect(out).toMatch(/^WRONG mail .*ECONNREFUSED/m)
  expect(out).toMatch(/^WRONG files +Of 1 files that were looked for, 1 have no content in the store\./m)
  expect(out).toMatch(/^WRONG sender +Emails come from support@fieldwork\.test\./m)
  expect(out).toMatch(/^LOOK {2}certificate +PUBLIC_URL \(127\.0\.0\.1:1\): not seen; .*ECONNREFUSED/m)
  expect(out).toContain('SMTP_URL=smtp://127.0.0.1:1 (file)')
  expect(out).toContain('3 things are wrong.')
  expect(out).not.toContain('secret')
}, 30_000)

test('says before an upgrade what it runs, and that a database of release 0.1 can’t be upgraded', async () => {
  const there = (await freshDatabase()) as Record<string, string>
  mkdirSync(there.DATA_DIR!, { recursive: true })
  const where = there.DATABASE_URL ? { url: there.DATABASE_URL } : { file: join(there.DATA_DIR!, 'fieldwork.db') }
  const within = async (work: (database: Database) => Promise<unknown>) => {
    const database = connect(where)
    await work(database)
    const oneWay = await oneWayMigrations(database)
    await database.close()
    return oneWay
  }
  if (engine === 'postgres')
    expect((await doctor(there)).out).toMatch(/^LOOK {2}migrations +The database is empty: the first start runs all \d+\.$/m)
  const [baseline, ...later] = migrationNames(engine)
  expect(await within((database) => migrate(database, { to: baseline! }))).toEqual([])
  const next = later.length
    ? `LOOK  migrations       The next start runs ${later.length}: ${later.join(', ')}. The older release can be started again.`
    : 'ok    migrations       None is pending.'
  expect((await doctor(there)).out.replaceAll(/ +/g, ' ')).toContain(next.replaceAll(/ +/g, ' '))
  await within(({ db }) => sql`update kysely_migration set name = '0001-foundation' where name = ${baseline}`.execute(db))
  const older = await doctor(there)
  expect([older.code, older.out]).toEqual([
    2,
    expect.stringMatching(/^WRONG migrations +This database was made by release 0\.1/m),
  ])
}, 60_000)

test('ends with 1 where the settings can’t be read', async () => {
  const { code, out, err } = await doctor({ ...here, PORT: 'x' })
  expect([code, out, err]).toEqual([1, '', 'PORT must be a number from 0 to 65535, not "x".\n'])
})
