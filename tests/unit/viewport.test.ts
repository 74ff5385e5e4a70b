import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { dollars, longDate, shortDate } from '../../contract/format.ts'
import { moment } from '../../src/data/format.ts'
import type { Row, Section } from '../../src/palette/paletteRows.ts'
import { moveBy } from '../../src/palette/ResultList.tsx'
import { topFor, useVirtualRows } from '../../src/ui/grid/useVirtualRows.ts'

const box = (top: number, room = 320) => ({ top, room, height: 32 })

interface Place {
  count: number
  top: number
  room: number
  height: number
}
type Drawn = ReturnType<typeof useVirtualRows>
function Rows({ count, top, room, height, onDrawn }: Place & { onDrawn: (drawn: Drawn) => void }) {
  const cursor = Math.min(count - 1, Math.ceil(top / height))
  onDrawn(useVirtualRows({ scroller: { current: null }, count, height, head: 0, cursor, startTop: top, likelyRoom: room }))
  return null
}
/** The rows of a list's first frame, as the hook places them without a browser. */
function firstRows(place: Place): Drawn {
  const all: Drawn[] = []
  renderToStaticMarkup(createElement(Rows, { ...place, onDrawn: (drawn) => all.push(drawn) }))
  return all.at(-1)!
}

describe('a list’s rows, from its first frame on,', () => {
  test('are those in view and 8 beyond each edge, each in its place, in lists of any length', () => {
    const place = fc.record({
      count: fc.oneof(
        fc.integer({ min: 0, max: 50 }),
        fc.integer({ min: 51, max: 20_000 }),
        fc.integer({ max: 3_000_000, min: 0 }),
      ),
      height: fc.constantFrom(28, 32, 40, 52, 60),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      room: fc.integer({ min: 200, max: 2400 }),
    })
    fc.assert(
      fc.property(place, ({ share, ...rest }) => {
        const { count, height, room } = rest
        const top = Math.round(share * Math.max(0, count * height - room))
        const { first, last, rows } = firstRows({ ...rest, top })
        if (!count) {
          expect(rows).toEqual([])
          return
        }
        const from = Math.floor(top / height)
        const to = Math.min(count, Math.ceil((top + room) / height)) - 1
        expect([first, last]).toEqual([from, to])
        const indices = Array.from(
          { length: Math.min(count - 1, to + 8) - Math.max(0, from - 8) + 1 },
          (_, at) => Math.max(0, from - 8) + at,
        )
        expect(rows).toEqual(indices.map((index) => ({ index, start: index * height })))
      }),
    )
  })

  test('are the last ones if the list became shorter than its scroll position', () => {
    const { first, last } = firstRows({ ...box(32_000), count: 20 })
    expect([first, last]).toEqual([10, 19])
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
