import { expect, test } from 'vitest'
import { TURNS } from '../../server/db/locked.ts'

test('each kind of serialized work has its own lock: an intake doesn’t block naming a client', () => {
  const numbers = Object.values(TURNS)
  expect(new Set(numbers).size).toBe(numbers.length)
})
