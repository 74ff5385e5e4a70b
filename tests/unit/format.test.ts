import { describe, expect, it, test } from 'vitest'
import {
  civilDay,
  count,
  dollars,
  fileSize,
  longDate,
  percent,
  roundDollars,
  shortDate,
  showDay,
  showShare,
  showTime,
} from '../../contract/format.ts'
import { fieldValue } from '../../src/panes/project/historyFields.ts'
import { dayOf } from '../../src/ui/displayZone.ts'
import { checkRows } from './rows.ts'

const NUMBERS = [0, -0, 1, -1, 12, 999, 1000, -1000, 1250, 65_535, 999_999, 1_000_000, 1_234_567.891, 0.5, 0.0004, 9e15, -9e15]
const CENTS = [0, 1, 5, 99, 100, 101, 12_500, 125_000, 125_050, -1, -99, -12_500, 100_000_000, 999_999_999_999]
const MOMENTS = [
  '2026-01-01T00:00:00Z',
  '2026-03-08T06:59:59Z',
  '2026-11-01T05:30:00Z',
  '2026-11-24T20:05:07Z',
  '1999-12-31T23:59:59Z',
]
const ZONES = ['America/New_York', 'UTC', 'Asia/Tokyo', 'Asia/Kathmandu', 'Pacific/Apia']

/** How each place formatted values before there was one format; what users see must not change. */
describe('a formatted value reads as before', () => {
  test('a number', () => {
    checkRows(NUMBERS, (value) => {
      expect([count(value), count(value)]).toEqual([value.toLocaleString('en-US'), value.toLocaleString('en')])
    })
  })

  test('money', () => {
    checkRows(CENTS, (cents) => {
      const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
      expect([dollars(cents), roundDollars(cents)]).toEqual([
        money.format(cents / 100),
        money.format(cents / 100).replace(/\.00$/, ''),
      ])
    })
  })

  test('a moment in a zone', () => {
    checkRows(
      ZONES.flatMap((zone) => MOMENTS.map((at) => [zone, at] as const)),
      ([timeZone, iso]) => {
        const at = new Date(iso)
        const by = (options: Intl.DateTimeFormatOptions, language = 'en-US') =>
          new Intl.DateTimeFormat(language, { ...options, timeZone }).format(at)
        expect(showTime(at, 'short', timeZone)).toBe(by({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }))
        expect(showTime(at, 'full', timeZone)).toBe(by({ dateStyle: 'full', timeStyle: 'long' }))
        expect(showTime(at, 'day and year', timeZone)).toBe(by({ month: 'short', day: 'numeric', year: 'numeric' }))
        expect(showTime(at, 'time', timeZone)).toBe(by({ hour: 'numeric', minute: '2-digit', second: '2-digit' }))
        expect(showTime(at, 'clock', timeZone)).toBe(
          at.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', timeZone }),
        )
        expect(civilDay(at, timeZone)).toBe(by({ year: 'numeric', month: '2-digit', day: '2-digit' }, 'en-CA'))
      },
    )
  })

  test('a civil date, whatever the zone of the machine', () => {
    const year = new Date().getUTCFullYear()
    expect([`${year}-11-24`, '2019-02-28', '', null, 'soon'].map(shortDate)).toEqual(['Nov 24', 'Feb 28, 2019', '–', '–', 'soon'])
    expect([longDate('2026-11-24'), longDate(null)]).toEqual(['Tuesday, November 24, 2026', 'no date'])
    expect([showDay('2026-11-24', 'weekday'), showDay('2026-11-24')]).toEqual(['Tue', 'Nov 24'])
  })

  test('a size', () => {
    expect([0, 1023, 1024, 14_500, 1_048_575, 1_048_576, 10_276_045, 23_622_320_128].map(fileSize)).toEqual([
      '0 B',
      '1023 B',
      '1 KB',
      '14 KB',
      '1024 KB',
      '1.0 MB',
      '9.8 MB',
      '22.0 GB',
    ])
  })
})

describe('a share', () => {
  const plain = (text: string) => text.replaceAll('\u00a0', ' ')
  it('is in whole percent, or with a decimal', () =>
    expect([showShare(1, 8), showShare(1, 8, 1), percent(1204)].map(plain)).toEqual(['13 %', '12.5 %', '1,204 %']))
  it('of something is never 0 %, and of all but somebody never 100 %', () =>
    expect([showShare(1, 700), showShare(699, 700), showShare(0, 700), showShare(700, 700)].map(plain)).toEqual([
      '< 1 %',
      '> 99 %',
      '0 %',
      '100 %',
    ]))
  it('of nothing is a dash', () => expect(showShare(0, 0)).toBe('–'))
  it('never breaks before its sign', () => expect(showShare(1, 1)).not.toContain(' '))
})

test('a time’s day is the one in the user’s zone, and a date stays', () => {
  expect(['2026-11-25T03:00:00.000Z', '2026-11-25T05:00:00.000Z', '2026-11-25'].map(dayOf)).toEqual([
    '2026-11-24',
    '2026-11-25',
    '2026-11-25',
  ])
  expect(fieldValue('went_live_at', '2020-11-25T03:00:00.000Z')).toBe('Nov 24, 2020')
  expect(fieldValue('start_dt', '2020-11-25')).toBe('Nov 25, 2020')
})
