import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { readBackup } from '../../server/backup/readBackup.ts'
import { tarOf } from '../../server/backup/tar.ts'
import { connect } from '../../server/db/connect.ts'
import { runCli } from '../support/cli.ts'
import { engine } from '../support/engine.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { upload } from './uploading.ts'

// Damage is told in one sentence with an exit code, by whichever command meets it.
let app: Fieldwork
let here: Record<string, string>
let folder: string
beforeAll(async () => {
  app = await fieldwork()
  const { dataDir, databaseUrl } = app.services.settings
  here = { DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) }
  folder = mkdtempSync(join(inject('scratch'), 'damage-'))
})

/** A command's exit code and what it says, which is one line unless `lines` says otherwise. */
async function run(command: string, args: string[], settings: Record<string, string> = here, lines = 1) {
  const { code, out, err } = await runCli(command, args, settings)
  if (code === 1) expect(err.trimEnd().split('\n'), err).toHaveLength(lines)
  expect(out + err).not.toMatch(/\n {4}at /)
  return { code, out, err }
}

type Entry = { name: string; content?: string; type?: string; size?: string; sum?: boolean }

/** An archive of these entries after all of a backup's but its manifest, or before it. */
async function archive(name: string, whole: Buffer, more: readonly Entry[], { last = false } = {}): Promise<string> {
  const plain = gunzipSync(whole)
  const manifest = plain.lastIndexOf('manifest.json')
  const blocks: Buffer[] = []
  for (const { name: entry, content = '', type, size, sum = true } of more) {
    const made: Uint8Array[] = []
    const bytes = Buffer.from(content)
    for await (const piece of tarOf(entries({ name: 'x', size: bytes.length, content: [bytes] }))) made.push(piece)
    const block = Buffer.concat(made).subarray(0, -1024)
    block.fill(0, 0, 100)
    block.write(entry, 0)
    if (type) block.write(type, 156)
    if (size) block.write(size.padEnd(12, '\0'), 124)
    block.write('        ', 148)
    const total = block.subarray(0, 512).reduce((all, byte) => all + byte, 0)
    block.write(`${(sum ? total : total + 1).toString(8).padStart(6, '0')}\0 `, 148)
    blocks.push(block)
  }
  const path = join(folder, `${name}.tar.gz`)
  const parts = last
    ? [plain.subarray(0, plain.length - 1024), ...blocks, Buffer.alloc(1024)]
    : [plain.subarray(0, manifest), ...blocks, plain.subarray(manifest)]
  writeFileSync(path, gzipSync(Buffer.concat(parts)))
  return path
}
async function* entries<T>(...all: T[]) {
  yield* all
}

