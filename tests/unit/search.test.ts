import { describe, expect, test } from 'vitest'
import { seedOfDay } from '../support/seed-of-day.ts'
import { rounds } from './rounds.ts'
import { answer, changed, openWorld, randomQueries, SHORT, TROUBLE } from './search-world.ts'

// Each day has another world and other queries; a failure names its seed. All of it: `npm run torture -- search`.
const seed = seedOfDay('SEARCH_SEED')
const world = openWorld(seed)
const { searcher, truth } = world
/** One in this many of the one- and two-letter strings is tested per day. */
const SHARE = rounds(12, 3)
/** Each count of 16 has one query of every way to type. */
const QUERIES = { all: rounds(48, 160), few: rounds(16, 48) }

describe(`the same top fifty as comparing every name (SEARCH_SEED=${seed})`, () => {
  test('for every string of one and two letters', () => {
    for (const query of SHORT.filter((_, at) => at % SHARE === seed % SHARE))
      expect(answer(searcher, query), query).toEqual(truth(query))
  }, 180_000)

  test('for prefixes, words run together, initials, typos, dropped letters, codes and noise', () => {
    for (const query of randomQueries(world, QUERIES.all, seed + 11)) expect(answer(searcher, query), query).toEqual(truth(query))
  }, 180_000)

  test('for names of a few kinds only', () => {
    for (const query of randomQueries(world, QUERIES.few, seed + 12))
      expect(answer(searcher, query, ['client', 'thing']), query).toEqual(truth(query, ['client', 'thing']))
  }, 180_000)

  test('for difficult names, typed literally', () => {
    for (const { name } of TROUBLE) expect(answer(searcher, name), name).toEqual(truth(name))
  })
})

describe(`names that change while it is open (SEARCH_SEED=${seed})`, () => {
  test('are found as after a rebuild', () => {
    const now = changed(world, seed + 5)
    expect(now.live.size).toBe(now.entities.length)
    for (const query of randomQueries(world, QUERIES.few, seed + 21)) {
      expect(answer(now.live, query), `live: ${query}`).toEqual(now.truth(query))
      expect(answer(now.rebuilt, query), `rebuilt: ${query}`).toEqual(now.truth(query))
      expect(answer(now.repacked, query), `repacked: ${query}`).toEqual(now.truth(query))
    }
  }, 180_000)
})
