import { sql } from 'kysely'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { COUNTED } from './countLimits.ts'
import type { Cover } from './cover.ts'
import { DeviceCounter, DeviceUnion, isList, type SetSize, SketchUnion, sizeOf } from './deviceSet.ts'
import { addHours, WEEK_HOURS, weekHour } from './hours.ts'
import { FEW_DAYS, keptDays } from './keptDays.ts'
import { leftCells, leftDevices, without } from './leftServices.ts'
import { isPreset, type MergedRun, merged, mergedRun, wholeOf } from './mergedRuns.ts'
import { type PackEntry, type PackKey, packEntries, packParts, packsBy } from './packs.ts'
import { type Days, dmaOf, isFew, marketOf, type VisitRange } from './range.ts'
import { cellsOfDay, staleIn } from './rangeSums.ts'
import { chunks, type Key, type Reading, rowsBy } from './reading.ts'
import { type ServicesRun, servicesRun } from './serviceRuns.ts'
import { leavesIn, leavesOf, presetOf, staleLeaves } from './sets.ts'

/** Visits, in total and by hour of the week from Monday, with unique devices; by market area for those with visits. */
export interface Tally extends SetSize {
  total: number
  hours: number[]
  markets: ReadonlyMap<number, { visits: number; size: SetSize | null }>
}

/** Roll-up rows that may hold large sets, of up to 96 KB each, in one read. */
const LARGE = 256
/** With more visits, a preset's sketches take fewer bytes than the sets of its markets. */
const MANY = 1_000_000

/** The findings for a market: its visits, its sets, and where to find sets that packs don't contain. */
interface MarketTotals {
  visits: number
  /** Its devices in the cached runs, of all brands and of services. */
  cores: Uint8Array[]
  sets: Uint8Array[]
  rows: Record<'m' | 'd', number[]>
}

/** Counts a query's visits and unique devices, by market only if asked. */
export async function visitTotals(reading: Reading, range: VisitRange, cover: Cover, byMarket: boolean): Promise<Tally> {
  const gathered = new Gathered(range)
  const ofServices = await gatherServices(reading, range, cover, gathered)
  const core = await gatherAll(reading, range, cover, gathered, byMarket)
  await takeLeft(reading, range, cover, gathered)
  const { found, hours } = gathered
  let total = 0
  for (const { visits } of found.values()) total += visits
  const sizes = new Map<number, SetSize>()
  const whole = await sizesOf(reading, range, cover, found, { all: core, services: ofServices }, total, byMarket, sizes)
  const markets = new Map([...found].map(([dma, { visits }]) => [dma, { visits, size: sizes.get(dma) ?? null }]))
  return { total, hours, markets, ...whole }
}

/** Takes away the visits of services that left from what roll-ups contain of them. */
async function takeLeft(reading: Reading, range: VisitRange, cover: Cover, gathered: Gathered): Promise<void> {
  if (!cover.left.size) return
  const hours = new Array<number>(WEEK_HOURS).fill(0)
  for await (const cell of leftCells(reading, range, cover)) {
    const of = gathered.found.get(cell.dma)
    if (!of || !cell.isSum) continue
    of.visits -= cell.visits
    addHours(hours, cell.hours, weekHour(cell.day))
  }
  for (const [hour, visits] of hours.entries()) gathered.hours[hour]! -= visits
  for (const [dma, { visits }] of gathered.found) if (visits <= 0) gathered.found.delete(dma)
}

class Gathered {
  readonly found = new Map<number, MarketTotals>()
  readonly hours = new Array<number>(WEEK_HOURS).fill(0)
  readonly #range: VisitRange
  #held = 0
  constructor(range: VisitRange) {
    this.#range = range
  }

  wants(market: number): boolean {
    return !this.#range.markets || this.#range.markets.has(dmaOf(market))
  }

  /** The market's sums, if it was requested. */
  of(market: number): MarketTotals | null {
    if (!this.wants(market)) return null
    return getOrInsert(this.found, dmaOf(market), () => ({ visits: 0, cores: [], sets: [], rows: { m: [], d: [] } }))
  }

  keep(of: MarketTotals | null, devices: Uint8Array): void {
    if (!of) return
    of.sets.push(devices)
    this.#held += devices.length
  }

