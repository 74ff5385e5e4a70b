import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import { seesAll } from '../../contract/actor.ts'
import { Flag } from '../../contract/call.ts'
import { knownPosition } from '../../contract/position.ts'
import { visitQuery } from '../../contract/visit.ts'
import type { Ctx } from '../core/context.ts'
import type { Cell } from '../core/csv.ts'
import { forbidden, HttpError } from '../core/errors.ts'
import { coverOf } from '../domain/visit/cover.ts'
import { dayMarkets, linesOf } from '../domain/visit/dayMarkets.ts'
import { dateOf, numbersOf, periodOf, type VisitRange, visitRange } from '../domain/visit/range.ts'
import { inTime, type Reading } from '../domain/visit/reading.ts'
import { rangeName, venueDays, venueLines } from '../domain/visit/venueDays.ts'
import type { Listing } from './exportSource.ts'
import { SHEET_ROWS } from './xlsx.ts'

/** The filter of an export of visits: the query of the figures, and whether rows are by venue. */
export const VisitExportInput = z.object({
  ...visitQuery,
  include_venue: Flag.default(false),
  format: z.enum(['csv', 'xlsx']).default('csv'),
})
type ExportInput = z.output<typeof VisitExportInput>

/** Visits by day and market area, or by day and venue; only administrators get venues. */
export async function visitsExport(ctx: Ctx, query: ExportInput): Promise<Listing> {
  if (query.include_venue && !seesAll(ctx.actor)) throw forbidden('Only administrators can export venue data')
  const range = await visitRange(ctx, query)
  const { start, end } = periodOf(query, range.today)
  const days = numbersOf({ start, end })
  const count = await inTime(ctx, async (reading) =>
    query.include_venue ? venueLines(reading, range, days) : linesOf(reading, await coverOf(reading, range, days)),
  )
  // The heading takes a row, too.
  if (query.format === 'xlsx' && count + 1 > SHEET_ROWS)
    throw new HttpError(422, 'invalid', 'Too many rows for XLSX, use CSV', {
      fields: { format: 'Too many rows for XLSX, use CSV' },
    })
  const { database } = ctx.services
  const reading: Reading = {
    database,
    db: ctx.db,
    engine: database.engine,
    isWrite: ctx.db.isTransaction,
    turn: async () => void (await turn()),
  }
  const name = await rangeName(ctx.db, query)
  return {
    title: `${name} visits ${start} to ${end}`,
    count,
    columns: query.include_venue
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
    kinds: ['day'],
    pages: () => (query.include_venue ? venuePages(reading, range, days) : dayPages(reading, range, days)),
    services: range.services,
  }
}

const nameIn = ({ areas }: VisitRange, dma: number): string => areas.get(dma)?.name ?? (dma ? `Market ${dma}` : 'Unknown')

type Days = ReturnType<typeof numbersOf>

async function* dayPages(reading: Reading, range: VisitRange, days: Days): AsyncGenerator<Cell[][]> {
  const cover = await coverOf(reading, range, days, true)
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

async function* venuePages(reading: Reading, range: VisitRange, days: Days): AsyncGenerator<Cell[][]> {
  for await (const lines of venueDays(reading, range, days))
    yield lines.map((line) => {
      const position = knownPosition(line)
      return [
        dateOf(Number(line.day)),
        Number(line.dma),
        nameIn(range, Number(line.dma)),
        line.id,
        line.code,
        line.name,
        line.address,
        position?.latitude ?? null,
        position?.longitude ?? null,
        Number(line.visits),
        Number(line.uniques),
      ]
    })
}
