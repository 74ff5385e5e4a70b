import { describe, expect, test } from 'vitest'
import { buildIndex } from '../../src/search/build.ts'
import { fromBytes, toBytes } from '../../src/search/bytes.ts'
import { toEntity } from '../../src/search/feed.ts'
import { addUse } from '../../src/search/frecency.ts'
import { fitOf } from '../../src/search/heldRow.ts'
import { readQuery } from '../../src/search/query.ts'
import { openIndex } from '../../src/search/searcher.ts'
import { Segment } from '../../src/search/segment.ts'
import { type Entity, type Hit, TIER } from '../../src/search/types.ts'
import { makeEntities } from '../bench/search-names.ts'
import { checkRows } from './rows.ts'

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
  test('by what is typed', () => {
    checkRows(
      [
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
      ],
      ([, query, name]) => {
        expect(names(query)[0]).toBe(name)
      },
    )
  })
})

/** Rows as the product passes them on: the client, the status, the email. */
const rows = openIndex(
  buildIndex([
    project(2026, 'Memorial Day Store Audit', { kind: 'survey', key: 'survey:2026', detail: 'survey · Holiday' }),
    project(1, 'Brand Health 2026', { detail: 'Bluewater Energy · Active', code: 'P-1' }),
    project(2, 'Brand Health 2025', { detail: 'Wayfarer · Completed', code: 'P-2' }),
    project(3, 'Snack Tracker W12', { detail: 'Bluewater Energy · Completed', code: 'P-3' }),
    project(4, 'Snack Tracker Wave 2', { detail: 'Hallmark & Greaves · Active', code: 'P-4' }),
    project(5, 'Clover Insights Part II', { detail: 'Clover · Active', code: 'P-5' }),
    project(6, 'Usage & Attitudes Study', { detail: 'Stride & Co · Active', code: 'P-6' }),
    project(7, 'Quokka Mobile Games Churn Study', { detail: 'Quokka · Active', code: 'P-7' }),
    project(8, 'BrightSmile Battery Recycling', { detail: 'Customer Department · Active', code: 'P-8' }),
    project(9, 'Pet Care Smart Home', { detail: 'Acme · Active', code: 'P-9' }),
    project(10, 'Müller Yogurt Programme', { detail: 'Acme · Active', code: 'P-10' }),
    project(11, 'Tidewater Cleaning Co.', { detail: 'Acme · Active', code: 'P-11' }),
    project(12, 'Digital Telematics', { detail: 'Acme · Active', code: 'P-12' }),
    project(13, 'PetSmart', { kind: 'client', key: 'client:13', detail: 'client' }),
    project(14, 'Jo Meyer', {
      kind: 'user',
      key: 'user:14',
      detail: 'administrator · jo_meyer@clover.example · +1 415 555 7782',
    }),
    project(15, 'Accommodation Booking', { detail: 'Acme · Active', code: 'P-15' }),
    project(16, 'Яндекс Доставка', { detail: 'Acme · Active', code: 'P-16' }),
  ]),
)
const found = (query: string): string[] => rows.search(query).hits.map(({ name }) => name)

describe('a row is found by the text beside its name', () => {
  test('with a word of its name or without', () => {
    checkRows(
      [
        ['its client', 'bluewater energy', ['Snack Tracker W12', 'Brand Health 2026']],
        ['its client and a word of the name', 'blue health', ['Brand Health 2026']],
        ['its status and a word of the name', 'completed tracker', ['Snack Tracker W12']],
        ['its kind and a word of the name', 'clients pet', ['PetSmart']],
        ['an e-mail address', 'jo_meyer@clover.example', ['Jo Meyer']],
        ['the beginning of an address', 'jo.meyer@cl', ['Jo Meyer']],
        ['an address with a name before it', 'Jo Meyer <jo_meyer@clover.example>', ['Jo Meyer']],
        ['the end of a telephone number', '555-7782', ['Jo Meyer']],
        ['a telephone number written at home', '0415 5557782', ['Jo Meyer']],
      ],
      ([, query, names]) => {
        expect(found(query)).toEqual(names)
      },
    )
  })

  test('and the letters that matched there are marked', () => {
    const [hit] = rows.search('blue health').hits
    expect(hit!.detailRanges.map(([from, to]) => hit!.detail.slice(from, to))).toEqual(['Blue'])
    expect(hit!.ranges.map(([from, to]) => hit!.name.slice(from, to))).toEqual(['Health'])
  })
})

describe('numbers match exactly', () => {
  test('in any notation', () => {
    checkRows(
      [
        ['a year is no hidden id', '2026', 'Brand Health 2026'],
        ['a year is no other year', 'brand health 2025', 'Brand Health 2025'],
        ['a short year', "brand '26", 'Brand Health 2026'],
        ['a wave in other words', 'tracker wave twelve', 'Snack Tracker W12'],
        ['a wave run together', 'tracker wave12', 'Snack Tracker W12'],
        ['a wave by its letter', 'tracker w2', 'Snack Tracker Wave 2'],
        ['a part in Roman letters', 'clover pt 2', 'Clover Insights Part II'],
      ],
      ([, query, name]) => {
        expect(found(query)[0]).toBe(name)
      },
    )
  })

  test('no other wave is listed', () => {
    expect(found('tracker w1')).toEqual(['Snack Tracker W12'])
    expect(found('tracker w44')).toEqual([])
  })
})

