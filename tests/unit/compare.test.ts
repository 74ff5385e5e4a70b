import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { mapScroll } from '../../src/compare/anchors.ts'
import { barsOf, differs, type Figures, type Published, scalesOf } from '../../src/panes/project/overviewFigures.ts'
import { Difference, sayDifference } from '../../src/ui/charts/Difference.tsx'
import { partsOf } from '../../src/ui/charts/plotLines.ts'
import { readTrend, sayTrend } from '../../src/ui/charts/trend-words.ts'
import { axisFor, placesOf, spanOf, topOf } from '../../src/ui/charts/trendDays.ts'
import { trendDrawing } from '../../src/ui/charts/trendDrawing.ts'

const trend = (first: number, values: readonly (number | null)[], plan = 10) =>
  values.map((value, at) => ({ date: `2026-11-${String(first + at).padStart(2, '0')}`, value, plan: plan * (at + 1) }))
const long = trend(2, [5, 9, 14, null])
const short = trend(4, [80, 90])
const slices = (...percents: number[]) =>
  percents.map((percent, at) => ({ value: at, label: `band ${at}`, count: percent, percent }))
const published = (days: typeof long, age: ReturnType<typeof slices>, entrants: number): Published => ({
  of: '{}',
  goal: null,
  trend: days,
  figures: {
    age,
    gender: [],
    hhi: [],
    ethnicity: [],
    marital_status: [],
    children: [],
    funnel: { entrants, completes_value: 0, terminates_value: 0, overquota_value: 0, partials_value: 0 },
  } as unknown as Figures,
})

describe('the scales of compared Overviews', () => {
  const both = [published(long, slices(19.6, 40), 700), published(short, slices(61.2, 3), 2000)]
  it('reach the highest delivered or planned value', () => expect([topOf([long]), topOf([long, short])]).toEqual([40, 90]))
  it('span every day by the calendar', () =>
    expect(scalesOf(both, 'date')?.trendSpan).toEqual([placesOf(long, 'date')[0], placesOf(long, 'date').at(-1)]))
  it('span the longest field time by its days', () => expect(spanOf([short, long], 'day')).toEqual([1, 4]))
  it('use dates while each trend gets half the width, else days in field', () => {
    const later = (days: number) =>
      long.map((point, at) => ({ ...point, date: new Date(Date.UTC(2026, 10, 1 + days + at)).toISOString().slice(0, 10) }))
    expect([axisFor([later(0), later(4)]), axisFor([later(0), later(5)]), axisFor([])]).toEqual(['date', 'day', 'date'])
  })
  it('fit the widest funnel', () => expect(scalesOf(both, 'date')).toMatchObject({ entrants: 2000 }))
  it('don’t exist for a single one', () => expect(scalesOf(both.slice(1), 'date')).toBeNull())
})

describe('a difference from the first column', () => {
  it('of bars is between displayed shares, in points', () =>
    expect(barsOf(slices(19.4, 20.6), slices(20.6, 20.6)).map(({ difference }) => difference)).toEqual([-2, 2]))
  it('of a bar missing in the first is none', () =>
    expect(barsOf(slices(10, 90), slices(100)).map(({ difference }) => difference)).toEqual([-90, null]))
  it('doesn’t exist without a first column', () => expect(barsOf(slices(10))[0]).not.toHaveProperty('difference'))
  it('of counts has a percentage too', () => expect(differs(427, 644)).toEqual({ value: -217, percent: -34 }))
  it('from zero has no percentage', () => expect(differs(12, 0)).toEqual({ value: 12, percent: null }))
  it('is described in words', () => {
    expect(sayDifference({ value: -31, unit: 'points', to: 'Tracker W3' })).toBe('31 points less than Tracker W3')
    expect(sayDifference({ value: 1, unit: 'points', to: 'Tracker W3' })).toBe('1 point more than Tracker W3')
    expect(sayDifference({ value: -1217, percent: -34, to: 'Tracker W3' })).toBe('1,217, 34 percent, less than Tracker W3')
    expect(sayDifference({ value: 37, unit: 'days', to: 'Tracker W3' })).toBe('37 days more than Tracker W3')
    expect(sayDifference({ value: -1, unit: 'days', to: 'Tracker W3' })).toBe('1 day less than Tracker W3')
    expect(sayDifference({ value: -50_050, unit: 'cents', to: 'Tracker W3' })).toBe('$500.50 less than Tracker W3')
    expect(sayDifference({ value: 0, to: 'Tracker W3' })).toBe('as in Tracker W3')
    expect(sayDifference({ value: null, to: 'Tracker W3' })).toBe('Tracker W3 doesn’t have this figure')
  })
})

