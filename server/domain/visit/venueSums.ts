import { sql } from 'kysely'
import { versionsOf } from '../../core/idCache.ts'
import type { Database } from '../../db/connect.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { COUNTED } from './countLimits.ts'
import { isTimesPacked, packedIn, timesPackedOf } from './mergedRuns.ts'
import { type PackKey, packsBy } from './packs.ts'
import { type Days, monthAfter, monthOf } from './range.ts'
import type { Reading } from './reading.ts'
import { eachVenue, VENUES, visitsOfVenues } from './venuePacks.ts'

/** All active venues as columns in order of id: equal indexes in all arrays belong to one venue. */
export interface KeptVenues {
  version: number
  ids: Int32Array
  services: Int32Array
  dmas: Int32Array
  /** NaN for a venue without a position. */
  latitudes: Float64Array
  longitudes: Float64Array
  /** Where each service's venues are in these columns. */
  byService: ReadonlyMap<number, readonly number[]>
}

const venuesOf = new WeakMap<Database, KeptVenues>()

/** All active venues, cached in memory until one of them changes in any process. */
export async function keptVenues(reading: Pick<Reading, 'database' | 'db' | 'isWrite'>): Promise<KeptVenues> {
  const { venue: version } = await versionsOf(reading.db)
  const known = venuesOf.get(reading.database)
  if (known?.version === version) return known
  const { rows } = await sql<{
    id: number
    service_id: number
    dma: number
    latitude: number | null
    longitude: number | null
  }>`select id, service_id, dma, latitude, longitude from venues where deleted_at is null order by id`.execute(reading.db)
  const byService = new Map<number, number[]>()
  for (const [at, { service_id }] of rows.entries()) getOrInsert(byService, service_id, () => []).push(at)
  const venues: KeptVenues = {
    version,
    ids: Int32Array.from(rows, ({ id }) => id),
    services: Int32Array.from(rows, ({ service_id }) => service_id),
    dmas: Int32Array.from(rows, ({ dma }) => Number(dma)),
    latitudes: Float64Array.from(rows, ({ latitude }) => latitude ?? Number.NaN),
    longitudes: Float64Array.from(rows, ({ longitude }) => longitude ?? Number.NaN),
    byService,
  }
  // A transaction may be rolled back, so what it read isn't cached.
  if (!reading.isWrite) venuesOf.set(reading.database, venues)
  return venues
}

/** Where the venues of some services are among all. */
export function* venuesOfServices({ byService }: KeptVenues, services: ReadonlySet<number>): Generator<number> {
  for (const service of services) yield* byService.get(service) ?? []
}

/** Visits by venue id. */
export class VenueVisits {
  #sums = new Float64Array(1024)

