import { describe, expect, test } from 'vitest'
import type { TeamEffect } from '../../contract/teamEffect.ts'
import { effectLines, effectOfLinks, effectSentence } from '../../src/commands/teamEffect.ts'

const project = (id: number) => ({ id, name: `Wave ${id}` })
const NOTHING: TeamEffect = {
  gain: { users: 0, projects: 0 },
  lose: { users: 0, projects: 0 },
  rows: [],
  opens: { projects: [], users: 0 },
  closes: { projects: [], users: 0 },
}
const row = (user_id: number, gains: number[], loses: number[], keeps = 0): TeamEffect['rows'][number] => ({
  user_id,
  name: `User ${user_id}`,
  gains: gains.map(project),
  loses: loses.map(project),
  keeps,
})
const willSay = (effect: Partial<TeamEffect>) => effectSentence({ ...NOTHING, ...effect }, 'before', 'Acme')
const hasSaid = (effect: Partial<TeamEffect>) => effectSentence({ ...NOTHING, ...effect }, 'after', 'Acme')

describe('the sentence of an effect', () => {
  test('says how many people see how many projects', () => {
    const gain = { users: 4, projects: 3 }
    expect(willSay({ gain })).toBe('4 users will see 3 projects.')
    expect(hasSaid({ gain })).toBe('4 users now see 3 projects.')
  })

  test('names a single person and a single project', () => {
    const one = { gain: { users: 1, projects: 1 }, rows: [row(7, [12], [])] }
    expect(willSay(one)).toBe('User 7 will see “Wave 12”.')
    expect(hasSaid(one)).toBe('User 7 now sees “Wave 12”.')
  })

  test('says who loses a project because it gets its first team', () => {
    const effect = {
      gain: { users: 4, projects: 3 },
      lose: { users: 5, projects: 1 },
      rows: [1, 2, 3, 4].map((id) => row(id, [11, 12, 13], [])).concat([5, 6, 7, 8, 9].map((id) => row(id, [], [12]))),
      closes: { projects: [project(12)], users: 5 },
    }
    expect(willSay(effect)).toBe('4 users will see 3 projects. 5 others lose 1 that had no team.')
    expect(hasSaid(effect)).toBe('4 users now see 3 projects. 5 others lost 1 that had no team.')
  })

  test('says what those who lose something keep, where it is the same for all', () => {
    const lose = { users: 2, projects: 3 }
    expect(willSay({ lose, rows: [row(1, [], [1, 2, 3], 4), row(2, [], [1, 2, 3], 4)] })).toBe(
      '2 users will lose 3 projects and keep 4 others.',
    )
    expect(willSay({ lose, rows: [row(1, [], [1, 2, 3], 4), row(2, [], [1], 9)] })).toBe('2 users will lose 3 projects.')
    expect(hasSaid({ lose, rows: [row(1, [], [1, 2, 3], 1), row(2, [], [1, 2, 3], 1)] })).toBe(
      '2 users lost 3 projects and kept 1 other.',
    )
  })

  test('says why somebody loses a project where nobody gains one', () => {
    const closes = { projects: [project(12)], users: 2 }
    const lose = { users: 1, projects: 1 }
    expect(willSay({ lose, closes, rows: [row(1, [], [12], 3)] })).toBe(
      'User 1 will lose “Wave 12”, which had no team, and keep 3 others.',
    )
    expect(hasSaid({ lose, closes, rows: [row(1, [], [12])] })).toBe('User 1 lost “Wave 12”, which had no team.')
  })

  test('says that a project without a team is open to all of its client', () => {
    const effect = {
      lose: { users: 4, projects: 1 },
      opens: { projects: [project(12)], users: 7 },
      rows: [row(1, [], [13]), row(2, [], [13]), row(3, [], [13]), row(4, [], [13])],
    }
    expect(willSay(effect)).toBe('4 users will lose “Wave 13”. “Wave 12” will have no team: all 7 client users of Acme see it.')
    expect(willSay({ opens: { projects: [1, 2, 3].map(project), users: 1 } })).toBe(
      '3 projects will have no team: its one client user of Acme sees them.',
    )
  })

  test('says that nothing changes', () => {
    expect(willSay({})).toBe('Nobody will see more or less.')
    expect(hasSaid({})).toBe('Nobody sees more or less.')
  })
})

test('lists who sees and who loses what', () => {
  expect(effectLines({ rows: [row(1, [1], [2, 3, 4]), row(2, [1, 2], [])] })).toEqual([
    { label: 'User 1', value: 'sees “Wave 1”, loses 3 projects', bad: true },
    { label: 'User 2', value: 'sees “Wave 1” and “Wave 2”' },
  ])
})

test('whoever is on one of several teams loses nothing by the others', () => {
  const east = {
    ...NOTHING,
    gain: { users: 0, projects: 0 },
    lose: { users: 2, projects: 1 },
    rows: [row(1, [], [5]), row(3, [], [5])],
  }
  const west = { ...NOTHING, lose: { users: 2, projects: 1 }, rows: [row(2, [], [5]), row(3, [], [5])] }
  const both = effectOfLinks([east, west])!
  expect(both.lose).toEqual({ users: 1, projects: 1 })
  expect(both.rows.map(({ user_id }) => user_id)).toEqual([3])
  expect(effectOfLinks([])).toBeNull()
})
