import { type SqlBool, sql } from 'kysely'
import { seesAll } from '../../../contract/actor.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { addDays, daysBetween } from '../../../contract/pacing.ts'
import type { VisitQuery } from '../../../contract/visit.ts'
import { type DayRange, daysOf } from '../../../contract/visitPeriod.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { serviceScope } from './scope.ts'
import { dayNumberOf } from './sums.ts'

/** Presets as markets of roll-ups: all market areas, or those with the highest ranks. */
const PRESETS = { 'all dmas': 0, 'top 10': -10, 'top 25': -25, 'top 50': -50 } as const
export type Preset = (typeof PRESETS)[keyof typeof PRESETS]
/** The roll-ups' market for venues without a market area, whose cells have 0. */
const UNKNOWN = -1
export const marketOf = (dma: number): number => (dma === 0 ? UNKNOWN : dma)
/** Up to this many hand-picked market areas of all brands are read from their roll-ups; more are read from packs. */
const FEW = 10
export const isFew = ({ preset, markets }: Pick<VisitRange, 'preset' | 'markets'>): boolean =>
  preset === null && markets !== null && markets.size <= FEW
export const dmaOf = (market: number): number => (market === UNKNOWN ? 0 : market)

/** The longest period of a read. */
const MOST_DAYS = 3660

export interface Area {
  code: number
  name: string
  rank: number | null
}

/** Days since 1970, both inclusive. */
export interface Days {
  from: number
  to: number
}

/** The scope of a query: services, market areas and days. */
export interface VisitRange {
  /** Ids of the requested services that the caller can see. */
  services: ReadonlySet<number>
  /** True if these are all active services. */
  whole: boolean
  /** The brand or service that these services make up completely; null for several. */
  unit: { scope: 'brand' | 'service'; id: number } | null
  /** Codes of market areas; null for all, including unknown ones. */
  markets: ReadonlySet<number> | null
  preset: Preset | null
  areas: ReadonlyMap<number, Area>
  firstDay: number | null
  today: string
}

/** The services of a query that the caller can see; throws 404 for a brand or service they can't. */
export async function visitRange(ctx: Ctx<unknown>, { bid, service, dmas }: Partial<VisitQuery>): Promise<VisitRange> {
  let query = ctx.db
    .selectFrom('services')
    .innerJoin('brands', 'brands.id', 'services.brand_id')
    .select(['services.id', 'services.brand_id', 'services.first_day'])
    .select(sql<number>`case when ${serviceScope(ctx.actor)} then 1 else 0 end`.as('seen'))
    .where('services.deleted_at', 'is', null)
    .where('brands.deleted_at', 'is', null)
  if (bid) query = query.where('services.brand_id', '=', bid)
  const living = await query.execute()
  const ofBrand = living.filter(({ seen }) => seen)
  if (bid && !ofBrand.length && !(seesAll(ctx.actor) && (await brandLives(ctx, bid)))) throw notFound('This brand')
  const chosen = service ? ofBrand.filter(({ id }) => id === service) : ofBrand
  if (service && !chosen.length) throw notFound('This service')
  const [first] = chosen
  const oneBrand = bid !== undefined && chosen.length === living.length
  const areas = new Map(
    (await ctx.db.selectFrom('dmas').select(['code', 'name', 'rank']).execute()).map((area) => [Number(area.code), area]),
  )
  const firstDays = chosen.flatMap(({ first_day }) => (first_day === null ? [] : [Number(first_day)]))
  return {
    services: new Set(chosen.map(({ id }) => id)),
    whole: bid === undefined && service === undefined && chosen.length === living.length,
    unit:
      chosen.length === 1
        ? { scope: 'service', id: first!.id }
        : oneBrand && first
          ? { scope: 'brand', id: first.brand_id }
          : null,
    ...marketsOf(dmas, areas),
    areas,
    firstDay: firstDays.length ? Math.min(...firstDays) : null,
    today: ctx.today,
  }
}

