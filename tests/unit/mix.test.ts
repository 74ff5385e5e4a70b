import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cheapestMix,
  costAtMargin,
  fastestMix,
  marginOf,
  mixesOf,
  mixOf,
  type Offer,
  oneOfferMix,
  type Share,
} from '../../contract/mix.ts'

const offer = (id: number, completes: number, cpi_cents: number, field_days: number | null = 10): Offer => ({
  id,
  completes,
  cpi_cents,
  field_days,
})

describe('the cheapest mix', () => {
  test('takes the cheapest offer first, and the next for the rest', () => {
    expect(cheapestMix([offer(1, 600, 700), offer(2, 300, 500)], 500)).toEqual({
      shares: [
        { id: 2, completes: 300 },
        { id: 1, completes: 200 },
      ],
      completes: 500,
      short: 0,
      cost_cents: 300 * 500 + 200 * 700,
      days: 10,
    })
  })
  test('says how much of the order nobody fills', () => {
    expect(cheapestMix([offer(1, 588, 700)], 1000)).toMatchObject({ completes: 588, short: 412 })
  })
  test('of no offers fills nothing', () => {
    expect(cheapestMix([], 10)).toEqual({ shares: [], completes: 0, short: 10, cost_cents: 0, days: null })
  })
})

describe('the fastest mix', () => {
  test('splits the order so that all are done early', () => {
    expect(fastestMix([offer(1, 1000, 500, 10), offer(2, 1000, 900, 10)], 1000)).toMatchObject({
      shares: [
        { id: 1, completes: 500 },
        { id: 2, completes: 500 },
      ],
      days: 5,
    })
  })
  test('does without an offer that names no days where the others fill the order', () => {
    expect(fastestMix([offer(1, 100, 1, null), offer(2, 100, 900, 4)], 100)).toMatchObject({
      shares: [{ id: 2, completes: 100 }],
      days: 4,
    })
  })
  test('uses them if the others don’t fill it, and says that nobody knows how long it takes', () => {
    expect(fastestMix([offer(1, 100, 1, null), offer(2, 50, 900, 4)], 120)).toMatchObject({ completes: 120, days: null })
  })
})

describe('one partner', () => {
  test('is the cheapest of those who fill the order', () => {
    expect(oneOfferMix([offer(1, 50, 1), offer(2, 100, 900), offer(3, 200, 800)], 100).shares).toEqual([
      { id: 3, completes: 100 },
    ])
  })
  test('is the one who fills most where none fills it', () => {
    expect(oneOfferMix([offer(1, 50, 1), offer(2, 80, 900)], 100)).toMatchObject({
      shares: [{ id: 2, completes: 80 }],
      short: 20,
    })
  })
})

describe('a margin', () => {
  test('is given in cents and per cent of the cost', () => {
    expect(marginOf(1_000_000, 650_000)).toEqual({ margin_cents: 350_000, margin_percent: 35 })
    expect(marginOf(100, 150)).toEqual({ margin_cents: -50, margin_percent: -50 })
  })
  test('is never less than the usual one at the cost that is proposed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000 }), fc.integer({ min: 0, max: 90 }), (partner, percent) => {
        const cost = costAtMargin(partner, percent)
        expect(cost % 100).toBe(0)
        expect((cost - partner) * 100).toBeGreaterThanOrEqual(percent * cost)
        expect((cost - 100 - partner) * 100).toBeLessThan(percent * (cost - 100) + 1)
      }),
    )
  })
})

describe('of every small case', () => {
  const offers = fc
    .array(
      fc.record({
        completes: fc.integer({ min: 1, max: 6 }),
        cpi_cents: fc.integer({ min: 1, max: 9 }),
        field_days: fc.option(fc.integer({ min: 1, max: 6 })),
      }),
      { maxLength: 4 },
    )
    .map((list) => list.map((one, at) => ({ id: at + 1, ...one })))
  const ordered = fc.integer({ min: 1, max: 12 })

  /** Every way to split an order among offers, within their limits. */
  function everyMix(all: readonly Offer[], order: number): Share[][] {
    const wanted = Math.min(
      order,
      all.reduce((sum, one) => sum + one.completes, 0),
    )
    const ways = (rest: readonly Offer[], left: number): Share[][] => {
      const [first, ...others] = rest
      if (!first) return left === 0 ? [[]] : []
      return Array.from({ length: Math.min(first.completes, left) + 1 }, (_, completes) =>
        ways(others, left - completes).map((way) => [{ id: first.id, completes }, ...way]),
      ).flat()
    }
    return ways(all, wanted)
  }

  test('the sums are those of the shares, nobody is asked for more than offered, and nothing that could be filled is left', () => {
    fc.assert(
      fc.property(offers, ordered, (all, order) => {
        const most = all.reduce((sum, one) => sum + one.completes, 0)
        for (const [kind, mix] of Object.entries(mixesOf(all, order))) {
          const of = (id: number) => all.find((one) => one.id === id)!
          expect(mix.completes).toBe(mix.shares.reduce((sum, share) => sum + share.completes, 0))
          expect(mix.cost_cents).toBe(mix.shares.reduce((sum, share) => sum + share.completes * of(share.id).cpi_cents, 0))
          expect(mix.completes + mix.short).toBe(order)
          for (const share of mix.shares) expect(share.completes).toBeLessThanOrEqual(of(share.id).completes)
          if (kind !== 'one') expect(mix.completes).toBe(Math.min(order, most))
        }
      }),
    )
  })

  test('the cheapest costs what the best of all ways costs', () => {
    fc.assert(
      fc.property(offers, ordered, (all, order) => {
        const best = Math.min(...everyMix(all, order).map((shares) => mixOf(all, shares, order).cost_cents))
        expect(cheapestMix(all, order).cost_cents).toBe(best)
      }),
    )
  })

  test('the fastest takes the days of the fastest way, and of those ways costs least', () => {
    fc.assert(
      fc.property(offers, ordered, (all, order) => {
        const mix = fastestMix(all, order)
        const ways = everyMix(all, order).map((shares) => mixOf(all, shares, order))
        const days = ways.map((way) => way.days ?? Number.POSITIVE_INFINITY)
        const best = Math.min(...days)
        expect(mix.days ?? Number.POSITIVE_INFINITY).toBe(best)
        expect(mix.cost_cents).toBe(Math.min(...ways.filter((_, at) => days[at] === best).map((way) => way.cost_cents)))
      }),
    )
  })
})
