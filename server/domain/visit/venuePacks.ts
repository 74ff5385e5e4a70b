import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Services } from '../../core/context.ts'
import { type Db, type Tx, transact } from '../../db/connect.ts'
import { notePacked } from './mergedRuns.ts'
import { type PackRow, packsBy, writePacks } from './packs.ts'
import { monthAfter } from './range.ts'
import { sameSince, timesRebuilt } from './rebuilt.ts'

/**
 * Visits of every venue are one row for a day or month, so that a map of all brands reads some forty rows a year.
 * Packs identify venues by id only; a venue's position and whether it still exists are looked up for the map.
 */
export const VENUES = { scope: 'venues', id: 0 } as const

type Entry = readonly [venue: number, visits: number]

/** Encodes a pack of venues, ordered by id: the distance to the next id, and its visits. */
export function venuePack(entries: readonly Entry[]): Uint8Array {
  const bytes = new Uint8Array(entries.length * 18)
  let at = 0
  const number = (value: number) => {
    let left = value
    while (left >= 128) {
      bytes[at++] = (left % 128) | 128
      left = Math.floor(left / 128)
    }
    bytes[at++] = left
  }
  let before = 0
  for (const [venue, visits] of entries) {
    number(venue - before)
    number(visits)
    before = venue
  }
  return bytes.slice(0, at)
}

/** Decodes a pack of venues. */
export function eachVenue(bytes: Uint8Array, take: (venue: number, visits: number) => void): void {
  let at = 0
  let venue = 0
  const number = () => {
    let byte = bytes[at++]!
    if (byte < 128) return byte
    let [value, factor] = [byte & 127, 128]
    do {
      byte = bytes[at++]!
      value += (byte & 127) * factor
      factor *= 128
    } while (byte >= 128)
    return value
  }
  while (at < bytes.length) {
    venue += number()
    take(venue, number())
  }
}

const sorted = (venues: ReadonlyMap<number, number>): Entry[] => [...venues].sort(([a], [b]) => a - b)

/** A day's pack with the venues of these services recounted; null without services. */
export async function venuesOfDay(services: Services, day: number, marked: readonly number[]): Promise<PackRow | null> {
  if (!marked.length) return null
  const { db, engine } = services.database
  const venues = new Map<number, number>()
  for (const { bytes } of await packsBy({ db, engine }, VENUES.scope, 'd', [[VENUES.id, day, day]]))
    eachVenue(bytes, (venue, visits) => venues.set(venue, visits))
  for (let at = 0; at < marked.length; at += 500)
    for (const { venue_id, visits } of await visitsOfVenues(db, day, marked.slice(at, at + 500)))
      if (visits === null) venues.delete(venue_id)
      else venues.set(venue_id, Number(visits))
  return { ...VENUES, period: 'd', start: day, bytes: venuePack(sorted(venues)) }
}

/** Venues of services with their visits on a day; null without any. */
export async function visitsOfVenues(
  db: Db | Tx,
  day: number,
  services: readonly number[],
): Promise<{ venue_id: number; visits: number | null }[]> {
  const { rows } = await sql<{ venue_id: number; visits: number | null }>`
    select v.id as venue_id, d.visits from venues v left join visit_venue_days d on d.venue_id = v.id and d.day = ${day}
    where v.service_id in (${sql.join(services)})`.execute(db)
  return rows
}

/** Venues whose days are in one read. */
const AT_ONCE = 1000

/** Packs all days of a month that was counted before there were packs of venues. */
export async function packVenueMonth(services: Services, month: number): Promise<void> {
  const { database } = services
  const times = await timesRebuilt(database.db)
  const days = new Map<number, Entry[]>()
  for (let last = 0; ; ) {
    const { rows: some } = await sql<{
      id: number
    }>`select id from venues where id > ${last} order by id limit ${AT_ONCE}`.execute(database.db)
    const end = some.at(-1)?.id
    if (end === undefined) break
    const { rows } = await sql<{ venue_id: number; day: number; visits: number }>`
      select d.venue_id, d.day, d.visits from venues v join visit_venue_days d on d.venue_id = v.id
      and d.day >= ${month} and d.day < ${monthAfter(month)}
      where v.id > ${last} and v.id <= ${end} order by d.venue_id`.execute(database.db)
    for (const { venue_id, day, visits } of rows) {
      const of = days.get(Number(day)) ?? []
      days.set(Number(day), of)
      of.push([Number(venue_id), Number(visits)])
    }
    last = end
    await turn()
  }
  await transact(database, async (tx) => {
    const packs = [...days].map(([start, entries]): PackRow => ({ ...VENUES, period: 'd', start, bytes: venuePack(entries) }))
    await writePacks(services, tx, packs)
    await notePacked(tx, { from: month, to: monthAfter(month) - 1 })
    await tx
      .updateTable('visit_stale_months')
      .set({ removed: 0 })
      .where('scope', '=', VENUES.scope)
      .where('month', '=', month)
      .execute()
    await sameSince(tx, times)
  })
}

/** Sums up the days of a month that is over. */
export async function rollVenueMonth(services: Services, month: number): Promise<void> {
  const { database } = services
  const times = await timesRebuilt(database.db)
  const venues = new Map<number, number>()
  const { db, engine } = database
  for (const { bytes } of await packsBy({ db, engine }, VENUES.scope, 'd', [[VENUES.id, month, monthAfter(month) - 1]]))
    eachVenue(bytes, (venue, visits) => venues.set(venue, (venues.get(venue) ?? 0) + visits))
  await transact(database, async (tx) => {
    await writePacks(services, tx, [{ ...VENUES, period: 'm', start: month, bytes: venuePack(sorted(venues)) }])
    await tx.deleteFrom('visit_stale_months').where('scope', '=', VENUES.scope).where('month', '=', month).execute()
    await sameSince(tx, times)
  })
}
