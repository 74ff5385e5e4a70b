import type { Entity } from '../../src/search/types.ts'
import { fold } from '../unit/search-oracle.ts'
import { random } from './search-names.ts'

/** A query; `wanted` is the name in mind, null if there is none. */
export type Query = { text: string; wanted: string | null }

const REPLACE: Record<string, string> = { a: 's', e: 'r', i: 'o', o: 'p', u: 'i', r: 't', n: 'm', t: 'y', s: 'd', l: 'k' }

type Maker = (words: string[], entity: Entity, next: () => number) => string | null

const cut = (word: string, next: () => number): string =>
  word.slice(0, Math.max(Math.min(3, word.length), Math.ceil(word.length * (0.4 + next() * 0.4))))
const shuffle = <T>(list: readonly T[], next: () => number): T[] => {
  const out = [...list]
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1))
    ;[out[i], out[j]] = [out[j]!, out[i]!]
  }
  return out
}
/** Changes a letter, but not the first, of a long word. */
const spoil = (words: string[], next: () => number, how: (word: string, i: number) => string): string | null => {
  const long = words.map((word, i) => ({ word, i })).filter(({ word }) => word.length >= 5)
  if (long.length === 0) return null
  const { word, i } = long[Math.floor(next() * long.length)]!
  const place = 1 + Math.floor(next() * (word.length - 2))
  const spoilt = how(word, place)
  return spoilt === word ? null : words.map((other, j) => (j === i ? spoilt : other)).join(' ')
}

/** How each class derives its query from the wanted name. */
const MAKERS: Record<string, Maker> = {
  'beginning of the name': (_, { name }) => name.slice(0, Math.ceil(name.length * 0.9)),
  'words out of order': (words, _, next) => shuffle(words, next).join(' '),
  'word prefixes': (words, _, next) => words.map((word) => cut(word, next)).join(' '),
  'word prefixes out of order': (words, _, next) =>
    shuffle(words, next)
      .map((word) => cut(word, next))
      .join(' '),
  'mashed prefixes': (words) => words.map((word) => word.slice(0, 3)).join(''),
  initials: (words) => (words.length >= 5 ? words.map((word) => word[0]).join('') : null),
  'initials beside a word': (words) =>
    words.length < 5
      ? null
      : `${words
          .slice(1, 4)
          .map((word) => word[0])
          .join('')} ${words[0]} ${words.slice(4).join(' ')}`,
  'typo: wrong letter': (words, _, next) =>
    spoil(words, next, (word, i) => word.slice(0, i) + (REPLACE[word[i]!] ?? 'x') + word.slice(i + 1)),
  'typo: missing letter': (words, _, next) => spoil(words, next, (word, i) => word.slice(0, i) + word.slice(i + 1)),
  'typo: extra letter': (words, _, next) =>
    spoil(words, next, (word, i) => word.slice(0, i) + (REPLACE[word[i]!] ?? 'x') + word.slice(i)),
  'typo: swapped letters': (words, _, next) =>
    spoil(words, next, (word, i) => word.slice(0, i) + word[i + 1]! + word[i]! + word.slice(i + 2)),
  'typo: missing space': (words, _, next) => {
    const i = 1 + Math.floor(next() * (words.length - 1))
    return words.length < 2 ? null : `${words.slice(0, i).join(' ')}${words.slice(i).join(' ')}`
  },
  'dropped vowels': (words) => words.map((word) => word[0] + word.slice(1).replace(/[aeiou]/g, '')).join(' '),
  codes: (_, { code }) => code?.toLowerCase().replace('-', '') ?? null,
  'ids with a word': (words, { id }) => `${words[0]!.slice(0, 4)} ${id}`,
  diacritics: (words, { name }) => (/[^\p{ASCII}’]/u.test(name) ? words.join(' ') : null),
}

const FIXED: Record<string, string[]> = {
  'one letter': [...'abcdefghijklmnopqrstuvwxyz0123456789'],
  'common words': [
    'survey',
    'summer tracker',
    'brand study',
    'study q1 2026',
    'wave 1',
    'the',
    'pet owner panel us',
    's s s',
    'st su tr',
    'health',
    'group concept test',
  ],
  'no hit': ['zxqvkj', 'summer zxqvkj', 'qqqq wwww', 'brand jjkkzz tracker', 'xkcd xkcd', '999999999999'],
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** The worst for a search: strings in nearly every name, and noise. They only have to be fast. */
function adversarial(entities: readonly Entity[], count: number, next: () => number): Record<string, string[]> {
  const pick = <T>(list: ArrayLike<T>): T => list[Math.floor(next() * list.length)]!
  const prefix = (): string => {
    const words = fold(pick(entities).name)
    return words.length === 0 ? 's' : pick(words).slice(0, 1 + Math.floor(next() * 3))
  }
  const several = (make: () => string): string[] => Array.from({ length: count }, make)
  return {
    'two letters, all of them': [...LETTERS].flatMap((a) => [...LETTERS].map((b) => a + b)),
    'random letters': several(() => Array.from({ length: 2 + Math.floor(next() * 7) }, () => pick(LETTERS)).join('')),
    'pairs of short prefixes': several(() => `${prefix()} ${prefix()}`),
    'triples of short prefixes': several(() => `${prefix()} ${prefix()} ${prefix()}`),
  }
}

/** `count` queries of each class over these names, the same for the same names and seed. */
export function makeQueries(entities: readonly Entity[], count: number, seed = 17): Record<string, Query[]> {
  const next = random(seed)
  const out: Record<string, Query[]> = {}
  for (const [title, make] of Object.entries(MAKERS)) {
    const queries: Query[] = []
    for (let tries = 0; queries.length < count && tries < count * 400; tries++) {
      const entity = entities[Math.floor(next() * entities.length)]!
      const text = make(fold(entity.name), entity, next)
      if (text !== null) queries.push({ text, wanted: entity.name })
    }
    out[title] = queries
  }
  for (const [title, texts] of Object.entries({ ...FIXED, ...adversarial(entities, count, next) }))
    out[title] = texts.map((text) => ({ text, wanted: null }))
  return out
}
