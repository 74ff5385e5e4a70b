import { describe, expect, test } from 'vitest'
import { noteOwnVersion, withOwnVersion } from '../../src/data/ownVersions.ts'

const answer = (id: number, lock_version: number) => ({ data: { id, lock_version } })

describe('a write right after another of the same page', () => {
  test('names the version that the first one made, also after several', () => {
    noteOwnVersion('client.edit', { id: 1, name: 'A', lock_version: 3 }, answer(1, 4), 'a')
    noteOwnVersion('client.edit', { id: 1, name: 'B', lock_version: 4 }, answer(1, 5), 'b')
    expect(withOwnVersion('client.edit', { id: 1, name: 'C', lock_version: 3 }, 'c')).toEqual({
      id: 1,
      name: 'C',
      lock_version: 5,
    })
  })
  test('keeps its version if somebody else changed the record in between', () => {
    noteOwnVersion('client.edit', { id: 2, lock_version: 3 }, answer(2, 5), 'a')
    expect(withOwnVersion('client.edit', { id: 2, lock_version: 3 }, 'b')).toEqual({ id: 2, lock_version: 3 })
    expect(withOwnVersion('client.edit', { id: 2, lock_version: 4 }, 'b')).toEqual({ id: 2, lock_version: 4 })
  })
  test('keeps its version if it is the same attempt, which is answered and not done again', () => {
    noteOwnVersion('client.edit', { id: 3, lock_version: 1 }, answer(3, 2), 'a')
    expect(withOwnVersion('client.edit', { id: 3, lock_version: 1 }, 'a')).toEqual({ id: 3, lock_version: 1 })
  })
  test('isn’t changed for other records, other nouns, or without a version', () => {
    noteOwnVersion('client.edit', { id: 4, lock_version: 1 }, answer(4, 2), 'a')
    for (const [call, input] of [
      ['client.edit', { id: 5, lock_version: 1 }],
      ['partner.edit', { id: 4, lock_version: 1 }],
      ['client.edit', { id: 4, name: 'X' }],
    ] as const)
      expect(withOwnVersion(call, input, 'b')).toBe(input)
  })
})
