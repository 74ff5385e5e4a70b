import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database, Tx } from '../../db/connect.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { bytesOf, devicesListed, ROLLUP_MOST, SketchUnion, unionOfBytes } from './deviceSet.ts'
import { addHours, hoursBytes, WEEK_HOURS, weekHour } from './hours.ts'
import { type PackKey, packEntries, packsBy } from './packs.ts'
import { type Days, monthAfter, monthOf, monthsIn, partAfter, partOf } from './range.ts'
import { chunks, type Key, type Reading, rowsBy } from './reading.ts'

/** Sums of a market or preset over a run of days; `devices` only once they were requested. */
interface Merged {
  visits: number
  hours: Uint8Array
  devices: Uint8Array | null
}

/** A run of days, merged from packs at a certain version (`packed`). */
export interface MergedRun {
  packed: number
  markets: Map<number, Merged>
  /** The devices of all market areas, once they were requested. */
  whole: Uint8Array | null
  bytes: number
}

interface Runs {
  /** By their days, most recently used last. */
  kept: Map<string, MergedRun>
  /** Runs that are being merged, for other readers to wait for. */
  busy: Map<string, Promise<unknown>>
  /** Days that are merged in advance; these runs are never evicted. */
  pinned: ReadonlySet<string>
}

/** The most bytes of merged runs in a process: one of 210 market areas has 3.5 MB, with very many visits 28. */
const MOST_BYTES = 2 ** 27
/** Packs and roll-ups in memory at a time. */
const ROWS = { packs: 24, rollups: 128 }

const runsOf = new WeakMap<Database, Runs>()

/** Registers reused for each union, because allocating them would cost more than the union. */
const registers = new SketchUnion()

/** True for a preset's market, including all market areas. */
export const isPreset = (market: number): boolean => market === 0 || market <= -10

/** The union of sets, for memory only: a list if they list no more devices than a roll-up does, else a sketch. */
export function merged(sets: readonly Uint8Array[]): Uint8Array {
  if (devicesListed(sets) <= ROLLUP_MOST) return bytesOf(unionOfBytes(sets), ROLLUP_MOST)
  registers.clear()
  for (const bytes of sets) registers.addBytes(bytes)
  return registers.quick()
}

const runsIn = (database: Database): Runs => {
  const runs = runsOf.get(database) ?? { kept: new Map(), busy: new Map(), pinned: new Set() }
  runsOf.set(database, runs)
  return runs
}
const keyOf = ({ from, to }: Days) => `${from}-${to}`

/** Keeps the runs that are merged in advance, however many others are requested. */
export function pin(database: Database, runs: readonly Days[]): void {
  runsIn(database).pinned = new Set(runs.flatMap((days) => [days, partsIn(days) ?? days]).map(keyOf))
}

/**
 * The sums of all brands over a run of days, by market and preset, with devices for the wanted ones.
 * A process caches them until one of the days or months is packed again.
 */
export async function mergedRun(reading: Reading, run: Days, wanted: (market: number) => boolean): Promise<MergedRun> {
  return runOf(reading, { runs: runsIn(reading.database), packed: await timesPacked(reading.db) }, run, wanted)
}

/** The devices of all market areas in a run. */
export async function wholeOf(reading: Reading, run: MergedRun): Promise<Uint8Array> {
  if (run.whole) return run.whole
  const all = new SketchUnion()
  let done = 0
  for (const [market, { devices }] of run.markets) {
    if (isPreset(market)) continue
    all.addBytes(devices!)
    if (++done % 20 === 0) await reading.turn()
  }
  run.whole = all.quick()
  run.bytes += run.whole.length
  return run.whole
}

interface RunCache {
  runs: Runs
  packed: ReadonlyMap<number, number>
}

/** How often a reader polls for a run that another reader is merging (ms). */
const LOOK = 50

/** A cached run, or one merged now: only once, however many readers ask for it. */
async function runOf(reading: Reading, cache: RunCache, days: Days, wanted: (market: number) => boolean): Promise<MergedRun> {
  const key = keyOf(days)
  for (let other = cache.runs.busy.get(key); other; other = cache.runs.busy.get(key)) {
    await Promise.race([other, delay(LOOK)])
    await reading.turn()
  }
  const merging = merge(reading, cache, days, wanted)
  const done = merging.then(
    () => {},
    () => {},
  )
  cache.runs.busy.set(key, done)
  try {
    return await merging
  } finally {
    cache.runs.busy.delete(key)
  }
}