describe.runIf(engine === 'sqlite')('an archive that was changed', () => {
  let whole: Buffer
  beforeAll(async () => {
    const path = join(folder, 'whole.tar.gz')
    expect((await run('backup', [path])).code).toBe(0)
    whole = readFileSync(path)
  })

  test('is refused for what is wrong with it', async () => {
    const link = { content: '', name: 'files/link' }
    const cases: [name: string, more: Entry[], sentence: RegExp, how?: { last: boolean }][] = [
      ['up', [{ name: 'files/../../evil.txt', content: 'x' }], /doesn’t know "files\/\.\.\/\.\.\/evil\.txt"/],
      ['absolute', [{ name: '/etc/passwd', content: 'x' }], /doesn’t know "\/etc\/passwd"/],
      ['doubled', [{ name: 'files//etc/passwd', content: 'x' }], /doesn’t know/],
      ['backslash', [{ name: 'files/..\\evil.txt', content: 'x' }], /doesn’t know/],
      ['drive', [{ name: 'files/C:/evil.txt', content: 'x' }], /doesn’t know/],
      [
        'other',
        [{ name: 'hooks/start.sh', content: 'x' }],
        /or a newer release made it: this one doesn’t know "hooks\/start\.sh"/,
      ],
      ['table', [{ name: 'tables/a"; drop/000001.ndjson', content: '[]' }], /doesn’t know/],
      ['symbolic', [{ ...link, type: '2' }], /"files\/link" is a link, a folder or a device/],
      ['hard', [{ ...link, type: '1' }], /is a link/],
      ['device', [{ ...link, type: '3' }], /is a link, a folder or a device/],
      ['folder', [{ ...link, type: '5' }], /is a link, a folder/],
      ['longname', [{ ...link, type: 'L' }], /is a link|doesn’t know|was changed/],
      [
        'twice',
        [
          { name: 'files/a/b', content: 'x' },
          { name: 'files/a/b', content: 'y' },
        ],
        /it has "files\/a\/b" twice/,
      ],
      ['sum', [{ name: 'files/a', content: 'x', sum: false }], /damaged: it was changed/],
      ['size', [{ name: 'files/a', content: 'x', size: '-1' }], /has no size/],
      ['binary', [{ name: 'files/a', content: 'x', size: '\x80\0\0\x7f' }], /has no size|was changed/],
      ['long', [{ name: 'tables/notes/000099.ndjson', size: '77777777777' }], /is too long/],
      ['unlisted', [{ name: 'tables/strangers/000001.ndjson', content: '["id"]\n[1]\n' }], /doesn’t know the table strangers/],
      ['rows', [{ name: 'tables/notes/000099.ndjson', content: '["id"]\n{"id":1}\n' }], /lines that aren’t rows/],
      ['width', [{ name: 'tables/notes/000099.ndjson', content: '["id"]\n[1,2]\n' }], /lines that aren’t rows/],
      ['text', [{ name: 'tables/notes/000099.ndjson', content: 'no json' }], /is damaged/],
      ['more', [{ name: 'files/uploads/more.png', content: 'x' }], /files don’t match its manifest/],
      ['after', [{ name: 'files/uploads/more.png', content: 'x' }], /comes after its manifest/, { last: true }],
      ['manifests', [{ name: 'manifest.json', content: '{"format":1}' }], /its manifest isn’t one of a backup/],
      ['format', [{ name: 'manifest.json', content: '{"format":7}' }], /has format 7: a newer release made it/],
      ['list', [{ name: 'manifest.json', content: '[]' }], /its manifest isn’t one/],
    ]
    const wrong: string[] = []
    for (const [name, more, sentence, how] of cases) {
      const path = await archive(name, whole, more, how)
      const reason = await readBackup(path).then(
        () => 'nothing',
        (error: Error) => `${error.constructor.name}: ${error.message}`,
      )
      if (!reason.startsWith('TornArchive: ') || !sentence.test(reason) || /\p{Cc}/u.test(reason))
        wrong.push(`${name}: ${reason}`)
    }
    expect(wrong).toEqual([])
  })

  test('ends the command with one sentence, and nothing is written', async () => {
    const there = { DATA_DIR: mkdtempSync(join(inject('scratch'), 'restored-')) }
    for (const args of [[], ['--check'], ['--replace']]) {
      const path = await archive('cli', whole, [{ name: 'files/../../evil.txt', content: 'x' }])
      expect(await run('restore', [path, ...args], there)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^The backup was changed/),
      })
    }
    const newer = gunzipSync(whole)
    newer.write('9999', newer.lastIndexOf('0100-baseline'))
    const path = join(folder, 'newer.tar.gz')
    writeFileSync(path, gzipSync(newer))
    expect(await run('restore', [path, '--check'], there)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/by a newer release/),
    })
    expect(readdirSync(there.DATA_DIR).filter((name) => !/^(files$|server\.lock)/.test(name))).toEqual([])
    expect(existsSync(join(there.DATA_DIR, '../evil.txt'))).toBe(false)
  }, 60_000)

  test('whose rows don’t fit their table is refused for it', async () => {
    const plain = gunzipSync(whole).toString('latin1')
    const path = join(folder, 'misfit.tar.gz')
    // The same length, so that only the table's sum has to follow.
    const start = plain.indexOf('tables/clients/') + 512
    const rows = plain.slice(start, plain.indexOf('\n', start))
    const changed = plain.replace(rows, rows.replace('"name"', '"nome"'))
    const sum = (text: string) => {
      const size = Number.parseInt(text.slice(start - 512 + 124, start - 512 + 135), 8)
      return createHash('sha256')
        .update(Buffer.from(text.slice(start, start + size), 'latin1'))
        .digest('hex')
    }
    writeFileSync(path, gzipSync(Buffer.from(changed.replace(sum(plain), sum(changed)), 'latin1')))
    const there = { DATA_DIR: mkdtempSync(join(inject('scratch'), 'misfit-')) }
    const { code, err } = await run('restore', [path], there)
    expect([code, err]).toEqual([1, expect.stringContaining('The backup’s rows of clients don’t fit its release')])
  }, 60_000)
})

