import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect, type Database } from '../../server/db/connect.ts'

let folder: string
let opened: Database[]
const open = (): Database => {
  const database = connect({ file: join(folder, 'rows.db') })
  opened.push(database)
  return database
}
const rowsOf = async ({ db }: Database, text: string) => (await sql.raw(text).execute(db)).rows

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fieldwork-rows-'))
  opened = []
  await rowsOf(open(), 'create table notes (id integer, text text)')
  await rowsOf(opened[0]!, `insert into notes values (1, 'First'), (2, null)`)
})
afterEach(async () => {
  for (const database of opened) await database.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a row has its columns in their order, also those without a value', async () => {
  const rows = await rowsOf(opened[0]!, 'select * from notes order by id')
  expect(rows).toEqual([
    { id: 1, text: 'First' },
    { id: 2, text: null },
  ])
  expect(Object.keys(rows[1]!)).toEqual(['id', 'text'])
})

test('rows don’t share what is written into one of them', async () => {
  const [first, second] = (await rowsOf(opened[0]!, 'select id, text from notes order by id')) as { text: string | null }[]
  first!.text = 'Changed'
  expect(second!.text).toBeNull()
  expect(await rowsOf(opened[0]!, 'select id, text from notes where id = 1')).toEqual([{ id: 1, text: 'First' }])
})

test('a column that another process adds is in the next rows of a statement made before', async () => {
  const all = 'select * from notes where id = 1'
  expect(await rowsOf(opened[0]!, all)).toEqual([{ id: 1, text: 'First' }])
  await rowsOf(open(), `alter table notes add column kind text default 'call'`)
  expect(await rowsOf(opened[0]!, all)).toEqual([{ id: 1, text: 'First', kind: 'call' }])
})

test('of two columns of one name, the later one counts', async () => {
  expect(await rowsOf(opened[0]!, `select id, text, 'Last' as text from notes where id = 1`)).toEqual([{ id: 1, text: 'Last' }])
})