  add = (venue: number, visits: number): void => {
    if (venue >= this.#sums.length) {
      const more = new Float64Array(Math.max(venue + 1, this.#sums.length * 2))
      more.set(this.#sums)
      this.#sums = more
    }
    this.#sums[venue]! += visits
  }

  of(venue: number): number {
    return this.#sums[venue] ?? 0
  }

  copy(): VenueVisits {
    const copy = new VenueVisits()
    copy.#sums = this.#sums.slice()
    return copy
  }
}

/** Sums cached by a process: with 40,000 venues, each takes half a megabyte. */
const MOST = 12
/** Pack rows in memory at a time. */
const ROWS = 64
/** Shorter runs aren't worth caching, and the latest days change too often. */
const LEAST = 8
const SETTLED = 2

interface Sums {
  packed: number
  visits: VenueVisits
}
const sumsOf = new WeakMap<Database, Map<string, Sums>>()

/** Every venue's visits on some days, from packs; from the venues' days where these aren't packed yet. */
export async function venueVisits(reading: Reading, { from, to }: Days, today: number): Promise<VenueVisits> {
  // Marks are read before packs: packing in between then only causes needless counting.
  const marks = await marksIn(reading, { from, to })
  const end = Math.min(to, today - SETTLED)
  if (!isClean(marks, { from, to: end }) || end - from + 1 < LEAST || reading.isWrite)
    return sum(reading, { from, to }, marks, today)
  const visits = (await keptSums(reading, { from, to: end }, marks, today)).copy()
  return sum(reading, { from: end + 1, to }, marks, today, visits)
}

/** The same for some services' venues in each of these periods; only what isn't packed is read venue by venue. */
export async function visitsOfServices(
  reading: Reading,
  venues: KeptVenues,
  services: ReadonlySet<number>,
  periods: readonly Days[],
  today: number,
): Promise<VenueVisits[]> {
  const settled = (to: number) => Math.min(to, today - SETTLED)
  const long = reading.isWrite ? [] : periods.filter(({ from, to }) => settled(to) - from + 1 >= COUNTED.summed)
  const span = { from: Math.min(...long.map(({ from }) => from)), to: Math.max(...long.map(({ to }) => settled(to))) }
  const marks = long.length ? await marksIn(reading, span) : null
  const sums: VenueVisits[] = []
  for (const days of periods) {
    const visits = new VenueVisits()
    sums.push(visits)
    const settledDays = { from: days.from, to: settled(days.to) }
    const isKept = marks && long.includes(days) && isClean(marks, settledDays)
    const rest = { from: isKept ? settledDays.to + 1 : days.from, to: days.to }
    if (rest.from <= rest.to) await addAsked(reading, services, rest, visits.add)
    if (!isKept) continue
    const settledSums = await keptSums(reading, settledDays, marks, today)
    for (const at of venuesOfServices(venues, services)) visits.add(venues.ids[at]!, settledSums.of(venues.ids[at]!))
  }
  return sums
}

async function addAsked(reading: Reading, services: ReadonlySet<number>, { from, to }: Days, add: Add): Promise<void> {
  const ids = [...services]
  for (let at = 0; at < ids.length; at += 500) {
    const { rows } = await sql<{ id: number; visits: number | null }>`select v.id,
      (select sum(d.visits) from visit_venue_days d where d.venue_id = v.id and d.day between ${from} and ${to}) as visits
      from venues v where v.deleted_at is null and v.service_id in (${sql.join(ids.slice(at, at + 500))})`.execute(reading.db)
    for (const { id, visits } of rows) if (visits !== null) add(id, Number(visits))
    await reading.turn()
  }
}

async function keptSums(reading: Reading, days: Days, marks: Marks, today: number): Promise<VenueVisits> {
  const cache = sumsOf.get(reading.database) ?? new Map<string, Sums>()
  sumsOf.set(reading.database, cache)
  const key = `${days.from}-${days.to}`
  const packed = packedIn(marks.packed, days)
  let known = cache.get(key)
  if (known?.packed !== packed) known = { packed, visits: await sum(reading, days, marks, today) }
  cache.delete(key)
  cache.set(key, known)
  for (const [oldest] of cache) {
    if (cache.size <= MOST) break
    cache.delete(oldest)
  }
  return known.visits
}

interface Marks {
  /** Months counted before there were packs of venues. */
  unpacked: ReadonlySet<number>
  /** Months that miss days. */
  open: ReadonlySet<number>
  /** Services with visits that aren't packed yet, by day. */
  stale: ReadonlyMap<number, readonly number[]>
  /** How often each day was packed. */
  packed: ReadonlyMap<number, number>
}

/** What isn't packed in some days, in one statement: more would cost a brand's year as much as its sums. */
async function marksIn({ db }: Reading, { from, to }: Days): Promise<Marks> {
  const { rows } = await sql<{ kind: string; at: number; n: number; value: string }>`
    select 'day' as kind, day as at, service_id as n, '' as value from visit_stale where day between ${from} and ${to}
    union all select 'month', month, removed, '' from visit_stale_months
      where scope = ${VENUES.scope} and month between ${monthOf(from)} and ${to}
    union all select key, 0, 0, value from meta where ${isTimesPacked}`.execute(db)
  const stale = new Map<number, number[]>()
  const unpacked = new Set<number>()
  const open = new Set<number>()
  for (const { kind, at, n } of rows) {
    if (kind === 'day') getOrInsert(stale, Number(at), () => []).push(Number(n))
    if (kind === 'month' && n) unpacked.add(Number(at))
    if (kind === 'month' || kind === 'day') open.add(monthOf(Number(at)))
  }
  return { unpacked, open, stale, packed: timesPackedOf(rows.map(({ kind, value }) => ({ key: kind, value }))) }
}

/** True if all of some days, within those that marks were read of, are packed. */
function isClean({ unpacked, stale }: Marks, { from, to }: Days): boolean {
  for (const day of stale.keys()) if (from <= day && day <= to) return false
  for (const month of unpacked) if (monthOf(from) <= month && month <= to) return false
  return true
}

async function sum(
  reading: Reading,
  { from, to }: Days,
  { unpacked, open, stale }: Marks,
  today: number,
  visits = new VenueVisits(),
): Promise<VenueVisits> {
  const { add } = visits
  const keys = { m: [] as PackKey[], d: [] as PackKey[] }
  for (let day = from; day <= to; ) {
    const month = monthOf(day)
    const last = Math.min(to, monthAfter(month) - 1)
    if (unpacked.has(month)) await addDays(reading, { from: day, to: last }, add)
    else if (day === month && last === monthAfter(month) - 1 && month < monthOf(today) && !open.has(month))
      keys.m.push([VENUES.id, day, last])
    else for (let one = day; one <= last; one++) keys.d.push([VENUES.id, one, one])
    day = last + 1
  }
  const skipped = await staleVenues(reading, { from, to }, unpacked, stale, add)
  for (const period of ['m', 'd'] as const)
    for (let at = 0; at < keys[period].length; at += ROWS) {
      for (const { day, bytes } of await packsBy(reading, VENUES.scope, period, keys[period].slice(at, at + ROWS))) {
        const skip = period === 'd' ? skipped.get(day) : undefined
        if (skip) eachVenue(bytes, (venue, more) => skip.has(venue) || add(venue, more))
        else eachVenue(bytes, add)
      }
      await reading.turn()
    }
  return visits
}

type Add = (venue: number, visits: number) => void

/** Adds venues' visits on days of a month that isn't packed. */
async function addDays({ db }: Reading, { from, to }: Days, add: Add): Promise<void> {
  const { rows } = await sql<{ venue_id: number; visits: number }>`
    select venue_id, sum(visits) as visits from visit_venue_days where day between ${from} and ${to} group by venue_id`.execute(
    db,
  )
  for (const { venue_id, visits } of rows) add(Number(venue_id), Number(visits))
}

/** Adds venues of services with unpacked visits; returns by day which of them to skip in packs. */
async function staleVenues(
  reading: Reading,
  { from, to }: Days,
  unpacked: ReadonlySet<number>,
  stale: Marks['stale'],
  add: Add,
): Promise<Map<number, Set<number>>> {
  const skipped = new Map<number, Set<number>>()
  for (const [day, services] of stale) {
    if (day < from || day > to || unpacked.has(monthOf(day))) continue
    const skip = new Set<number>()
    skipped.set(day, skip)
    for (let at = 0; at < services.length; at += 500)
      for (const { venue_id, visits } of await visitsOfVenues(reading.db, day, services.slice(at, at + 500))) {
        skip.add(venue_id)
        if (visits !== null) add(venue_id, Number(visits))
      }
    await reading.turn()
  }
  return skipped
}
