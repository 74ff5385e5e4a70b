import { sql } from 'kysely'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import type { Cover } from './cover.ts'
import { DeviceUnion, isList, type SetSize, SketchUnion, sizeOf } from './deviceSet.ts'
import { type Days, dmaOf, marketOf, type VisitRange } from './range.ts'
import { type Key, type Reading, rowsBy } from './reading.ts'

/**
 * A count of at most `exact` visits is the size of the union of its leaves, not an estimate.
 * A market of at most `listed` visits has lists only, in leaves and in roll-ups, so its union is exact anyway.
 * Tests lower both, so that a small world has estimates.
 */
export const COUNTED = { exact: 100_000, listed: 2048 }
/** As many rows with sets as are in memory at a time. */
const ROWS = 3000

/** Different devices in all, and by market area if that was asked for. */
export interface Uniques {
  all: SetSize
  markets: Map<number, SetSize>
}
const NOBODY: SetSize = { unique: 0, exact: true, error: 0 }

/** Counts different devices; `visits` by market area say which counts are exact. */
export async function uniquesOf(
  reading: Reading,
  range: VisitRange,
  cover: Cover,
  visits: ReadonlyMap<number, number>,
  byMarket: boolean,
): Promise<Uniques> {
  let sum = 0
  for (const count of visits.values()) sum += count
  if (!sum) return { all: NOBODY, markets: new Map() }
  const small = sum <= COUNTED.exact
  const all = small ? new DeviceUnion() : new SketchUnion()
  const markets = new Map<number, SetSize>()
  if (!small && !byMarket && range.preset !== null && cover.all.days.length + cover.all.months.length) {
    for await (const { bytes } of ofPreset(reading, range.preset, range, cover)) all.addBytes(bytes)
    for await (const { bytes } of ofServices(reading, cover)) all.addBytes(bytes)
    return { all: sizeOf(all.set()), markets }
  }
  for (const dmas of batches(cover, visits.keys())) {
    const sets = new Map<number, Uint8Array[]>()
    const rows = [...(await ofAll(reading, cover, dmas)), ...(await ofServicesIn(reading, cover, dmas))]
    for (const { dma, bytes } of rows) getOrInsert(sets, dma, () => []).push(bytes)
    for (const [dma, blobs] of sets) {
      const listed = blobs.every(isList)
      const counted = small || (visits.get(dma) ?? 0) <= COUNTED.listed ? new DeviceUnion() : new SketchUnion()
      // A roll-up may be a sketch of devices that the leaves still list.
      if (small && !listed) for await (const { bytes } of leavesIn(reading, range, cover, dma)) counted.addBytes(bytes)
      else for (const bytes of blobs) counted.addBytes(bytes)
      const set = counted.set()
      markets.set(dma, sizeOf(set))
      if (all instanceof DeviceUnion) all.add(set)
      else all.addSet(set)
    }
    await reading.turn()
  }
  return { all: sizeOf(all.set()), markets }
}

/** The leaves of one market area. */
function leavesIn(reading: Reading, range: VisitRange, cover: Cover, dma: number): AsyncGenerator<LeafRow> {
  const keys = cover.services.get(dma)
  const services = new Map(keys ? [[dma, keys]] : [])
  return leavesOf(reading, { ...range, markets: new Set([dma]) }, { ...cover, services })
}

interface SetRow {
  dma: number
  bytes: Uint8Array
}

export interface LeafRow extends SetRow {
  day: number
}

/** All leaves of what is asked of. */
export async function* leavesOf(reading: Reading, range: VisitRange, cover: Cover, days?: Days): AsyncGenerator<LeafRow> {
  for (const run of [...cover.all.months, ...cover.all.days]) {
    const within = overlap(run, days)
    if (within) yield* leavesOfDays(reading, range, within)
  }
  const keys: Key[] = []
  for (const [dma, of] of cover.services)
    for (const [service, , from, to] of [...of.months, ...of.days]) {
      const within = overlap({ from, to }, days)
      if (within) keys.push([service, dma, within.from, within.to])
    }
  for (const some of chunks(keys)) {
    const rows = await rowsBy<LeafRow>(reading, 'visit_leaves', some, sql`t.dma as dma, t.day as day, t.devices as bytes`)
    for (const row of rows) yield { dma: Number(row.dma), day: Number(row.day), bytes: row.bytes }
    await reading.turn()
  }
}

function overlap(run: Days, days: Days | undefined): Days | null {
  if (!days) return run
  const both = { from: Math.max(run.from, days.from), to: Math.min(run.to, days.to) }
  return both.from <= both.to ? both : null
}

/** Leaves of all living services by day; those of other services are left out here, because few are gone. */
async function* leavesOfDays(reading: Reading, { services, markets }: VisitRange, { from, to }: Days): AsyncGenerator<LeafRow> {
  const within = markets ? sql`and c.dma in (${sql.join([...markets])})` : sql``
  for (let day = from; day <= to; day++) {
    const { rows } = await sql<LeafRow & { service_id: number }>`
      select c.service_id, c.dma, c.day, l.devices as bytes from visit_cells c
      join visit_leaves l on l.service_id = c.service_id and l.dma = c.dma and l.day = c.day
      where c.day = ${day} ${within}`.execute(reading.db)
    for (const row of rows)
      if (services.has(row.service_id)) yield { dma: Number(row.dma), day: Number(row.day), bytes: row.bytes }
    await reading.turn()
  }
}

/** Keys in parts of about as many rows as are read at a time. */
export function* chunks(keys: readonly Key[], most = ROWS): Generator<Key[]> {
  let part: Key[] = []
  let rows = 0
  for (const key of keys) {
    const more = key[3] - key[2] + 1
    if (part.length && rows + more > most) {
      yield part
      part = []
      rows = 0
    }
    part.push(key)
    rows += more
  }
  if (part.length) yield part
}

