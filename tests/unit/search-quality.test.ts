import { beforeAll, describe, expect, test } from 'vitest'
import { buildIndex } from '../../src/search/build.ts'
import { openIndex, type Searcher } from '../../src/search/searcher.ts'
import { TIER } from '../../src/search/types.ts'
import { ALL, judge, lostWhileTyping, NONE, outsiderWorld, shortWords, timed, typedQueries } from '../bench/quality.ts'

/* What an outsider types (tests/bench/outsider): `npm run bench -- search-quality` shows it by class. */

let searcher: Searcher
beforeAll(() => {
  const { entities, frecency } = outsiderWorld(100_000)
  searcher = openIndex(buildIndex(entities, frecency))
}, 180_000)

describe('what an outsider types at 100,000 names', () => {
  test('is found first by 90 %, and among five by 95 %', () => {
    const scores = judge(
      timed((text) => searcher.search(text).hits.map(({ id }) => Number(id))),
      typedQueries(),
      600,
    )
    const { queries, first, five } = scores.get(ALL)!
    expect(first / queries).toBeGreaterThan(0.9)
    expect(five / queries).toBeGreaterThan(0.95)
    const nothing = scores.get(NONE)!
    expect(nothing.five).toBe(nothing.queries)
  }, 180_000)

  test('is not lost again with the next letter of a word by nine queries of ten, and seldom for an empty list', () => {
    const some = typedQueries().filter(({ want }, at) => want !== null && at % 3 === 0)
    const lost = lostWhileTyping((text) => searcher.search(text).hits.map(({ id }) => Number(id)), some)
    expect(lost.length / some.length).toBeLessThan(0.12)
    expect(lost.filter(({ at }) => searcher.search(at).hits.length === 0).length / some.length).toBeLessThan(0.04)
  }, 180_000)

  test('never has a typo on top of a short word', () => {
    const typos = shortWords().filter((word) => (searcher.search(word).hits[0]?.tier ?? 0) >= TIER.fuzzy)
    expect(typos).toEqual([])
  })
})
