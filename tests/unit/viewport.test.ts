import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dollars, longDate, shortDate } from '../../contract/format.ts'
import { moment } from '../../src/data/format.ts'
import type { Row, Section } from '../../src/palette/paletteRows.ts'
import { moveBy } from '../../src/palette/ResultList.tsx'
import { plainRows } from '../../src/ui/grid/plainRows.ts'
import { topFor } from '../../src/ui/grid/useVirtualRows.ts'
import { createVirtualRows } from '../../src/ui/grid/virtualRows.ts'

const box = (top: number, room = 320) => ({ top, room, height: 32 })

describe.each([
  ['before the code for long lists is here', () => plainRows],
  ['as TanStack Virtual computes them', createVirtualRows],
])('a list’s visible rows, %s,', (_, rowsOf) => {
  const inView = (count: number, at: { top: number; room: number; height: number }) => {
    const { first, last } = rowsOf()({ ...at, count, spare: 8 })
    return { first, last }
  }

  test('include partly visible ones at both ends', () => {
    expect(inView(1000, box(0))).toEqual({ first: 0, last: 9 })
    expect(inView(1000, box(1))).toEqual({ first: 0, last: 10 })
    expect(inView(1000, box(32))).toEqual({ first: 1, last: 10 })
  })

  test('are the last ones if the list became shorter than its scroll position', () => {
    expect(inView(20, box(32_000))).toEqual({ first: 10, last: 19 })
    expect(inView(3, box(32_000))).toEqual({ first: 0, last: 2 })
    expect(inView(0, box(32_000))).toEqual({ first: 0, last: -1 })
  })

  test('are drawn with spare ones at both edges, each in its place', () => {
    const { rows } = rowsOf()({ ...box(320), count: 25, spare: 8 })
    expect(rows[0]).toEqual({ index: 2, start: 64 })
    expect(rows.at(-1)).toEqual({ index: 24, start: 24 * 32 })
    expect(rows).toHaveLength(23)
    expect(rowsOf()({ ...box(0), count: 0, spare: 8 }).rows).toEqual([])
  })
})

describe('rows of lists of any length', () => {
  test('are placed like equal rows at any scroll position, however rows, height and viewport change', () => {
    const viewport = fc.record({
      count: fc.oneof(
        fc.integer({ min: 0, max: 50 }),
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 0, max: 3_000_000 }),
      ),
      height: fc.constantFrom(28, 32, 40, 52, 60),
      share: fc.double({ min: 0, max: 1.1, noNaN: true }),
      room: fc.integer({ min: 1, max: 2400 }),
      spare: fc.constantFrom(1, 8),
    })
    fc.assert(
      fc.property(fc.array(viewport, { minLength: 1, maxLength: 20 }), (steps) => {
        const rowsOf = createVirtualRows()
        for (const { share, ...at } of steps) {
          const now = { ...at, top: Math.round(share * at.count * at.height) }
          expect(rowsOf(now)).toEqual(plainRows(now))
        }
      }),
    )
  })
})

describe('the followed row', () => {
  test('is fully visible after the least scrolling, from any position', () => {
    for (let index = 0; index < 200; index++)
      for (const top of [0, 7, 320, 1000, 5000]) {
        const next = topFor(index, box(top))
        expect(index * 32, `row ${index} from ${top}`).toBeGreaterThanOrEqual(next)
        expect((index + 1) * 32).toBeLessThanOrEqual(next + 320)
        // A fully visible row stays where it is.
        if (index * 32 >= top && (index + 1) * 32 <= top + 320) expect(next).toBe(top)
      }
  })

  test('shows its upper edge if higher than the list', () => {
    expect(topFor(0, box(0, 20))).toBe(0)
    expect(topFor(5, box(170, 20))).toBe(160)
  })
})

describe('the keys of the palette’s list', () => {
  const section = (title: string, count: number): Section => ({ title, rows: Array.from({ length: count }, () => ({}) as Row) })
  const sections = [section('Go to', 3), section('Found', 4), section('Workspace', 1)]
  const to = (key: string, from: number, held: { altKey?: boolean; metaKey?: boolean } = {}) =>
    moveBy({ key, altKey: false, metaKey: false, ...held }, from, sections)

  test('go row by row across sections and stop at the ends', () => {
    expect([to('ArrowDown', 0), to('ArrowDown', 2), to('ArrowDown', 7)]).toEqual([1, 3, 7])
    expect([to('ArrowUp', 7), to('ArrowUp', 3), to('ArrowUp', 0)]).toEqual([6, 2, 0])
  })
  test('go to the ends, and with Alt from section to section', () => {
    expect([to('Home', 5), to('End', 5), to('ArrowDown', 1, { metaKey: true }), to('ArrowUp', 6, { metaKey: true })]).toEqual([
      0, 7, 7, 0,
    ])
    expect([
      to('ArrowDown', 1, { altKey: true }),
      to('ArrowDown', 3, { altKey: true }),
      to('ArrowDown', 7, { altKey: true }),
    ]).toEqual([3, 7, 7])
    expect(to('ArrowUp', 5, { altKey: true })).toBe(0)
  })
  test('ignore every other key', () => {
    expect(['a', 'Enter', 'Tab', 'ArrowLeft', 'PageDown'].map((key) => to(key, 2))).toEqual([null, null, null, null, null])
  })
})

describe('dates and sums', () => {
  test('read as before, though formatters are cached', () => {
    for (let round = 0; round < 2; round++) {
      expect(longDate('2026-11-24')).toBe('Tuesday, November 24, 2026')
      expect(shortDate('1999-11-24T00:00:00Z')).toBe('Nov 24, 1999')
      expect(shortDate(`${new Date().getUTCFullYear()}-02-03`)).toBe('Feb 3')
      expect(moment('2026-11-24T20:05:00.000Z').replace(/\s/g, ' ')).toBe('Nov 24, 3:05 PM')
      expect(dollars(125000)).toBe('$1,250.00')
      expect([shortDate(null), moment(undefined), longDate(null)]).toEqual(['–', '–', 'no date'])
    }
  })
})
