import { describe, expect, test } from 'vitest'
import { isOwnChange, noteOwnVersions, withOwnVersion } from '../../src/data/ownVersions.ts'

describe('a write right after another of the same page', () => {
  test('names the version that the first one made, also after several', () => {
    noteOwnVersions('client/1=3-4', 'a')
    noteOwnVersions('client/1=4-5,project/9=1-2', 'b')
    expect(withOwnVersion('client.edit', { id: 1, name: 'C', lock_version: 3 }, 'c')).toEqual({
      id: 1,
      name: 'C',
      lock_version: 5,
    })
  })
  test('keeps its version if somebody else changed the record in between', () => {
    noteOwnVersions('client/2=4-5', 'a')
    expect(withOwnVersion('client.edit', { id: 2, lock_version: 3 }, 'b')).toEqual({ id: 2, lock_version: 3 })
    expect(withOwnVersion('client.edit', { id: 2, lock_version: 5 }, 'b')).toEqual({ id: 2, lock_version: 5 })
  })
  test('keeps its version if it is the same attempt, which is answered and not done again', () => {
    noteOwnVersions('client/3=1-2', 'a')
    expect(withOwnVersion('client.edit', { id: 3, lock_version: 1 }, 'a')).toEqual({ id: 3, lock_version: 1 })
  })
  test('names it for records within it, for a campaign, which is a project, and for a note by its own name', () => {
    noteOwnVersions('project/6=1-2,activity/7=3-4,note/8=1-2')
    expect(withOwnVersion('project.edit', { id: 6, lock_version: 2, activity: { id: 7, lock_version: 3 } }, 'b')).toEqual({
      id: 6,
      lock_version: 2,
      activity: { id: 7, lock_version: 4 },
    })
    expect(withOwnVersion('campaign.edit', { id: 6, lock_version: 1 }, 'b')).toEqual({ id: 6, lock_version: 2 })
    expect(withOwnVersion('note.edit', { note_id: 8, lock_version: 1 } as never, 'b')).toEqual({ note_id: 8, lock_version: 2 })
  })
  test('isn’t changed for other records, other nouns, or without a version', () => {
    noteOwnVersions('client/4=1-2')
    for (const [call, input] of [
      ['client.edit', { id: 5, lock_version: 1 }],
      ['partner.edit', { id: 4, lock_version: 1 }],
      ['client.edit', { id: 4, name: 'X' }],
    ] as const)
      expect(withOwnVersion(call, input, 'b')).toBe(input)
  })
})

test('a change is the page’s own if it made every version of it', () => {
  noteOwnVersions('team/1=1-2,team/1=2-3,team/1=4-5')
  expect(isOwnChange('team', 1, 1, 3)).toBe(true)
  expect(isOwnChange('team', 1, 1, 4)).toBe(false)
  expect(isOwnChange('team', 1, 3, 5)).toBe(false)
  expect(isOwnChange('team', 2, 1, 2)).toBe(false)
})
