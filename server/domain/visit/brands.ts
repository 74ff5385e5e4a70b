import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import { seesAll } from '../../../contract/actor.ts'
import type { Brand, brandCalls } from '../../../contract/brand.ts'
import type { Paging } from '../../../contract/listInput.ts'
import type { Ctx } from '../../core/context.ts'
import { listOf } from '../../core/listBuilder.ts'
import { holds } from '../../core/listSearch.ts'
import { byText } from '../../db/foldedText.ts'
import { brandScope, serviceScope } from './scope.ts'
import { serviceList } from './serviceList.ts'
import { changeOf, countedOf, expectedOf, pacingSql, progressColor, spans, visitsBetween } from './sums.ts'

type Filter = Omit<z.output<(typeof brandCalls)['brand.list']['input']>, Paging>
type Row = Omit<Brand, 'brand_name' | 'color' | 'categories' | 'children' | 'allowed_actions' | 'refused_actions'>

const STATUS = { 0: 'inactive', 1: 'active', 2: null } as const

/** Brands the caller can see; their figures cover only services the caller can see. */
export const brandList = listOf<'brand', Filter, Row, Brand>('brand', {
  table: 'brands',
  scope: ({ actor }) => brandScope(actor),
  where: ({ status, category_id, start_from, start_to }) => [
    STATUS[status] !== null && sql<SqlBool>`brands.status = ${STATUS[status]}`,
    category_id !== undefined &&
      sql<SqlBool>`exists (select 1 from brand_categories inside where inside.brand_id = brands.id and inside.category_id = ${category_id})`,
    start_from !== undefined && sql<SqlBool>`brands.start_dt >= ${start_from}`,
    start_to !== undefined && sql<SqlBool>`brands.start_dt <= ${start_to}`,
  ],
  finds: ({ actor, services: { database } }, word) =>
    sql<SqlBool>`(${holds(database, 'brands.name', word)} or exists (select 1 from services named
      where named.brand_id = brands.id and ${serviceScope(actor, 'named')} and ${holds(database, 'named.name', word)}))`,
  columns(ctx) {
    const { engine } = ctx.services.database
    const { month, monthBefore } = spans(ctx.today)
    const seen = sql`services where services.brand_id = brands.id and ${serviceScope(ctx.actor)}`
    const of = (figure: RawBuilder<unknown>) => sql<number>`(select ${figure} from ${seen})`
    const sumOf = (figure: RawBuilder<number>) => of(sql`coalesce(sum(${figure}), 0)`)
    return {
      services_count: of(sql`count(*)`),
      venues_count: sql`(select count(*) from venues join services on services.id = venues.service_id
        where venues.deleted_at is null and services.brand_id = brands.id and ${serviceScope(ctx.actor)})`,
      visits_30: sumOf(visitsBetween(...month)),
      change_30: changeOf(engine, sumOf(visitsBetween(...monthBefore)), sumOf(visitsBetween(...month))),
      ordered: sumOf(sql.ref<number>('services.ordered')),
      completed: sumOf(sql.ref<number>('services.completed')),
      percentage: pacingSql(engine, sumOf(countedOf()), sumOf(expectedOf(ctx))),
      users_count: seesAll(ctx.actor)
        ? sql`(select count(distinct given.user_id) from service_users given join services on services.id = given.service_id
            where services.brand_id = brands.id and services.deleted_at is null)`
        : sql`cast(null as integer)`,
    }
  },
  empty: ['change_30', 'end_dt', 'users_count'],
  also: () => [sql`brands.created_at`, sql`brands.updated_at`, sql`brands.lock_version`],
  file: {
    services: (ctx, rows) =>
      servicesIn(
        ctx,
        rows.map(({ id }) => id),
      ),
  },
  async shown(ctx, rows) {
    const ids = rows.map(({ id }) => id)
    const [children, categories] = await Promise.all([childrenOf(ctx, ids), categoriesIn(ctx, ids)])
    return rows.map((row) => {
      const own = children.filter(({ brand_id }) => brand_id === row.id)
      const due = own.some(({ ordered, end_dt }) => ordered > 0 && end_dt !== null)
      return {
        ...row,
        brand_name: row.name,
        color: progressColor(row.percentage, due),
        categories: categories.get(row.id) ?? [],
        children: own,
        ...allowedActions('brand', ctx.actor),
      }
    })
  },
})

/** Ids of these brands' services that the caller can see, active ones first, then by name. */
async function servicesIn(ctx: Ctx, brands: readonly number[]): Promise<number[]> {
  if (!brands.length) return []
  const rows = await ctx.db
    .selectFrom('services')
    .select('id')
    .where('brand_id', 'in', brands)
    .where(serviceScope(ctx.actor))
    .orderBy('status')
    .orderBy(byText(ctx.db, 'name'))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

async function childrenOf(ctx: Ctx, brands: readonly number[]) {
  return [...(await serviceList.shown(ctx, await serviceList.rows(ctx, await servicesIn(ctx, brands))))]
}

/** The categories of these brands by name. */
async function categoriesIn(ctx: Pick<Ctx, 'db'>, brands: readonly number[]) {
  const of = new Map<number, { id: number; name: string }[]>()
  if (!brands.length) return of
  const rows = await ctx.db
    .selectFrom('brand_categories')
    .innerJoin('categories', 'categories.id', 'category_id')
    .select(['brand_id', 'categories.id', 'categories.name'])
    .where('brand_id', 'in', brands)
    .orderBy(byText(ctx.db, 'categories.name'))
    .orderBy('categories.id')
    .execute()
  for (const { brand_id, ...category } of rows) of.set(brand_id, [...(of.get(brand_id) ?? []), category])
  return of
}
