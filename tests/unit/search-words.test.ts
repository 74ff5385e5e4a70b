import { describe, expect, test } from 'vitest'
import { buildIndex } from '../../src/search/build.ts'
import { fromBytes, toBytes } from '../../src/search/bytes.ts'
import { addUse } from '../../src/search/frecency.ts'
import { openIndex } from '../../src/search/searcher.ts'
import type { Entity, Hit } from '../../src/search/types.ts'
import { makeEntities } from '../bench/search-names.ts'

const project = (id: number, name: string, more: Partial<Entity> = {}): Entity => ({
  key: `project:${id}`,
  kind: 'project',
  id,
  name,
  detail: '',
  ...more,
})

const NAMES = [
  'Acme Summer Tracker',
  'Acme Winter Tracker',
  'Bank of America Brand Study',
  'Zürich Søndergård',
  "O'Brien & Co",
  'Summer Acme Survey',
  'cafe\u0301 Panel',
  'São Paulo Straße',
  'İstanbul ﬁnance 𝐌obile',
  'Great Hotel Group Study Pilot',
  'Goods Over the Top Outdoor Inventory',
  '🚀🌟',
  '👩🏽‍🚀👨‍👩‍👧',
  '🇫🇷🇩🇪',
  '🎯 Vital Quiz Panel',
]
const searcher = openIndex(buildIndex(NAMES.map((name, i) => project(4800 + i, name, { code: `P-${4800 + i}` }))))
const names = (query: string): string[] => searcher.search(query).hits.map(({ name }) => name)
/** A name with its matched letters in brackets. */
const marked = ({ name, ranges }: Hit): string =>
  ranges.reduceRight((text, [from, to]) => `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`, name)
const first = (query: string): string => {
  const hit = searcher.search(query).hits[0]
  return hit === undefined ? '' : marked(hit)
}

describe('a name is found', () => {
  test.each([
    ['by its beginning', 'acme su', 'Acme Summer Tracker'],
    ['by its words in any order', 'tracker winter', 'Acme Winter Tracker'],
    ['by beginnings of words in any order', 'tra win', 'Acme Winter Tracker'],
    ['by beginnings run together', 'acmsumtra', 'Acme Summer Tracker'],
    ['by initials', 'boabs', 'Bank of America Brand Study'],
    ['by initials without its small words', 'babs', 'Bank of America Brand Study'],
    ['by initials beside another word', 'bab study', 'Bank of America Brand Study'],
    ['with a letter missing', 'acme wnter', 'Acme Winter Tracker'],
    ['with a letter too many', 'winnter', 'Acme Winter Tracker'],
    ['with a wrong letter', 'wimter', 'Acme Winter Tracker'],
    ['with swapped letters', 'witner', 'Acme Winter Tracker'],
    ['with its vowels dropped', 'wntr trckr', 'Acme Winter Tracker'],
    ['without its diacritics', 'zurich sondergard', 'Zürich Søndergård'],
    ['with diacritics it does not have', 'ácmè wïnter', 'Acme Winter Tracker'],
    ['by ß as ss', 'strasse', 'São Paulo Straße'],
    ['without its apostrophe', 'obrien', "O'Brien & Co"],
    ['by its code', 'P-4803', 'Zürich Søndergård'],
    ['by its code run together', 'p4803', 'Zürich Søndergård'],
    ['by its id', '#4803', 'Zürich Søndergård'],
    ['by a word and its id', 'søn 4803', 'Zürich Søndergård'],
    ['by a word and its code', 'zur P-4803', 'Zürich Søndergård'],
    ['by initials within it beside another word', 'gsp great', 'Great Hotel Group Study Pilot'],
    ['by initials at its beginning beside another word', 'gotto inv', 'Goods Over the Top Outdoor Inventory'],
    ['by initials within it without small words', 'oto goo', 'Goods Over the Top Outdoor Inventory'],
    ['by a ligature as its letters', 'finance', 'İstanbul ﬁnance 𝐌obile'],
    ['by letters outside of the basic plane', 'mobile', 'İstanbul ﬁnance 𝐌obile'],
    ['by beginnings run together beside another word', 'hotgro pilot', 'Great Hotel Group Study Pilot'],
    ['made of emoji alone by all of it', '🚀🌟', '🚀🌟'],
    ['made of emoji alone by a part of it', '🌟', '🚀🌟'],
    ['by a member of a family, in any skin', '👩🏿', '👩🏽‍🚀👨‍👩‍👧'],
    ['by a flag', '🇩🇪', '🇫🇷🇩🇪'],
    ['by its words where an emoji stands before them', 'vqp', '🎯 Vital Quiz Panel'],
    ['by an emoji and a word in any order', '🎯 pan', '🎯 Vital Quiz Panel'],
    ['pasted whole, emoji and all', '🎯 Vital Quiz Panel', '🎯 Vital Quiz Panel'],
    ['by the inside of a word', 'ndergard', 'Zürich Søndergård'],
  ])('%s: %s', (_, query, name) => {
    expect(names(query)[0]).toBe(name)
  })
})

