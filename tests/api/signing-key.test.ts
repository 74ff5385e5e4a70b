import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { describe, expect, inject, test } from 'vitest'
import { restoreBackup } from '../../server/backup/load.ts'
import { writeBackup } from '../../server/backup/writeBackup.ts'
import { type Secrets, secretsOf } from '../../server/core/secrets.ts'
import { readSettings, SettingsError } from '../../server/core/settings.ts'
import { KEY_FILE, putKeyRows, readKeyRows, rotateSigningKey } from '../../server/core/signingKey.ts'
import { connect, transact } from '../../server/db/connect.ts'
import { migrate } from '../../server/db/migrate.ts'
import { openFiles } from '../../server/files/fileStore.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { runCli } from '../support/cli.ts'
import { engine, migratedDatabase } from '../support/engine.ts'

type Place = Awaited<ReturnType<typeof migratedDatabase>>
const OLD = 'a-key-of-an-older-release-that-lay-in-the-database'
const inAWeek = () => Math.floor(Date.now() / 1000) + 7 * 86_400
const linkOf = (secrets: Secrets) => secrets.sign('download', '7', inAWeek())
const opens = (secrets: Secrets, link: string, days = 0) =>
  secrets.open('download', link, new Date(Date.now() + days * 86_400_000)) === '7'
const whereOf = (place: Place) =>
  place.DATABASE_URL ? { url: place.DATABASE_URL } : { file: join(place.DATA_DIR, 'fieldwork.db') }

/** The secrets with which a server started here signs links and opens them. */
async function started(place: Place, more: Record<string, string> = {}): Promise<Secrets> {
  const services = await createServices(
    readSettings({ ...place, NODE_ENV: 'test', DEMO: 'none', ...more }),
    pino({ level: 'silent' }),
  )
  await closeServices(services)
  return services.secrets
}
async function withDatabase<T>(place: Place, work: (database: ReturnType<typeof connect>) => Promise<T>): Promise<T> {
  const database = connect(whereOf(place))
  try {
    await migrate(database)
    return await work(database)
  } finally {
    await database.close()
  }
}
/** What an older release did on its first start. */
const keepOldKey = (place: Place) =>
  withDatabase(place, (database) => transact(database, (tx) => putKeyRows(tx, { key: OLD, before: null })))
const files = (place: Place) => openFiles({ dataDir: place.DATA_DIR, filesUrl: null })

describe('the key that signs links', () => {
  test('of an older release stays valid: its links open, and on SQLite the key moves from the database to a file', async () => {
    const place = await migratedDatabase()
    await keepOldKey(place)
    const link = linkOf(secretsOf([OLD]))
    expect(opens(await started(place), link)).toBe(true)
    expect(opens(await started(place), link)).toBe(true)
    const rows = await withDatabase(place, ({ db }) => readKeyRows(db))
    if (engine === 'postgres') return expect(rows?.key).toBe(OLD)
    expect(rows).toBeNull()
    const path = join(place.DATA_DIR, KEY_FILE)
    expect(readFileSync(path, 'utf8')).toBe(`${OLD}\n`)
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
    // The older release starts again, signs with a new key, and is then replaced.
    await withDatabase(place, (database) => transact(database, (tx) => putKeyRows(tx, { key: `${OLD}-2`, before: null })))
    const back = await started(place)
    expect(opens(back, link)).toBe(true)
    expect(opens(back, linkOf(secretsOf([`${OLD}-2`])))).toBe(true)
    expect(opens(secretsOf([OLD]), linkOf(back))).toBe(true)
  })

  test('is created once and stays the same at every start, even for a second process', async () => {
    const place = await migratedDatabase()
    const link = linkOf(await started(place))
    expect(opens(await started(place), link)).toBe(true)
    const other = engine === 'postgres' ? { ...place, DATA_DIR: mkdtempSync(join(inject('scratch'), 'other-')) } : place
    expect(opens(await started(other), link)).toBe(true)
  })

  test('can come from the environment: the first signs, the others only open, and no other key works', async () => {
    const place = await migratedDatabase()
    const [first, second] = ['1'.repeat(40), '2'.repeat(40)]
    const earlier = linkOf(await started(place))
    const secrets = await started(place, { SIGNING_KEY: `${first}, ${second}` })
    expect(opens(secretsOf([first]), linkOf(secrets))).toBe(true)
    expect(opens(secrets, linkOf(secretsOf([second])))).toBe(true)
    expect(opens(secrets, earlier)).toBe(false)
    expect(() => readSettings({ SIGNING_KEY: 'too-short' })).toThrow(SettingsError)
    expect(() => readSettings({ SIGNING_KEY: 'too-short' })).not.toThrow(/too-short/)
  })

  test('is changed by a command: old links end at once, or when they expire', async () => {
    const place = await migratedDatabase()
    const first = linkOf(await started(place))
    expect(await runCli('signing-key', ['--rotate', '--keep-links'], place)).toMatchObject({ code: 0 })
    const earlier = await started(place)
    expect(opens(earlier, first)).toBe(true)
    const second = linkOf(earlier)
    expect(await runCli('signing-key', ['--rotate'], place)).toMatchObject({ code: 0 })
    const fresh = await started(place)
    expect([opens(fresh, first), opens(fresh, second), opens(fresh, linkOf(fresh))]).toEqual([false, false, true])
    const refused = await runCli('signing-key', ['--rotate'], { ...place, SIGNING_KEY: '1'.repeat(40) })
    expect(refused).toMatchObject({
      code: 1,
      err: 'The key is in SIGNING_KEY. Change it there, with the new one first, and restart.\n',
    })
  })

  test('from before opens nothing once its links have expired', async () => {
    const place = await migratedDatabase()
    await started(place)
    await withDatabase(place, (database) =>
      rotateSigningKey(database, place.DATA_DIR, true, new Date(Date.now() - 15 * 86_400_000)),
    )
    const secrets = await started(place)
    const row = engine === 'postgres' ? await withDatabase(place, ({ db }) => readKeyRows(db)) : null
    const old = row?.before?.key ?? readFileSync(join(place.DATA_DIR, KEY_FILE), 'utf8').split('\n')[1]!.split(' ')[0]!
    expect(opens(secrets, linkOf(secretsOf([old])))).toBe(false)
  })

  test('is part of a backup, and replaces the one where it is restored', async () => {
    const here = await migratedDatabase()
    const link = linkOf(await started(here))
    const path = join(mkdtempSync(join(inject('scratch'), 'kept-')), 'all.tar.gz')
    await writeBackup(whereOf(here), await files(here), path)
    const sqlite: Place = { DATA_DIR: mkdtempSync(join(inject('scratch'), 'there-')) }
    const foreign = linkOf(await started(sqlite))
    for (const there of [await migratedDatabase(), sqlite]) {
      const how = { where: whereOf(there), files: await files(there), replace: true, resume: false }
      await restoreBackup(path, how)
      const secrets = await started(there)
      expect(opens(secrets, link)).toBe(true)
      expect(opens(secrets, foreign)).toBe(false)
      expect(existsSync(join(there.DATA_DIR, KEY_FILE))).toBe(!there.DATABASE_URL)
    }
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
  })
})