describe('the crosshair of a trend', () => {
  const place = placesOf(short, 'date')[0]!
  const base = { date: '2026-11-04', value: 262 }
  it('reads the day against the plan', () =>
    expect(readTrend({ place, axis: 'date', point: short[0] })).toBe('Nov 4 · 80 · plan 10 (+70)'))
  it('reads the day against the first column', () =>
    expect(readTrend({ place, axis: 'date', point: short[0], base })).toBe('Nov 4 · 80 · plan 10 (+70) · first 262 (−182)'))
  it('says where a project was not in field', () =>
    expect(readTrend({ place: 3, axis: 'day', point: undefined, base })).toBe('Day 3 · not in field'))
  it('reads the plan of a day to come', () =>
    expect(readTrend({ place: 4, axis: 'day', point: long[3] })).toBe('Day 4 · plan 40'))
  it('shows no difference where the first column has no figure', () =>
    expect(readTrend({ place, axis: 'date', point: short[0], base: null })).toBe('Nov 4 · 80 · plan 10 (+70)'))
  it('never contradicts its own row by rounding', () => {
    const point = { date: '2026-11-04', value: 80, plan: 37.6 }
    expect(readTrend({ place, axis: 'date', point })).toBe('Nov 4 · 80 · plan 38 (+42)')
  })
  it('says of today that it isn’t over', () =>
    expect(readTrend({ place, axis: 'date', point: short[0], partial: true })).toBe('Nov 4 so far · 80 · plan 10 (+70)'))
  it('is complete for screen readers', () =>
    expect(sayTrend({ place, axis: 'date', point: short[0], base }, 'Tracker W3')).toBe(
      'Nov 4: 80 delivered, 70 more than planned, 182 fewer than Tracker W3',
    ))
})

describe('a drawn trend', () => {
  const drawing = trendDrawing({ points: long, axis: 'day', goal: 40, today: '2026-11-04' })
  it('has a line at the goal, which fits', () =>
    expect([drawing.goal, drawing.top]).toEqual([{ value: 40, label: 'goal 40' }, 40]))
  it('is dashed from yesterday to today, which isn’t over', () =>
    expect(partsOf(drawing.lines[2]!, drawing).map(({ values, open }) => [open, values])).toEqual([
      [false, [5, 9, null, null]],
      [true, [null, 9, 14, null]],
    ]))
  it('leaves what was planned whole', () => expect(partsOf(drawing.lines[0]!, drawing)).toHaveLength(1))
})

describe('another pane’s scroll position', () => {
  const mine = {
    range: 1000,
    anchors: [
      { name: 'trend', top: 100 },
      { name: 'age', top: 300 },
      { name: 'map', top: 600 },
    ],
  }
  const theirs = {
    range: 700,
    anchors: [
      { name: 'trend', top: 160 },
      { name: 'age', top: 260 },
      { name: 'funnel', top: 500 },
    ],
  }
  it('shows the same part at the edge, wherever it is', () => expect(mapScroll(mine, theirs, 300)).toBe(260))
  it('is equally far into the part', () => expect(mapScroll(mine, theirs, 200)).toBe(210))
  it('is the end at the end', () => expect([mapScroll(mine, theirs, 1000), mapScroll(theirs, mine, 700)]).toEqual([700, 1000]))
  it('is the top at the top', () => expect(mapScroll(mine, theirs, 0)).toBe(0))
  it('stays put in a fully visible pane', () => expect(mapScroll(mine, { range: 0, anchors: [] }, 500)).toBe(0))

  const scrolled = fc
    .record({ range: fc.integer({ min: 1, max: 3000 }), tops: fc.array(fc.integer({ min: -50, max: 3500 }), { maxLength: 6 }) })
    .map(({ range, tops }) => ({ range, anchors: tops.map((top, at) => ({ name: `part ${at}`, top })) }))
  it('stays in range, and never moves back while the leader moves on', () => {
    fc.assert(
      fc.property(scrolled, scrolled, fc.array(fc.nat(3000), { minLength: 2, maxLength: 8 }), (from, to, tops) => {
        const places = tops.toSorted((a, b) => a - b).map((top) => mapScroll(from, to, top))
        expect(places.every((place) => place >= 0 && place <= to.range)).toBe(true)
        expect(places).toEqual(places.toSorted((a, b) => a - b))
      }),
    )
  })
  /** Two parts in a different order in another pane. */
  const turned = (first: number, second: number) => ({
    range: 3,
    anchors: [
      { name: 'one', top: first },
      { name: 'two', top: second },
    ],
  })
  it('maps back to the leader’s position', () => {
    fc.assert(
      fc.property(scrolled, scrolled, fc.double({ min: 0, max: 1, noNaN: true }), (from, to, part) => {
        const top = part * from.range
        expect(Math.abs(mapScroll(to, from, mapScroll(from, to, top)) - top)).toBeLessThan(1e-6)
      }),
      { examples: [[turned(1, 2), turned(2, 1), 0.3]] },
    )
  })
})

describe('a difference in per cent', () => {
  it('has its sign behind a space that doesn’t break', () =>
    expect(renderToStaticMarkup(createElement(Difference, { value: 12, percent: 4 }))).toContain('+4\u00a0%<'))
})