describe('matched letters', () => {
  test.each([
    ['sum acm', '[Sum]mer [Acm]e Survey'],
    ['🌟', '🚀[🌟]'],
    ['🇩🇪', '🇫🇷[🇩🇪]'],
    ['quiz 🎯', '[🎯] Vital [Quiz] Panel'],
    ['acmsumtra', '[Acm]e [Sum]mer [Tra]cker'],
    ['boab', '[B]ank [o]f [A]merica [B]rand Study'],
    ['zurich', '[Zürich] Søndergård'],
    ['cafe', '[cafe\u0301] Panel'],
    ['obri', "[O'Bri]en & Co"],
    ['strass', 'São Paulo [Straß]e'],
    ['wnter', 'Acme [W]i[nter] Tracker'],
    ['stra', 'São Paulo [Stra]ße'],
    ['istan', '[İstan]bul ﬁnance 𝐌obile'],
    ['f', 'İstanbul [ﬁ]nance 𝐌obile'],
    ['fin', 'İstanbul [ﬁn]ance 𝐌obile'],
    ['m', 'İstanbul ﬁnance [𝐌]obile'],
    ['mob', 'İstanbul ﬁnance [𝐌ob]ile'],
    ['gsp', 'Great Hotel [G]roup [S]tudy [P]ilot'],
    ['gotto inv', '[G]oods [O]ver [t]he [T]op [O]utdoor [Inv]entory'],
    ['p-4802', 'Bank of America Brand Study'],
  ])('of %s', (query, expected) => {
    expect(first(query)).toBe(expected)
  })
})

describe('the order', () => {
  test('puts a used name before unused ones of its tier, whatever is typed', () => {
    const changed = openIndex(buildIndex(NAMES.map((name, i) => project(i, name))))
    changed.use([['project:1', addUse(undefined, Date.now())]])
    expect(changed.search('acme tra').hits.map(({ name }) => name)).toEqual(['Acme Winter Tracker', 'Acme Summer Tracker'])
    expect(changed.search('a').hits[0]!.name).toBe('Acme Winter Tracker')
  })

  test('ranks ten recent uses above twenty of a month ago', () => {
    const day = 86_400_000
    let old: number | undefined
    let fresh: number | undefined
    for (let i = 0; i < 20; i++) old = addUse(old, 1000 * day)
    for (let i = 0; i < 10; i++) fresh = addUse(fresh, 1030 * day)
    expect(fresh!).toBeGreaterThan(old!)
  })

  test('halves a use in five days', () => {
    const day = 86_400_000
    expect(addUse(addUse(undefined, 0), 0)).toBeCloseTo(addUse(undefined, 5 * day))
  })
})

describe('a search that ran out of time', () => {
  const many = openIndex(buildIndex(makeEntities(3000)))

  test.each(['smmr trckr', 'brandtrack', 'sumer', 'study q1'])('says so, and continues to the full result: %s', (query) => {
    const whole = many.search(query).hits.map(({ key }) => key)
    const fresh = openIndex(buildIndex(makeEntities(3000)))
    let answer = fresh.search(query, { budgetMs: -1 })
    const keys = answer.hits.map(({ key }) => key)
    while (answer.resume !== undefined) {
      answer = answer.resume(-1)
      keys.push(...answer.hits.map(({ key }) => key))
    }
    expect(answer.complete).toBe(true)
    expect(keys).toEqual(whole)
  })

  test('restarts if names changed meanwhile, without repeats', () => {
    const fresh = openIndex(buildIndex(makeEntities(3000)))
    const cut = fresh.search('smmr trckr', { budgetMs: -1 })
    fresh.apply({ put: [project(1, 'Smmr Trckr')], drop: [] })
    const rest = cut.resume!()
    expect(rest.hits[0]!.name).toBe('Smmr Trckr')
    expect(rest.complete).toBe(true)
  })
})

describe('bytes', () => {
  const packed = buildIndex([...makeEntities(300), project(1, 'Odd', { key: 'project:x-1', id: 'x-1' } as Partial<Entity>)])

  test('restore the index they came from', () => {
    expect(fromBytes(toBytes(packed, 77))).toEqual({ packed, cursor: 77 })
  })

  test('that are truncated are no index', () => {
    expect(fromBytes(toBytes(packed, 77).slice(0, -8))).toBeNull()
  })

  test('without their header are no index', () => {
    const bytes = toBytes(packed, 77)
    new Uint8Array(bytes).fill(0, 0, 16)
    expect(fromBytes(bytes)).toBeNull()
  })
})
