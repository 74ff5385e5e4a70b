import { type RawBuilder, sql } from 'kysely'
import type { VisitPoint, VisitQuery } from '../../../contract/visit.ts'
import { seesAll } from '../../../contract/who.ts'
import type { Ctx } from '../../core/context.ts'
import { before, type Days, numbersOf, periodOf, type VisitRange, visitRange } from './range.ts'
import { inTime, type Reading } from './reading.ts'

/** More venues than this are shown as squares. */
const MOST_VENUES = 5000
/** The side of a square in degrees. */
const SIDE = 0.5
/** Squares outside of this are of venues without a position. */
const EVER: Days = { from: -1_000_000, to: 1_000_000 }

type Asked = Omit<VisitQuery, 'date'> & { date?: VisitQuery['date'] | undefined }

/** Venues with their visits, or half-degree squares of many; without a date, those of all time. */
export async function visitPoints(ctx: Ctx<unknown>, { date, ...asked }: Asked) {
  const range = await visitRange(ctx, asked)
  const period = date ? periodOf({ ...asked, date }, range.today) : null
  return inTime(ctx, async (reading) => {
    const days = period ? numbersOf(period) : EVER
    const earlier = period && numbersOf(before(period))
    const squares = (await venuesIn(reading, range)) > MOST_VENUES
    const points = await (squares ? squaresOf : venuesOf)(reading, range, days, earlier, seesAll(ctx.actor))
    const total = points.reduce((sum, { visits }) => sum + visits, 0)
    return { data: points, count: points.length, page: 1, total, squares }
  })
}

/** The venues of what is asked of, as a condition. */
function within({ services, whole, markets }: VisitRange): RawBuilder<unknown> {
  const living = sql`exists (select 1 from services s join brands b on b.id = s.brand_id
    where s.id = v.service_id and s.deleted_at is null and b.deleted_at is null)`
  const chosen = whole ? living : sql`v.service_id in (${sql.join([...services, 0])})`
  const areas = markets ? sql`and v.dma in (${sql.join([...markets])})` : sql``
  return sql`v.deleted_at is null and v.latitude is not null and v.longitude is not null and ${chosen} ${areas}`
}

async function venuesIn({ db }: Reading, range: VisitRange): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from venues v where ${within(range)}`.execute(db)
  return Number(rows[0]!.count)
}

const visitsIn = ({ from, to }: Days) =>
  sql`coalesce((select sum(d.visits) from visit_venue_days d where d.venue_id = v.id and d.day between ${from} and ${to}), 0)`

async function venuesOf(
  { db }: Reading,
  range: VisitRange,
  days: Days,
  earlier: Days | null,
  named: boolean,
): Promise<VisitPoint[]> {
  const { rows } = await sql<VisitPoint & { id: number }>`
    select v.id, v.latitude, v.longitude, v.dma, v.name, v.address, ${visitsIn(days)} as visits,
      ${earlier ? visitsIn(earlier) : sql`null`} as before
    from venues v where ${within(range)} order by v.id`.execute(db)
  // Names, addresses and ids are for administrators.
  return rows.map((row) => ({
    latitude: row.latitude,
    longitude: row.longitude,
    visits: Number(row.visits),
    before: row.before === null ? null : Number(row.before),
    dma: Number(row.dma),
    venues: 1,
    venue_id: named ? row.id : null,
    name: named ? row.name : null,
    address: named ? row.address : null,
  }))
}

async function squaresOf(reading: Reading, range: VisitRange, days: Days, earlier: Days | null): Promise<VisitPoint[]> {
  const squares = new Map<string, VisitPoint>()
  for (const venue of await venuesOf(reading, range, days, earlier, false)) {
    const [row, column] = [Math.floor(venue.latitude / SIDE), Math.floor(venue.longitude / SIDE)]
    const key = `${row} ${column} ${venue.dma}`
    const square = squares.get(key)
    if (square) {
      square.visits += venue.visits
      square.venues += 1
      if (square.before !== null) square.before += venue.before ?? 0
    } else squares.set(key, { ...venue, latitude: (row + 0.5) * SIDE, longitude: (column + 0.5) * SIDE })
  }
  return [...squares.values()]
}
