import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { civilDay } from '../../contract/format.ts'
import { addDays } from '../../contract/pacing.ts'
import { zoneOffset } from '../../contract/zone.ts'
import { endOfDay } from '../../server/calls/account/keys.ts'
import { dayStart } from '../../server/domain/content/days.ts'
import { zoneClock } from '../../server/domain/report/values.ts'
import { clockOf, dateOf } from '../../server/domain/visit/clock.ts'
import { sourceOf, sourcesOf } from '../support/graph.ts'
import { checkRows } from './rows.ts'

const PLACES = ['contract', 'server', 'src', 'cli', 'verbs', 'scripts']
const LIST = resolve(import.meta.dirname, 'own-moments.json')

/** The argument of a call whose parenthesis opens just before `from`. */
function argumentAt(source: string, from: number): string {
  let depth = 1
  let at = from
  while (depth && at < source.length) {
    if (source[at] === '(') depth++
    else if (source[at] === ')') depth--
    at++
  }
  return source
    .slice(from, at - 1)
    .replace(/\s+/g, ' ')
    .trim()
}

/** What is never text: nothing, `Date.UTC(…)`, sums, and numbers of milliseconds by name. */
const NUMERIC = /^$|^Date\.(UTC|now)\(|getTime\(\)|(?<!`.*)[*/] ?\w|^(ms|at|time|moment|millis\w*)( \+ \w+)?$/
const uses = (source: string): string[] =>
  [...source.matchAll(/\b(Date\.parse|new Date)\(/g)].flatMap((found) => {
    const argument = argumentAt(source, found.index + found[0].length)
    return found[1] === 'new Date' && NUMERIC.test(argument) ? [] : [`${found[1]}(${argument})`]
  })

describe('text that somebody else wrote', () => {
  test('is read by contract/moments.ts alone: every other parsing of a date is listed, of text that we wrote', () => {
    const found = Object.fromEntries(
      PLACES.flatMap(sourcesOf)
        .filter((path) => path !== 'contract/moments.ts')
        .map((path) => [path, [...new Set(uses(sourceOf(path)))].sort()] as const)
        .filter(([, list]) => list.length)
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    )
    // Look at each new line first: a lenient parser reads 30 February as 2 March.
    if (process.env.UPDATE === '1') writeFileSync(LIST, `${JSON.stringify(found, null, 2)}\n`)
    expect(found).toEqual(JSON.parse(readFileSync(LIST, 'utf8')))
  })

  test('is found by the rule', () => {
    checkRows<[source: string, used: string[]]>(
      [
        ['Date.parse(input.at)', ['Date.parse(input.at)']],
        ['new Date(row.time)', ['new Date(row.time)']],
        ["new Date(day + 'T00:00Z')", ["new Date(day + 'T00:00Z')"]],
        ['new Date(Date.parse(text) + DAY)', ['new Date(Date.parse(text) + DAY)', 'Date.parse(text)']],
        ['new Date()', []],
        ['new Date(Date.UTC(2026, 0, 1))', []],
        ['new Date(seconds * 1000)', []],
      ],
      ([source, used]) => expect(uses(source)).toEqual(used),
    )
  })

  test('makes no day by the order of a locale', () => {
    const found = PLACES.flatMap(sourcesOf).filter((path) =>
      /\.toLocale(?:Date|Time)?String\(|['"](?:en-CA|sv-SE|en-GB)['"]|timeZoneName|Intl\.DateTimeFormat\([^;]{0,200}\)\.format\(/.test(
        sourceOf(path),
      ),
    )
    expect(found).toEqual([])
  })
})

describe('days of a zone around its clock changes', () => {
  /** A zone with the days around which its clocks change: at 2, at 1, at midnight, by half an hour, or never. */
  const CHANGES: readonly (readonly [zone: string, days: readonly string[]])[] = [
    ['America/New_York', ['2026-03-08', '2026-11-01']],
    ['America/Los_Angeles', ['2027-03-14', '2027-11-07']],
    ['Europe/Berlin', ['2026-03-29', '2026-10-25']],
    ['America/Santiago', ['2026-04-05', '2026-09-06']],
    ['Asia/Beirut', ['2026-03-29', '2026-10-25']],
    ['America/Havana', ['2026-03-08', '2026-11-01']],
    ['Australia/Lord_Howe', ['2026-04-05', '2026-10-04']],
    ['Pacific/Apia', ['2026-03-08']],
    ['Asia/Kathmandu', ['2026-03-08']],
    ['Pacific/Honolulu', ['2026-03-08']],
    ['UTC', ['2026-03-08']],
  ]
  const SOME = CHANGES.flatMap(([zone, days]) => days.map((day) => ({ zone, day })))

  test('every clock has the same day for a moment, and time only goes on', () => {
    const minute = fc.integer({ min: -3 * 24 * 60, max: 3 * 24 * 60 })
    fc.assert(
      fc.property(fc.constantFrom(...SOME), minute, fc.integer({ min: 0, max: 59_999 }), ({ zone, day }, minutes, rest) => {
        const at = Date.parse(`${day}T12:00:00Z`) + minutes * 60_000 + rest
        const iso = new Date(at).toISOString()
        const shown = civilDay(at, zone)
        expect(zoneClock(zone).day(iso), 'report').toBe(shown)
        expect(dateOf(clockOf(zone).dayOf(Math.floor(at / 1000))), 'visits').toBe(shown)
        const local = new Date(at + zoneOffset(at, zone)).toISOString()
        expect(local.slice(0, 10), 'offset').toBe(shown)
        expect(zoneClock(zone).time(iso)).toBe(local.slice(11, 19))
      }),
      { numRuns: 400 },
    )
  })

  test('a day begins at its first moment, and ends where the next begins', () => {
    checkRows(
      SOME.flatMap(({ zone, day }) => [-2, -1, 0, 1, 2].map((away) => ({ zone, day: addDays(day, away) }))),
      ({ zone, day }) => {
        const start = Date.parse(dayStart(day, zone))
        expect([civilDay(start - 1, zone), civilDay(start, zone)]).toEqual([addDays(day, -1), day])
        expect(endOfDay(day, zone)).toBe(dayStart(addDays(day, 1), zone))
      },
      JSON.stringify,
    )
  })
})