async function merge(reading: Reading, cache: RunCache, days: Days, wanted: (market: number) => boolean): Promise<MergedRun> {
  const key = keyOf(days)
  const packed = packedIn(cache.packed, days)
  const all = cache.runs.kept
  let run = all.get(key)
  if (run?.packed !== packed) {
    run = { packed, markets: new Map(), whole: null, bytes: 0 }
    for (const [market, { visits, hours, sets }] of await readRun(reading, cache, days, wanted)) {
      const devices = wanted(market) ? (sets[0] ?? merged([])) : null
      run.markets.set(market, { visits, hours: hoursBytes(hours), devices })
    }
  } else {
    const lacking = new Set([...run.markets].flatMap(([market, { devices }]) => (!devices && wanted(market) ? [market] : [])))
    if (lacking.size)
      for (const [market, { sets }] of await readRun(reading, cache, days, (market) => lacking.has(market)))
        if (lacking.has(market)) run.markets.get(market)!.devices = sets[0] ?? merged([])
  }
  run.bytes = run.whole?.length ?? 0
  for (const { hours, devices } of run.markets.values()) run.bytes += 64 + hours.length + (devices?.length ?? 0)
  // Moves the entry to the end, because the first one is evicted first.
  all.delete(key)
  all.set(key, run)
  let bytes = 0
  for (const of of all.values()) bytes += of.bytes
  for (const [oldest, of] of all) {
    if (bytes <= MOST_BYTES) break
    if (of === run || cache.runs.pinned.has(oldest)) continue
    all.delete(oldest)
    bytes -= of.bytes
  }
  return run
}

/** The number of times anything of all brands was packed; the previous release counts here too. */
const PACKED = 'visits.packed'
/** The same number by day, for older days by part of a month, with the sum of them. */
const PARTS = 'visits.packed.parts'
/** The newest days, which are counted one by one. */
const BY_DAY = 62
/** The map's key for packs of another release, which may concern any day. */
const ANYWHERE = -1

interface Parts {
  own: number
  parts: [part: number, times: number][]
}

type MetaRow = { key: string; value: string }

/** Finds the rows of `meta` that `timesPackedOf` reads. */
export const isTimesPacked: RawBuilder<SqlBool> = sql`key in (${PACKED}, ${PARTS})`

async function packedSoFar(db: Reading['db'] | Tx): Promise<Parts & { all: number }> {
  return packedOf(await db.selectFrom('meta').select(['key', 'value']).where(isTimesPacked).execute())
}

function packedOf(rows: readonly MetaRow[]): Parts & { all: number } {
  const stored = (key: string) => rows.find((row) => row.key === key)?.value
  const known = JSON.parse(stored(PARTS) ?? '{"own":0,"parts":[]}') as Parts
  return { ...known, all: Number(stored(PACKED) ?? 0) }
}

/** How often each day was packed; for older days each part of a month, under its first day. */
export async function timesPacked(db: Reading['db'] | Tx): Promise<Map<number, number>> {
  return timesPackedFrom(await packedSoFar(db))
}

/** The same from rows of `meta`, others among them. */
export const timesPackedOf = (rows: readonly MetaRow[]): Map<number, number> => timesPackedFrom(packedOf(rows))

function timesPackedFrom({ all, own, parts }: Parts & { all: number }): Map<number, number> {
  return new Map(all > own ? [...parts, [ANYWHERE, all - own]] : parts)
}

/** Records that days of all brands were packed, in the transaction that packs them. */
export async function notePacked(tx: Tx, { from, to }: Days): Promise<void> {
  const set = (key: string, value: string, next: RawBuilder<string> | string) =>
    tx
      .insertInto('meta')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: next }))
      .execute()
  // First, because its row lock makes other processes that pack wait.
  await set(PACKED, '1', sql<string>`cast(cast(meta.value as integer) + 1 as text)`)
  const { own, parts } = await packedSoFar(tx)
  const times = new Map(parts)
  for (let day = from; day <= to; day++) times.set(day, (times.get(day) ?? 0) + 1)
  const folded = new Map<number, number>()
  const byDay = Math.max(...times.keys()) - BY_DAY
  for (const [day, count] of times) {
    const key = day < byDay ? partOf(day) : day
    folded.set(key, (folded.get(key) ?? 0) + count)
  }
  const value = JSON.stringify({ own: own + 1, parts: [...folded] } satisfies Parts)
  await set(PARTS, value, value)
}

/** Counts only grow, so any change changes the sum; the count of a part applies to each of its days. */
export function packedIn(packed: ReadonlyMap<number, number>, { from, to }: Days): number {
  let sum = packed.get(ANYWHERE) ?? 0
  if (partOf(from) < from) sum += packed.get(partOf(from)) ?? 0
  for (let day = from; day <= to; day++) sum += packed.get(day) ?? 0
  return sum
}

