import { expect, test } from 'vitest'
import { ADVISORY_LOCKS } from '../../server/db/locked.ts'

test('each kind of serialized work has its own lock: an intake doesn’t block naming a client', () => {
  const numbers = Object.values(ADVISORY_LOCKS)
  expect(new Set(numbers).size).toBe(numbers.length)
})
