import { type RawBuilder, sql } from 'kysely'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { COUNTED } from './countLimits.ts'
import type { Cover } from './cover.ts'
import { DeviceUnion, ESTIMATE_ERROR, isList, type SetSize, SketchUnion, sizeOf } from './deviceSet.ts'
import { leftCells, without } from './leftServices.ts'
import { type Days, isFew, marketOf, monthAfter, monthOf, type VisitRange } from './range.ts'
import { cellsOfDay, cleanOf, staleIn } from './rangeSums.ts'
import { chunks, type Key, type Reading, rowsBy, type Source } from './reading.ts'
import { leavesOf, staleLeavesOn } from './sets.ts'

/** Visits and unique devices of a day. */
export interface DayFigure extends SetSize {
  total: number
}

/** Roll-up rows with sets in one read. */
const FEW_ROWS = 256

/** Figures of each day with visits: final numbers from roll-ups if possible, else from sets. */
export async function dayFigures(reading: Reading, range: VisitRange, cover: Cover, days: Days): Promise<Map<number, DayFigure>> {
  const figures = new Map<number, DayFigure>()
  const unread = await fewMarkets(reading, range, cover, figures, await rolledDays(reading, range, cover, days, figures))
  const gone = await leftByDay(reading, range, cover)
  const rest = [...unread, ...withoutLeft(figures, gone)].sort((a, b) => a - b)
  if (!rest.length) return figures
  const totals = await totalsOf(reading, range, cover, rest)
  for (const [day, { visits }] of gone) if (totals.has(day)) totals.set(day, totals.get(day)! - visits)
  for (const part of partsOf(totals)) {
    const within = { from: part[0]!, to: part.at(-1)! }
    const wanted = new Set(part)
    const exact = new Map<number, DeviceUnion>()
    const sketches = new Map<number, SketchUnion>()
    const add = (day: number, bytes: Uint8Array) => {
      if (!wanted.has(day)) return
      if (totals.get(day)! <= COUNTED.exact) getOrInsert(exact, day, () => new DeviceUnion()).addBytes(bytes)
      else getOrInsert(sketches, day, () => new SketchUnion()).addBytes(bytes)
    }
    const large = part.length === 1 && totals.get(part[0]!)! > COUNTED.exact
    if (large && isInAll(cover, part[0]!))
      for await (const bytes of sketchesOn(reading, range, cover, part[0]!)) add(part[0]!, bytes)
    else for await (const { day, bytes } of leavesOf(reading, range, cover, within)) add(day, bytes)
    for (const [day, set] of exact) figures.set(day, { total: totals.get(day)!, ...sizeOf(set.set()) })
    const fromRollups = large && isInAll(cover, part[0]!)
    for (const [day, set] of sketches)
      figures.set(day, { total: totals.get(day)!, ...without(set.size(), (fromRollups && gone.get(day)?.devices) || 0) })
    await reading.turn()
  }
  return figures
}

const isInAll = ({ all }: Cover, day: number): boolean => all.days.some(({ from, to }) => from <= day && day <= to)

/** Visits, and devices at most, of services that left, by day of roll-ups that contain them. */
async function leftByDay(reading: Reading, range: VisitRange, cover: Cover) {
  const days = new Map<number, { visits: number; devices: number }>()
  for await (const { day, visits, uniques, isSum } of leftCells(reading, range, cover)) {
    const of = getOrInsert(days, day, () => ({ visits: 0, devices: 0 }))
    if (isSum) of.visits += visits
    of.devices += uniques
  }
  return days
}

/** Takes them away; returns the days to read from leaves instead, if these are few enough. */
function withoutLeft(figures: Map<number, DayFigure>, gone: Awaited<ReturnType<typeof leftByDay>>): number[] {
  const touched = [...gone].filter(([day]) => figures.has(day))
  const visits = touched.reduce((sum, [day]) => sum + figures.get(day)!.total, 0)
  for (const [day, { visits: more, devices }] of touched) {
    const { total, ...size } = figures.get(day)!
    if (visits <= COUNTED.leaves) figures.delete(day)
    else figures.set(day, { total: total - more, ...without(size, devices) })
  }
  return visits <= COUNTED.leaves ? touched.map(([day]) => day) : []
}

/** Stores the days whose figures are final numbers of roll-ups; returns the others. */
async function rolledDays(
  reading: Reading,
  range: VisitRange,
  cover: Cover,
  days: Days,
  figures: Map<number, DayFigure>,
): Promise<number[]> {
  const one = range.markets?.size === 1 ? [...range.markets].map(marketOf)[0]! : null
  const market = range.preset ?? (range.whole ? one : null)
  const scope = range.whole ? 'all' : range.unit?.scope
  const rolled: number[] = []
  const rest: number[] = []
  for (let day = days.from; day <= days.to; ) {
    const end = Math.min(days.to, monthAfter(monthOf(day)) - 1)
    const isServed = market !== null && scope !== undefined && !cover.unusable(day)
    for (; day <= end; day++) (isServed && !cover.stale.has(day) ? rolled : rest).push(day)
  }
  if (market === null || !scope) return rest
  const keys = runsOf(rolled).map(({ from, to }): Key => [range.unit && !range.whole ? range.unit.id : 0, market, from, to])
  for (const part of chunks(keys)) {
    for (const [day, total, unique, exact] of await dayNumbers(reading, scope, part))
      figures.set(day, { total, unique, exact: exact === 1, error: exact === 1 ? 0 : ESTIMATE_ERROR })
  }
  return rest
}

type DayNumbers = readonly [day: number, visits: number, uniques: number, exact: number]

