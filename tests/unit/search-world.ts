import { buildIndex } from '../../src/search/build.ts'
import { openIndex, type Searcher } from '../../src/search/searcher.ts'
import type { Entity } from '../../src/search/types.ts'
import { makeEntities, random } from '../bench/search-names.ts'
import { fold, type OracleHit, oracle } from './search-oracle.ts'

/*
 * A marketplace of names from a seed, with queries: the index and the oracle must agree.
 * `npm test` runs the day's share, `npm run torture -- search` everything, one world after another.
 */

/** Difficult names: repeated words, punctuation, other scripts, odd ids, duplicates, nothing at all. */
export const TROUBLE: Entity[] = [
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

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Every string of one or two letters. */
export const SHORT: readonly string[] = [...LETTERS, ...[...LETTERS].flatMap((a) => [...LETTERS].map((b) => a + b))]

/** Names, how often some are used, and the two that find them. */
export interface World {
  entities: readonly Entity[]
  frecency: ReadonlyMap<string, number>
  searcher: Searcher
  truth: (query: string, kinds?: string[]) => OracleHit[]
}

/** A seed's world: this many realistic names, and the difficult ones. */
export function openWorld(seed: number, size = 700): World {
  const entities = [...makeEntities(size, seed), ...TROUBLE]
  const frecency = new Map(entities.filter((_, i) => i % 50 === 0).map(({ key }, i) => [key, ((i * 37) % 41) / 3]))
  return { entities, frecency, searcher: openIndex(buildIndex(entities, frecency)), truth: oracle(entities, frecency) }
}

/** An index's result in the oracle's form. */
export function answer(searcher: Searcher, query: string, kinds?: string[]): OracleHit[] {
  // Cleared first, as for pasted text, so that no earlier search is continued.
  searcher.search('')
  return searcher.search(query, kinds === undefined ? {} : { kinds }).hits.map(({ key, tier }) => ({ key, tier }))
}

/** Changes a world's names while its index is open, in rounds; returns the names, this index and two rebuilt ones. */
export function changed(world: World, seed: number, rounds = 12) {
  const next = random(seed)
  const there = new Map(world.entities.map((entity) => [entity.key, entity]))
  const frecency = new Map(world.frecency)
  const live = openIndex(buildIndex(world.entities, frecency))
  const fresh = makeEntities(700, seed + 94).map((entity, i) => ({ ...entity, key: `late:${i}`, kind: 'late', id: i }))
  for (let round = 0; round < rounds; round++) {
    const keys = [...there.keys()]
    const some = (count: number): string[] => Array.from({ length: count }, () => keys[Math.floor(next() * keys.length)]!)
    const drop = [...new Set(some(25))]
    const renamed = [...new Set(some(20))]
      .filter((key) => !drop.includes(key))
      .map((key) => ({ ...there.get(key)!, name: fresh.pop()!.name }))
    const put = [...renamed, ...fresh.splice(0, round % 3 === 0 ? 1 : 40)]
    live.apply({ put, drop })
    for (const key of drop) {
      there.delete(key)
      frecency.delete(key)
    }
    for (const entity of put) there.set(entity.key, entity)
    const used = some(1)[0]!
    if (there.has(used)) {
      frecency.set(used, 20 + round)
      live.use([[used, 20 + round]])
    }
  }
  const entities = [...there.values()]
  const truth = oracle(entities, frecency)
  return { entities, truth, live, rebuilt: openIndex(buildIndex(entities, frecency)), repacked: openIndex(live.pack()) }
}

/** Queries as people type them: prefixes, mashes, initials, typos, dropped letters, codes and noise. */
export function* randomQueries({ entities }: World, count: number, seed: number): Iterable<string> {
  const next = random(seed)
  const pick = <T>(list: ArrayLike<T>): T => list[Math.floor(next() * list.length)]!
  const wordsOf = (): string[] => {
    for (;;) {
      const words = fold(pick(entities).name)
      if (words.length > 0) return words
    }
  }
  const fieldOf = (): string[] => {
    for (;;) {
      const words = fold(pick(entities).detail)
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
    const kind = i % 16
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
    else if (kind === 10) yield [cut(pick(words)), cut(pick(fieldOf()))].join(' ')
    else if (kind === 11) yield [pick(fieldOf()), cut(pick(fieldOf()))].join(' ')
    else if (kind === 12) yield [...words, pick(['final', 'zzyzx', 'the', pick(wordsOf())])].join(' ')
    else if (kind === 13)
      yield pick(['wave 2', 'w2', 'phase two', 'w5 q1', 'wave 5', "'26", 'round iii', '4q25', `${pick(words)}s`])
    else if (kind === 14) yield `${pick(words)[0]}${pick(words)[0]} ${cut(pick(words))}`
    else if (kind === 15) yield pick(entities).detail.slice(0, 6) + pick(['', '@', ' thing'])
    else
      yield pick([
        pick(entities).name,
        `${pick(entities).code ?? 'P-1'}`,
        `${words[0]} ${pick(entities).code ?? 1000}`,
        String(pick(entities).id).slice(0, 3),
        spoil(cut(pick(words))),
      ])
  }
}