/** A market's sums and sets; at most one set once merged. */
interface MarketRun {
  visits: number
  hours: number[]
  sets: Uint8Array[]
}
type MarketRuns = Map<number, MarketRun>

/**
 * Reads a run: its parts of months from cached runs, because long periods have most of them in common.
 * These are merged from cached quarters, and a quarter from packs.
 */
async function readRun(reading: Reading, cache: RunCache, run: Days, wanted: (market: number) => boolean): Promise<MarketRuns> {
  const found: MarketRuns = new Map()
  const of = (market: number) =>
    getOrInsert(found, market, (): MarketRun => ({ visits: 0, hours: new Array<number>(WEEK_HOURS).fill(0), sets: [] }))
  const aligned = partsIn(run)
  const smaller = aligned && keyOf(aligned) !== keyOf(run) ? [aligned] : quartersOf(run)
  const edges = smaller[0] === aligned ? outside(run, aligned!) : []
  if (aligned === null || (!edges.length && smaller.length === 1)) {
    for (const period of ['m', 'd'] as const) await readPacks(reading, period, monthsIn(run, period), wanted, found, of)
    return found
  }
  for (const days of smaller)
    for (const [market, { visits, hours, devices }] of (await runOf(reading, cache, days, wanted)).markets) {
      const sums = of(market)
      sums.visits += visits
      addHours(sums.hours, hours)
      if (wanted(market)) sums.sets.push(devices!)
    }
  await mergeEach(reading, found)
  await readPacks(reading, 'd', edges, wanted, found, of)
  return found
}

/** Runs of at least this many days of whole parts of months are cached separately. */
const PARTS_LEAST = 56

/** The whole parts of months in a run, if there are enough of them. */
function partsIn({ from, to }: Days): Days | null {
  const first = partOf(from) < from ? partAfter(partOf(from)) : from
  const last = partAfter(partOf(to)) - 1 === to ? to : partOf(to) - 1
  return last - first + 1 >= PARTS_LEAST ? { from: first, to: last } : null
}

/** The days of a run before and after some of its days. */
const outside = (run: Days, { from, to }: Days): Days[] =>
  [
    { from: run.from, to: from - 1 },
    { from: to + 1, to: run.to },
  ].filter((days) => days.from <= days.to)

/** A run split into quarters. */
function quartersOf({ from, to }: Days): Days[] {
  const quarters: Days[] = []
  for (let day = from; day <= to; ) {
    let end = monthAfter(monthOf(day))
    while (new Date(end * 86_400_000).getUTCMonth() % 3) end = monthAfter(end)
    quarters.push({ from: day, to: Math.min(to, end - 1) })
    day = end
  }
  return quarters
}

/** Adds the contents of packs, and sets that are too large for packs from roll-ups. */
async function readPacks(
  reading: Reading,
  period: 'm' | 'd',
  runs: readonly Days[],
  wanted: (market: number) => boolean,
  found: MarketRuns,
  of: (market: number) => MarketRun,
): Promise<void> {
  const elsewhere: Key[] = []
  const rows = ROWS.packs * (period === 'm' ? 31 : 1)
  for (const part of chunks(
    runs.map(({ from, to }): Key => [0, 0, from, to]),
    rows,
  )) {
    const packs = part.map(([id, , from, to]): PackKey => [id, from, to])
    for (const { day, bytes } of await packsBy(reading, 'all', period, packs)) {
      const from = period === 'm' ? 0 : weekHour(day)
      for (const { market, visits, hours, devices } of packEntries(bytes)) {
        const sums = of(market)
        sums.visits += visits
        addHours(sums.hours, hours, from)
        if (!wanted(market)) continue
        if (devices.length) sums.sets.push(devices)
        else elsewhere.push([0, market, day, day])
      }
    }
    // Views keep whole packs in memory, so sets are merged every few packs.
    await mergeEach(reading, found)
  }
  for (const part of chunks(elsewhere, ROWS.rollups)) {
    const columns = sql`t.market, t.sketch as bytes`
    for (const row of await rowsBy<{ market: number; bytes: Uint8Array }>(reading, { scope: 'all', period }, part, columns))
      of(Number(row.market)).sets.push(row.bytes)
    await mergeEach(reading, found)
  }
}

/** Merges each market's sets into one, which is no view of a larger buffer. */
async function mergeEach(reading: Reading, found: MarketRuns): Promise<void> {
  await reading.turn()
  for (const of of found.values()) {
    const [only] = of.sets
    if (!only || (of.sets.length === 1 && only.byteLength === only.buffer.byteLength)) continue
    of.sets = [merged(of.sets)]
    await reading.turn()
  }
}
