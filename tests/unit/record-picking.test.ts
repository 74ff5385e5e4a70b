import { expect, test } from 'vitest'
import { pasted } from '../../src/panes/shared/recordPicking.ts'

const OPTIONS = [
  { id: 4001, name: 'Wave 11', code: 'P-4001' },
  { id: 4002, name: 'Wave 12, second part', code: 'P-4002' },
  { id: 4003, name: 'Wave 13', code: 'P-4003', off: 'linked already' },
  { id: 12, name: 'Ana Diaz', detail: 'ana@acme.test' },
]

test('a pasted list finds records by id, code, name and address', () => {
  expect(pasted('4001, P-4002; Ana Diaz <ANA@acme.test>', OPTIONS)).toEqual({ ids: [4001, 4002, 12], unknown: [] })
})

test('a name may hold a comma', () => {
  expect(pasted('Wave 12, second part\nwave 11', OPTIONS)).toEqual({ ids: [4002, 4001], unknown: [] })
})

test('what names no record, or one that can’t be chosen, is listed', () => {
  expect(pasted('Wave 13, Wave 99', OPTIONS)).toEqual({ ids: [], unknown: ['Wave 13', 'Wave 99'] })
})
