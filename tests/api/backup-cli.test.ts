import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import pino from 'pino'
import { beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { sweepKilledRestore } from '../../server/backup/load.ts'
import { acquireDataDir } from '../../server/core/dataDirLock.ts'
import { readSettings } from '../../server/core/settings.ts'
import { ADVISORY_LOCKS } from '../../server/db/locked.ts'
import { lastBackup } from '../../server/domain/lastBackup.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { runCli } from '../support/cli.ts'
import { engine, freshDatabase } from '../support/engine.ts'
import { makers } from '../support/makers.ts'
import { signedIn } from './calling.ts'
import { type Fieldwork, fieldwork } from './support.ts'

async function run(command: 'backup' | 'restore', args: string[], settings: Record<string, string | undefined>) {
  const { code, out, err } = await runCli(command, args, settings)
  // Every error is a sentence, never a stack trace.
  expect(err).not.toMatch(/\n {4}at /)
  return { code, out, err }
}

let app: Fieldwork
let here: Record<string, string>
let folder: string
let whole: string
beforeAll(async () => {
  app = await fieldwork()
  const { dataDir, databaseUrl } = app.services.settings
  here = { DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) }
  folder = mkdtempSync(join(inject('scratch'), 'commands-'))
  whole = join(folder, 'whole.tar.gz')
})

