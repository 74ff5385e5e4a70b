import { ADMIN_ONLY, seesAll } from '../../contract/actor.ts'
import type { categoryCalls } from '../../contract/category.ts'
import type { Sentence } from '../../contract/effectText.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { assertAllowed, invalid } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import {
  categoriesFor,
  categoriesForBrand,
  categoriesOf,
  categoriesSeen,
  checkBrand,
  setCategories,
} from '../domain/project/categories.ts'
import { seenProject } from '../domain/project/detail.ts'
import { brandList } from '../domain/visit/brands.ts'
import { heldBrand } from '../domain/visit/write.ts'

/** Throws a 422 that names the field if a category doesn't exist. */
async function assertExists(ctx: Ctx, field: string, ids: readonly number[]): Promise<void> {
  if (!ids.length) return
  const found = await ctx.db.selectFrom('categories').select('id').where('id', 'in', ids).execute()
  const missing = ids.find((id) => !found.some((one) => one.id === id))
  if (missing !== undefined) throw invalid(field, `There is no category ${missing}`)
}

const checkSentence = (ctx: Pick<Ctx, 'dry'>, { name }: { name: string }, checked: boolean): Sentence =>
  describeEffect(ctx, checked ? 'category.check' : 'category.uncheck', { name })

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

  'category.ofBrand': async (ctx) => {
    await brandList.row(ctx, ctx.input.brand_id)
    const data = await categoriesForBrand(ctx, ctx.input.brand_id)
    return { data, count: data.length, page: 1 }
  },

  'category.check': async (ctx) => {
    const { project_id, brand_id, category_id, checked } = ctx.input
    if (brand_id !== undefined) {
      if (project_id !== undefined) throw invalid('brand_id', 'brand_id and project_id exclude each other: send one')
      if (!seesAll(ctx.actor)) assertAllowed(ADMIN_ONLY)
      await heldBrand(ctx, brand_id)
      await assertExists(ctx, 'category_id', [category_id])
      const of = async () =>
        (await categoriesForBrand({ db: ctx.tx, actor: ctx.actor }, brand_id)).find(({ id }) => id === category_id)!
      const category = await of()
      await checkBrand(ctx, brand_id, category, checked)
      return { data: await of(), message: checkSentence(ctx, category, checked) }
    }
    if (project_id === undefined) throw invalid('project_id', 'Please choose a project or a brand')
    const project = await seenProject(ctx, project_id)
    await assertExists(ctx, 'category_id', [category_id])
    const others = (await categoriesOf(ctx, project_id)).map(({ id }) => id).filter((id) => id !== category_id)
    await setCategories(ctx, project, checked ? [...others, category_id] : others)
    const data = (await categoriesFor({ db: ctx.tx, actor: ctx.actor }, project_id)).find(({ id }) => id === category_id)!
    return { data, message: checkSentence(ctx, data, checked) }
  },

  'category.set': async (ctx) => {
    const { id, category_ids } = ctx.input
    const project = await seenProject(ctx, id)
    const wanted = [...new Set(category_ids)]
    await assertExists(ctx, 'category_ids', wanted)
    await setCategories(ctx, project, wanted)
    const data = await categoriesFor({ db: ctx.tx, actor: ctx.actor }, id)
    return {
      data,
      count: data.length,
      page: 1,
      message: describeEffect(ctx, 'category.set', { words: ['categories', 'categories'] }),
    }
  },
}
