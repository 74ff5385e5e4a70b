import { sql } from 'kysely'
import { seesAll } from '../../../contract/actor.ts'
import type { VisitPoint, VisitQuery } from '../../../contract/visit.ts'
import type { Ctx } from '../../core/context.ts'
import { before, type Days, numbersOf, periodOf, type VisitRange, visitRange } from './range.ts'
import { inTime, type Reading } from './reading.ts'
import { COUNTED } from './sets.ts'
import { dayNumberOf } from './sums.ts'
import { keptVenues, type VenueVisits, venueVisits, visitsOfServices } from './venueSums.ts'

/** The side of a square in degrees. */
const SIDE = 0.5
type Asked = Omit<VisitQuery, 'date'> & { date?: VisitQuery['date'] | undefined }

/** Venues with their visits, or half-degree squares of many; without a date, those of all time. */
export async function visitPoints(ctx: Ctx<unknown>, { date, ...asked }: Asked) {
  const range = await visitRange(ctx, asked)
  const period = date ? periodOf({ ...asked, date }, range.today) : null
  return inTime(ctx, async (reading) => {
    const days = period ? numbersOf(period) : everOf(range)
    const earlier = period && numbersOf(before(period))
    const venues = await placesOf(reading, range)
    const squares = venues.length > COUNTED.venues
    // Packs hold all venues, so that they are read for many; those of a brand are asked one by one.
    const sums = squares || range.whole ? packedVisits : askedVisits
    const visits = await sums(reading, range, days)
    const visitsBefore = earlier && (await sums(reading, range, earlier))
    const points = squares
      ? squaresOf(venues, visits, visitsBefore)
      : await named(reading, venues, visits, visitsBefore, seesAll(ctx.actor))
    const total = points.reduce((sum, { visits }) => sum + visits, 0)
    return { data: points, count: points.length, page: 1, total, squares }
  })
}

/** All days with visits; none is of after tomorrow. */
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

/** The venues of what is asked of that have a position. */
async function placesOf(reading: Reading, { services, markets }: VisitRange): Promise<Place[]> {
  const { ids, services: of, dmas, latitudes, longitudes } = await keptVenues(reading)
  const places: Place[] = []
  for (let at = 0; at < ids.length; at++) {
    if (!services.has(of[at]!) || (markets && !markets.has(dmas[at]!))) continue
    if (Number.isNaN(latitudes[at]!) || Number.isNaN(longitudes[at]!)) continue
    places.push({ id: ids[at]!, dma: dmas[at]!, latitude: latitudes[at]!, longitude: longitudes[at]! })
  }
  return places
}

type Sums = (reading: Reading, range: VisitRange, days: Days) => Promise<Pick<VenueVisits, 'of'>>

const packedVisits: Sums = (reading, range, days) => venueVisits(reading, days, dayNumberOf(range.today))

const askedVisits: Sums = (reading, { services, today }, days) => visitsOfServices(reading, services, days, dayNumberOf(today))

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
  // Names, addresses and ids are for administrators.
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
