import { sql } from 'kysely'
import { versionsOf } from '../../core/idCache.ts'
import type { Database } from '../../db/connect.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { packedIn, timesPacked } from './mergedRuns.ts'
import { type PackKey, packsBy } from './packs.ts'
import { type Days, monthAfter, monthOf } from './range.ts'
import type { Reading } from './reading.ts'
import { COUNTED } from './sets.ts'
import { eachVenue, VENUES, visitsOfVenues } from './venuePacks.ts'

/** Every living venue: the columns of one place in all arrays are those of one venue, in the order of ids. */
interface KeptVenues {
  version: number
  ids: Int32Array
  services: Int32Array
  dmas: Int32Array
  /** Not a number for a venue without a position. */
  latitudes: Float64Array
  longitudes: Float64Array
}

const venuesOf = new WeakMap<Database, KeptVenues>()

/** All living venues, kept in memory until one of them changes, in whatever process. */
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
  const venues: KeptVenues = {
    version,
    ids: Int32Array.from(rows, ({ id }) => id),
    services: Int32Array.from(rows, ({ service_id }) => service_id),
    dmas: Int32Array.from(rows, ({ dma }) => Number(dma)),
    latitudes: Float64Array.from(rows, ({ latitude }) => latitude ?? Number.NaN),
    longitudes: Float64Array.from(rows, ({ longitude }) => longitude ?? Number.NaN),
  }
  // What a transaction wrote may be undone.
  if (!reading.isWrite) venuesOf.set(reading.database, venues)
  return venues
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

/** Sums that a process keeps: of 40,000 venues each has half a megabyte. */
const MOST = 12
/** Rows of packs that are in memory at a time. */
const ROWS = 64
/** Fewer days aren't worth keeping, and the last ones change too often. */
const LEAST = 8
const SETTLED = 2

interface Sums {
  packed: number
  visits: VenueVisits
}
const sumsOf = new WeakMap<Database, Map<string, Sums>>()

/** The visits of every venue in some days, from packs; what isn't packed yet from the venues' days. */
export async function venueVisits(reading: Reading, { from, to }: Days, today: number): Promise<VenueVisits> {
  // Marks are read before packs: one that is packed in between is only counted without need.
  const marks = await marksIn(reading, { from, to })
  const end = Math.min(to, today - SETTLED)
  const isClean = !marks.unpacked.size && ![...marks.stale.keys()].some((day) => day <= end)
  if (!isClean || end - from + 1 < LEAST || reading.isWrite) return sum(reading, { from, to }, marks, today)
  const visits = (await keptSums(reading, { from, to: end }, marks, today)).copy()
  return sum(reading, { from: end + 1, to }, marks, today, visits)
}

/** The same of the venues of some services, whose latest days are asked one by one, and all of them if they are few. */
export async function visitsOfServices(
  reading: Reading,
  services: ReadonlySet<number>,
  { from, to }: Days,
  today: number,
): Promise<VenueVisits> {
  const end = Math.min(to, today - SETTLED)
  const isLong = end - from + 1 >= COUNTED.summed && !reading.isWrite
  const marks = isLong ? await marksIn(reading, { from, to: end }) : null
  const isKept = marks && !marks.unpacked.size && !marks.stale.size
  const visits = new VenueVisits()
  await addAsked(reading, services, { from: isKept ? end + 1 : from, to }, visits.add)
  if (!isKept) return visits
  const kept = await keptSums(reading, { from, to: end }, marks, today)
  const { ids, services: of } = await keptVenues(reading)
  for (let at = 0; at < ids.length; at++) if (services.has(of[at]!)) visits.add(ids[at]!, kept.of(ids[at]!))
  return visits
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
  const kept = sumsOf.get(reading.database) ?? new Map<string, Sums>()
  sumsOf.set(reading.database, kept)
  const key = `${days.from}-${days.to}`
  const packed = packedIn(await timesPacked(reading.db), days)
  let known = kept.get(key)
  if (known?.packed !== packed) known = { packed, visits: await sum(reading, days, marks, today) }
  kept.delete(key)
  kept.set(key, known)
  for (const [oldest] of kept) {
    if (kept.size <= MOST) break
    kept.delete(oldest)
  }
  return known.visits
}

interface Marks {
  /** Months that were counted before venues were packed. */
  unpacked: ReadonlySet<number>
  /** Months that lack days. */
  open: ReadonlySet<number>
  /** Services with visits that aren't packed yet, by day. */
  stale: ReadonlyMap<number, readonly number[]>
}

async function marksIn({ db }: Reading, { from, to }: Days): Promise<Marks> {
  const stale = new Map<number, number[]>()
  const rows = await db.selectFrom('visit_stale').selectAll().where('day', '>=', from).where('day', '<=', to).execute()
  for (const { service_id, day } of rows) getOrInsert(stale, Number(day), () => []).push(service_id)
  const months = await db
    .selectFrom('visit_stale_months')
    .select(['month', 'removed'])
    .where('scope', '=', VENUES.scope)
    .where('month', '>=', monthOf(from))
    .where('month', '<=', to)
    .execute()
  return {
    unpacked: new Set(months.flatMap(({ month, removed }) => (removed ? [Number(month)] : []))),
    open: new Set([...months.map(({ month }) => Number(month)), ...[...stale.keys()].map(monthOf)]),
    stale,
  }
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

/** Adds what venues have in some days of a month that isn't packed. */
async function addDays({ db }: Reading, { from, to }: Days, add: Add): Promise<void> {
  const { rows } = await sql<{ venue_id: number; visits: number }>`
    select venue_id, sum(visits) as visits from visit_venue_days where day between ${from} and ${to} group by venue_id`.execute(
    db,
  )
  for (const { venue_id, visits } of rows) add(Number(venue_id), Number(visits))
}

/** Adds venues of services with visits that aren't packed yet; answers by day which of them packs don't add. */
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