  /** Merges each market's collected sets once they are large. */
  async merge(reading: Reading): Promise<void> {
    await reading.turn()
    if (this.#held <= COUNTED.held) return
    for (const of of this.found.values()) {
      if (of.sets.length > 1) of.sets = [merged(of.sets)]
      await reading.turn()
    }
    this.#held = 0
  }

  add(market: number, visits: number, hours: Uint8Array, from: number): MarketTotals | null {
    const of = this.of(market)
    if (!of) return null
    of.visits += visits
    addHours(this.hours, hours, from)
    return of
  }
}

/** Adds services' counts from packs, and from cells and leaves where these aren't rolled up; returns the cached run. */
async function gatherServices(
  reading: Reading,
  range: VisitRange,
  { services: all, keys, ofServices }: Cover,
  gathered: Gathered,
): Promise<ServicesRun | null> {
  const core = ofServices.core ? await gatherServicesCore(reading, range, ofServices, gathered) : null
  const services = core ? ofServices.rest : all
  for (const period of ['m', 'd'] as const) {
    const all = [...services].flatMap(([service, { months, days }]) =>
      (period === 'm' ? months : days).map(({ from, to }): PackKey => [service, from, to]),
    )
    for (const part of packParts('service', all, period)) {
      for (const { day, bytes } of await packsBy(reading, 'service', period, part)) {
        const from = period === 'm' ? 0 : weekHour(day)
        for (const { market, visits, hours, devices } of packEntries(bytes))
          gathered.keep(gathered.add(market, visits, hours, from), devices)
      }
      await gathered.merge(reading)
    }
  }
  if (![...services.values()].some(({ stale }) => stale.length)) return core
  const stale = [...(await keys('stale')).values()].flat()
  for (const part of chunks(stale)) {
    const cells = await rowsBy<CellRow>(reading, 'visit_cells', part, sql`t.dma, t.day, t.visits, t.hours`)
    for (const { dma, day, visits, hours } of cells)
      gathered.add(marketOf(Number(dma)), Number(visits), hours, weekHour(Number(day)))
    const leaves = await rowsBy<{ dma: number; bytes: Uint8Array }>(reading, 'visit_leaves', part, sql`t.dma, t.devices as bytes`)
    for (const { dma, bytes } of leaves) gathered.keep(gathered.of(marketOf(Number(dma))), bytes)
    await gathered.merge(reading)
  }
  return core
}

/** Adds the services' cached run; null without effect if exact counts of few visits need lists that it lacks. */
async function gatherServicesCore(
  reading: Reading,
  { markets }: VisitRange,
  ofServices: Cover['ofServices'],
  gathered: Gathered,
): Promise<ServicesRun | null> {
  const run = await servicesRun(reading, ofServices)
  let total = 0
  for (const [market, { visits }] of run.markets) if (gathered.wants(market)) total += visits
  if (total <= COUNTED.exact && !run.listed) return null
  for (const [market, { visits, hours, devices }] of run.markets) gathered.add(market, visits, hours, 0)?.cores.push(devices!)
  return markets ? { ...run, whole: null } : run
}

interface CellRow {
  dma: number
  day: number
  visits: number
  hours: Uint8Array
}

/** Adds the counts of all brands from packs, or for few market areas from roll-ups; returns the cached run. */
async function gatherAll(
  reading: Reading,
  range: VisitRange,
  cover: Cover,
  gathered: Gathered,
  byMarket: boolean,
): Promise<MergedRun | null> {
  if (!cover.all.months.length && !cover.all.days.length) return null
  const staleDays = new Set(staleIn(cover))
  const gather = isFew(range) ? gatherRows : gatherPacks
  const core = isFew(range) ? null : await gatherCore(reading, range, cover, gathered, byMarket)
  const { months, days } = core ? cover.rest : cover.all
  await gather(reading, range, cover, gathered, 'm', months, staleDays)
  await gather(reading, range, cover, gathered, 'd', days, staleDays)
  // Days that aren't rolled up are summed from cells; their devices come from roll-ups and leaves.
  for (const day of staleDays) {
    for (const { dma, visits, hours } of await cellsOfDay(reading, range, day))
      gathered.add(marketOf(dma), visits, hours, weekHour(day))
    await reading.turn()
  }
  for (const { dma, bytes } of await staleLeaves(reading, cover, range.markets)) gathered.keep(gathered.of(marketOf(dma)), bytes)
  return core
}

/** Adds the cached run; null without effect if there is none, or if few visits need lists. */
async function gatherCore(
  reading: Reading,
  { preset }: VisitRange,
  { core, services }: Cover,
  gathered: Gathered,
  byMarket: boolean,
): Promise<MergedRun | null> {
  if (!core) return null
  // Without figures by market, a preset's devices come from its own roll-ups.
  const needsSets = byMarket || preset === null || services.size > 0
  const isWanted = (market: number) => needsSets && !isPreset(market) && gathered.wants(market)
  const run = await mergedRun(reading, core, isWanted)
  let total = 0
  for (const [market, { visits }] of run.markets) if (!isPreset(market) && gathered.wants(market)) total += visits
  if (total <= COUNTED.exact) return null
  for (const [market, { visits, hours, devices }] of run.markets) {
    if (isPreset(market)) {
      if (market === preset) addHours(gathered.hours, hours)
      continue
    }
    const of = gathered.of(market)
    if (!of) continue
    of.visits += visits
    if (preset === null) addHours(gathered.hours, hours)
    if (isWanted(market)) of.cores.push(devices!)
  }
  return run
}

type Gather = (
  reading: Reading,
  range: VisitRange,
  cover: Cover,
  gathered: Gathered,
  period: 'm' | 'd',
  runs: readonly Days[],
  stale: ReadonlySet<number>,
) => Promise<void>

const gatherPacks: Gather = async (reading, { preset }, _cover, gathered, period, runs, stale) => {
  const add = (day: number, entries: Iterable<PackEntry>) => {
    const from = period === 'm' ? 0 : weekHour(day)
    const counted = period === 'm' || !stale.has(day)
    for (const { market, visits, hours, devices } of entries) {
      if (isPreset(market)) {
        // A preset has hours of its own, so those of its markets aren't added.
        if (market === preset && counted) addHours(gathered.hours, hours, from)
        continue
      }
      const of = gathered.of(market)
      if (!of) continue
      if (counted) of.visits += visits
      if (counted && preset === null) addHours(gathered.hours, hours, from)
      if (devices.length) gathered.keep(of, devices)
      else of.rows[period].push(day)
    }
  }
  const days = period === 'd' && !reading.isWrite ? daysIn(runs, FEW_DAYS) : null
  if (days) {
    for (const [day, entries] of await keptDays(reading, days)) add(day, entries)
    return gathered.merge(reading)
  }
  const keys = runs.map(({ from, to }): PackKey => [0, from, to])
  for (const part of packParts('all', keys, period)) {
    for (const { day, bytes } of await packsBy(reading, 'all', period, part)) add(day, packEntries(bytes))
    await gathered.merge(reading)
  }
}

/** The days of runs; null if there are more than `most`. */
function daysIn(runs: readonly Days[], most: number): number[] | null {
  if (runs.reduce((sum, { from, to }) => sum + to - from + 1, 0) > most) return null
  return runs.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at))
}