/** A copy of the database whose pages of a table are garbage. */
function damagedCopy(table: string): Record<string, string> {
  const DATA_DIR = mkdtempSync(join(inject('scratch'), 'damaged-'))
  const file = join(DATA_DIR, 'fieldwork.db')
  const source = new DatabaseSync(join(app.services.settings.dataDir, 'fieldwork.db'))
  source.exec(`vacuum into '${file}'`)
  source.close()
  const copy = new DatabaseSync(file)
  const { rootpage } = copy.prepare('select rootpage from sqlite_schema where name = ?').get(table) as { rootpage: number }
  const { page_size } = copy.prepare('pragma page_size').get() as { page_size: number }
  copy.close()
  writeSync(openSync(file, 'r+'), Buffer.alloc(page_size, 0xab), 0, page_size, (rootpage - 1) * page_size)
  return { DATA_DIR }
}

describe.runIf(engine === 'sqlite')('a damaged database', () => {
  test('is told by every command, with an exit code and no stack', async () => {
    const notes = damagedCopy('notes')
    const broken = { DATA_DIR: mkdtempSync(join(inject('scratch'), 'broken-')) }
    writeFileSync(join(broken.DATA_DIR, 'fieldwork.db'), Buffer.alloc(8192, 'no database'))
    const users = damagedCopy('users')
    const DAMAGED = /^The database is damaged: stop the server, keep a copy of it, and restore a backup/
    const cases: [command: string, args: string[], settings: Record<string, string>][] = [
      ['backup', [join(folder, 'damaged.tar.gz')], notes],
      ['backup', [join(folder, 'damaged.tar.gz')], broken],
      ['admin', ['new@fieldwork.test'], users],
      ['admin', ['new@fieldwork.test'], broken],
      ['seed', [], broken],
      ['visits', ['rebuild'], broken],
      ['orphans', [], broken],
      ['signing-key', ['--rotate'], broken],
      ['restore', ['--recovered'], broken],
      ['../main', [], broken],
    ]
    for (const [command, args, settings] of cases) {
      const { code, err } = await run(command, args, { ...settings, PORT: '0', DEMO: 'none', LOG_LEVEL: 'silent' })
      expect([command, code, err]).toEqual([command, 1, expect.stringMatching(DAMAGED)])
    }
    expect(existsSync(join(folder, 'damaged.tar.gz'))).toBe(false)
  }, 90_000)

  test('is replaced by a restore', async () => {
    const broken = { DATA_DIR: mkdtempSync(join(inject('scratch'), 'replaced-')) }
    writeFileSync(join(broken.DATA_DIR, 'fieldwork.db'), Buffer.alloc(8192, 'no database'))
    writeFileSync(join(broken.DATA_DIR, 'fieldwork.db-wal'), Buffer.alloc(4096, 1))
    const path = join(folder, 'good.tar.gz')
    expect((await run('backup', [path, '--replace'])).code).toBe(0)
    expect(await run('restore', [path, '--replace'], broken)).toMatchObject({ code: 0, err: '' })
    expect(await run('verify', [], broken)).toMatchObject({ code: 0 })
  }, 60_000)

  test('makes its call a 503 that says so, and /healthz too, while /livez goes on', async () => {
    const { id } = await app.make.project({ client_id: app.client.id })
    await app.make.note({ project_id: id, author_id: app.admin.id, note: 'Read me' })
    const { DATA_DIR } = damagedCopy('notes')
    const damaged = connect({ file: join(DATA_DIR!, 'fieldwork.db') })
    const { services } = app
    const usual = services.database
    const health = async () => [(await app.app.inject('/livez')).statusCode, (await app.app.inject('/healthz')).statusCode]
    services.database = damaged
    try {
      expect(await health()).toEqual([200, 200])
      await expect(damaged.db.selectFrom('notes').selectAll().execute()).rejects.toThrow('malformed')
      expect(await health()).toEqual([200, 503])
      const answer = await app.as('admin').call('note.list', { id })
      expect([answer.status, answer.body.code]).toEqual([503, 'database_damaged'])
    } finally {
      services.database = usual
      await damaged.close()
    }
    expect(await health()).toEqual([200, 200])
  })
})