const brandLives = async ({ db }: Pick<Ctx, 'db'>, id: number): Promise<boolean> =>
  (await db.selectFrom('brands').select('id').where('id', '=', id).where(sql<SqlBool>`deleted_at is null`).executeTakeFirst()) !==
  undefined

/** Market areas by code or by a preset's name; a set that equals a preset becomes that preset. */
function marketsOf(
  names: readonly string[] | undefined,
  areas: ReadonlyMap<number, Area>,
): Pick<VisitRange, 'markets' | 'preset'> {
  if (!names?.length) return { markets: null, preset: 0 }
  const codes = new Set<number>()
  let all = false
  for (const word of names) {
    const preset = PRESETS[word.toLowerCase().replace(/\s+/g, ' ') as keyof typeof PRESETS]
    if (preset === 0) all = true
    else if (preset !== undefined) for (const code of ranked(areas, -preset)) codes.add(code)
    else if (areas.has(Number(word))) codes.add(Number(word))
    else throw invalid('dmas', `“${word}” is not a market area`)
  }
  if (all || (areas.size > 0 && codes.size === areas.size)) return { markets: null, preset: 0 }
  const preset = ([-10, -25, -50] as const).find((one) => {
    const of = ranked(areas, -one)
    return of.length === codes.size && of.every((code) => codes.has(code))
  })
  return { markets: codes, preset: preset ?? null }
}

/** The market areas with the highest ranks. */
export const ranked = (areas: ReadonlyMap<number, Area>, most: number): number[] =>
  [...areas.values()].filter(({ rank }) => rank !== null && rank <= most).map(({ code }) => Number(code))

/** The dates of a period; throws 422 if it ends before it starts or is too long. */
export function periodOf({ date, start, end }: Pick<VisitQuery, 'date' | 'start' | 'end'>, today: string): DayRange {
  const days = daysOf(date, today, { ...(start ? { start } : {}), ...(end ? { end } : {}) })
  if (days.start > days.end) throw invalid('start', MESSAGES.startBeforeEnd)
  if (daysBetween(days.start, days.end) >= MOST_DAYS) throw invalid('end', 'A period is ten years at most')
  return days
}

/** The same number of days just before. */
export function before({ start, end }: DayRange): DayRange {
  const length = daysBetween(start, end) + 1
  return { start: addDays(start, -length), end: addDays(start, -1) }
}

export const numbersOf = ({ start, end }: DayRange): Days => ({ from: dayNumberOf(start), to: dayNumberOf(end) })
const MS = 86_400_000

const dates = new Map<number, string>()
/** A day as a civil date, cached because a graph formats each day of a year. */
export function dateOf(day: number): string {
  const known = dates.get(day)
  if (known !== undefined) return known
  if (dates.size > 10_000) dates.clear()
  const date = new Date(day * MS).toISOString().slice(0, 10)
  dates.set(day, date)
  return date
}

/** The first day of a day's month. */
export function monthOf(day: number): number {
  const date = new Date(day * MS)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / MS
}
/** The first day of a day's part of its month: the 1st, 8th, 15th or 22nd. */
export function partOf(day: number): number {
  const month = monthOf(day)
  return month + 7 * Math.min(3, Math.floor((day - month) / 7))
}
/** The first day of the next part. */
export const partAfter = (part: number): number => (part - monthOf(part) < 21 ? part + 7 : monthAfter(monthOf(part)))
/** The first day of the next month. */
export const monthAfter = (month: number): number => monthOf(month + 31)

/** A run's months by their days, or with 'd' the run itself. */
export function monthsIn({ from, to }: Days, period: 'm' | 'd'): Days[] {
  const runs: Days[] = []
  for (let day = from; day <= to; day = monthAfter(monthOf(day))) {
    const end = monthAfter(monthOf(day)) - 1
    const isWhole = day === monthOf(day) && end <= to
    if (isWhole === (period === 'm')) runs.push({ from: day, to: Math.min(to, end) })
  }
  return runs
}
