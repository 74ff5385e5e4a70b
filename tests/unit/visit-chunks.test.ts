import { expect, test } from 'vitest'
import { chunks, type Key } from '../../server/domain/visit/reading.ts'

test('a range of many days is read in parts of limited size, each day once', () => {
  const keys: Key[] = [
    [1, 0, 1, 3],
    [2, 0, 100, 3759],
  ]
  const parts = [...chunks(keys, 400)]
  const daysOf = (part: readonly Key[]) =>
    part.flatMap(([id, , from, to]) => Array.from({ length: to - from + 1 }, (_, at) => `${id} ${from + at}`))
  expect(Math.max(...parts.map((part) => daysOf(part).length))).toBeLessThanOrEqual(400)
  expect(parts.flatMap(daysOf)).toEqual(daysOf(keys))
})
