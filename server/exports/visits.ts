import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { Flag } from '../../contract/call.ts'
import { visitQuery } from '../../contract/visit.ts'
import { seesAll } from '../../contract/who.ts'
import type { Ctx } from '../core/context.ts'
import type { Cell } from '../core/csv.ts'
import { forbidden, HttpError } from '../core/errors.ts'
import { coverOf } from '../domain/visit/cover.ts'
import { dayMarkets, linesOf } from '../domain/visit/dayMarkets.ts'
import { dateOf, numbersOf, periodOf, type VisitRange, visitRange } from '../domain/visit/range.ts'
import { inTime, type Reading } from '../domain/visit/reading.ts'
import type { Listing } from './exportSource.ts'
import { SHEET_ROWS } from './xlsx.ts'

/** What an export of visits is asked of: the query of the figures, and whether its lines are of venues. */
export const VisitExportInput = z.object({
  ...visitQuery,
  include_venue: Flag.default(false),
  format: z.enum(['csv', 'xlsx']).default('csv'),
})
type Asked = z.output<typeof VisitExportInput>

/** Venues whose days are read at a time. */
const VENUES = 50

/** Visits by day and market area, or by day and venue; only administrators get venues. */
export async function visitsExport(ctx: Ctx, asked: Asked): Promise<Listing> {
  if (asked.include_venue && !seesAll(ctx.actor)) throw forbidden('Only administrators can export venue data')
  const range = await visitRange(ctx, asked)
  const { start, end } = periodOf(asked, range.today)
  const days = numbersOf({ start, end })
  const count = await inTime(ctx, async (reading) =>
    asked.include_venue ? venueLines(reading, range, days) : linesOf(reading, await coverOf(reading, range, days)),
  )
  // The heading is a row, too.
  if (asked.format === 'xlsx' && count + 1 > SHEET_ROWS)
    throw new HttpError(422, 'invalid', 'Too many rows for XLSX, use CSV', {
      fields: { format: 'Too many rows for XLSX, use CSV' },
    })
  const reading: Reading = { db: ctx.db, engine: ctx.services.database.engine, turn: async () => void (await turn()) }
  const name = await nameOf(ctx, asked)
  return {
    title: `${name} visits ${start} to ${end}`,
    count,
    columns: asked.include_venue
      ? [
          'Date',
          'Market code',
          'Market',
          'Venue id',
          'Venue code',
          'Venue',
          'Address',
          'Latitude',
          'Longitude',
          'Visits',
          'Unique devices',
        ]
      : ['Date', 'Market code', 'Market', 'Visits', 'Unique devices', 'Unique ± %'],
    pages: () => (asked.include_venue ? venuePages(reading, range, days) : dayPages(reading, range, days)),
    services: range.services,
  }
}

async function nameOf({ db }: Ctx, { bid, service }: Asked): Promise<string> {
  const names: string[] = []
  if (bid) names.push((await db.selectFrom('brands').select('name').where('id', '=', bid).executeTakeFirst())?.name ?? '')
  if (service)
    names.push((await db.selectFrom('services').select('name').where('id', '=', service).executeTakeFirst())?.name ?? '')
  return names.filter(Boolean).join(' ') || 'All brands'
}

const nameIn = ({ areas }: VisitRange, dma: number): string => areas.get(dma)?.name ?? (dma ? `Market ${dma}` : 'Unknown')

type Days = ReturnType<typeof numbersOf>

async function* dayPages(reading: Reading, range: VisitRange, days: Days): AsyncGenerator<Cell[][]> {
  const cover = await coverOf(reading, range, days)
  for (let day = days.from; day <= days.to; day++) {
    const date = dateOf(day)
    const lines = await dayMarkets(reading, range, cover, day)
    yield lines.map(({ dma, total, unique, error }) => [
      date,
      dma,
      nameIn(range, dma),
      total,
      unique,
      Math.round(error * 1000) / 10,
    ])
  }
}

const VENUES_OF = ({ services, markets }: VisitRange) => {
  const areas = markets ? sql`and v.dma in (${sql.join([...markets])})` : sql``
  return { ids: [...services], areas: sql`v.deleted_at is null ${areas}` }
}

async function venueLines({ db, turn }: Reading, range: VisitRange, { from, to }: Days): Promise<number> {
  const { ids, areas } = VENUES_OF(range)
  let lines = 0
  for (let at = 0; at < ids.length; at += 50) {
    const { rows } = await sql<{ lines: number }>`select count(*) as lines from venues v
      join visit_venue_days d on d.venue_id = v.id and d.day between ${from} and ${to}
      where v.service_id in (${sql.join(ids.slice(at, at + 50))}) and ${areas}`.execute(db)
    lines += Number(rows[0]!.lines)
    await turn()
  }
  return lines
}

interface VenueLine {
  id: number
  code: string
  name: string
  address: string
  latitude: number | null
  longitude: number | null
  dma: number
  day: number
  visits: number
  uniques: number
}

/** Venues some at a time, each with its days. */
async function* venuePages({ db }: Reading, range: VisitRange, { from, to }: Days): AsyncGenerator<Cell[][]> {
  const { ids, areas } = VENUES_OF(range)
  for (const service of ids)
    for (let last = 0; ; ) {
      const some = await sql<{ id: number }>`select v.id from venues v
        where v.service_id = ${service} and v.id > ${last} and ${areas} order by v.id limit ${VENUES}`.execute(db)
      const end = some.rows.at(-1)?.id
      if (end === undefined) break
      const { rows } = await sql<VenueLine>`
        select v.id, v.code, v.name, v.address, v.latitude, v.longitude, v.dma, d.day, d.visits, d.uniques from venues v
        join visit_venue_days d on d.venue_id = v.id and d.day between ${from} and ${to}
        where v.service_id = ${service} and v.id > ${last} and v.id <= ${end} and ${areas} order by v.id, d.day`.execute(db)
      last = end
      yield rows.map((line) => [
        dateOf(Number(line.day)),
        Number(line.dma),
        nameIn(range, Number(line.dma)),
        line.id,
        line.code,
        line.name,
        line.address,
        line.latitude,
        line.longitude,
        Number(line.visits),
        Number(line.uniques),
      ])
    }
}
