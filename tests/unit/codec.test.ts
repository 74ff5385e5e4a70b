import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandLink, linkOf, linkOfRef, mended, readLink } from '../../src/routing/codec.ts'
import { follow } from '../../src/routing/compareLayout.ts'
import { columnsOf, go, shownIn } from '../../src/routing/layout.ts'
import { readPasted } from '../../src/routing/paste.ts'
import { withQuery } from '../../src/routing/ref.ts'
import { commandIds, commandOf } from '../support/commands.ts'
import { rounds } from './rounds.ts'

const paths = [
  '/dashboard/all-projects',
  '/dashboard/clients',
  '/dashboard/project-info/4812/dashboard',
  '/dashboard/client-info/7/details',
  '/survey-request/approve',
  '/dashboard/visitation/brand-info/3/none',
]
/** Any text that may be pasted into a field: any script, with marks, controls and lone surrogates. */
const hostile = fc.string({
  minLength: 1,
  unit: fc.oneof(
    fc.nat(0xffff).map((code) => String.fromCharCode(code)),
    fc.constantFrom(...'%;=&+#?/. '),
  ),
})
const key = fc
  .oneof(fc.constantFrom('age', 'search', 'a[]', 'k;=%', 'ä', 'amp;', 'amp;x', '__proto__', '\ud800'), hostile)
  .filter((text) => !['beside', 'at', 'linked', 'do'].includes(text))
const value = fc.oneof(
  fc.constantFrom(
    ...[
      '2,3',
      'acme',
      ';',
      '%',
      '=',
      '%3B',
      'a b+c&d#e',
      '.',
      ':',
      '!',
      ')',
      "'",
      '?',
      'ünïcode 😀',
      '/x?y',
      '&amp;',
      '%252C',
      '\u2028',
    ],
    ...['\ud800', '😀'.slice(1), '\u202eesrever', '<script>', 'x'.repeat(2000), '; ;', '=;=', 'javascript:alert(1)'],
  ),
  hostile,
)
const ref = fc
  .tuple(fc.constantFrom(...paths), fc.dictionary(key, value, { maxKeys: 4 }))
  // Two different lone surrogates are the same in an address, so keys are compared as encoded.
  .map(([path, query]) =>
    withQuery(path, Object.fromEntries(Object.entries(query).map(([name, text]) => [name.toWellFormed(), text]))),
  )
const layout = fc
  .tuple(fc.array(ref, { minLength: 1, maxLength: 4 }), fc.nat(3), fc.boolean())
  .map(([refs, at, linked]) => columnsOf(refs, at, linked))

