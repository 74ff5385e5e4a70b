import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { isPreset, packedIn, timesPacked } from './mergedRuns.ts'
import { type PackEntry, packEntries, packsBy } from './packs.ts'
import { type Key, type Reading, rowsBy } from './reading.ts'

/** A day of all brands by market; sets that its pack leaves out are read from roll-ups, but those of presets aren't. */
interface KeptDay {
  packed: number
  entries: readonly PackEntry[]
}

/** The most days cached by a process: at 400 brands each has about 5 MB. */
const MOST = 8

const keptOf = new WeakMap<Database, Map<number, KeptDay>>()

/** The most days that a read takes from the cache; more would evict each other. */
export const FEW_DAYS = 6

/**
 * The packs of a few days of all brands, which every read up to today needs beside a cached run.
 * A process caches a day until it is packed again, because the driver takes longer for a pack than its union does.
 */
export async function keptDays(reading: Reading, days: readonly number[]): Promise<Map<number, readonly PackEntry[]>> {
  const cache = keptOf.get(reading.database) ?? new Map<number, KeptDay>()
  keptOf.set(reading.database, cache)
  // Read before the packs: packing in between causes one more read, and is never missed.
  const times = await timesPacked(reading.db)
  const found = new Map<number, readonly PackEntry[]>()
  for (const day of days) {
    const packed = packedIn(times, { from: day, to: day })
    const known = cache.get(day)
    const of = known?.packed === packed ? known : { packed, entries: await entriesOf(reading, day) }
    // Moves the entry to the end, because the first one is evicted first.
    cache.delete(day)
    cache.set(day, of)
    for (const oldest of cache.keys()) if (cache.size > MOST) cache.delete(oldest)
    found.set(day, of.entries)
    await reading.turn()
  }
  return found
}

async function entriesOf(reading: Reading, day: number): Promise<PackEntry[]> {
  const [pack] = await packsBy(reading, 'all', 'd', [[0, day, day]])
  if (!pack) return []
  const entries = [...packEntries(pack.bytes)]
  const keys = entries.flatMap(({ market, devices }): Key[] =>
    devices.length || isPreset(market) ? [] : [[0, market, day, day]],
  )
  const columns = sql`t.market, t.sketch as bytes`
  const rows = await rowsBy<{ market: number; bytes: Uint8Array }>(reading, { scope: 'all', period: 'd' }, keys, columns)
  const large = new Map(rows.map(({ market, bytes }) => [Number(market), bytes]))
  return entries.map((entry) => {
    const devices = large.get(entry.market)
    return devices ? { ...entry, devices } : entry
  })
}