/** Months as keys of roll-ups have about thirty times fewer rows than days. */
const rowsOf = (cover: Cover, dma: number): number => {
  const of = cover.services.get(dma)
  const all = cover.all.months.reduce((sum, run) => sum + (run.to - run.from + 1) / 30, 0)
  const days = cover.all.days.reduce((sum, run) => sum + run.to - run.from + 1, 0)
  const months = of?.months.reduce((sum, [, , from, to]) => sum + (to - from + 1) / 30, 0) ?? 0
  return all + days + months + (of?.days.reduce((sum, [, , from, to]) => sum + to - from + 1, 0) ?? 0)
}

/** Market areas in parts of about as many rows as are read at a time; those of `all` have large sketches. */
function* batches(cover: Cover, dmas: Iterable<number>): Generator<ReadonlySet<number>> {
  let part = new Set<number>()
  let rows = 0
  const most = cover.markets.length ? 256 : ROWS
  for (const dma of dmas) {
    const more = rowsOf(cover, dma)
    if (part.size && rows + more > most) {
      yield part
      part = new Set()
      rows = 0
    }
    part.add(dma)
    rows += more
  }
  if (part.size) yield part
}

/** Roll-ups of months and days of `all` by market, and the leaves of services that aren't rolled up. */
async function ofAll(reading: Reading, cover: Cover, dmas: ReadonlySet<number>): Promise<SetRow[]> {
  const { months, days } = cover.all
  if (!months.length && !days.length) return []
  const keysOf = (runs: readonly Days[]): Key[] =>
    runs.flatMap(({ from, to }) => [...dmas].map((dma): Key => [0, marketOf(dma), from, to]))
  const columns = sql`t.market as dma, t.sketch as bytes`
  const rows = [
    ...(await rowsBy<SetRow>(reading, { scope: 'all', period: 'm' }, keysOf(months), columns)),
    ...(await rowsBy<SetRow>(reading, { scope: 'all', period: 'd' }, keysOf(days), columns)),
  ].map(({ dma, bytes }) => ({ dma: dmaOf(Number(dma)), bytes }))
  return [...rows, ...(await staleLeaves(reading, cover, dmas))]
}

/** Leaves of services with visits that aren't rolled up, of days that the roll-ups of `all` cover. */
async function staleLeaves(reading: Reading, cover: Cover, dmas: ReadonlySet<number> | null): Promise<SetRow[]> {
  const found: SetRow[] = []
  for (const { from, to } of cover.all.days)
    for (const day of cover.stale.keys())
      if (day >= from && day <= to) for (const row of await staleLeavesOn(reading, cover, day, dmas)) found.push(row)
  return found
}

/** The same of one day. */
export async function staleLeavesOn(
  reading: Reading,
  { stale }: Cover,
  day: number,
  dmas: ReadonlySet<number> | null,
): Promise<SetRow[]> {
  const found: SetRow[] = []
  const within = dmas ? sql`and c.dma in (${sql.join([...dmas])})` : sql``
  const ids = [...(stale.get(day) ?? [])]
  for (let at = 0; at < ids.length; at += 500) {
    const { rows } = await sql<SetRow>`select c.dma, l.devices as bytes from visit_cells c
      join visit_leaves l on l.service_id = c.service_id and l.dma = c.dma and l.day = c.day
      where c.day = ${day} ${within} and c.service_id in (${sql.join(ids.slice(at, at + 500))})`.execute(reading.db)
    for (const { dma, bytes } of rows) found.push({ dma: Number(dma), bytes })
    await reading.turn()
  }
  return found
}

/** The roll-ups of a preset of `all`, and the leaves of services that aren't rolled up. */
async function* ofPreset(
  reading: Reading,
  preset: number,
  range: VisitRange,
  cover: Cover,
): AsyncGenerator<{ bytes: Uint8Array }> {
  for (const [period, runs] of [['m', cover.all.months] as const, ['d', cover.all.days] as const])
    for (const part of chunks(
      runs.map(({ from, to }): Key => [0, preset, from, to]),
      400,
    )) {
      yield* await rowsBy<{ bytes: Uint8Array }>(reading, { scope: 'all', period }, part, sql`t.sketch as bytes`)
      await reading.turn()
    }
  yield* await staleLeaves(reading, cover, range.markets)
}

/** Roll-ups of months and leaves of days of services. */
async function ofServicesIn(reading: Reading, cover: Cover, dmas: Iterable<number>): Promise<SetRow[]> {
  const months: Key[] = []
  const days: Key[] = []
  for (const dma of dmas) {
    const of = cover.services.get(dma)
    if (!of) continue
    months.push(...of.months)
    days.push(...of.days)
  }
  const rows: SetRow[] = []
  for (const part of chunks(months, ROWS * 30))
    for (const { dma, bytes } of await rowsBy<SetRow>(
      reading,
      { scope: 'service', period: 'm' },
      part,
      sql`t.market as dma, t.sketch as bytes`,
    ))
      rows.push({ dma: dmaOf(Number(dma)), bytes })
  for (const part of chunks(days))
    for (const { dma, bytes } of await rowsBy<SetRow>(reading, 'visit_leaves', part, sql`t.dma as dma, t.devices as bytes`))
      rows.push({ dma: Number(dma), bytes })
  return rows
}

async function* ofServices(reading: Reading, cover: Cover): AsyncGenerator<SetRow> {
  for (const dma of cover.services.keys()) {
    yield* await ofServicesIn(reading, cover, [dma])
    await reading.turn()
  }
}
