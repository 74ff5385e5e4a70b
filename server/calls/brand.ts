import type { brandCalls } from '../../contract/brand.ts'
import { nameKey } from '../../contract/foldText.ts'
import { count } from '../../contract/format.ts'
import type { Ctx } from '../core/context.ts'
import { HttpError } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { crud } from '../domain/crud.ts'
import { historyPage } from '../domain/recordHistory.ts'
import { brandList } from '../domain/visit/brands.ts'
import { heldBrand, refuseTakenBrand, refuseTerm } from '../domain/visit/write.ts'

/** Throws a 409 for a brand with active services. */
async function refuseActive(ctx: Ctx, { id }: { id: number }): Promise<void> {
  const active = await ctx.tx
    .selectFrom('services')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('brand_id', '=', id)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const many = Number(active.count)
  if (many) throw new HttpError(409, 'not_now', many === 1 ? '1 service is active' : `${count(many)} services are active`)
}

const brands = crud('brand', {
  table: 'brands',
  list: brandList,
  hold: heldBrand,
  usual: ({ today }) => ({ start_dt: today }),
  async check(ctx, fields, was) {
    const { name, start_dt, end_dt } = fields as { name?: string; start_dt?: string; end_dt?: string | null }
    if (start_dt !== undefined || end_dt !== undefined)
      refuseTerm(start_dt ?? was!.start_dt, end_dt === undefined ? was?.end_dt : end_dt)
    if (name !== undefined) await refuseTakenBrand(ctx, { name, ...(was && { id: was.id }) })
  },
  follows: ({ name }) => (name === undefined ? {} : { name_key: nameKey(String(name)) }),
  stays: refuseActive,
})

export const brandHandlers: HandlersOf<typeof brandCalls> = {
  ...brands,
  async 'brand.history'(ctx) {
    const { id } = ctx.input
    await brandList.get(ctx, id)
    return historyPage(ctx, 'brand', ctx.input)
  },
}
