import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import type { Brand, brandCalls } from '../../../contract/brand.ts'
import { listOf } from '../../core/list.ts'
import { brandScope } from './scope.ts'

type Filter = Omit<z.output<(typeof brandCalls)['brand.list']['input']>, 'page' | 'per_page'>
type Row = Omit<Brand, 'brand_name' | 'color' | 'change_30' | 'categories' | 'children' | 'allowed_actions' | 'refused_actions'>

const STATUS = { 0: 'inactive', 1: 'active', 2: null } as const

/** Brands that the caller sees. */
export const brandList = listOf<'brand', Filter, Row, Brand>('brand', {
  table: 'brands',
  scope: ({ actor }) => brandScope(actor),
  where: ({ status }) => [STATUS[status] !== null && sql<SqlBool>`brands.status = ${STATUS[status]}`],
  columns: () => ({
    services_count: sql`(select count(*) from services where services.brand_id = brands.id and services.deleted_at is null)`,
    venues_count: sql`0`,
    visits_30: sql`0`,
    change_30: sql`0`,
    ordered: sql`0`,
    completed: sql`0`,
    percentage: sql`0`,
    users_count: sql`0`,
  }),
  also: () => [sql`brands.created_at`, sql`brands.updated_at`, sql`brands.lock_version`],
  shown: ({ actor }, rows) =>
    rows.map((row) => ({
      ...row,
      brand_name: row.name,
      color: 'Gray',
      change_30: null,
      categories: [],
      children: [],
      ...allowedActions('brand', actor),
    })),
})
