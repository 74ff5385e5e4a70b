import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../../db/connect.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { bytesOf, devicesListed, ROLLUP_MOST, SketchUnion, unionOfBytes } from './deviceSet.ts'
import { addHours, hoursBytes, WEEK_HOURS, weekHour } from './hours.ts'
import { type PackKey, packEntries, packsBy } from './packs.ts'
import { type Days, monthAfter, monthOf, partAfter, partOf } from './range.ts'
import { chunks, type Key, type Reading, rowsBy } from './reading.ts'

/** What a market or preset of all brands has in a run of days; `devices` once they were asked for. */
interface Merged {
  visits: number
  hours: Uint8Array
  devices: Uint8Array | null
}

/** A run of days as it was merged, of the packs that there were when they had been packed so many times. */
export interface MergedRun {
  packed: number
  markets: Map<number, Merged>
  /** The devices of all market areas, once they were asked for. */
  whole: Uint8Array | null
  bytes: number
}

/** Runs by their days, the last asked for last. */
type Runs = Map<string, MergedRun>

/** As many bytes of merged runs as a process keeps: a year of 210 market areas has 3.5 MB, of very many visits 20. */
const MOST_BYTES = 2 ** 26
/** Packs and roll-ups that are in memory at a time. */
const ROWS = { packs: 24, rollups: 128 }

const runsOf = new WeakMap<Database, Runs>()

/** Registers that each union is made in, one after another: new ones would cost more than the union. */
const registers = new SketchUnion()

/** True for the market of a preset, all market areas among them. */
export const isPreset = (market: number): boolean => market === 0 || market <= -10

/** The union of sets: a list if their lists have no more devices than a roll-up lists, else a sketch. */
export function merged(sets: readonly Uint8Array[]): Uint8Array {
  if (devicesListed(sets) <= ROLLUP_MOST) return bytesOf(unionOfBytes(sets), ROLLUP_MOST)
  registers.clear()
  for (const bytes of sets) registers.addBytes(bytes)
  return registers.bytes()
}

/**
 * What all brands have in a run of days, by market and preset, with the devices of those that are wanted.
 * It begins and ends with parts of months, as long periods have most of these in common.
 * A process keeps what it merged until one of its days or months is packed again.
 */
export async function mergedRun(reading: Reading, run: Days, wanted: (market: number) => boolean): Promise<MergedRun> {
  const runs: Runs = runsOf.get(reading.database) ?? new Map()
  runsOf.set(reading.database, runs)
  return runOf(reading, { runs, packed: await timesPacked(reading.db) }, run, wanted)
}

/** The devices that all market areas of a run have. */
export async function wholeOf(reading: Reading, run: MergedRun): Promise<Uint8Array> {
  if (run.whole) return run.whole
  const all = new SketchUnion()
  let done = 0
  for (const [market, { devices }] of run.markets) {
    if (isPreset(market)) continue
    all.addBytes(devices!)
    if (++done % 20 === 0) await reading.turn()
  }
  run.whole = all.bytes()
  run.bytes += run.whole.length
  return run.whole
}

interface Kept {
  runs: Runs
  packed: ReadonlyMap<number, number>
}

async function runOf(reading: Reading, kept: Kept, days: Days, wanted: (market: number) => boolean): Promise<MergedRun> {
  const key = `${days.from}-${days.to}`
  const packed = packedIn(kept.packed, days)
  let run = kept.runs.get(key)
  if (run?.packed !== packed) {
    run = { packed, markets: new Map(), whole: null, bytes: 0 }
    for (const [market, { visits, hours, sets }] of await readRun(reading, kept, days, wanted)) {
      const devices = wanted(market) ? (sets[0] ?? merged([])) : null
      run.markets.set(market, { visits, hours: hoursBytes(hours), devices })
    }
  } else {
    const lacking = new Set([...run.markets].flatMap(([market, { devices }]) => (!devices && wanted(market) ? [market] : [])))
    if (lacking.size)
      for (const [market, { sets }] of await readRun(reading, kept, days, (market) => lacking.has(market)))
        if (lacking.has(market)) run.markets.get(market)!.devices = sets[0] ?? merged([])
  }
  run.bytes = run.whole?.length ?? 0
  for (const { hours, devices } of run.markets.values()) run.bytes += 64 + hours.length + (devices?.length ?? 0)
  // Whatever is asked for goes last, since the first goes first.
  kept.runs.delete(key)
  kept.runs.set(key, run)
  let bytes = 0
  for (const of of kept.runs.values()) bytes += of.bytes
  for (const [oldest, of] of kept.runs) {
    if (bytes <= MOST_BYTES || of === run) break
    kept.runs.delete(oldest)
    bytes -= of.bytes
  }
  return run
}

/** How often anything of all brands was packed, as the release before counts too while both run side by side. */
const PACKED = 'visits.packed'
/** The same by part of a month, with how much of that number it accounts for. */
const PARTS = 'visits.packed.parts'
/** Where the map has what another release packed, which may be any day. */
const ANYWHERE = -1

