import { type Expression, type SqlBool, sql } from 'kysely'
import { type Actor, seesAll } from '../../../contract/actor.ts'

/**
 * The condition for which services a caller can see, used by lists, figures, exports, events and the palette.
 * Administrators see all, client users those they were given (screens-visitation.md, service_users).
 */
export function serviceScope(actor: Actor, alias = 'services'): Expression<SqlBool> {
  const service = (column: string) => sql.ref(`${alias}.${column}`)
  const alive = sql`${service('deleted_at')} is null and exists (
    select 1 from brands home where home.id = ${service('brand_id')} and home.deleted_at is null)`
  if (seesAll(actor)) return sql<SqlBool>`(${alive})`
  return sql<SqlBool>`(${alive} and exists (
    select 1 from service_users given where given.service_id = ${service('id')} and given.user_id = ${actor.id}))`
}

/** The brands a caller can see: all for administrators, those with a service of theirs for client users. */
export function brandScope(actor: Actor, alias = 'brands'): Expression<SqlBool> {
  const brand = (column: string) => sql.ref(`${alias}.${column}`)
  if (seesAll(actor)) return sql<SqlBool>`${brand('deleted_at')} is null`
  return sql<SqlBool>`(${brand('deleted_at')} is null and exists (
    select 1 from services seen where seen.brand_id = ${brand('id')} and ${serviceScope(actor, 'seen')}))`
}