describe('a link to columns', () => {
  it('describes the open layout and parses back to the same', () => {
    fc.assert(
      fc.property(layout, (before) => {
        const { refs, at, linked } = readLink(linkOf(before))
        expect({ refs, at, linked }).toEqual({
          refs: before.columns.map((column) => shownIn(column).ref),
          at: before.active,
          linked: before.linked,
        })
      }),
      { numRuns: rounds(100, 500) },
    )
  })

  it('is stable once parsed', () => {
    fc.assert(
      fc.property(layout, (before) => {
        const url = linkOf(before)
        const { refs, at, linked } = readLink(url)
        expect(linkOf(columnsOf(refs, at, linked))).toBe(url)
      }),
      { numRuns: rounds(100, 500) },
    )
  })

  it('survives a browser unchanged, as a valid address', () => {
    fc.assert(
      fc.property(layout, (before) => {
        const url = linkOf(before)
        const parsed = new URL(url, 'https://fieldwork.test')
        expect(parsed.pathname + parsed.search).toBe(url.replaceAll("'", '%27'))
        expect(url).not.toMatch(/[.,:;!?)']$/)
      }),
    )
  })

  it('survives chat and mail programs', () => {
    const points = fc.constantFrom('.', ',', ':', ';', '!', '?', ').', '...', ']')
    const programs: ((url: string) => string)[] = [
      (url) => url.replaceAll('&', '&amp;'),
      (url) => url.replaceAll('%20', '+'),
      (url) => url.replaceAll('%20', ' '),
      (url) => url.replace(/(?<=\?.*)[,/:;@]/g, (sign) => encodeURIComponent(sign)),
      (url) => `${url}#top`,
      (url) => url,
    ]
    fc.assert(
      fc.property(layout, points, fc.constantFrom(...programs), (before, point, program) => {
        const url = linkOf(before)
        expect(readLink(program(url))).toEqual(readLink(url))
        expect(readLink(program(url) + point)).toEqual(readLink(url))
      }),
      { numRuns: rounds(100, 500) },
    )
  })

  it('keeps a value whose `;` lost its escape in transit', () => {
    const url = linkOf(columnsOf(['/dashboard/clients', '/dashboard/rewards?search=a%3Bb%3Bc']))
    expect(url).toBe('/dashboard/clients?beside=/rewards;search=a%253Bb%253Bc')
    expect(readLink(url.replaceAll('%25', '%')).refs[1]).toBe('/dashboard/rewards?search=a;b;c')
  })

  it('reads a neighbour that was encoded twice', () => {
    const twice = encodeURIComponent(encodeURIComponent('/rewards;search=acme'))
    expect(readLink(`/dashboard/clients?beside=${twice}`).refs[1]).toBe('/dashboard/rewards?search=acme')
  })

  it('keeps a pane’s own `at` apart from the place in the row', () => {
    const refs = ['/dashboard/clients', '/dashboard/project-info/7/approval?round=1&at=responses']
    const url = linkOf({ ...columnsOf(refs), active: 1 })
    expect(url).toBe('/dashboard/project-info/7/approval?round=1&at=responses&beside=/clients&at=1')
    expect(readLink(url)).toMatchObject({ refs, at: 1 })
    expect(readLink('/dashboard/clients?beside=/project-info/7/approval;at=cost')).toMatchObject({
      refs: ['/dashboard/clients', '/dashboard/project-info/7/approval?at=cost'],
      at: 0,
    })
  })

  it('never throws, whatever the address is', () => {
    const piece = fc.constantFrom(
      '/',
      'a',
      '%',
      '%3',
      '%3B',
      ';',
      '=',
      '&',
      '?',
      'beside=',
      'at=',
      'do=',
      '..',
      '\ud800',
      '+',
      '#',
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(text, text, (path, query) => {
        expect(readLink(`/${path}?${query}`).refs.length).toBeGreaterThan(0)
      }),
    )
  })

  it('reads as workspace.md shows it', () => {
    const url =
      '/dashboard/project-info/4812/dashboard?age=2,3&beside=/project-info/4790/dashboard;age=2,3&beside=/clients;search=acme&at=1'
    expect(readLink(url)).toEqual({
      refs: [
        '/dashboard/project-info/4790/dashboard?age=2,3',
        '/dashboard/project-info/4812/dashboard?age=2,3',
        '/dashboard/clients?search=acme',
      ],
      at: 1,
      linked: false,
      command: null,
    })
    expect(linkOf(columnsOf(readLink(url).refs, 1))).toBe(url)
  })

  it('keeps a bad neighbour as written, for its error', () => {
    expect(readLink('/dashboard/clients?beside=/nonsense;a=1').refs).toEqual(['/dashboard/clients', '/nonsense?a=1'])
  })

  it('has at most four columns', () => {
    expect(readLink(`/dashboard/clients?${'beside=/rewards&'.repeat(9)}`).refs).toHaveLength(4)
  })
})

describe('a pasted text', () => {
  const origin = 'https://fieldwork.test'
  const opens = (text: string) => readPasted(text, origin)?.open
  it('opens a link of this site among words and punctuation', () => {
    expect(opens(`see <${origin}/dashboard/clients?search=acme>, please`)).toBe('/dashboard/clients?search=acme')
    expect(opens(`(${origin}/dashboard/clients).`)).toBe('/dashboard/clients')
  })
  it('opens a path of at least two parts', () => {
    expect(opens('/project-info/12/dashboard')).toBe('/project-info/12/dashboard')
    expect(readPasted('/clients', origin)).toBeNull()
  })
  it('replaces everything only if it is a whole layout', () => {
    expect(readPasted('/dashboard/clients?search=a', origin)).toMatchObject({ whole: false })
    for (const path of ['/dashboard/clients?beside=/rewards', '/dashboard/clients?do=go.rewards', '/w/abcdefgh'])
      expect(readPasted(path, origin), path).toMatchObject({ whole: true })
  })
  it('is refused with a reason for another site, even with the same beginning', () => {
    expect(readPasted('https://elsewhere.test/dashboard/clients', origin)?.refused).toContain('elsewhere.test')
    expect(readPasted(`${origin}.evil.test/dashboard/clients`, origin)?.refused).toContain('evil.test')
    expect(readPasted(`${origin}@evil.test/dashboard/clients`, origin)?.refused).toContain('evil.test')
  })
  it('is refused for an address of this site without a screen', () =>
    expect(readPasted(`${origin}/dashboard/nowhere/4`, origin)?.refused).toBe('no screen has this address'))
  it('never throws, whatever it is', () => {
    fc.assert(
      fc.property(
        hostile,
        fc.constantFrom('', '/', 'https://', `${origin}/`),
        (text, start) => void readPasted(start + text, origin),
      ),
    )
  })
})

it('repairing a link twice changes nothing', () => {
  fc.assert(
    fc.property(layout, (before) => {
      expect(mended(linkOf(before))).toBe(linkOf(before))
    }),
  )
})

describe('a link to one pane', () => {
  it('has no neighbours', () => {
    expect(linkOfRef('/dashboard/clients?search=acme')).toBe('/dashboard/clients?search=acme')
  })
  it('escapes a final period, which chat programs cut off', () => {
    expect(linkOfRef('/dashboard/clients?search=acme.')).toBe('/dashboard/clients?search=acme%2E')
  })
})

describe('a link to a command', () => {
  it('fills in its answers and keeps the page’s own query', () => {
    const url = commandLink('/dashboard/project-info/4812/dashboard?age=2', 'project.assignPartner', { partner: 12 })
    expect(url).toBe('/dashboard/project-info/4812/dashboard?age=2&do=project.assignPartner&partner=12')
    expect(readLink(url)).toMatchObject({
      refs: ['/dashboard/project-info/4812/dashboard?age=2'],
      command: { command: 'project.assignPartner', answers: { partner: '12' } },
    })
  })
})

it('no command’s question is named like a reserved query key', () => {
  const taken = commandIds().filter((id) =>
    Object.keys(commandOf(id).asks ?? {}).some((key) => ['beside', 'at', 'linked', 'do'].includes(key)),
  )
  expect(taken).toEqual([])
})

describe('linked panes', () => {
  const two = columnsOf(
    ['/dashboard/project-info/1/dashboard', '/dashboard/project-info/2/dashboard', '/dashboard/clients'],
    0,
    true,
  )
  it('show the same tab and filter of their own record', () => {
    const after = follow(two, go(two, 'p1', '/dashboard/project-info/1/specifications?age=2', 'push'))
    expect(after.columns.map((column) => shownIn(column).ref)).toEqual([
      '/dashboard/project-info/1/specifications?age=2',
      '/dashboard/project-info/2/specifications?age=2',
      '/dashboard/clients',
    ])
  })
  it('stay when one of them opens another record', () => {
    const after = follow(two, go(two, 'p1', '/dashboard/project-info/9/dashboard', 'push'))
    expect(shownIn(after.columns[1]!).ref).toBe('/dashboard/project-info/2/dashboard')
  })
  it('stay when unlinked', () => {
    const loose = { ...two, linked: false }
    const after = follow(loose, go(loose, 'p1', '/dashboard/project-info/1/specifications', 'push'))
    expect(shownIn(after.columns[1]!).ref).toBe('/dashboard/project-info/2/dashboard')
  })
})
