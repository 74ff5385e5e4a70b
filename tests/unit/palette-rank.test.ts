import { describe, expect, it } from 'vitest'
import { byRank, find, type Ranked, TIER } from '../../src/palette/rank.ts'
import { checkRows } from './rows.ts'

const tier = (query: string, title: string, more: { names?: string[]; keywords?: string } = {}) =>
  find(query, { title, ...more })?.tier ?? null

describe('what the palette finds', () => {
  it('matches word prefixes run together: "asp" is Assign partner', () => {
    expect(find('asp', { title: 'Assign partner…' })).toEqual({
      tier: TIER.word,
      ranges: [
        [0, 2],
        [7, 8],
      ],
    })
  })
  it('matches initials', () => expect(tier('ap', 'Assign partner…')).toBe(TIER.word))
  it('matches words in any order', () => expect(tier('par ass', 'Assign partner…')).toBe(TIER.word))
  it('puts an exact id first', () => expect(tier('project.golive', 'Go live', { names: ['project.goLive'] })).toBe(TIER.exact))
  it('puts an exact title first, with or without its dots', () => expect(tier('pause', 'Pause…')).toBe(TIER.exact))
  it('puts a prefix of the title second', () => expect(tier('assign', 'Assign partner…')).toBe(TIER.prefix))
  it('forgives swapped letters', () => expect(tier('asisgn', 'Assign partner…')).toBe(TIER.fuzzy))
  it('forgives a missing letter', () => expect(tier('partnr', 'Assign partner…')).toBe(TIER.fuzzy))
  it('doesn’t forgive a wrong first letter', () => expect(tier('bssign', 'Assign partner…')).toBeNull())
  it('finds by keyword last', () => expect(tier('launch', 'Go live', { keywords: 'launch start' })).toBe(TIER.keyword))
  it('finds by what people say for the same thing', () => {
    checkRows(
      [
        ['log out', 'Sign out'],
        ['logout', 'Sign out'],
        ['dark mode', 'Dark theme'],
        ['dark mo', 'Dark theme'],
        ['download', 'Export this list…'],
        ['pw', 'Change password…'],
        ['remove note', 'Delete note'],
        ['create project', 'New project'],
      ],
      ([query, title]) => expect([TIER.same, TIER.said]).toContain(tier(query, title)),
    )
  })
  it('ignores accents', () => expect(tier('resume', 'Résumé')).toBe(TIER.exact))
  it('keeps ranges correct with accents', () => expect(find('res', { title: 'Résumé' })?.ranges).toEqual([[0, 3]]))
  it('finds nothing for another word', () => expect(tier('zebra', 'Go live')).toBeNull())
  it('stays fast on an adversarial query', () => {
    const began = performance.now()
    find('a'.repeat(60), {
      title: Array.from({ length: 40 }, (_, at) => 'a'.repeat((at % 9) + 1))
        .join(' ')
        .concat(' b'),
    })
    find(`${'a'.repeat(60)}z`, { title: Array.from({ length: 40 }, () => 'aaa').join(' ') })
    expect(performance.now() - began).toBeLessThan(1000)
  })
})

describe('the order of results', () => {
  const row = (over: Partial<Ranked>): Ranked => ({ tier: TIER.word, use: 0, near: 1, ...over })
  it('puts a better tier before any use', () => expect(byRank(row({ tier: TIER.prefix }), row({ use: 9 }))).toBeLessThan(0))
  it('puts used before unused within a tier', () => expect(byRank(row({ use: 0.1 }), row({ near: 0 }))).toBeLessThan(0))
  it('then puts more used first', () => expect(byRank(row({ use: 2 }), row({ use: 1 }))).toBeLessThan(0))
  it('then puts first what acts on the subject', () => expect(byRank(row({ near: 0 }), row({}))).toBeLessThan(0))
})
