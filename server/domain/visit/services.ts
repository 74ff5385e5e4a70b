import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import { addDays, daysBetween, pacingOf } from '../../../contract/pacing.ts'
import type { Service, serviceCalls } from '../../../contract/service.ts'
import type { Ctx } from '../../core/context.ts'
import { listOf } from '../../core/list.ts'
import { serviceScope } from './scope.ts'

type Filter = Omit<z.output<(typeof serviceCalls)['service.list']['input']>, 'page' | 'per_page'>
type Row = Omit<
  Service,
  | 'service_name'
  | 'percentage'
  | 'color'
  | 'change_7'
  | 'uniques_7'
  | 'trend'
  | 'last_visit_at'
  | 'silent'
  | 'allowed_actions'
  | 'refused_actions'
> & { before_7: number; last_at: number | null }

/** A civil date as the number of days since 1970, as counters of visits have it. */
export const dayNumberOf = (date: string): number => daysBetween('1970-01-01', date)

/** Visits of a service from `first` to `last`, as SQL. */
const visitsBetween = (first: number, last: number) =>
  sql<number>`(select coalesce(sum(counted.visits), 0) from visit_days counted
    where counted.service_id = services.id and counted.day between ${first} and ${last})`

const STATUS = { 0: 'inactive', 1: 'active', 2: null } as const

/** Services that the caller sees. */
export const serviceList = listOf<'service', Filter, Row, Service>('service', {
  table: 'services',
  join: 'join brands on brands.id = services.brand_id left join categories on categories.id = services.category_id',
  scope: ({ actor }) => serviceScope(actor),
  where: ({ status, brand_id, category_id }) => [
    STATUS[status] !== null && sql<SqlBool>`services.status = ${STATUS[status]}`,
    brand_id !== undefined && sql<SqlBool>`services.brand_id = ${brand_id}`,
    category_id !== undefined && sql<SqlBool>`services.category_id = ${category_id}`,
  ],
  columns: ({ today }) => ({
    brand: sql`brands.name`,
    category: sql`coalesce(categories.name, '')`,
    venues_count: sql`(select count(*) from venues where venues.service_id = services.id and venues.deleted_at is null)`,
    visits_7: visitsBetween(dayNumberOf(today) - 6, dayNumberOf(today)),
    change_7: sql`0`,
    uniques_7: sql`0`,
    trend: sql`0`,
    percentage: sql`services.completed`,
    users_count: sql`(select count(*) from service_users where service_users.service_id = services.id)`,
    last_visit_at: sql`services.last_at`,
  }),
  also: ({ today }) => [
    sql`brands.name as brand_name`,
    sql`services.brand_id`,
    sql`services.category_id`,
    sql`services.s3_bucket`,
    sql`services.last_at`,
    sql`${visitsBetween(dayNumberOf(today) - 13, dayNumberOf(today) - 7)} as before_7`,
    sql`services.created_at`,
    sql`services.updated_at`,
    sql`services.lock_version`,
  ],
  shown: ({ actor, today }, rows) =>
    rows.map(({ before_7, last_at, ...row }) => {
      const { pacing, color } = pacingOf(
        {
          status: 'active',
          ordered: row.ordered,
          delivered: row.completed,
          start: row.start_dt,
          end: row.end_dt ?? addDays(today, 0),
        },
        today,
      )
      return {
        ...row,
        service_name: row.name,
        percentage: pacing,
        color,
        change_7: Number(before_7) ? Math.round((100 * (row.visits_7 - Number(before_7))) / Number(before_7)) : null,
        uniques_7: null,
        trend: [],
        last_visit_at: last_at === null ? null : new Date(Number(last_at) * 1000).toISOString(),
        silent: false,
        ...allowedActions('service', actor),
      }
    }),
})

/** One service that the caller sees; throws 404. */
export const liveService = (ctx: Ctx, id: number): Promise<Service> => serviceList.get(ctx, id)
