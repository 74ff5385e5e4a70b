import { nameKey } from '../../../contract/fold.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { insertMany } from '../../db/connect.ts'
import { advisoryLock, locked } from '../../db/locked.ts'

/** Throws a 422 for a term that ends before it starts. */
export function refuseTerm(start: string, end: string | null | undefined, field = 'end_dt'): void {
  if (end && end < start) throw invalid(field, MESSAGES.startBeforeEnd)
}

/** Throws a 422 if another brand has this name; checks run one at a time. */
export async function refuseTakenBrand(ctx: Ctx, { name, id }: { name: string; id?: number }): Promise<void> {
  await advisoryLock(ctx.services.database, ctx.tx, 'brands', 0)
  const other = await ctx.tx
    .selectFrom('brands')
    .select(['id', 'name'])
    .where('name_key', '=', nameKey(name))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (other && other.id !== id) throw invalid('name', `A brand named ${other.name} exists`)
}

/** Throws a 422 if another service of the brand has this name; checks run one at a time. */
export async function refuseTakenService(
  ctx: Ctx,
  { brand, name, id, field }: { brand: { id: number; name: string }; name: string; id?: number; field: string },
): Promise<void> {
  await advisoryLock(ctx.services.database, ctx.tx, 'brands', brand.id)
  const other = await ctx.tx
    .selectFrom('services')
    .select(['id', 'name'])
    .where('brand_id', '=', brand.id)
    .where('name_key', '=', nameKey(name))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (other && other.id !== id) throw invalid(field, `${brand.name} has a service named ${other.name}`)
}

/** A brand that isn't deleted, locked until the commit; throws 404. */
export async function heldBrand(ctx: Ctx, id: number) {
  const query = ctx.tx.selectFrom('brands').selectAll().where('id', '=', id).where('deleted_at', 'is', null)
  const brand = await locked(ctx.services.database, query).executeTakeFirst()
  if (!brand) throw notFound('This brand')
  return brand
}

/** A service that isn't deleted, with its brand, both locked until the commit; throws 404. */
export async function heldService(ctx: Ctx, id: number) {
  const query = ctx.tx.selectFrom('services').selectAll().where('id', '=', id).where('deleted_at', 'is', null)
  const service = await locked(ctx.services.database, query).executeTakeFirst()
  if (!service) throw notFound('This service')
  return { service, brand: await heldBrand(ctx, service.brand_id) }
}

/** Finds the category by id, or by name in any case; throws a 422. */
export async function categoryOf(ctx: Ctx, idOrName: string | number, field: string): Promise<{ id: number; name: string }> {
  const text = String(idOrName).trim()
  if (!text) throw invalid(field, MESSAGES.serviceCategory)
  const all = await ctx.tx.selectFrom('categories').select(['id', 'name']).execute()
  const found = /^\d+$/.test(text)
    ? all.find(({ id }) => id === Number(text))
    : all.find(({ name }) => nameKey(name) === nameKey(text))
  if (!found) throw invalid(field, `There is no category ${text}`)
  return found
}

/** Adds a brand to the category of one of its services, unless it is in it. */
export async function joinCategory(ctx: Ctx, brand_id: number, category_id: number): Promise<void> {
  const known = await ctx.tx
    .selectFrom('brand_categories')
    .select('category_id')
    .where('brand_id', '=', brand_id)
    .where('category_id', '=', category_id)
    .executeTakeFirst()
  if (known) return
  await insertMany(ctx.tx, 'brand_categories', [{ brand_id, category_id }])
  ctx.emit({ noun: 'category', id: brand_id, audience: 'admin' })
}

/** Emits to lists and screens of a brand that one of its services has changed. */
export const emitBrand = (ctx: Pick<Ctx, 'emit'>, id: number): void => ctx.emit({ noun: 'brand', id })
