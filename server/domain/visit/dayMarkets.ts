import { sql } from 'kysely'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { COUNTED } from './countLimits.ts'
import type { Cover } from './cover.ts'
import { DeviceUnion, ESTIMATE_ERROR, type SetSize, SketchUnion, sizeOf } from './deviceSet.ts'
import { dmaOf, type VisitRange } from './range.ts'
import { cellsOfDay, staleIn } from './rangeSums.ts'
import { chunks, type Key, type Reading, rowsBy } from './reading.ts'
import { leavesOf } from './sets.ts'

/** A market area's figures of a day. */
export interface MarketDay extends SetSize {
  dma: number
  total: number
}

/** The number of rows, one for each day and market area. */
export async function linesOf(reading: Reading, cover: Cover): Promise<number> {
  let lines = 0
  for (const keys of (await cover.keys('all')).values()) {
    const seen = new Set<number>()
    for (const part of chunks(keys))
      for (const { day } of await rowsBy<{ day: number }>(reading, 'visit_cells', part, sql`distinct t.day as day`))
        seen.add(Number(day))
    lines += seen.size
    await reading.turn()
  }
  const runs = [...cover.all.months, ...cover.all.days]
  for (const market of await cover.markets()) {
    const keys = runs.map(({ from, to }): Key => [0, market, from, to])
    const rows = await rowsBy<{ lines: number }>(reading, { scope: 'all', period: 'd' }, keys, sql`count(*) as lines`)
    lines += Number(rows[0]?.lines ?? 0)
  }
  return lines
}

/** Visits and unique devices by market area on a day, by code. */
export async function dayMarkets(reading: Reading, range: VisitRange, cover: Cover, day: number): Promise<MarketDay[]> {
  const inAll = [...cover.all.months, ...cover.all.days].some(({ from, to }) => from <= day && day <= to)
  const rolled = inAll && !staleIn(cover).includes(day)
  const found = rolled ? await rolledOn(reading, cover, day) : await countedOn(reading, range, cover, day, inAll)
  return found.sort((a, b) => a.dma - b.dma)
}

async function rolledOn(reading: Reading, cover: Cover, day: number): Promise<MarketDay[]> {
  const rows = await rowsBy<{ market: number; visits: number; uniques: number; exact: number }>(
    reading,
    { scope: 'all', period: 'd' },
    (await cover.markets()).map((market): Key => [0, market, day, day]),
    sql`t.market, t.visits, t.uniques, t.exact`,
  )
  return rows.map(({ market, visits, uniques, exact }) => ({
    dma: dmaOf(Number(market)),
    total: Number(visits),
    unique: Number(uniques),
    exact: Number(exact) === 1,
    error: Number(exact) === 1 ? 0 : ESTIMATE_ERROR,
  }))
}

async function countedOn(reading: Reading, range: VisitRange, cover: Cover, day: number, inAll: boolean): Promise<MarketDay[]> {
  const totals = new Map<number, number>()
  const add = (dma: number, visits: number) => totals.set(dma, (totals.get(dma) ?? 0) + visits)
  if (inAll) for (const { dma, visits } of await cellsOfDay(reading, range, day)) add(dma, visits)
  const keys = [...(await cover.keys('all')).values()]
    .flat()
    .flatMap(([id, dma, from, to]): Key[] => (from <= day && day <= to ? [[id, dma, day, day]] : []))
  for (const part of chunks(keys))
    for (const row of await rowsBy<{ dma: number; visits: number }>(reading, 'visit_cells', part, sql`t.dma, t.visits`))
      add(Number(row.dma), Number(row.visits))
  const exact = new Map<number, DeviceUnion>()
  const sketches = new Map<number, SketchUnion>()
  for await (const { dma, bytes } of leavesOf(reading, range, cover, { from: day, to: day })) {
    if ((totals.get(dma) ?? 0) <= COUNTED.exact) getOrInsert(exact, dma, () => new DeviceUnion()).addBytes(bytes)
    else getOrInsert(sketches, dma, () => new SketchUnion()).addBytes(bytes)
  }
  return [
    ...[...exact].map(([dma, set]) => ({ dma, total: totals.get(dma)!, ...sizeOf(set.set()) })),
    ...[...sketches].map(([dma, set]) => ({ dma, total: totals.get(dma)!, ...set.size() })),
  ]
}
