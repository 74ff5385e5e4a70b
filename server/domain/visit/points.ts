import { sql } from 'kysely'
import { seesAll } from '../../../contract/actor.ts'
import { isNowhere } from '../../../contract/position.ts'
import type { VisitPoint, VisitQuery } from '../../../contract/visit.ts'
import type { Ctx } from '../../core/context.ts'
import { COUNTED } from './countLimits.ts'
import { before, type Days, numbersOf, periodOf, type VisitRange, visitRange } from './range.ts'
import { inTime, type Reading } from './reading.ts'
import { dayNumberOf } from './sums.ts'
import { type KeptVenues, keptVenues, type VenueVisits, venuesOfServices, venueVisits, visitsOfServices } from './venueSums.ts'

/** The side of a square in degrees. */
const SIDE = 0.5
type PointsQuery = Omit<VisitQuery, 'date'> & { date?: VisitQuery['date'] | undefined }

/** Venues with their visits, or half-degree squares if there are many; without a date, over all time. */
export async function visitPoints(ctx: Ctx<unknown>, { date, ...query }: PointsQuery) {
  const range = await visitRange(ctx, query)
  const period = date ? periodOf({ ...query, date }, range.today) : null
  return inTime(ctx, async (reading) => {
    const days = period ? numbersOf(period) : everOf(range)
    const earlier = period && numbersOf(before(period))
    const known = await keptVenues(reading)
    const venues = placesOf(known, range)
    const squares = venues.length > COUNTED.venues
    const periods = earlier ? [days, earlier] : [days]
    const today = dayNumberOf(range.today)
    // Packs contain all venues, so they suit many; a brand's venues are read one by one.
    const [visits, visitsBefore = null] =
      squares || range.whole
        ? await eachOf(periods, (one) => venueVisits(reading, one, today))
        : await visitsOfServices(reading, known, range.services, periods, today)
    const points = squares
      ? squaresOf(venues, visits!, visitsBefore)
      : await named(reading, venues, visits!, visitsBefore, seesAll(ctx.actor))
    const total = points.reduce((sum, { visits }) => sum + visits, 0)
    return { data: points, count: points.length, page: 1, total, squares }
  })
}

/** All days that may have visits, up to tomorrow. */
function everOf({ firstDay, today }: VisitRange): Days {
  const to = dayNumberOf(today) + 1
  return { from: Math.min(firstDay ?? to, to), to }
}

interface Place {
  id: number
  dma: number
  latitude: number
  longitude: number
}

/** The venues in the range that have a position. */
function placesOf(known: KeptVenues, { services, markets }: VisitRange): Place[] {
  const { ids, dmas, latitudes, longitudes } = known
  const places: Place[] = []
  for (const at of venuesOfServices(known, services)) {
    if (markets && !markets.has(dmas[at]!)) continue
    if (Number.isNaN(latitudes[at]!) || Number.isNaN(longitudes[at]!)) continue
    if (isNowhere({ latitude: latitudes[at]!, longitude: longitudes[at]! })) continue
    places.push({ id: ids[at]!, dma: dmas[at]!, latitude: latitudes[at]!, longitude: longitudes[at]! })
  }
  return places
}

async function eachOf<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (const one of all) done.push(await work(one))
  return done
}

async function named(
  { db, engine }: Reading,
  venues: readonly Place[],
  visits: Pick<VenueVisits, 'of'>,
  visitsBefore: Pick<VenueVisits, 'of'> | null,
  seesNames: boolean,
): Promise<VisitPoint[]> {
  const names = new Map<number, { name: string; address: string }>()
  if (seesNames && venues.length) {
    const ids = venues.map(({ id }) => id)
    const listed =
      engine === 'sqlite' ? sql`select value from json_each(${JSON.stringify(ids)})` : sql`select unnest(${ids}::int[])`
    const { rows } = await sql<{ id: number; name: string; address: string }>`
      select id, name, address from venues where id in (${listed})`.execute(db)
    for (const row of rows) names.set(row.id, row)
  }
  // Only administrators see names, addresses and ids.
  return venues.map(({ id, dma, latitude, longitude }) => ({
    latitude,
    longitude,
    visits: visits.of(id),
    before: visitsBefore ? visitsBefore.of(id) : null,
    dma,
    venues: 1,
    venue_id: seesNames ? id : null,
    name: seesNames ? (names.get(id)?.name ?? '') : null,
    address: seesNames ? (names.get(id)?.address ?? '') : null,
  }))
}

function squaresOf(
  venues: readonly Place[],
  visits: Pick<VenueVisits, 'of'>,
  visitsBefore: Pick<VenueVisits, 'of'> | null,
): VisitPoint[] {
  const squares = new Map<number, VisitPoint>()
  for (const { id, dma, latitude, longitude } of venues) {
    const [row, column] = [Math.floor(latitude / SIDE), Math.floor(longitude / SIDE)]
    const key = (row * 1024 + column) * 4096 + dma
    const [more, moreBefore] = [visits.of(id), visitsBefore ? visitsBefore.of(id) : null]
    const square = squares.get(key)
    if (square) {
      square.visits += more
      square.venues += 1
      if (square.before !== null) square.before += moreBefore ?? 0
      continue
    }
    const place = { latitude: (row + 0.5) * SIDE, longitude: (column + 0.5) * SIDE, dma }
    squares.set(key, {
      ...place,
      ...{ visits: more, before: moreBefore, venues: 1, venue_id: null, name: null, address: null },
    })
  }
  return [...squares.values()]
}
