import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { findOrphans } from '../../server/files/orphans.ts'
import { COMPILED } from '../support/server.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
let folder: string
beforeAll(async () => {
  app = await fieldwork()
  folder = join(app.services.settings.dataDir, 'files')
})
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
const at = (key: string) => join(folder, key)
/** Leaves a content of this age in days without a row, as a killed process does. */
async function leave(key: string, days: number) {
  await app.services.files.put(key, 'left', 'text/plain')
  utimesSync(at(key), daysAgo(days), daysAgo(days))
  return key
}
/** Uploads a file this many days ago. */
async function bring(days: number): Promise<string> {
  const form = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nkept\r\n--b--\r\n'
  const type = { 'content-type': 'multipart/form-data; boundary=b' }
  const answer = await app.as('admin').raw('POST', '/v3/portal/files', Buffer.from(form), type)
  const { id } = (JSON.parse(answer.text) as { data: { id: number }[] }).data[0]!
  const row = await app.db.selectFrom('files').select('storage_key').where('id', '=', id).executeTakeFirstOrThrow()
  utimesSync(at(row.storage_key), daysAgo(days), daysAgo(days))
  return row.storage_key
}
function run(...args: string[]) {
  const { PATH, HOME } = process.env
  const { dataDir, databaseUrl } = app.services.settings
  const env = { PATH, HOME, ...COMPILED, DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) }
  const cwd = resolve(import.meta.dirname, '../..')
  const { status, stdout, stderr } = spawnSync(process.execPath, ['server/cli/orphans.ts', ...args], {
    cwd,
    env,
    encoding: 'utf8',
  })
  return { code: status, out: stdout, err: stderr }
}

test('half-written files of a killed process are removed after a day, and nothing else', async () => {
  const whole = await leave('uploads/2026-11/whole.txt', 3)
  const [old, young] = ['uploads/2026-11/old.txt.part', 'uploads/2026-11/young.txt.part'] as const
  for (const key of [old, young]) writeFileSync(at(key), 'half')
  utimesSync(at(old), daysAgo(1.1), daysAgo(1.1))
  expect(await app.services.files.sweep()).toBe(1)
  expect([old, young, whole].map((key) => existsSync(at(key)))).toEqual([false, true, true])
  for (const key of [young, whole]) rmSync(at(key))
})

describe('contents that no file names', () => {
  test('are found if they are old enough and ours', async () => {
    const named = await bring(30)
    const [older, old] = [await leave('exports/2026-10/b.csv', 20), await leave('uploads/2026-11/a.txt', 9)]
    const left = [await leave('uploads/2026-11/young.txt', 6), await leave('holiday.jpg', 90)]
    const found = await findOrphans(app.services.database, app.services.files, daysAgo(7))
    expect(found).toMatchObject({ named: 1, young: 1, others: 1 })
    expect(found.orphans.map(({ key, size }) => [key, size])).toEqual([
      [older, 4],
      [old, 4],
    ])
    for (const key of [named, older, old, ...left]) expect(existsSync(at(key)), key).toBe(true)
  })

  test('are listed by the command, and removed only on request', () => {
    const output = run()
    expect([output.code, output.err]).toEqual([0, ''])
    expect(output.out).toMatch(
      /exports\/2026-10\/b\.csv\n.*uploads\/2026-11\/a\.txt\n2 contents without a file \(\d+ B\); 1 with one; 1 younger than 7 days; 1 of somebody else\.\nNothing was deleted\. Add --delete to delete them\.\n$/,
    )
    expect(existsSync(at('exports/2026-10/b.csv'))).toBe(true)
    expect(run('--delete').out).toMatch(/2 contents without a file \(\d+ B\) were deleted; 1 with one/)
    expect(['exports/2026-10/b.csv', 'uploads/2026-11/a.txt'].map((key) => existsSync(at(key)))).toEqual([false, false])
    expect(['holiday.jpg', 'uploads/2026-11/young.txt'].map((key) => readFileSync(at(key), 'utf8'))).toEqual(['left', 'left'])
  }, 30_000)

  test('are kept for a day, and as long as this database has nothing in the store', async () => {
    expect(run('--delete', '--days', '0.5')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^--days must be a number of at least 1/),
    })
    await app.write((tx) => tx.deleteFrom('files').execute())
    await app.write((tx) => tx.deleteFrom('change_sets').execute())
    const { code, err } = run('--delete', '--days', '1')
    expect([code, err]).toEqual([1, expect.stringMatching(/Is it the right one\? Nothing was deleted\.$/m)])
    expect(existsSync(at('uploads/2026-11/young.txt'))).toBe(true)
  }, 30_000)
})