describe('words are found in other spellings', () => {
  test('forms, languages and slips', () => {
    checkRows(
      [
        ['and for &', 'usage and attitudes', 'Usage & Attitudes Study'],
        ['singular for plural', 'usage attitude', 'Usage & Attitudes Study'],
        ['plural for singular', 'batteries', 'BrightSmile Battery Recycling'],
        ['a short form', 'battery dept', 'BrightSmile Battery Recycling'],
        ['in American', 'yogurt program', 'Müller Yogurt Programme'],
        ['an umlaut spelt out', 'mueller', 'Müller Yogurt Programme'],
        ['a word cut in two', 'pet smart', 'PetSmart'],
        ['initials with a word left out', 'qmcs', 'Quokka Mobile Games Churn Study'],
        ['beginnings run together with a word left out', 'quochurn', 'Quokka Mobile Games Churn Study'],
        ['two initials beside another word', 'study mg', 'Quokka Mobile Games Churn Study'],
        ['two typos in a long word', 'acomodation', 'Accommodation Booking'],
        ['the wrong keyboard', 'йгщллф', 'Quokka Mobile Games Churn Study'],
        ['Cyrillic in Latin letters', 'dostavka', 'Яндекс Доставка'],
      ],
      ([, query, name]) => {
        expect(found(query)[0] ?? '').toBe(name)
      },
    )
  })

  test('a short word isn’t taken for a typo', () => {
    checkRows(['clo', 'dog', 'tea', 'dark'], (query) => {
      for (const name of found(query)) expect(name.toLowerCase()).toMatch(new RegExp(`\\b${query}`))
    })
  })
})

describe('an extra word', () => {
  test('is left out, and named', () => {
    checkRows(
      [
        ['a small one', 'the brand health 2025', 'Brand Health 2025', ['the']],
        ['an unknown one', 'zzyzx brand health 2025', 'Brand Health 2025', ['zzyzx']],
        ['a wrong one', 'quokka console churn study', 'Quokka Mobile Games Churn Study', ['console']],
        ['those of a mail', 'Fwd: Re: Brand Health 2025', 'Brand Health 2025', ['fwd', 're']],
        ['those of a file', 'Quokka_Churn_final.pptx', 'Quokka Mobile Games Churn Study', ['final']],
      ],
      ([, query, name, without]) => {
        const [hit] = rows.search(query).hits
        expect(hit?.name).toBe(name)
        expect(hit?.without).toEqual(without)
      },
    )
  })

  test('may be the last of two while only its first letters are typed', () => {
    expect(rows.search('quokka chx').hits[0]).toMatchObject({ name: 'Quokka Mobile Games Churn Study', without: ['chx'] })
  })

  test('is no other word of two', () => {
    expect(found('zzyzx tracker')).toEqual([])
  })
})

describe('matched letters', () => {
  test('are marked', () => {
    checkRows(
      [
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
      ],
      ([query, expected]) => {
        expect(first(query)).toBe(expected)
      },
    )
  })
})

describe('a row that changes while it is open', () => {
  const live = openIndex(buildIndex([project(1, 'Snack Tracker', { detail: 'Bluewater · Active' })]))
  const change = (detail: string) => live.apply({ put: [project(1, 'Snack Tracker', { detail })], drop: [] })
  const finds = (query: string) => live.search(query).hits.length > 0

  test('is found by the new words and not by the old ones', () => {
    checkRows(
      [
        ['its client is renamed', 'Redwood · Active', 'redwood', 'bluewater'],
        ['it moves to another client', 'Stride & Co · Active', 'stride snack', 'redwood'],
        ['its status is changed', 'Stride & Co · Completed', 'completed tracker', 'active tracker'],
        ['its address is changed', 'Stride & Co · jo@stride.example', 'jo@stride', 'completed'],
      ],
      ([, detail, now, before]) => {
        change(detail)
        expect([finds(now), finds(before)]).toEqual([true, false])
      },
    )
  })
})

describe('a last word that finds nothing', () => {
  const some = openIndex(
    buildIndex([
      project(1, 'Kingfisher Beer Study'),
      project(2, 'Quokka Mobile Games Churn Study Wave 12'),
      project(3, 'Corn Flakes'),
    ]),
  )
  test('keeps the rows of its beginning, and says so', () => {
    checkRows(
      [
        ['kngfihs', 'kngfihs'],
        ['quokka co', 'co'],
        ['qoukka chru', 'chru'],
      ],
      ([typed, without]) => {
        const [hit] = some.search(typed).hits
        expect([hit?.id, hit?.without]).toEqual([typed.startsWith('k') ? 1 : 2, [without]])
      },
    )
  })
  test('still finds nothing without such a beginning', () => {
    checkRows(['kinf', 'zucchini', 'quokka w13', 'penguin ga'], (typed) => expect(some.search(typed).hits).toEqual([]))
  })
})