/** Reads the numbers of days as one row: for a year, creating rows would take longer than reading them. */
async function dayNumbers(reading: Reading, scope: 'all' | 'brand' | 'service', keys: readonly Key[]): Promise<DayNumbers[]> {
  const columns = sql`t.start_day, t.visits, t.uniques, t.exact`
  const all =
    reading.engine === 'sqlite' ? sql`json_group_array(json_array(${columns}))` : sql`json_agg(json_build_array(${columns}))`
  const [row] = await rowsBy<{ days: string | DayNumbers[] | null }>(reading, { scope, period: 'd' }, keys, sql`${all} as days`)
  const days = row?.days ?? []
  return typeof days === 'string' ? (JSON.parse(days) as DayNumbers[]) : days
}

/** Stores the days of a few market areas of all brands from roll-ups; returns those that need leaves. */
async function fewMarkets(
  reading: Reading,
  range: VisitRange,
  cover: Cover,
  figures: Map<number, DayFigure>,
  days: readonly number[],
): Promise<number[]> {
  if (!range.whole || !isFew(range)) return [...days]
  const clean = days.filter((day) => !cover.stale.has(day) && !cover.unusable(day))
  const markets = await cover.markets()
  const left = new Set(days)
  for (const day of clean) left.delete(day)
  const atOnce = Math.max(1, Math.floor(FEW_ROWS / markets.length))
  for (let at = 0; at < clean.length; at += atOnce) {
    const keys = runsOf(clean.slice(at, at + atOnce)).flatMap(({ from, to }) =>
      markets.map((market): Key => [0, market, from, to]),
    )
    const columns = sql`t.start_day as day, t.visits, t.sketch as bytes`
    const rows = await rowsBy<{ day: number; visits: number; bytes: Uint8Array }>(
      reading,
      { scope: 'all', period: 'd' },
      keys,
      columns,
    )
    for (const [day, of] of Map.groupBy(rows, (row) => Number(row.day))) {
      const total = of.reduce((sum, { visits }) => sum + Number(visits), 0)
      const small = total <= COUNTED.exact
      // A roll-up may be a sketch of devices that the leaves still list.
      if (small && !of.every(({ bytes }) => isList(bytes))) {
        left.add(day)
        continue
      }
      const union = small ? new DeviceUnion() : new SketchUnion()
      for (const { bytes } of of) union.addBytes(bytes)
      figures.set(day, { total, ...sizeOf(union.set()) })
    }
    await reading.turn()
  }
  return days.filter((day) => left.has(day))
}

function runsOf(days: readonly number[]): Days[] {
  const runs: Days[] = []
  for (const day of days) {
    const last = runs.at(-1)
    if (last && last.to + 1 === day) last.to = day
    else runs.push({ from: day, to: day })
  }
  return runs
}

/** Visits by day for these days. */
async function totalsOf(
  reading: Reading,
  range: VisitRange,
  cover: Cover,
  days: readonly number[],
): Promise<Map<number, number>> {
  const wanted = new Set(days)
  const totals = new Map<number, number>()
  const add = (day: number, visits: number) => {
    if (wanted.has(day)) totals.set(day, (totals.get(day) ?? 0) + visits)
  }
  const sum = async (source: Source, keys: readonly Key[], day: RawBuilder<unknown>) => {
    for (const part of chunks(keys, 20_000)) {
      const rows = await rowsBy<{ day: number; visits: number }>(
        reading,
        source,
        part,
        sql`${day} as day, sum(t.visits) as visits`,
        sql`group by ${day}`,
      )
      for (const row of rows) add(Number(row.day), Number(row.visits))
      await reading.turn()
    }
  }
  const keys = [...(await cover.keys('all')).values()].flat()
  await sum('visit_cells', keys, sql`t.day`)
  const clean = [...cover.all.months, ...cleanOf(cover)]
  const markets = await cover.markets()
  await sum(
    { scope: 'all', period: 'd' },
    markets.flatMap((market) => clean.map(({ from, to }): Key => [0, market, from, to])),
    sql`t.start_day`,
  )
  for (const day of staleIn(cover)) for (const { visits } of await cellsOfDay(reading, range, day)) add(day, visits)
  return totals
}

/** Splits days into parts with a limited number of visits; a day with too many to count exactly stays alone. */
function* partsOf(totals: ReadonlyMap<number, number>): Generator<number[]> {
  let part: number[] = []
  let visits = 0
  for (const [day, more] of [...totals].sort(([a], [b]) => a - b)) {
    if (part.length && (visits + more > COUNTED.leaves || more > COUNTED.exact)) {
      yield part
      part = []
      visits = 0
    }
    part.push(day)
    visits += more
    if (more > COUNTED.exact) {
      yield part
      part = []
      visits = 0
    }
  }
  if (part.length) yield part
}

/** The sketches of a day of `all`, and the leaves of services that aren't rolled up. */
async function* sketchesOn(reading: Reading, range: VisitRange, cover: Cover, day: number): AsyncGenerator<Uint8Array> {
  const markets = range.preset === null ? await cover.markets() : [range.preset]
  const keys = markets.map((market): Key => [0, market, day, day])
  for (const part of chunks(keys, 256)) {
    for (const { bytes } of await rowsBy<{ bytes: Uint8Array }>(
      reading,
      { scope: 'all', period: 'd' },
      part,
      sql`t.sketch as bytes`,
    ))
      yield bytes
    await reading.turn()
  }
  for (const { bytes } of await staleLeavesOn(reading, cover, day, range.markets)) yield bytes
}
