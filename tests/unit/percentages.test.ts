import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interviewSeconds, isLeftOpen, leftOpenNote, minutesOf } from '../../contract/interview.ts'
import { sharesOf, sharesWithin, showShares } from '../../contract/percentages.ts'
import { checkRows } from './rows.ts'

const counts = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 40 })
const places = fc.integer({ min: 0, max: 3 })
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

test('the parts of a whole add up to 100 as shown, each within a unit of its own share', () => {
  fc.assert(
    fc.property(counts, places, (parts, digits) => {
      fc.pre(sum(parts) > 0)
      const shares = sharesOf(parts, sum(parts), digits)
      expect(sum(shares.map((share) => Math.round(share * 10 ** digits)))).toBe(100 * 10 ** digits)
      for (const [at, share] of shares.entries()) {
        expect(Math.abs(share - (100 * parts[at]!) / sum(parts))).toBeLessThan(1 / 10 ** digits)
        expect(Number(share.toFixed(digits))).toBe(share)
        if (parts[at] === 0) expect(share).toBe(0)
      }
    }),
  )
})

test('parts of a part add up to its own share as shown', () => {
  fc.assert(
    fc.property(counts, fc.integer({ min: 0, max: 1000 }), (parts, thousandths) => {
      fc.pre(sum(parts) > 0)
      const within = sharesWithin(thousandths / 10, parts, sum(parts))
      expect(sum(within.map((share) => Math.round(share * 10)))).toBe(thousandths)
      for (const [at, share] of within.entries())
        expect(Math.abs(share - (thousandths / 10) * (parts[at]! / sum(parts)))).toBeLessThan(0.1 + 1e-9)
    }),
  )
})

test('a larger part never has a smaller share, and what the parts lack has a share of its own', () => {
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 1_000_000 }), places, (parts, rest, digits) => {
      const shares = sharesOf(parts, sum(parts) + rest, digits)
      expect(shares).toEqual(sharesOf([...parts, rest], undefined, digits).slice(0, -1))
      for (const [at, part] of parts.entries())
        for (const [other, than] of parts.entries()) if (part > than) expect(shares[at]).toBeGreaterThanOrEqual(shares[other]!)
    }),
  )
})

test('known breakdowns', () => {
  checkRows<[parts: number[], whole: number | undefined, digits: number, shares: number[]]>(
    [
      [[1, 1, 1], undefined, 1, [33.4, 33.3, 33.3]],
      [[1, 1, 1], undefined, 0, [34, 33, 33]],
      [[1, 1, 1, 1, 1, 1], undefined, 1, [16.7, 16.7, 16.7, 16.7, 16.6, 16.6]],
      [[0, 0], undefined, 1, [0, 0]],
      [[], undefined, 1, []],
      [[5], undefined, 1, [100]],
      [[29, 29, 42], undefined, 1, [29, 29, 42]],
      [[2, 1], 6, 1, [33.3, 16.7]],
      // Several answers overlap.
      [[2, 2, 1], 3, 1, [66.7, 66.7, 33.3]],
      [[1], 0, 1, [0]],
    ],
    ([parts, whole, digits, shares]) => expect(sharesOf(parts, whole, digits)).toEqual(shares),
  )
  expect(showShares([1, 99_999], undefined, 1)).toEqual(['<\u00a00.1\u00a0%', '>\u00a099.9\u00a0%'])
  expect(showShares([0, 0])).toEqual(['–', '–'])
})

test('an interview that was left open has no length', () => {
  const at = '2026-11-20T22:00:00.000Z'
  checkRows<[started_at: string | null, seconds: number | null, minutes: number | null]>(
    [
      [null, null, null],
      ['2026-11-20T22:00:00.000Z', 0, 0],
      ['2026-11-20T21:50:00.000Z', 600, 10],
      ['2026-11-20T21:59:57.400Z', 3, 0.1],
      ['2026-11-20T10:00:00.000Z', 43_200, 720],
      ['2026-11-20T09:59:59.000Z', 43_201, null],
      ['2026-11-20T03:00:00.000Z', 68_400, null],
      ['2026-11-17T22:00:00.000Z', 259_200, null],
      ['2026-11-20T22:00:01.000Z', 0, 0],
    ],
    ([started_at, seconds, minutes]) =>
      expect([interviewSeconds({ started_at, at }), minutesOf({ started_at, at })]).toEqual([seconds, minutes]),
  )
  expect([isLeftOpen(43_200), isLeftOpen(43_201)]).toEqual([false, true])
  expect([leftOpenNote(0), leftOpenNote(1200)]).toEqual(['', ', without 1,200 left open over 12 hours'])
})