describe('the first row while a word is typed', () => {
  const packed = buildIndex(
    [
      project(1, 'Usage & Attitudes: Oat Drink'),
      project(2, 'Anchor Usage Study'),
      project(3, "Lay's: Used Cars Concept Test"),
      project(4, 'Urban Coffee Shops', { detail: "Lay's" }),
      project(5, 'Back to School Backpack Shelf'),
      project(6, 'Back to School Biscuits Awareness'),
      project(7, 'Snack Tracker', { detail: 'Tidewater Foods' }),
    ],
    new Map([['project:5', 1]]),
  )
  const held = openIndex(packed)

  test('stays first, though another row matches', () => {
    checkRows(
      [
        ['usage an', 1, 2, 'the letters of an "and"'],
        ['lays uc', 3, 4, 'initials beside another word'],
        ['btsba', 5, 6, 'a beginning after initials'],
      ],
      ([typed, first, other]) => {
        held.search('')
        for (let length = 1; length < typed.length; length++) held.search(typed.slice(0, length))
        expect(held.search(typed).hits.map(({ id }) => id)).toEqual([first, other])
        held.search('')
        expect(held.search(typed).hits[0]!.id, 'pasted').toBe(other)
      },
    )
  })

  const slips = openIndex(
    buildIndex(
      [
        project(1, 'Summer Snack Tracker'),
        project(2, 'Sumen Inc'),
        project(3, 'Flovi Launch'),
        project(4, 'Osprey Furniture Laptops Logo'),
        project(5, 'Nubergo Electronics'),
        project(6, 'Nestlé'),
        project(7, 'Accommodation Booking'),
        project(8, 'Heavy Allergy Cats Owners Motor Oil'),
        project(9, 'Roni Higher Education'),
        project(10, 'Suzuki Allergy Forecast'),
        project(11, 'Suzuki Razor', { detail: 'Archived' }),
        project(12, 'Szabo Yoghurt'),
        project(13, 'Sahara Zoo Meeting'),
      ],
      new Map([1, 3, 5, 7, 9, 10, 12].map((id) => [`project:${id}`, 1 / id])),
    ),
  )
  /** The first row after each letter; null without a row. */
  const firsts = (text: string): (number | null)[] => {
    slips.search('')
    return [...text].map((_, at) => Number(slips.search(text.slice(0, at + 1)).hits[0]?.id ?? 0) || null)
  }
  test('stays first despite a slip', () => {
    checkRows(
      [
        ['a used row before unused names', 'sumer', 'sum', 1],
        ['before the initials of words within', 'fllovi', 'f', 3],
        ['forgotten doubled letters', 'acomodation', 'a', 7],
        ['beside another word, though nothing is found', 'roni edzuation', 'roni e', 9],
        ['beside another word, before a beginning on a second line', 'suzuki arle', 'suzuki a', 10],
        ['its first two initials', 'ne', 'n', 5],
      ],
      ([, typed, from, first]) =>
        expect(firsts(typed).slice(from.length - 1)).toEqual(Array.from(typed.slice(from.length - 1), () => first)),
    )
  })
  test('yields to what is typed, by a letter more, and to whole words and initials', () => {
    expect(firsts('sumen')).toEqual([1, 1, 1, 1, 2])
    expect(firsts('nes').slice(1)).toEqual([5, 6])
    expect(firsts('szm')[2]).toBe(13)
    expect(firsts('suzuki razo').slice(-3)).toEqual([11, 11, 11])
  })

  test('matches words that are one word on its second line', () => {
    const segment = new Segment(packed)
    const rank = segment.find('project:7')
    expect(fitOf(readQuery('tide wat'), segment, rank)).toEqual({ tier: TIER.detail, whole: false, without: [], by: null })
    expect(fitOf(readQuery('tide wet'), segment, rank)).toBeNull()
  })
})

describe('the order', () => {
  test('puts active records before ended ones, and parts named like their project after it', () => {
    const feed = openIndex(
      buildIndex([
        toEntity(['project', 9, 'Energy Tracker', 'Acme · Completed']),
        toEntity(['survey', 8, 'Energy Tracker', 'survey · Energy Tracker']),
        toEntity(['activity', 8341, 'Energy Tracker', 'activity · Energy Tracker']),
        toEntity(['vip', 12, 'Energy Tracker', 'Energy Tracker · P-9']),
        toEntity(['project', 7, 'Energy Tracker', 'Acme · Active']),
      ]),
    )
    for (const typed of ['Energy Tracker', 'energy', 'tracker', 'enrgy'])
      expect(feed.search(typed).hits.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
        'project 7',
        'project 9',
        'activity 8341',
        'vip 12',
        'survey 8',
      ])
  })

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

  test('says so, and continues to the full result', () => {
    checkRows(['smmr trckr', 'brandtrack', 'sumer', 'study q1'], (query) => {
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