describe('npm run backup', () => {
  test('writes one file while the server runs, and says what is in it', async () => {
    const { code, out, err } = await run('backup', [whole], here)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/whole\.tar\.gz: [\d,]+ rows of \d+ tables and 0 files, [\d.]+ [KM]B, in [\d.]+ s\n$/)
    expect(readdirSync(folder)).toEqual(['whole.tar.gz'])
  })

  test('overwrites a file only on request', async () => {
    const before = readFileSync(whole)
    const refused = await run('backup', [whole], here)
    expect(refused).toMatchObject({ code: 1, err: `${whole} already exists. Choose another name, or add --replace.\n` })
    expect(readFileSync(whole).equals(before)).toBe(true)
    expect((await run('backup', [whole, '--replace'], here)).code).toBe(0)
  })

  test('fails without files that the store lacks, lists them, and says what is missing where it was told to go on', async () => {
    const key = 'uploads/2026-11/lost.png'
    const present = 'uploads/2026-11/there.png'
    const project = await app.make.project({ client_id: app.client.id })
    await app.services.files.put(present, 'there', 'image/png')
    const rows = [
      await app.make.file({ project_id: project.id, storage_key: key, uploaded_by: app.admin.id }),
      await app.make.file({ project_id: project.id, storage_key: present, uploaded_by: app.admin.id }),
    ]
    onTestFinished(async () => {
      const ids = rows.map(({ id }) => id)
      await app.write((tx) => tx.deleteFrom('files').where('id', 'in', ids).execute())
    })
    const path = join(folder, 'missing.tar.gz')
    const backedUp = () => lastBackup(app.db)
    const before = await backedUp()
    expect(before).not.toBeNull()
    const failed = await run('backup', [path], here)
    expect([failed.code, failed.out]).toEqual([1, ''])
    expect(failed.err).toMatch(
      /^No backup was written: .* lacks 1 of 2 contents .*--without-missing.*\nuploads\/2026-11\/lost\.png\n$/,
    )
    expect(readdirSync(folder)).toEqual(['whole.tar.gz'])

    const other = mkdtempSync(join(inject('scratch'), 'other-store-'))
    const wrong = await run('backup', [path], { ...here, FILES_URL: `file://${other}` })
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('lacks 2 of 2 contents')])

    const wanted = await run('backup', [path, '--without-missing'], here)
    expect([wanted.code, wanted.err]).toEqual([0, '1 contents are missing from the store and from the backup.\n'])
    expect(await backedUp()).toEqual(before)
    const checked = await run('restore', [path, '--check'], {})
    expect(checked).toMatchObject({ code: 2, out: '' })
    expect(checked.err).toMatch(/^Not whole: .* 1 files of .* 1 of 2 contents that its rows name are not in it\.\n$/)
    const there = (await freshDatabase()) as Record<string, string>
    const restored = await run('restore', [path], there)
    expect([restored.code, restored.err]).toEqual([0, '1 contents that its rows name were not in the backup.\n'])

    const without = [path, '--without-missing']
    const empty = await run('backup', [...without, '--replace'], { ...here, FILES_URL: `file://${other}` })
    expect([empty.code, empty.err]).toEqual([0, '2 contents are missing from the store and from the backup.\n'])
    const elsewhere = (await freshDatabase()) as Record<string, string>
    const refused = await run('restore', [path], elsewhere)
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/^The backup lacks 2 of 2 contents .*--without-missing/),
    ])
    const gone = await run('restore', without, elsewhere)
    expect([gone.code, gone.err]).toEqual([0, '2 contents that its rows name were not in the backup.\n'])
    rmSync(path)
  }, 90_000)

  test('removes what killed backups left beside it, and nothing else', async () => {
    const old = new Date(Date.now() - 7 * 3_600_000)
    const make = (name: string, at: Date) => {
      writeFileSync(join(folder, name), 'half')
      utimesSync(join(folder, name), at, at)
    }
    make('killed.backup-11512.part', old)
    make('running.tar.gz.backup-11513.part', new Date())
    make('another.part', old)
    const { code, err } = await run('backup', [whole, '--replace'], here)
    expect([code, err]).toEqual([0, `${join(folder, 'killed.backup-11512.part')} of a killed backup was removed.\n`])
    expect(readdirSync(folder).sort()).toEqual(['another.part', 'running.tar.gz.backup-11513.part', 'whole.tar.gz'])
    for (const name of ['another.part', 'running.tar.gz.backup-11513.part']) rmSync(join(folder, name))
  })

  test('explains invalid use', async () => {
    const nowhere = mkdtempSync(join(inject('scratch'), 'nothing-'))
    const unread = join(folder, 'x')
    const cases: [string[], Record<string, string>, RegExp][] = [
      [[join(folder, 'no/such/folder.tar.gz')], here, /^There is no folder .*no\/such\.$/m],
    ]
    // Errors found before the database is used are the same on both engines.
    if (engine === 'sqlite')
      cases.push(
        [[], here, /^Writes everything into one file/],
        [['x', '--fast'], here, /Unknown option '--fast'/],
        [[unread], { DATA_DIR: nowhere }, /^There is no database in /],
        [
          [unread],
          { DATABASE_URL: 'mysql://x' },
          /^DATABASE_URL must be an address that begins with postgres: or postgresql:, not "mysql:\/\/x"\.$/m,
        ],
        [
          [unread],
          { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' },
          /^The database of DATABASE_URL can’t be reached: connect ECONNREFUSED/,
        ],
      )
    if (engine === 'postgres') {
      const missing = new URL(here.DATABASE_URL!)
      missing.pathname = '/no_such_database'
      cases.push([
        [unread],
        { DATABASE_URL: missing.href },
        /^The server of DATABASE_URL refuses: database "no_such_database" does not exist\.$/m,
      ])
      cases.push([[unread], (await freshDatabase()) as Record<string, string>, /^There are no Fieldwork tables in the database/])
    }
    for (const [args, settings, sentence] of cases) {
      const { code, err } = await run('backup', args, settings)
      expect([code, err]).toEqual([1, expect.stringMatching(sentence)])
    }
    expect((await run('backup', ['--help'], {})).code).toBe(0)
    expect(readdirSync(folder)).toEqual(['whole.tar.gz'])
  }, 90_000)
})

test('a start removes what a killed restore left, and leaves one that is running alone', async () => {
  const there = await freshDatabase()
  if (!there.DATABASE_URL) {
    const file = join(there.DATA_DIR, 'fieldwork.db')
    mkdirSync(there.DATA_DIR, { recursive: true })
    for (const end of ['', '-wal']) writeFileSync(`${file}.restoring${end}`, 'half')
    expect([await sweepKilledRestore({ file }), await sweepKilledRestore({ file })]).toEqual([true, false])
    expect(readdirSync(there.DATA_DIR)).toEqual([])
    return
  }
  const client = new pg.Client(there.DATABASE_URL)
  await client.connect()
  await client.query('create schema fieldwork_restore; create table fieldwork_restore.clients (id int)')
  const where = { url: there.DATABASE_URL }
  await client.query(`select pg_advisory_lock(${ADVISORY_LOCKS.restore}, 0)`)
  expect(await sweepKilledRestore(where)).toBe(false)
  await client.end()
  await vi.waitFor(async () => expect(await sweepKilledRestore(where)).toBe(true))
  expect(await sweepKilledRestore(where)).toBe(false)
})

