import { describe, expect, test } from 'vitest'
import { buildIndex } from '../../src/search/build.ts'
import { openIndex, type Searcher } from '../../src/search/searcher.ts'
import type { Entity } from '../../src/search/types.ts'
import { makeEntities, random } from '../bench/search-names.ts'
import { fold, oracle } from './search-oracle.ts'

/** Names that make trouble: repeated words, punctuation, other scripts, odd ids, equal names, nothing at all. */
const TROUBLE: Entity[] = [
  'Acme',
  'acme',
  'ACME Acme',
  'Acme Acme Acme',
  'A',
  'a b',
  'A B C D E F G',
  'Bank of America',
  'The Bank of the West',
  "O'Brien & Söhne",
  '',
  '—',
  '#!?',
  'Ünïcödé',
  'Ørsted Łódź',
  'straße Straßen',
  'Δοκιμή Τεστ',
  'Проект Волна',
  '東京 調査',
  '東京調査',
  'q1 2024',
  '2024',
  '4812',
  'P-4812',
  'x'.repeat(70),
  'aa aaa aaaa aaaaa',
  'ab abc abcd',
  'Wave 1',
  'Wave 10',
  'Wave 100',
  'e\u0301tude',
  'étude',
  'ﬁnance',
  'İstanbul',
  'U.S. Open',
  'goto inventory',
  '🚀',
  '🚀🌟',
  '🌟 Star 🚀 Ship',
  '👩🏽‍🚀 crew',
  '🇫🇷 🇩🇪',
  '❤️ Heart',
  'Ⓜ️ Brand™ ©',
  '🚀🚀🚀',
].map((name, i) => {
  const id = i % 5 === 0 ? `odd-${i}` : 4800 + i
  return {
    key: `thing:${id}`,
    kind: 'thing',
    id,
    name,
    detail: '',
    ...(i % 3 === 0 ? { code: `P-0${4800 + i}` } : {}),
    ...(i % 7 === 0 ? { weight: i } : {}),
  }
})

const ENTITIES = [...makeEntities(700, 3), ...TROUBLE]
const FRECENCY = new Map(ENTITIES.filter((_, i) => i % 50 === 0).map(({ key }, i) => [key, ((i * 37) % 41) / 3]))

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

function* oneAndTwoLetters(): Iterable<string> {
  for (const a of LETTERS) yield a
  for (const a of LETTERS) for (const b of LETTERS) yield a + b
}

function* randomQueries(count: number, seed: number): Iterable<string> {
  const next = random(seed)
  const pick = <T>(list: ArrayLike<T>): T => list[Math.floor(next() * list.length)]!
  const wordsOf = (): string[] => {
    for (;;) {
      const words = fold(pick(ENTITIES).name)
      if (words.length > 0) return words
    }
  }
  const cut = (word: string): string => word.slice(0, 1 + Math.floor(next() * word.length))
  const spoil = (word: string): string => {
    const i = Math.floor(next() * word.length)
    const letter = pick(LETTERS)
    return pick([
      word.slice(0, i) + letter + word.slice(i),
      word.slice(0, i) + word.slice(i + 1),
      word.slice(0, i) + letter + word.slice(i + 1),
      word.slice(0, i) + (word[i + 1] ?? '') + word[i]! + word.slice(i + 2),
    ])
  }
  for (let i = 0; i < count; i++) {
    const words = wordsOf()
    const kind = i % 10
    if (kind === 0) yield Array.from({ length: 2 + Math.floor(next() * 5) }, () => pick(LETTERS)).join('')
    else if (kind === 1) yield words.map(cut).join(' ')
    else if (kind === 2) yield [cut(pick(words)), cut(pick(wordsOf()))].join(' ')
    else if (kind === 3) yield [cut(pick(words)), cut(pick(words)), cut(pick(wordsOf()))].join(' ')
    else if (kind === 4) yield words.map((word) => word.slice(0, 2 + Math.floor(next() * 3))).join('')
    else if (kind === 5)
      yield words
        .map((word) => word[0])
        .join('')
        .slice(0, 2 + Math.floor(next() * 6))
    else if (kind === 6) yield words.map((word) => (next() < 0.5 ? spoil(word) : word)).join(' ')
    else if (kind === 7) yield words.map((word) => word[0] + word.slice(1).replace(/[aeiou]/g, '')).join(' ')
    else if (kind === 8) yield pick(words).slice(1)
    else
      yield pick([
        pick(ENTITIES).name,
        `${pick(ENTITIES).code ?? 'P-1'}`,
        `${words[0]} ${pick(ENTITIES).code ?? 1000}`,
        String(pick(ENTITIES).id).slice(0, 3),
        spoil(cut(pick(words))),
      ])
  }
}

