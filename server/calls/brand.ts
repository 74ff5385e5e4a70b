import type { brandCalls } from '../../contract/brand.ts'
import { HttpError } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { brandList } from '../domain/visit/brands.ts'

const missing = async (): Promise<never> => {
  throw new HttpError(501, 'not_built', 'Not built yet')
}

export const brandHandlers: HandlersOf<typeof brandCalls> = {
  'brand.list': (ctx) => brandList.page(ctx, ctx.input),
  'brand.get': async (ctx) => ({ data: await brandList.get(ctx, ctx.input.id) }),
  'brand.create': missing,
  'brand.edit': missing,
  'brand.remove': missing,
}
