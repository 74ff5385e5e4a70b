import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  barAt,
  drawnHigh,
  type Extent,
  isScaled,
  MOST_HIGH,
  type Scroll,
  scrolledTo,
  settled,
  topAt,
} from '../../src/ui/grid/scale.ts'

const many: Extent = { count: 3_000_000, height: 32, room: 800 }
const few: Extent = { count: 100_000, height: 32, room: 800 }
const last = (extent: Extent) => extent.count * extent.height - extent.room
const START: Scroll = { top: 0, ahead: 0 }
/** The list after its bar moved by this many px, and after its own response. */
const by = (scroll: Scroll, px: number, extent = many): Scroll => {
  const next = scrolledTo(scroll.top - scroll.ahead + px, scroll, extent)
  return settled(next.top, next.ahead, extent)
}
/** A scroll position at rest. */
const rest = ({ top, ahead }: Scroll, extent = many) => settled(top, ahead, extent, true)
const extents = fc.record({
  count: fc.integer({ min: 400_000, max: 50_000_000 }),
  height: fc.constantFrom(32, 40, 52, 60),
  room: fc.integer({ min: 60, max: 2400 }),
})

describe('the scroll bar of a list that fits', () => {
  test('is the list itself', () => {
    expect(isScaled(few)).toBe(false)
    for (const top of [0, 1, 31_999, 1_600_000, last(few)]) {
      expect(barAt(top, few)).toBe(top)
      expect(topAt(top, few)).toBe(top)
      expect(scrolledTo(top, START, few)).toEqual({ top, ahead: 0 })
      expect(settled(top, 0, few, true)).toEqual({ top, ahead: 0 })
    }
  })

  test('is exact again once removed rows make it fit', () => {
    expect(settled(1_000_000, 40_000_000, few)).toEqual({ top: 1_000_000, ahead: 0 })
  })
})

describe('the scroll bar of three million rows', () => {
  test('is no higher than a browser supports', () => {
    expect(isScaled(many)).toBe(true)
    expect(drawnHigh(many)).toBe(MOST_HIGH)
  })

  test('reaches the first row, the last, and every row between, within one', () => {
    expect([barAt(0, many), barAt(last(many), many)]).toEqual([0, MOST_HIGH - 800])
    expect([topAt(0, many), topAt(MOST_HIGH - 800, many)]).toEqual([0, last(many)])
    fc.assert(
      fc.property(extents, fc.double({ min: 0, max: 1, noNaN: true }), (extent, share) => {
        const top = Math.round(share * last(extent))
        const pixel = (extent.count * extent.height) / MOST_HIGH
        expect(Math.abs(topAt(barAt(top, extent), extent) - top)).toBeLessThanOrEqual(2 * pixel + 1)
      }),
    )
  })

  test('never moves up for a row further down', () => {
    fc.assert(
      fc.property(
        extents,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 1e8 }),
        (extent, share, more) => {
          const top = share * last(extent)
          expect(barAt(top + more, extent)).toBeGreaterThanOrEqual(barAt(top, extent))
        },
      ),
    )
  })

  test('moves pixel by pixel with the wheel, everywhere', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.array(fc.integer({ min: -700, max: 700 }), { maxLength: 60 }),
        (share, turns) => {
          let scroll = rest({ top: Math.round(share * last(many)), ahead: 0 })
          for (const turn of turns) {
            const before = scroll.top
            scroll = by(scroll, turn)
            expect(scroll.top).toBe(before + turn)
          }
        },
      ),
    )
  })

  test('reaches the very first and last row by wheel', () => {
    let up = rest({ top: 5_000_000, ahead: 0 })
    for (let turn = 0; turn < 10_000 && up.top > 0; turn++) up = by(up, -Math.min(700, up.top - up.ahead))
    expect(up).toEqual(START)
    let down = rest({ top: last(many) - 5_000_000, ahead: 0 })
    for (let turn = 0; turn < 10_000 && down.top < last(many); turn++)
      down = by(down, Math.min(700, MOST_HIGH - 800 - (down.top - down.ahead)))
    expect(down.top).toBe(last(many))
  })

  test('takes the list to its share when dragged', () => {
    const half = by(START, MOST_HIGH / 2 - 400)
    expect(Math.abs(half.top / last(many) - 0.5)).toBeLessThan(0.001)
    expect(by(half, MOST_HIGH).top).toBe(last(many))
    expect(by(half, -MOST_HIGH)).toEqual(START)
  })

  test('returns to its share at rest, without moving the list', () => {
    let scroll = rest({ top: 40_000_000, ahead: 0 })
    for (let turn = 0; turn < 3000; turn++) scroll = by(scroll, 600)
    const resting = rest(scroll)
    expect(resting.top).toBe(scroll.top)
    expect(resting.top - resting.ahead).toBe(barAt(scroll.top, many))
    expect(rest(resting)).toEqual(resting)
  })

  test('holds each position, however it got there', () => {
    fc.assert(
      fc.property(
        extents,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: -1e8, max: 1e8 }),
        (extent, share, ahead) => {
          const place = settled(share * last(extent), ahead, extent)
          const bar = place.top - place.ahead
          expect(bar).toBeGreaterThanOrEqual(0)
          expect(bar).toBeLessThanOrEqual(drawnHigh(extent) - extent.room)
          // Between the ends, both directions remain open.
          if (place.top > 1 && place.top < last(extent) - 1) {
            expect(bar).toBeGreaterThan(0)
            expect(bar).toBeLessThan(drawnHigh(extent) - extent.room)
          }
        },
      ),
    )
  })
})
