import { type Expression, type SqlBool, sql } from 'kysely'
import { type Actor, seesAll } from '../../../contract/actor.ts'

/**
 * The one condition for which services a caller sees: lists, figures, exports, events and the palette use it.
 * An administrator sees all, a client user those given to them (screens-visitation.md, service_users).
 */
export function serviceScope(actor: Actor, alias = 'services'): Expression<SqlBool> {
  const service = (column: string) => sql.ref(`${alias}.${column}`)
  const alive = sql`${service('deleted_at')} is null and exists (
    select 1 from brands home where home.id = ${service('brand_id')} and home.deleted_at is null)`
  if (seesAll(actor)) return sql<SqlBool>`(${alive})`
  return sql<SqlBool>`(${alive} and exists (
    select 1 from service_users given where given.service_id = ${service('id')} and given.user_id = ${actor.id}))`
}

/** The brands a caller sees: all for an administrator, those with a service of theirs for a client user. */
export function brandScope(actor: Actor, alias = 'brands'): Expression<SqlBool> {
  const brand = (column: string) => sql.ref(`${alias}.${column}`)
  if (seesAll(actor)) return sql<SqlBool>`${brand('deleted_at')} is null`
  return sql<SqlBool>`(${brand('deleted_at')} is null and exists (
    select 1 from services seen where seen.brand_id = ${brand('id')} and ${serviceScope(actor, 'seen')}))`
}