describe('npm run verify', () => {
  test('creates nothing where there is no database', async () => {
    const DATA_DIR = join(folder, 'nowhere')
    const { code, err } = await run('verify', [], { DATA_DIR })
    expect([code, err.trim()]).toEqual([1, `The database is missing: there is no ${join(DATA_DIR, 'fieldwork.db')}.`])
    expect(existsSync(join(DATA_DIR, 'fieldwork.db'))).toBe(false)
  })

  test('says that the database, the files and the counters are well', async () => {
    expect((await upload(app.as('admin'), [['a.txt', Buffer.from('One')]], {}, '/v3/portal/documents')).status).toBe(200)
    const { code, out, err } = await run('verify', [])
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(
      /^The database is whole: .+\.\nThe files are there: 1, .+, by size and hash\.\nThe counters are right: \d+ kinds .+\.\n$/,
    )
    expect((await run('verify', ['--quick'])).out).toContain('by size alone')
  }, 60_000)

  test('finds each kind of damage by itself, and ends with 2', async () => {
    const { files, database } = app.services
    const one = (await upload(app.as('admin'), [['b.txt', Buffer.from('Two')]], {}, '/v3/portal/documents')).body.data[0]!
    const { storage_key } = await app.db
      .selectFrom('files')
      .select('storage_key')
      .where('id', '=', one.id)
      .executeTakeFirstOrThrow()
    const path = join(app.services.settings.dataDir, 'files', storage_key)
    const project = await app.make.project({ client_id: app.client.id })
    const run1 = (statement: string) => app.write((tx) => sql.raw(statement).execute(tx))
    const cases: [sentence: RegExp, damage: () => unknown, mend: () => unknown][] = [
      [
        /1 file has a content that was changed, first file \d+\./,
        () => writeFileSync(path, 'Tow'),
        () => writeFileSync(path, 'Two'),
      ],
      [/1 file has a content of another size/, () => writeFileSync(path, 'Twoo'), () => writeFileSync(path, 'Two')],
      [/1 file has no content in the store/, () => rmSync(path), () => files.put(storage_key, 'Two', 'text/plain')],
      [
        /1 file has no thumbnail/,
        () => run1(`update files set thumb_key = 'uploads/no.jpg' where id = ${one.id}`),
        () => run1(`update files set thumb_key = '' where id = ${one.id}`),
      ],
      [
        /delivered completes of projects aren’t what is counted: 1 differs/,
        () => run1(`update projects set delivered = 3 where id = ${project.id}`),
        () => run1(`update projects set delivered = 0 where id = ${project.id}`),
      ],
      [/visits of services aren’t/, () => damageService(), () => run1('delete from services')],
    ]
    for (const [sentence, damage, mend] of cases) {
      await damage()
      const { code, out } = await run('verify', [])
      await mend()
      expect([code, out]).toEqual([2, expect.stringMatching(sentence)])
      expect(out).toMatch(/\n1 thing is wrong\.\n$/)
    }
    expect(database.damaged()).toBe(false)
  }, 120_000)

  async function damageService() {
    const { id } = await app.make.service({ brand_id: (await app.make.brand({})).id })
    await app.write((tx) => tx.updateTable('services').set({ completed: 5 }).where('id', '=', id).execute())
  }
})
