import { expect, test } from 'vitest'
import { fileColumnsOf, type ListNoun, type ListRow, listed, lists, sortsOf } from '../../contract/lists.ts'
import { nounOf } from '../../contract/nouns.ts'
import { SELECTABLE } from '../../contract/view.ts'

const rows = Object.entries(lists) as [ListNoun, ListRow][]

test.each(rows)('the list of a %s is of a noun with words, and is sorted by a column that it has', (noun, { usual, columns }) => {
  expect(nounOf(noun)?.words).toBeDefined()
  expect(columns).toHaveProperty(usual.replace('-', ''))
})

test('a list is sorted by every column but those that say no, and exported with every one that has a name in a file', () => {
  expect(sortsOf('partner')).toEqual(['id', 'name', 'email', 'projects_count', 'proffers_count', 'created_at'])
  expect(fileColumnsOf('client').created_at).toBe('Created')
  expect(Object.keys(fileColumnsOf('user'))).not.toContain('birth_date')
})

test('what can be selected whole is what says which values commands need', () => {
  const selects = rows.flatMap(([noun, row]) => (row.selects ? [listed(noun).source] : []))
  expect([...SELECTABLE]).toEqual(['projects', 'campaigns', ...selects])
  expect([listed('team').selects, listed('client').selects]).toEqual([false, true])
})
