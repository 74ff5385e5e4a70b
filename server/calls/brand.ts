import type { brandCalls } from '../../contract/brand.ts'
import { count } from '../../contract/format.ts'
import { change } from '../core/change.ts'
import { HttpError } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { nameKey } from '../domain/names.ts'
import { historyPage } from '../domain/recordHistory.ts'
import { brandList } from '../domain/visit/brands.ts'
import { heldBrand, refuseTakenBrand, refuseTerm } from '../domain/visit/write.ts'

export const brandHandlers: HandlersOf<typeof brandCalls> = {
  'brand.list': (ctx) => brandList.page(ctx, ctx.input),
  'brand.get': async (ctx) => ({ data: await brandList.get(ctx, ctx.input.id) }),
  async 'brand.history'(ctx) {
    const { id, page } = ctx.input
    await brandList.get(ctx, id)
    return historyPage(ctx, 'brand', id, page)
  },

  async 'brand.create'(ctx) {
    const { name, start_dt = ctx.today, end_dt = null } = ctx.input
    refuseTerm(start_dt, end_dt)
    await refuseTakenBrand(ctx, { name })
    const { id } = await ctx.tx
      .insertInto('brands')
      .values({
        ...{ name, name_key: nameKey(name), start_dt, end_dt },
        ...{ deleted_at: null, created_at: ctx.now, updated_at: ctx.now },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await ctx.record({ subject: 'brand', subject_id: id, after: { name, start_dt, ...(end_dt ? { end_dt } : {}) } })
    ctx.emit({ noun: 'brand', id })
    return { data: await brandList.get(ctx, id), message: 'Brand created.' }
  },

  async 'brand.edit'(ctx) {
    const { id, lock_version: lock, ...patch } = ctx.input
    const brand = await heldBrand(ctx, id)
    if (patch.start_dt !== undefined || patch.end_dt !== undefined)
      refuseTerm(patch.start_dt ?? brand.start_dt, patch.end_dt === undefined ? brand.end_dt : patch.end_dt)
    if (patch.name !== undefined) await refuseTakenBrand(ctx, { id, name: patch.name })
    await change(ctx, 'brands', { subject: 'brand', id, patch, lock, change: { noun: 'brand' } })
    if (patch.name !== undefined && nameKey(patch.name) !== brand.name_key)
      await ctx.tx
        .updateTable('brands')
        .set({ name_key: nameKey(patch.name) })
        .where('id', '=', id)
        .execute()
    return { data: await brandList.get(ctx, id), message: 'Brand updated.' }
  },

  async 'brand.remove'(ctx) {
    const { id } = ctx.input
    const brand = await heldBrand(ctx, id)
    const active = await ctx.tx
      .selectFrom('services')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('brand_id', '=', id)
      .where('status', '=', 'active')
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    const many = Number(active.count)
    if (many) throw new HttpError(409, 'not_now', many === 1 ? '1 service is active' : `${count(many)} services are active`)
    await change(ctx, 'brands', {
      ...{ subject: 'brand', id },
      patch: { deleted_at: ctx.now },
      change: { noun: 'brand', kind: 'drop' },
    })
    return { message: `${brand.name} was deleted.` }
  },
}
