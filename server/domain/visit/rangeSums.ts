import { sql } from 'kysely'
import type { Cover } from './cover.ts'
import { addHours, WEEK_HOURS, weekHour } from './hours.ts'
import { type Days, dmaOf, type VisitRange } from './range.ts'
import { type Key, type Reading, rowsBy } from './reading.ts'
import { chunks } from './sets.ts'

/** Exact sums of visits. */
export interface Sums {
  total: number
  /** By market area; areas without visits may be missing. */
  markets: Map<number, number>
  /** By hour of the week from Monday. */
  hours: number[]
}

/** As many keys' rows as are in memory at a time. */
const ROWS = 20_000

/** Visits in all, by market area and by hour of the week. */
export async function sumsOf(reading: Reading, range: VisitRange, cover: Cover): Promise<Sums> {
  const sums: Sums = { total: 0, markets: new Map(), hours: new Array<number>(WEEK_HOURS).fill(0) }
  const add = (dma: number, visits: number) => {
    sums.total += visits
    sums.markets.set(dma, (sums.markets.get(dma) ?? 0) + visits)
  }
  await sumServices(reading, cover, sums, add)
  await sumAll(reading, range, cover, sums, add)
  return sums
}

type Add = (dma: number, visits: number) => void

async function sumServices(reading: Reading, cover: Cover, { hours }: Sums, add: Add): Promise<void> {
  const of = [...cover.services.values()]
  for (const part of chunks(
    of.flatMap(({ months }) => months),
    ROWS * 10,
  )) {
    const rows = await rowsBy<{ market: number; visits: number; hours: Uint8Array }>(
      reading,
      { scope: 'service', period: 'm' },
      part,
      sql`t.market, t.visits, t.hours`,
    )
    for (const row of rows) {
      add(dmaOf(Number(row.market)), Number(row.visits))
      addHours(hours, row.hours)
    }
    await reading.turn()
  }
  for (const part of chunks(
    of.flatMap(({ days }) => days),
    ROWS,
  )) {
    const rows = await rowsBy<{ dma: number; day: number; visits: number; hours: Uint8Array }>(
      reading,
      'visit_cells',
      part,
      sql`t.dma, t.day, t.visits, t.hours`,
    )
    for (const row of rows) {
      add(Number(row.dma), Number(row.visits))
      addHours(hours, row.hours, weekHour(Number(row.day)))
    }
    await reading.turn()
  }
}

async function sumAll(reading: Reading, range: VisitRange, cover: Cover, { hours }: Sums, add: Add): Promise<void> {
  const { months, days } = cover.all
  if (!months.length && !days.length) return
  const clean = cleanOf(cover)
  const keysOf = (runs: readonly Days[], markets: readonly number[]): Key[] =>
    runs.flatMap(({ from, to }) => markets.map((market): Key => [0, market, from, to]))
  // The hours of a preset are in its own rows.
  const own = range.preset === null
  for (const [period, runs] of [['m', months] as const, ['d', clean] as const]) {
    const source = { scope: 'all', period } as const
    for (const part of chunks(keysOf(runs, cover.markets), ROWS * (period === 'm' ? 10 : 1))) {
      const columns = own ? sql`t.market, t.start_day, t.visits, t.hours` : sql`t.market, sum(t.visits) as visits`
      if (own)
        for (const row of await rowsBy<HourRow>(reading, source, part, columns)) {
          add(dmaOf(Number(row.market)), Number(row.visits))
          addHours(hours, row.hours, period === 'm' ? 0 : weekHour(Number(row.start_day)))
        }
      else
        for (const row of await rowsBy<HourRow>(reading, source, part, columns, sql`group by t.market`))
          add(dmaOf(Number(row.market)), Number(row.visits))
      await reading.turn()
    }
    if (own) continue
    for (const row of await rowsBy<HourRow>(reading, source, keysOf(runs, [range.preset!]), sql`t.start_day, t.hours`))
      addHours(hours, row.hours, period === 'm' ? 0 : weekHour(Number(row.start_day)))
  }
  for (const day of staleIn(cover)) {
    for (const row of await cellsOfDay(reading, range, day)) {
      add(row.dma, row.visits)
      addHours(hours, row.hours, weekHour(day))
    }
    await reading.turn()
  }
}
interface HourRow {
  market: number
  start_day: number
  visits: number
  hours: Uint8Array
}

/** The runs of days of `all` without those that aren't rolled up. */
export function cleanOf({ all, stale }: Cover): Days[] {
  const runs: Days[] = []
  for (const { from, to } of all.days)
    for (let day = from; day <= to; day++) {
      if (stale.has(day)) continue
      const last = runs.at(-1)
      if (last && last.to + 1 === day) last.to = day
      else runs.push({ from: day, to: day })
    }
  return runs
}

/** The days of `all` that aren't rolled up. */
export const staleIn = ({ all, stale }: Cover): number[] =>
  [...stale.keys()].filter((day) => all.days.some(({ from, to }) => day >= from && day <= to))

/** The cells of all living services on a day; those of others are left out here, because few are gone. */
export async function cellsOfDay(
  { db }: Pick<Reading, 'db'>,
  { services, markets }: Pick<VisitRange, 'services' | 'markets'>,
  day: number,
): Promise<{ service_id: number; dma: number; visits: number; hours: Uint8Array }[]> {
  const within = markets ? sql`and dma in (${sql.join([...markets])})` : sql``
  const { rows } = await sql<{ service_id: number; dma: number; visits: number; hours: Uint8Array }>`
    select service_id, dma, visits, hours from visit_cells where day = ${day} ${within}`.execute(db)
  return rows
    .filter(({ service_id }) => services.has(service_id))
    .map((row) => ({ ...row, dma: Number(row.dma), visits: Number(row.visits) }))
}