const answer = (searcher: Searcher, query: string, kinds?: string[]) =>
  searcher.search(query, kinds === undefined ? {} : { kinds }).hits.map(({ key, tier }) => ({ key, tier }))

describe('the same top fifty as looking at every name', () => {
  const truth = oracle(ENTITIES, FRECENCY)
  const searcher = openIndex(buildIndex(ENTITIES, FRECENCY))

  test('for every string of one and two letters', () => {
    for (const query of oneAndTwoLetters()) expect(answer(searcher, query), query).toEqual(truth(query))
  }, 60_000)

  test('for beginnings, mashes, initials, typos, dropped letters, codes and noise', () => {
    for (const query of randomQueries(700, 11)) expect(answer(searcher, query), query).toEqual(truth(query))
  }, 60_000)

  test('for names of a few kinds only', () => {
    for (const query of randomQueries(200, 12))
      expect(answer(searcher, query, ['client', 'thing']), query).toEqual(truth(query, ['client', 'thing']))
  }, 60_000)

  test('for names that make trouble, typed as they stand', () => {
    for (const { name } of TROUBLE) expect(answer(searcher, name), name).toEqual(truth(name))
  })
})

describe('names that change while it is open', () => {
  test('are found as after a rebuild', () => {
    const next = random(5)
    const world = new Map(ENTITIES.map((entity) => [entity.key, entity]))
    const frecency = new Map(FRECENCY)
    const searcher = openIndex(buildIndex(ENTITIES, FRECENCY))
    const fresh = makeEntities(700, 99).map((entity, i) => ({ ...entity, key: `late:${i}`, kind: 'late', id: i }))
    for (let round = 0; round < 12; round++) {
      const keys = [...world.keys()]
      const some = (count: number): string[] => Array.from({ length: count }, () => keys[Math.floor(next() * keys.length)]!)
      const drop = [...new Set(some(25))]
      const renamed = [...new Set(some(20))]
        .filter((key) => !drop.includes(key))
        .map((key) => ({ ...world.get(key)!, name: fresh.pop()!.name }))
      const put = [...renamed, ...fresh.splice(0, round % 3 === 0 ? 1 : 40)]
      searcher.apply({ put, drop })
      for (const key of drop) {
        world.delete(key)
        frecency.delete(key)
      }
      for (const entity of put) world.set(entity.key, entity)
      const used = some(1)[0]!
      if (world.has(used)) {
        frecency.set(used, 20 + round)
        searcher.use([[used, 20 + round]])
      }
    }
    const entities = [...world.values()]
    const rebuilt = openIndex(buildIndex(entities, frecency))
    const repacked = openIndex(searcher.pack())
    const truth = oracle(entities, frecency)
    expect(searcher.size).toBe(entities.length)
    for (const query of randomQueries(150, 21)) {
      expect(answer(searcher, query), `live: ${query}`).toEqual(truth(query))
      expect(answer(rebuilt, query), `rebuilt: ${query}`).toEqual(truth(query))
      expect(answer(repacked, query), `repacked: ${query}`).toEqual(truth(query))
    }
  }, 60_000)
})
