import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CivilDate } from '../../contract/call.ts'
import { readDate } from '../../contract/dates.ts'
import { civilDay } from '../../contract/format.ts'
import { isDay, readDay, readHttpDate, readMoment } from '../../contract/moments.ts'
import { checkRows } from './rows.ts'

/** What no calendar has, or what isn't one of the documented formats; half of them `Date.parse` reads. */
const NO_MOMENT = [
  '2026-02-30T10:00:00Z',
  '2025-02-29 10:00Z',
  '1900-02-29T00:00:00Z',
  '2026-09-31T12:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-10T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T23:60:00Z',
  '2026-01-01T23:59:60Z',
  '2026-01-01T10:00:00+15:00',
  '2026-01-01T10:00:00+02:60',
  '2026-01-01T10Z',
  '10/12/2025 10:00:00.000Z',
  'Mar 1, 2026 14:05:00.00Z',
  '2026-3-1T10:00:00Z',
  '20260301T100000Z',
  '+002026-03-01T10:00:00Z',
  '1899-12-31T23:59:59Z',
  '2200-01-01T00:00:00Z',
  '2026-01-01T10:00:00.Z',
  '2026-01-01T10:00:00Z and more',
  'Thu, 01 Jan 2026 10:00:00 GMT',
  '٢٠٢٦-٠٣-٠١T10:00:00Z',
  '1772359500',
  '',
]

describe('a moment from outside', () => {
  it('is refused unless it is of a documented format and a calendar has it', () =>
    checkRows(NO_MOMENT, (text) => expect(readMoment(text, { zone: 'UTC', day: true })).toBeNull()))
  it('is read with its offset, to the millisecond', () => {
    const at = Date.UTC(2026, 2, 1, 14, 5)
    for (const text of [
      '2026-03-01T14:05:00Z',
      '2026-03-01 16:05+02:00',
      '2026-03-01t09:05:00.000000000-0500',
      '2026-03-02T04:05:00 +14:00',
    ])
      expect(readMoment(text), text).toBe(at)
    expect(readMoment('2026-03-01T14:05:00.9876Z')).toBe(at + 987)
  })
  it('needs an offset, unless its field has a zone; a day alone is one only where a field says so', () => {
    expect(readMoment('2026-03-01T14:05')).toBeNull()
    expect(readMoment('2026-03-01T14:05', { zone: 'UTC' })).toBe(Date.UTC(2026, 2, 1, 14, 5))
    expect(readMoment('2026-03-01', { zone: 'UTC' })).toBeNull()
    expect(readMoment('2026-03-01', { day: true })).toBe(Date.UTC(2026, 2, 1))
  })
  it('is what ISO text says, for every moment of three centuries', () => {
    const moments = fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31T23:59:59.999Z'), noInvalidDate: true })
    fc.assert(
      fc.property(moments, (date) => {
        expect(readMoment(date.toISOString())).toBe(date.getTime())
        expect(readHttpDate(date.toUTCString())).toBe(Math.floor(date.getTime() / 1000) * 1000)
      }),
    )
  })
})

describe('a day from outside', () => {
  it('is the same for the browser, calls and links, and exists', () => {
    const parts = [
      fc.integer({ min: 1890, max: 2210 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
    ] as const
    fc.assert(
      fc.property(...parts, (year, month, day) => {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
        const date = new Date(Date.UTC(year, month - 1, day))
        const there = year >= 1900 && year <= 2199 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? text : null
        const american = `${text.slice(5, 7)}/${text.slice(8)}/${year}`
        const called = CivilDate.safeParse(text)
        const read = [readDay(text), readDay(american), readDate(text), called.success ? called.data : null]
        expect(read).toEqual([there, there, there, there])
        expect(isDay(text)).toBe(there !== null)
      }),
    )
  })
  it('may have its midnight, as older clients send it, but nothing else behind it', () => {
    for (const text of ['2026-03-01T00:00:00.000Z', '2026-03-01 00:00', '2026-03-01t00:00:00-05:00', '2026-03-01T00:00:00+0900'])
      expect(readDay(text), text).toBe('2026-03-01')
    for (const time of ['T23:00:00Z', 'T00:00:01Z', 'T00:01Z', ' 12:00', 'T00:00:00.001Z', 'T05:00:00.000+05:00']) {
      const called = CivilDate.safeParse(`2026-03-01${time}`)
      expect([time, called.error?.issues[0]?.message]).toEqual([time, expect.stringContaining('is a day, without a time')])
    }
    for (const text of ['2026-03-01 or so', '2026-03-01T99:00', '2026-03-011', '3/1/2026', '01/03/26'])
      expect(readDay(text), text).toBeNull()
  })
})

describe('a civil day', () => {
  it('is made of parts, not of a locale’s order, and follows the clock changes of its zone', () => {
    for (const [at, zone, day] of [
      ['2026-03-08T04:59:59Z', 'America/New_York', '2026-03-07'],
      ['2026-03-08T05:00:00Z', 'America/New_York', '2026-03-08'],
      ['2026-11-01T03:59:59Z', 'America/New_York', '2026-10-31'],
      ['2026-11-02T04:59:59Z', 'America/New_York', '2026-11-01'],
      ['2026-11-02T05:00:00Z', 'America/New_York', '2026-11-02'],
      ['2026-12-31T15:00:00Z', 'Asia/Tokyo', '2027-01-01'],
    ] as const)
      expect(civilDay(Date.parse(at), zone), `${at} ${zone}`).toBe(day)
  })
})
