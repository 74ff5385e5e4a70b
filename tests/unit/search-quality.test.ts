import { beforeAll, describe, expect, test } from 'vitest'
import { buildIndex } from '../../src/search/build.ts'
import { openIndex, type Searcher } from '../../src/search/searcher.ts'
import { TIER } from '../../src/search/types.ts'
import {
  ALL,
  judge,
  lostWhileTyping,
  MOST_LOST,
  NONE,
  outsiderWorld,
  shortWords,
  typedQueries,
} from '../support/outsider/quality.ts'
import { rounds } from './rounds.ts'

/* An outsider's queries (tests/support/outsider); `search-quality` of tests/peers reports them by class. */

let searcher: Searcher
beforeAll(() => {
  const { entities, frecency } = outsiderWorld(100_000)
  searcher = openIndex(buildIndex(entities, frecency))
}, 180_000)

describe('what an outsider types at 100,000 names', () => {
  test('is found first by 95 %, and among five by 97 %', () => {
    const scores = judge((text) => ({ ids: searcher.search(text).hits.map(({ id }) => Number(id)), ms: 0 }), typedQueries(), 600)
    const { queries, first, five } = scores.get(ALL)!
    expect(first / queries).toBeGreaterThan(0.95)
    expect(five / queries).toBeGreaterThan(0.97)
    const nothing = scores.get(NONE)!
    expect(nothing.five).toBe(nothing.queries)
  }, 180_000)

  test('is seldom lost again with the next letter of a word, and only to a whole name or word', () => {
    // A part of them; `search-quality --only=fieldwork --typing` of tests/peers types all.
    const share = rounds(9, 3)
    const some = typedQueries().filter(({ want }, at) => want !== null && at % share === 0)
    const lost = lostWhileTyping(searcher, some)
    expect(lost.length / some.length, lost.map(({ at }) => at).join(', ')).toBeLessThan(MOST_LOST + 0.01)
    expect(lost.filter(({ by }) => by === null).map(({ at }) => at)).toEqual([])
  }, 180_000)

  test('stays empty while typing if there is no match', () => {
    for (const { q } of typedQueries().filter(({ want }) => want === null)) {
      for (let length = 0; length < q.length; length++) searcher.search(q.slice(0, length))
      expect(searcher.search(q).hits, q).toEqual([])
    }
  })

  test('never has a typo on top of a short word', () => {
    const typos = shortWords().filter((word) => (searcher.search(word).hits[0]?.tier ?? 0) >= TIER.fuzzy)
    expect(typos).toEqual([])
  })
})
