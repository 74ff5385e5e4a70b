import { compareText } from '../../../contract/fold.ts'
import type { VisitCounts, VisitDay, VisitQuery } from '../../../contract/visit.ts'
import type { DayRange } from '../../../contract/visitPeriod.ts'
import type { Ctx } from '../../core/context.ts'
import { type Cover, coverOf, firstDayOf } from './cover.ts'
import { dayFigures } from './dayFigures.ts'
import type { SetSize } from './deviceSet.ts'
import { timesPacked } from './mergedRuns.ts'
import { dateOf, before as daysBefore, numbersOf, periodOf, type VisitRange, visitRange } from './range.ts'
import { inTime, type Reading } from './reading.ts'
import { keptVenues, venuesOfServices } from './venueSums.ts'
import { visitTotals } from './visitTotals.ts'

/** Unique devices as the API returns them. */
const onWire = ({ unique, exact, error }: SetSize) => ({ unique, unique_exact: exact, unique_error: error })
const NOBODY: SetSize = { unique: 0, exact: true, error: 0 }

/** Visits and unique devices of a query: in total, by market, and by hour of the week; zeros without visits. */
export async function visitCounts(ctx: Ctx<unknown>, query: VisitQuery & { compare_before: boolean }): Promise<VisitCounts> {
  const range = await visitRange(ctx, query)
  const period = periodOf(query, range.today)
  return inTime(ctx, (reading) => countsOf(reading, range, period, query.compare_before))
}

async function countsOf(reading: Reading, range: VisitRange, period: DayRange, compare: boolean): Promise<VisitCounts> {
  const first = await firstDayOf(reading, range)
  const tally = await totalsOf(reading, range, period, true)
  const before = compare ? await beforeOf(reading, range, daysBefore(period)) : null
  const venues = await venuesOf(reading, range)
  const dmas = new Set([...tally.markets.keys(), ...venues.keys(), ...(before?.markets.keys() ?? [])])
  const markets = [...dmas].map((dma) => {
    const area = range.areas.get(dma)
    return {
      dma,
      name: area?.name ?? (dma ? `Market ${dma}` : 'Unknown'),
      rank: area?.rank ?? null,
      venues: venues.get(dma) ?? 0,
      total: tally.markets.get(dma)?.visits ?? 0,
      ...onWire(tally.markets.get(dma)?.size ?? NOBODY),
      before: before ? (before.markets.get(dma)?.visits ?? 0) : null,
    }
  })
  return {
    total: tally.total,
    ...onWire(tally),
    start_date: first === null ? null : dateOf(first),
    filter_start_date: period.start,
    filter_end_date: period.end,
    by_market: markets.sort((a, b) => b.total - a.total || compareText(a.name, b.name)),
    hours: Array.from({ length: 7 }, (_, day) => tally.hours.slice(day * 24, day * 24 + 24)),
    before: before?.shown ?? null,
  }
}

async function beforeOf(reading: Reading, range: VisitRange, { start, end }: DayRange) {
  const { markets, ...tally } = await totalsOf(reading, range, { start, end }, false)
  return { markets, shown: { total: tally.total, ...onWire(tally), start_date: start, end_date: end } }
}

const totalsOf = (reading: Reading, range: VisitRange, period: DayRange, byMarket: boolean) =>
  steady(reading, async () => {
    const cover = await coverOf(reading, range, numbersOf(period))
    return { cover, found: await visitTotals(reading, range, cover, byMarket) }
  })

/**
 * Reads again if days were packed while services that left were taken away from them.
 * On PostgreSQL a read is one snapshot.
 */
async function steady<T>(reading: Reading, read: () => Promise<{ cover: Cover; found: T }>): Promise<T> {
  for (;;) {
    const before = reading.engine === 'sqlite' ? await timesPacked(reading.db) : null
    const { cover, found } = await read()
    if (!before || !cover.left.size) return found
    const after = await timesPacked(reading.db)
    if ([...after].every(([day, times]) => before.get(day) === times)) return found
    await reading.turn()
  }
}

/** Venues by market area. */
async function venuesOf(reading: Reading, { services, markets }: VisitRange): Promise<Map<number, number>> {
  const known = await keptVenues(reading)
  const venues = new Map<number, number>()
  for (const at of venuesOfServices(known, services)) {
    const dma = known.dmas[at]!
    if (!markets || markets.has(dma)) venues.set(dma, (venues.get(dma) ?? 0) + 1)
  }
  return venues
}

/** Visits and unique devices of every day of a period. */
export async function visitGraph(ctx: Ctx<unknown>, query: VisitQuery) {
  const range = await visitRange(ctx, query)
  const period = periodOf(query, range.today)
  const visits = await inTime(ctx, (reading) => graphOf(reading, range, period))
  return { visits, start_date: period.start, end_date: period.end }
}

async function graphOf(reading: Reading, range: VisitRange, period: DayRange): Promise<VisitDay[]> {
  const { from, to } = numbersOf(period)
  const figures = await steady(reading, async () => {
    const cover = await coverOf(reading, range, { from, to })
    return { cover, found: await dayFigures(reading, range, cover, { from, to }) }
  })
  return Array.from({ length: to - from + 1 }, (_, at) => {
    const { total, ...unique } = figures.get(from + at) ?? { total: 0, ...NOBODY }
    return { date: dateOf(from + at), total, ...onWire(unique) }
  })
}
