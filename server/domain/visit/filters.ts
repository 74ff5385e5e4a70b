import { type Selectable, type SqlBool, sql } from 'kysely'
import { MESSAGES } from '../../../contract/messages.ts'
import { addDays, DEFAULT_DAYS } from '../../../contract/pacing.ts'
import type { VisitFilter } from '../../../contract/visitFilter.ts'
import type { VisitPeriod } from '../../../contract/visitPeriod.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { marketAreas } from '../../db/markets.ts'
import type { VisitFilterTable } from '../../db/schema.ts'
import { brandScope, serviceScope } from './scope.ts'

type Row = Selectable<VisitFilterTable> & { brand_name: string }

/** The caller’s saved filters, limited to brands and services they can still see. */
export const filtersOf = (ctx: Pick<Ctx, 'db' | 'actor'>) =>
  ctx.db
    .selectFrom('visit_filters')
    .innerJoin('brands', 'brands.id', 'visit_filters.brand_id')
    .selectAll('visit_filters')
    .select('brands.name as brand_name')
    .where('visit_filters.user_id', '=', ctx.actor.id)
    .where('visit_filters.deleted_at', 'is', null)
    .where(brandScope(ctx.actor))
    .where(
      sql<SqlBool>`(visit_filters.service_id is null or exists (
        select 1 from services where services.id = visit_filters.service_id and ${serviceScope(ctx.actor)}))`,
    )

/** A saved filter as the API returns it. */
export const shownFilter = (row: Row): VisitFilter => ({
  filter_id: row.id,
  filter_name: row.name,
  filter_date_type: row.date_type as VisitPeriod,
  filter_body: {
    start: row.start_dt,
    end: row.end_dt,
    dmas: row.dmas ? row.dmas.split(',').map(Number) : [],
    service: row.service_id,
  },
  customFilterURL: row.query,
  brand_id: row.brand_id,
  brand_name: row.brand_name,
  service_id: row.service_id,
  updated_at: row.updated_at,
  lock_version: row.lock_version,
})

/** One of the caller’s own filters; throws 404. */
export async function ownFilter(ctx: Pick<Ctx, 'db' | 'actor'>, id: number): Promise<Row> {
  const row = await filtersOf(ctx).where('visit_filters.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('That filter')
  return row
}

/** A filter's brand, and its service if it has one; throws 404 for those the caller can’t see. */
export async function brandOfFilter(
  ctx: Pick<Ctx, 'db' | 'actor'>,
  { brand_id, service_id }: { brand_id?: number | undefined; service_id?: number | undefined },
): Promise<number> {
  if (service_id !== undefined) {
    const service = await ctx.db
      .selectFrom('services')
      .select('brand_id')
      .where('id', '=', service_id)
      .where(serviceScope(ctx.actor))
      .executeTakeFirst()
    if (!service) throw notFound('This service')
    if (brand_id !== undefined && brand_id !== service.brand_id) throw invalid('service_id', 'This service is of another brand.')
    return service.brand_id
  }
  if (brand_id === undefined) throw invalid('brand_id', 'Please choose a brand or a service')
  const brand = await ctx.db
    .selectFrom('brands')
    .select('id')
    .where('id', '=', brand_id)
    .where(brandScope(ctx.actor))
    .executeTakeFirst()
  if (!brand) throw notFound('This brand')
  return brand.id
}

const PRESET = /^top (10|25|50)$/

/** Converts market areas or a preset to codes, empty for all; throws a 422 for an unknown one. */
export function marketCodes(names: readonly string[] | undefined, field = 'dmas'): number[] {
  const codes = new Set<number>()
  for (const one of names ?? []) {
    const text = one.trim().toLowerCase()
    const [, top] = PRESET.exec(text) ?? []
    if (!text || text === 'all dmas') continue
    const found = top
      ? marketAreas().filter(({ rank }) => rank !== null && rank <= Number(top))
      : marketAreas().filter(({ code }) => String(code) === text)
    if (!found.length) throw invalid(field, `There is no market area ${one.slice(0, 40)}`)
    for (const { code } of found) codes.add(code)
  }
  return [...codes].sort((a, b) => a - b)
}

/** The dates that a filter stores: none for a relative period, five days for a custom one without an end. */
export function datesOf(date: VisitPeriod, start: string | undefined, end: string | undefined) {
  if (date !== 'custom') return { start_dt: null, end_dt: null }
  if (start === undefined) throw invalid('start', MESSAGES.occasionStart)
  const last = end ?? addDays(start, DEFAULT_DAYS.visitation)
  if (last < start) throw invalid('end', MESSAGES.startBeforeEnd)
  return { start_dt: start, end_dt: last }
}
