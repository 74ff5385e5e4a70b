import { expect, test } from 'vitest'
import { forChildren } from '../../src/panes/shared/projectSubject.ts'

test('a list filtered by status says of a parent of another status that it is there for a child', () => {
  const rows = [
    { id: 1, status_shown: 'Active' },
    { id: 2, status_shown: 'Pending' },
    { id: 3, status_shown: 'Reporting available' },
  ]
  const reasons = (filter: string) => forChildren(rows, filter).map((row) => ('listed_for' in row ? row.listed_for : null))
  expect(reasons('pending')).toEqual(['Pending', null, 'Pending'])
  expect(reasons('completed')).toEqual(['Completed', 'Completed', null])
  expect(reasons('all')).toEqual([null, null, null])
})