interface Parts {
  own: number
  parts: [part: number, times: number][]
}

async function packedSoFar(db: Reading['db'] | Tx): Promise<Parts & { all: number }> {
  const rows = await db.selectFrom('meta').select(['key', 'value']).where('key', 'in', [PACKED, PARTS]).execute()
  const stored = (key: string) => rows.find((row) => row.key === key)?.value
  const known = JSON.parse(stored(PARTS) ?? '{"own":0,"parts":[]}') as Parts
  return { ...known, all: Number(stored(PACKED) ?? 0) }
}

/** How often each part of a month was packed. */
export async function timesPacked(db: Reading['db'] | Tx): Promise<Map<number, number>> {
  const { all, own, parts } = await packedSoFar(db)
  return new Map(all > own ? [...parts, [ANYWHERE, all - own]] : parts)
}

/** Says that days of all brands are packed again, within the transaction that does it. */
export async function notePacked(tx: Tx, { from, to }: Days): Promise<void> {
  const set = (key: string, value: string, next: RawBuilder<string> | string) =>
    tx
      .insertInto('meta')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: next }))
      .execute()
  // First, because its row lock makes another process that packs wait.
  await set(PACKED, '1', sql<string>`cast(cast(meta.value as integer) + 1 as text)`)
  const { own, parts } = await packedSoFar(tx)
  const times = new Map(parts)
  for (let part = partOf(from); part <= to; part = partAfter(part)) times.set(part, (times.get(part) ?? 0) + 1)
  const value = JSON.stringify({ own: own + 1, parts: [...times] } satisfies Parts)
  await set(PARTS, value, value)
}

/** Counts only grow, so their sum is another one whenever one of them is. */
function packedIn(packed: ReadonlyMap<number, number>, { from, to }: Days): number {
  let sum = packed.get(ANYWHERE) ?? 0
  for (let part = partOf(from); part <= to; part = partAfter(part)) sum += packed.get(part) ?? 0
  return sum
}

/** A market's sums, and its sets: one at most once they are read. */
interface Found {
  visits: number
  hours: number[]
  sets: Uint8Array[]
}
type Finds = Map<number, Found>

/** Reads a run: from what its quarters have, which are kept too, or within a quarter from packs. */
async function readRun(reading: Reading, kept: Kept, run: Days, wanted: (market: number) => boolean): Promise<Finds> {
  const found: Finds = new Map()
  const of = (market: number) =>
    getOrInsert(found, market, (): Found => ({ visits: 0, hours: new Array<number>(WEEK_HOURS).fill(0), sets: [] }))
  const quarters = quartersOf(run)
  if (quarters.length === 1) {
    for (const period of ['m', 'd'] as const) await readPacks(reading, period, runsIn(run, period), wanted, found, of)
    return found
  }
  for (const quarter of quarters)
    for (const [market, { visits, hours, devices }] of (await runOf(reading, kept, quarter, wanted)).markets) {
      const sums = of(market)
      sums.visits += visits
      addHours(sums.hours, hours)
      if (wanted(market)) sums.sets.push(devices!)
    }
  await mergeEach(reading, found)
  return found
}

/** The quarters of a run. */
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

/** The whole months of a run, or its other days. */
function runsIn({ from, to }: Days, period: 'm' | 'd'): Days[] {
  const runs: Days[] = []
  for (let day = from; day <= to; day = monthAfter(monthOf(day))) {
    const end = monthAfter(monthOf(day)) - 1
    const isWhole = day === monthOf(day) && end <= to
    if (isWhole === (period === 'm')) runs.push({ from: day, to: Math.min(to, end) })
  }
  return runs
}

/** Adds what packs have, and of sets that are too large for packs what roll-ups have. */
async function readPacks(
  reading: Reading,
  period: 'm' | 'd',
  runs: readonly Days[],
  wanted: (market: number) => boolean,
  found: Finds,
  of: (market: number) => Found,
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
    // Views of packs hold them, so that some are merged at a time.
    await mergeEach(reading, found)
  }
  for (const part of chunks(elsewhere, ROWS.rollups)) {
    const columns = sql`t.market, t.sketch as bytes`
    for (const row of await rowsBy<{ market: number; bytes: Uint8Array }>(reading, { scope: 'all', period }, part, columns))
      of(Number(row.market)).sets.push(row.bytes)
    await mergeEach(reading, found)
  }
}

/** Leaves each market one set, which is a view of nothing larger. */
async function mergeEach(reading: Reading, found: Finds): Promise<void> {
  await reading.turn()
  for (const of of found.values()) {
    const [only] = of.sets
    if (!only || (of.sets.length === 1 && only.byteLength === only.buffer.byteLength)) continue
    of.sets = [merged(of.sets)]
    await reading.turn()
  }
}
