import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import { seesAll } from '../../../contract/actor.ts'
import type { Paging } from '../../../contract/listInput.ts'
import type { Service, serviceCalls } from '../../../contract/service.ts'
import type { Ctx } from '../../core/context.ts'
import { listOf } from '../../core/listBuilder.ts'
import { holds } from '../../core/listSearch.ts'
import { type SetSize, sizeOf, unionOfBytes } from './deviceSet.ts'
import { serviceScope } from './scope.ts'
import {
  changeOf,
  countedOf,
  expectedOf,
  isoOf,
  pacingSql,
  progressColor,
  silentSql,
  spans,
  trendsOf,
  visitsBetween,
} from './sums.ts'

export { dayNumberOf } from './sums.ts'

type Filter = Omit<z.output<(typeof serviceCalls)['service.list']['input']>, Paging>
type Row = Omit<
  Service,
  'service_name' | 'color' | 'uniques_7' | 'uniques_7_error' | 'trend' | 'silent' | 'allowed_actions' | 'refused_actions'
> & {
  silent: unknown
  expected: number
  uniques_7: unknown
  trend: unknown
}

const STATUS = { 0: 'inactive', 1: 'active', 2: null } as const

/** Services the caller can see. */
export const serviceList = listOf<'service', Filter, Row, Service>('service', {
  table: 'services',
  join: 'join brands on brands.id = services.brand_id left join categories on categories.id = services.category_id',
  scope: ({ actor }) => serviceScope(actor),
  where: ({ status, brand_id, category_id, silent }, ctx) => [
    STATUS[status] !== null && sql<SqlBool>`services.status = ${STATUS[status]}`,
    brand_id !== undefined && sql<SqlBool>`services.brand_id = ${brand_id}`,
    category_id !== undefined && sql<SqlBool>`services.category_id = ${category_id}`,
    silent && silentSql(ctx),
  ],
  finds: ({ services: { database } }, word) =>
    sql<SqlBool>`(${holds(database, 'services.name', word)} or ${holds(database, 'brands.name', word)}
      or ${holds(database, "coalesce(categories.name, '')", word)})`,
  columns(ctx) {
    const { engine } = ctx.services.database
    const { week, weekBefore } = spans(ctx.today)
    return {
      brand: sql`brands.name`,
      category: sql`coalesce(categories.name, '')`,
      venues_count: sql`(select count(*) from venues where venues.service_id = services.id and venues.deleted_at is null)`,
      visits_7: visitsBetween(...week),
      change_7: changeOf(engine, visitsBetween(...weekBefore), visitsBetween(...week)),
      // Computed only for the rows shown.
      uniques_7: sql`null`,
      trend: sql`null`,
      percentage: pacingSql(engine, countedOf(), expectedOf(ctx)),
      users_count: seesAll(ctx.actor)
        ? sql`(select count(*) from service_users where service_users.service_id = services.id)`
        : sql`cast(null as integer)`,
      last_visit_at: isoOf(engine, sql`services.last_at`),
    }
  },
  // Active services come first when sorted by name.
  last: { name: sql`case when services.status = 'active' then 0 else 1 end` },
  empty: ['change_7', 'end_dt', 'last_visit_at', 'users_count'],
  also: (ctx) => [
    sql`brands.name as brand_name`,
    sql`services.brand_id`,
    sql`services.category_id`,
    sql`services.s3_bucket`,
    sql`(select coalesce(sum(size), 0) from venue_batches join jobs on jobs.id = job_id
      where venue_batches.service_id = services.id and added is null and jobs.status in ('queued', 'running')) as venues_coming`,
    sql`(case when ${silentSql(ctx)} then 1 else 0 end) as silent`,
    sql`${expectedOf(ctx)} as expected`,
    sql`services.created_at`,
    sql`services.updated_at`,
    sql`services.lock_version`,
  ],
  file: { services: (_, rows) => rows.map(({ id }) => id) },
  async shown(ctx, rows) {
    const ids = rows.map(({ id }) => id)
    const [trends, uniques] = await Promise.all([trendsOf(ctx, ids), weekUniques(ctx, ids)])
    return rows.map(({ silent, expected, ...row }) => ({
      ...withoutColumn(row, 'brand'),
      service_name: row.name,
      venues_coming: Number(row.venues_coming),
      color: progressColor(row.percentage, row.ordered > 0 && row.end_dt !== null),
      uniques_7: uniques.get(row.id)?.unique ?? 0,
      uniques_7_error: uniques.get(row.id)?.error ?? 0,
      trend: trends.get(row.id)!,
      silent: Number(silent) === 1,
      ...allowedActions('service', ctx.actor),
    }))
  },
})

/** A row without a column that only sorting and exports use; reads return it under another name. */
function withoutColumn<R extends object>(row: R, column: string): R {
  const { [column as keyof R]: _, ...shown } = row
  return shown as R
}

/** Services whose leaves are read at a time. */
const SOME = 50

/** Distinct devices of each service in the last 7 days including today: the size of its leaves' union. */
async function weekUniques({ db, today }: Pick<Ctx, 'db' | 'today'>, ids: readonly number[]): Promise<Map<number, SetSize>> {
  const [first, last] = spans(today).week
  const uniques = new Map<number, SetSize>()
  for (let at = 0; at < ids.length; at += SOME) {
    const rows = await db
      .selectFrom('visit_leaves')
      .select(['service_id', 'devices'])
      .where('service_id', 'in', ids.slice(at, at + SOME))
      .where('day', '>=', first)
      .where('day', '<=', last)
      .execute()
    for (const [id, leaves] of Map.groupBy(rows, ({ service_id }) => service_id))
      uniques.set(id, sizeOf(unionOfBytes(leaves.map(({ devices }) => devices))))
  }
  return uniques
}

/** One service the caller can see; throws 404. */
export const liveService = (ctx: Ctx, id: number): Promise<Service> => serviceList.get(ctx, id)
