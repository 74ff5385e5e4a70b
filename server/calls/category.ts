import type { categoryCalls } from '../../contract/category.ts'
import type { Ctx } from '../core/context.ts'
import { invalid } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { categoriesFor, categoriesOf, categoriesSeen, setCategories } from '../domain/project/categories.ts'
import { seenProject } from '../domain/project/detail.ts'

/** Throws a 422 that names the field if a category doesn't exist. */
async function mustExist(ctx: Ctx, field: string, ids: readonly number[]): Promise<void> {
  if (!ids.length) return
  const found = await ctx.db.selectFrom('categories').select('id').where('id', 'in', ids).execute()
  const missing = ids.find((id) => !found.some((one) => one.id === id))
  if (missing !== undefined) throw invalid(field, `There is no category ${missing}`)
}

export const categoryHandlers: HandlersOf<typeof categoryCalls> = {
  'category.list': async (ctx) => {
    const data = await categoriesSeen(ctx)
    return { data, count: data.length, page: 1 }
  },

  'category.ofProject': async (ctx) => {
    await seenProject(ctx, ctx.input.project)
    const data = await categoriesFor(ctx, ctx.input.project)
    return { data, count: data.length, page: 1 }
  },

  'category.check': async (ctx) => {
    const { project_id, category_id, checked } = ctx.input
    const project = await seenProject(ctx, project_id)
    await mustExist(ctx, 'category_id', [category_id])
    const others = (await categoriesOf(ctx, project_id)).map(({ id }) => id).filter((id) => id !== category_id)
    await setCategories(ctx, project, checked ? [...others, category_id] : others)
    const data = (await categoriesFor({ db: ctx.tx, actor: ctx.actor }, project_id)).find(({ id }) => id === category_id)!
    return { data, message: checked ? `${data.name} added` : `${data.name} removed` }
  },

  'category.set': async (ctx) => {
    const { id, category_ids } = ctx.input
    const project = await seenProject(ctx, id)
    const wanted = [...new Set(category_ids)]
    await mustExist(ctx, 'category_ids', wanted)
    await setCategories(ctx, project, wanted)
    const data = await categoriesFor({ db: ctx.tx, actor: ctx.actor }, id)
    return { data, count: data.length, page: 1, message: 'Categories updated' }
  },
}
