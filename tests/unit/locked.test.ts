import { expect, test } from 'vitest'
import { TURNS } from '../../server/db/locked.ts'

test('what is done in turn has a lock of its own: who takes in respondents holds up nobody who names a client', () => {
  const numbers = Object.values(TURNS)
  expect(new Set(numbers).size).toBe(numbers.length)
})