const gatherRows: Gather = async (reading, _range, cover, gathered, period, runs, stale) => {
  const markets = await cover.markets()
  const keys = runs.flatMap(({ from, to }) => markets.map((market): Key => [0, market, from, to]))
  for (const part of chunks(keys, period === 'm' ? LARGE * 30 : LARGE)) {
    const columns = sql`t.market, t.start_day as day, t.visits, t.hours, t.sketch as bytes`
    for (const row of await rowsBy<RollupRow>(reading, { scope: 'all', period }, part, columns)) {
      const [market, day] = [Number(row.market), Number(row.day)]
      const from = period === 'm' ? 0 : weekHour(day)
      const of =
        period === 'm' || !stale.has(day) ? gathered.add(market, Number(row.visits), row.hours, from) : gathered.of(market)
      gathered.keep(of, row.bytes)
    }
    await gathered.merge(reading)
  }
}

interface RollupRow {
  market: number
  day: number
  visits: number
  hours: Uint8Array
  bytes: Uint8Array
}

const NOBODY: SetSize = { unique: 0, exact: true, error: 0 }

/** Counts distinct devices in total, and by market into `sizes`. */
async function sizesOf(
  reading: Reading,
  range: VisitRange,
  cover: Cover,
  found: ReadonlyMap<number, MarketTotals>,
  cores: { all: MergedRun | null; services: ServicesRun | null },
  total: number,
  byMarket: boolean,
  sizes: Map<number, SetSize>,
): Promise<SetSize> {
  if (!total) return NOBODY
  const small = total <= COUNTED.exact
  if (small && cover.left.size) return exactSizes(reading, range, cover, sizes)
  const gone = cover.left.size ? await leftDevices(reading, range, cover) : null
  const ofPreset = !small && range.preset !== null && !cover.services.size && (!byMarket || total > MANY)
  // A concurrent read finds no spare bench, and creates its own.
  const bench = spare.pop() ?? newBench()
  const { counter, sketch } = bench
  const whole = small ? bench.wholeCounter : bench.wholeSketch
  if (small) bench.wholeCounter.clear(total)
  else bench.wholeSketch.clear()
  if (ofPreset) for await (const { bytes } of presetOf(reading, range.preset!, range, cover)) whole.addBytes(bytes)
  if (ofPreset && !byMarket) return returnBench(bench, without(whole.size(), gone?.whole ?? 0))
  // For all market areas the cached runs have one set each, which is faster than adding market by market.
  const coresAtOnce = !ofPreset && range.markets === null
  if (coresAtOnce && cores.all) whole.addBytes(await wholeOf(reading, cores.all))
  if (coresAtOnce && cores.services) whole.addBytes(cores.services.whole!)
  for await (const [dma, visits, rolled] of setsOf(reading, found)) {
    const left = gone?.markets.get(dma) ?? 0
    // A roll-up may hold a service that left, or be a sketch of devices that the leaves still list.
    const fromLeaves = left ? visits <= COUNTED.listed : small && !rolled.every(isList)
    const sets = fromLeaves ? await leavesIn(reading, range, cover, dma) : rolled
    const ofCores = fromLeaves ? [] : found.get(dma)!.cores
    if (!byMarket) {
      if (!coresAtOnce) for (const bytes of ofCores) whole.addBytes(bytes)
      for (const bytes of sets) whole.addBytes(bytes)
      continue
    }
    const counted = small || visits <= COUNTED.listed ? counter : sketch
    counted.clear(visits)
    for (const bytes of ofCores) counted.addBytes(bytes, ofPreset || coresAtOnce ? undefined : whole)
    for (const bytes of sets) counted.addBytes(bytes, ofPreset ? undefined : whole)
    sizes.set(dma, without(counted.size(), fromLeaves ? 0 : left))
  }
  return returnBench(bench, without(whole.size(), gone?.whole ?? 0))
}

