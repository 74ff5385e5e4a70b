import type { Database } from '../../db/connect.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { COUNTED } from './countLimits.ts'
import type { Cover } from './cover.ts'
import { bytesOf, isList, unionOfBytes } from './deviceSet.ts'
import { addHours, hoursBytes, WEEK_HOURS, weekHour } from './hours.ts'
import { type MergedRun, merged, packedIn, timesPacked } from './mergedRuns.ts'
import { type PackKey, packEntries, packParts, packsBy } from './packs.ts'
import { type Days, monthsIn } from './range.ts'
import type { Reading } from './reading.ts'

/** Sums of services over a run of days; `listed` if all sets are lists, so that small counts are exact. */
export type ServicesRun = MergedRun & { listed: boolean }

/** The most bytes cached by a process: a year of a brand has 0.2 to 2 MB. */
const MOST_BYTES = 2 ** 26
/** The most bytes collected before sets are merged. */
const HELD = 2 ** 23

const keptOf = new WeakMap<Database, Map<string, ServicesRun>>()

/**
 * Sums of some services over a run of days, by market area.
 * Merged once and cached like those of all brands (mergedRuns.ts).
 * Merged again once any of its days was packed again, whichever service had new visits.
 */
export async function servicesRun(reading: Reading, { core, rest }: Cover['ofServices']): Promise<ServicesRun> {
  const cache = keptOf.get(reading.database) ?? new Map<string, ServicesRun>()
  keptOf.set(reading.database, cache)
  const days = core!
  const services = [...rest.keys()].sort((a, b) => a - b)
  const key = `${days.from}-${days.to} ${services}`
  // Read before the packs: packing in between causes one more merge, and is never missed.
  const packed = packedIn(await timesPacked(reading.db), days)
  const known = cache.get(key)
  const run = known?.packed === packed ? known : await mergeServices(reading, services, days, packed)
  cache.delete(key)
  cache.set(key, run)
  let bytes = 0
  for (const of of cache.values()) bytes += of.bytes
  for (const [oldest, of] of cache) {
    if (bytes <= MOST_BYTES || of === run) break
    cache.delete(oldest)
    bytes -= of.bytes
  }
  return run
}

interface MarketRun {
  visits: number
  hours: number[]
  sets: Uint8Array[]
}

async function mergeServices(reading: Reading, services: readonly number[], days: Days, packed: number): Promise<ServicesRun> {
  const found = new Map<number, MarketRun>()
  let held = 0
  let total = 0
  for (const period of ['m', 'd'] as const) {
    const runs = monthsIn(days, period)
    const keys = services.flatMap((service) => runs.map(({ from, to }): PackKey => [service, from, to]))
    for (const part of packParts('service', keys, period)) {
      for (const { day, bytes } of await packsBy(reading, 'service', period, part)) {
        const from = period === 'm' ? 0 : weekHour(day)
        for (const { market, visits, hours, devices } of packEntries(bytes)) {
          const of = getOrInsert(found, market, () => ({ visits: 0, hours: new Array<number>(WEEK_HOURS).fill(0), sets: [] }))
          of.visits += visits
          total += visits
          addHours(of.hours, hours, from)
          of.sets.push(devices)
          held += devices.length
        }
      }
      await reading.turn()
      // Sets of few visits stay lists, so that their count is exact.
      if (held <= HELD || total <= COUNTED.exact) continue
      for (const of of found.values()) if (of.sets.length > 1) of.sets = [merged(of.sets)]
      held = 0
      await reading.turn()
    }
  }
  const few = total <= COUNTED.exact
  const unite = (sets: Uint8Array[]) =>
    few && sets.every(isList) ? bytesOf(unionOfBytes(sets), Number.POSITIVE_INFINITY) : merged(sets)
  const run: ServicesRun = { packed, markets: new Map(), whole: null, bytes: 0, listed: true }
  for (const [market, { visits, hours, sets }] of found) {
    const devices = unite(sets)
    run.markets.set(market, { visits, hours: hoursBytes(hours), devices })
    run.listed &&= isList(devices)
    run.bytes += 400 + devices.length
  }
  run.whole = unite([...run.markets.values()].map(({ devices }) => devices!))
  run.bytes += run.whole.length
  return run
}
