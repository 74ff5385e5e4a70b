import { sql } from 'kysely'
import type { Database, Tx } from '../../db/connect.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { bytesOf, devicesListed, ROLLUP_MOST, SketchUnion, unionOfBytes } from './deviceSet.ts'
import { addHours, hoursBytes, WEEK_HOURS } from './hours.ts'
import { type PackKey, packEntries, packsBy } from './packs.ts'
import type { Days } from './range.ts'
import { chunks, type Key, type Reading, rowsBy } from './reading.ts'

/** What a market or preset of all brands has in some months that are over; `devices` once they were asked for. */
interface Merged {
  visits: number
  hours: Uint8Array
  devices: Uint8Array | null
}

/** Months of all brands as they were merged, the last asked for last. */
interface Kept {
  packed: number
  runs: Map<string, Map<number, Merged>>
}

/** As many bytes of merged months as a process keeps: a year of 210 market areas has 3.5 MB, of very many visits 20. */
const MOST_BYTES = 2 ** 26
/** Packs and roll-ups that are in memory at a time. */
const ROWS = { packs: 24, rollups: 128 }

const keptOf = new WeakMap<Database, Kept>()

/** Registers that each union is made in, one after another: new ones would cost more than the union. */
const registers = new SketchUnion()

/** The union of sets: a list if their lists have no more devices than a roll-up lists, else a sketch. */
export function merged(sets: readonly Uint8Array[]): Uint8Array {
  if (devicesListed(sets) <= ROLLUP_MOST) return bytesOf(unionOfBytes(sets), ROLLUP_MOST)
  registers.clear()
  for (const bytes of sets) registers.addBytes(bytes)
  return registers.bytes()
}

/**
 * What all brands have in whole months, by market and preset, with the devices of those that are wanted.
 * Long periods have the same months in common, so what was merged is kept until a month is packed again.
 */
export async function mergedMonths(
  reading: Reading,
  months: readonly Days[],
  wanted: (market: number) => boolean,
): Promise<ReadonlyMap<number, Merged>> {
  const kept = await current(reading)
  const key = months.map(({ from, to }) => `${from}-${to}`).join(' ')
  let run = kept.runs.get(key)
  if (!run) {
    // Another read may have filled it meanwhile.
    const sums = await sumsOf(reading, months)
    run = kept.runs.get(key) ?? sums
  }
  // Whatever is asked for goes last, since the first goes first.
  kept.runs.delete(key)
  kept.runs.set(key, run)
  const lacking = [...run].filter(([market, { devices }]) => !devices && wanted(market)).map(([market]) => market)
  if (!lacking.length) return run
  for (const [market, devices] of await setsOf(reading, months, new Set(lacking))) {
    run.get(market)!.devices = devices
  }
  let bytes = 0
  for (const of of kept.runs.values()) bytes += sizeOf(of)
  for (const [oldest, of] of kept.runs) {
    if (bytes <= MOST_BYTES || of === run) break
    kept.runs.delete(oldest)
    bytes -= sizeOf(of)
  }
  return run
}

/** What is kept, without what was merged of other packs. */
async function current({ database, db }: Reading): Promise<Kept> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', PACKED).executeTakeFirst()
  const packed = Number(row?.value ?? 0)
  const known = keptOf.get(database)
  if (known?.packed === packed) return known
  // A read that still fills what was kept before fills it for itself.
  const kept: Kept = { packed, runs: new Map() }
  keptOf.set(database, kept)
  return kept
}

/** True for months of which merging is worth it. */
export const isLong = (months: readonly Days[]): boolean => months.reduce((sum, { from, to }) => sum + to - from + 1, 0) > 31

/** Says that a month of all brands is packed again, within the transaction that does it. */
export async function notePacked(tx: Tx): Promise<void> {
  const value = sql<string>`cast(cast(meta.value as integer) + 1 as text)`
  await tx
    .insertInto('meta')
    .values({ key: PACKED, value: '1' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** Where it is counted how often months of all brands were packed. */
const PACKED = 'visits.packed'

const sizeOf = (run: ReadonlyMap<number, Merged>): number => {
  let bytes = 0
  for (const { hours, devices } of run.values()) bytes += 64 + hours.length + (devices?.length ?? 0)
  return bytes
}

async function* packsOf(reading: Reading, months: readonly Days[]) {
  const keys = months.map(({ from, to }): Key => [0, 0, from, to])
  for (const part of chunks(keys, ROWS.packs * 31)) {
    const packs = part.map(([id, , from, to]): PackKey => [id, from, to])
    for (const pack of await packsBy(reading, 'all', 'm', packs)) yield pack
    await reading.turn()
  }
}

async function sumsOf(reading: Reading, months: readonly Days[]): Promise<Map<number, Merged>> {
  const sums = new Map<number, { visits: number; hours: number[] }>()
  for await (const { bytes } of packsOf(reading, months))
    for (const { market, visits, hours } of packEntries(bytes)) {
      const of = getOrInsert(sums, market, () => ({ visits: 0, hours: new Array<number>(WEEK_HOURS).fill(0) }))
      of.visits += visits
      addHours(of.hours, hours)
    }
  return new Map([...sums].map(([market, { visits, hours }]) => [market, { visits, hours: hoursBytes(hours), devices: null }]))
}

/** The devices of markets in months: from packs, and of large sets from roll-ups. */
async function setsOf(reading: Reading, months: readonly Days[], markets: ReadonlySet<number>): Promise<Map<number, Uint8Array>> {
  const sets = new Map<number, Uint8Array[]>([...markets].map((market) => [market, []]))
  const elsewhere: Key[] = []
  let rows = 0
  for await (const { day, bytes } of packsOf(reading, months)) {
    for (const { market, devices } of packEntries(bytes)) {
      if (!markets.has(market)) continue
      if (devices.length) sets.get(market)!.push(devices)
      else elsewhere.push([0, market, day, day])
    }
    // Views of packs hold them, so many packs are merged some at a time.
    if (++rows % ROWS.packs === 0) await mergeEach(reading, sets)
  }
  await mergeEach(reading, sets)
  for (const part of chunks(elsewhere, ROWS.rollups)) {
    const columns = sql`t.market, t.sketch as bytes`
    for (const row of await rowsBy<{ market: number; bytes: Uint8Array }>(reading, { scope: 'all', period: 'm' }, part, columns))
      sets.get(Number(row.market))!.push(row.bytes)
    await mergeEach(reading, sets)
  }
  return new Map([...sets].map(([market, of]) => [market, of[0] ?? merged([])]))
}

async function mergeEach(reading: Reading, sets: Map<number, Uint8Array[]>): Promise<void> {
  for (const [market, of] of sets) {
    if (of.length < 2) continue
    sets.set(market, [merged(of)])
    await reading.turn()
  }
}