/** Counts leaves, which hold no service that left. */
async function exactSizes(reading: Reading, range: VisitRange, cover: Cover, sizes: Map<number, SetSize>): Promise<SetSize> {
  const whole = new DeviceUnion()
  const markets = new Map<number, DeviceUnion>()
  for await (const { dma, bytes } of leavesOf(reading, range, cover)) {
    whole.addBytes(bytes)
    getOrInsert(markets, dma, () => new DeviceUnion()).addBytes(bytes)
  }
  for (const [dma, set] of markets) sizes.set(dma, sizeOf(set.set()))
  return sizeOf(whole.set())
}

/** The hash tables of a read: up to two megabytes, too large to allocate for each read. */
const newBench = () => ({
  counter: new DeviceCounter(),
  sketch: new SketchUnion(),
  wholeCounter: new DeviceCounter(),
  wholeSketch: new SketchUnion(),
})
const spare: ReturnType<typeof newBench>[] = []

/** Returns the bench to the pool for the next read. */
function returnBench(bench: ReturnType<typeof newBench>, size: SetSize): SetSize {
  if (!spare.length) spare.push(bench)
  return size
}

/** The sets of each market; those that packs don't contain are read a few rows at a time. */
async function* setsOf(
  reading: Reading,
  found: ReadonlyMap<number, MarketTotals>,
): AsyncGenerator<[dma: number, visits: number, sets: Uint8Array[]]> {
  let part: [number, MarketTotals][] = []
  let rows = 0
  let done = 0
  for (const [dma, of] of found) {
    const more = of.rows.m.length + of.rows.d.length
    if (!more) {
      yield [dma, of.visits, of.sets]
      if (++done % 20 === 0) await reading.turn()
      continue
    }
    part.push([dma, of])
    rows += more
    if (rows < LARGE) continue
    yield* withRows(reading, part)
    part = []
    rows = 0
  }
  if (part.length) yield* withRows(reading, part)
}

async function* withRows(
  reading: Reading,
  part: readonly [number, MarketTotals][],
): AsyncGenerator<[dma: number, visits: number, sets: Uint8Array[]]> {
  const more = new Map<number, Uint8Array[]>()
  for (const period of ['m', 'd'] as const) {
    const keys = part.flatMap(([dma, { rows }]) => rows[period].map((day): Key => [0, marketOf(dma), day, day]))
    const columns = sql`t.market, t.sketch as bytes`
    for (const some of chunks(keys, LARGE)) {
      for (const row of await rowsBy<{ market: number; bytes: Uint8Array }>(reading, { scope: 'all', period }, some, columns))
        getOrInsert(more, dmaOf(Number(row.market)), () => []).push(row.bytes)
      // A market with many rows is large, so one sketch of them is as precise as their count.
      for (const [dma, sets] of more) if (sets.length > LARGE / 2) more.set(dma, [merged(sets)])
      await reading.turn()
    }
  }
  for (const [dma, { visits, sets }] of part) yield [dma, visits, [...sets, ...(more.get(dma) ?? [])]]
}