describe('npm run restore', () => {
  test('checks, restores into an empty place, and replaces only on request', async () => {
    const there = (await freshDatabase()) as Record<string, string>
    const checked = await run('restore', [whole, '--check'], {})
    expect(checked).toMatchObject({
      code: 0,
      out: expect.stringMatching(new RegExp(`^Whole: [\\d,]+ rows and 0 files of .*Z, from ${engine} by release [\\d.]+\\.\\n$`)),
    })
    const first = await run('restore', [whole], there)
    expect([first.code, first.err]).toEqual([0, ''])
    expect(first.out).toMatch(/^Restored [\d,]+ rows and 0 files of .* in [\d.]+ s\.\n$/)
    expect(await run('restore', [whole], there)).toMatchObject({ code: 1, err: expect.stringContaining('add --replace') })
    expect((await run('restore', [whole, '--replace'], there)).code).toBe(0)
  }, 90_000)

  test('holds what may have been done since, after the database was recovered by its own means', async () => {
    const there = (await freshDatabase()) as Record<string, string>
    const settings = readSettings({ ...there, NODE_ENV: 'test', DEMO: 'none' })
    const open = () => createServices(settings, pino({ level: 'error' }))
    const before = await open()
    const make = makers(before)
    const client = await make.client()
    const project = await make.project({ client_id: client.id })
    const { id } = await make.entry({ project_id: project.id, status: 'processing', claimed_at: before.now().toISOString() })
    await signedIn(before, await make.user({ role: 'admin' }))
    await closeServices(before)

    expect(await run('restore', ['--recovered'], there)).toMatchObject({
      code: 0,
      out: 'Everybody is signed out; emails, jobs, rewards in payment and webhooks that were waiting are held.\n',
    })
    const after = await open()
    onTestFinished(() => closeServices(after))
    const { db } = after.database
    const entry = await db.selectFrom('entries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(entry).toMatchObject({ status: 'pending', reason: expect.stringContaining('recovered to an earlier moment') })
    expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([])
    // No link that was signed meanwhile may open a new record.
    expect((await makers(after).client()).id).toBeGreaterThan(client.id + 1000)
  }, 90_000)

  test('refuses to hold what was recovered where there is nothing', async () => {
    const there = (await freshDatabase()) as Record<string, string>
    expect(await run('restore', ['--recovered'], there)).toMatchObject({
      code: 1,
      err: 'This database is empty: there is nothing that was recovered.\n',
    })
  })

  test('refuses while a server is running', async () => {
    if (engine === 'postgres') {
      const { code, err } = await run('restore', [whole, '--replace'], here)
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(/^A Fieldwork server is using this database \(\d+ connections\)\. Stop it first\.$/m),
      ])
      return
    }
    const leave = acquireDataDir(here.DATA_DIR!)
    const { code, err } = await run('restore', [whole, '--replace'], here)
    leave()
    expect([code, err]).toEqual([1, expect.stringMatching(/^Another Fieldwork server \(process \d+ on .+, since .+\) runs on /)])
  })

  test.runIf(engine === 'sqlite')(
    'explains an invalid archive, and touches nothing',
    async () => {
      const there = (await freshDatabase()) as Record<string, string>
      const made = (name: string, content: Buffer | string) => {
        writeFileSync(join(folder, name), content)
        return join(folder, name)
      }
      const torn = made('torn', readFileSync(whole))
      truncateSync(torn, 3000)
      const newer = gunzipSync(readFileSync(whole))
      newer.write('9999', newer.lastIndexOf('0100-baseline'))
      const cases: [string[], RegExp][] = [
        [[join(folder, 'not-there')], /^There is no .*not-there\.$/m],
        [[folder], /commands-\w+ can’t be read or written: EISDIR|EISDIR/],
        [[torn], /^The backup is damaged/],
        [[made('other', 'no archive')], /^The backup is damaged/],
        [
          [made('newer', gzipSync(newer))],
          /^The backup was made by a newer release \(9999-baseline\)\. Restore it with that release\.$/m,
        ],
        [[], /^Restores a backup into/],
      ]
      for (const [args, sentence] of cases) {
        const { code, err } = await run('restore', args, there)
        expect([code, err]).toEqual([1, expect.stringMatching(sentence)])
      }
      expect(existsSync(join(there.DATA_DIR!, 'fieldwork.db'))).toBe(false)
      expect(await run('restore', [whole], { ...there, DATABASE_URL: 'mysql://x' })).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^DATABASE_URL must be/),
      })
    },
    90_000,
  )
})
