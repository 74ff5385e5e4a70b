import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type ActionId, ruleOf } from '../../contract/access.ts'
import { calls } from '../../contract/calls.ts'
import type { ListRow } from '../../contract/column.ts'
import type { ExportName } from '../../contract/exports.ts'
import { lists } from '../../contract/listRows.ts'
import { fileColumnsOf, type ListNoun, listed, nounNamed, sortsOf } from '../../contract/lists.ts'
import { nounOf } from '../../contract/nounOf.ts'
import { SELECTABLE } from '../../contract/view.ts'
import { onlyNamed, virtualCalls } from '../../scripts/virtual-calls.ts'
import { handlers } from '../../server/calls/handlers.ts'
import { listBuilt } from '../../server/core/listBuilder.ts'
import { exportOf } from '../../server/exports/exports.ts'
import { checkRows } from './rows.ts'

const rows = Object.entries(lists) as [ListNoun, ListRow][]

test('a list belongs to a noun with words, and sorts by an existing column', () => {
  checkRows(
    rows,
    ([noun, { usual, columns }]) => {
      expect(nounOf(noun)?.words).toBeDefined()
      expect(columns).toHaveProperty(usual.replace('-', ''))
    },
    ([noun]) => noun,
  )
})

test('a list has a call that accepts its search, sorts and page', () => {
  checkRows(
    rows,
    ([_noun, { call, columns }]) => {
      const { input, method } = calls[call as 'client.list']
      expect(method).toBe('GET')
      const { search, column, page } = input.shape
      expect([search.safeParse('acme').success, page.safeParse(2).success]).toEqual([true, true])
      for (const [id, { sort }] of Object.entries(columns)) expect(column.safeParse(id).success, id).toBe(sort !== false)
    },
    ([noun]) => noun,
  )
})

test('a list is built on the server, where export and selection find it by name', () => {
  checkRows(
    rows.filter(([noun, row]) => (row.exports || row.selects) && !['entry', 'receiver'].includes(noun)),
    ([noun, { name, exports, call }]) => {
      expect(handlers).toBeDefined()
      expect(nounNamed(name)).toBe(noun)
      expect(listBuilt(noun).noun).toBe(noun)
      expect(ruleOf(call as ActionId).who).toMatch(/^(client|admin)$/)
      if (exports) expect(exportOf(name as ExportName).open).toBeTypeOf('function')
    },
    ([noun]) => noun,
  )
})

test('a list sorts by every column that allows it, and exports every one with a file name', () => {
  expect(sortsOf('partner').slice(0, 5)).toEqual(['id', 'name', 'contact', 'email', 'open_count'])
  expect(sortsOf('partner')).not.toContain('phone')
  expect(fileColumnsOf('client').created_at).toBe('Created')
  expect(Object.keys(fileColumnsOf('user'))).not.toContain('birth_date')
})

test('lists that can be selected entirely declare the values commands need', () => {
  const selects = rows.flatMap(([noun, row]) => (row.selects ? [listed(noun).source] : []))
  expect([...SELECTABLE]).toEqual(['projects', 'campaigns', ...selects])
  expect([listed('job').selects, listed('client').selects]).toEqual([false, true])
})

test('the build includes each list’s call, though no file names one', () => {
  const reads = rows.map(([, { call }]) => call)
  expect(Object.keys(onlyNamed(calls, process.cwd()))).toEqual(expect.arrayContaining(reads))
})

test('the build includes the calls that write fields, which are named by their noun alone', () => {
  const writes = ['vip.create', 'vip.edit', 'group.edit', 'brand.edit', 'service.edit', 'reward.edit', 'note.create']
  expect(Object.keys(onlyNamed(calls, process.cwd()))).toEqual(expect.arrayContaining(writes))
})

test('a build has the columns of lists apart from the nouns table, which is in the first load', async () => {
  const { configResolved, load } = virtualCalls() as unknown as {
    configResolved(config: { command: string }): void
    load(id: string): Promise<string>
  }
  configResolved({ command: 'build' })
  const [table, apart] = await Promise.all(['nouns.ts', 'listRows.ts'].map((name) => load(resolve('contract', name))))
  expect(table).toContain('"words":["partner","partners"]')
  for (const column of ['columns', 'restores', 'unique', 'parent', 'tokens']) expect(table).not.toContain(`"${column}":`)
  expect(apart).toContain(JSON.stringify(lists.partner))
})
