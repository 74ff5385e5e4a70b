import { sql } from 'kysely'
import type { CategoryOfProject } from '../../../contract/category.ts'
import { count as figure } from '../../../contract/format.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import { projectScope } from '../../core/scope.ts'
import { byText } from '../../db/foldedText.ts'
import type { SmallRead } from '../../db/smallReads.ts'

/** All categories by name, each with the number of its projects the caller can see. */
export async function categoriesSeen(ctx: Pick<Ctx, 'db' | 'actor'>) {
  const seen = sql<number>`(select count(*) from project_categories inside join projects on projects.id = inside.project_id
    where inside.category_id = categories.id and ${projectScope(ctx.actor)})`
  const rows = await ctx.db
    .selectFrom('categories')
    .select(['id', 'name', 'sic_code', seen.as('projects_count')])
    .orderBy(byText(ctx.db, 'name'))
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, projects_count: Number(row.projects_count) }))
}

/** The categories of a project by id and name. */
export const categoriesOf = (ctx: Pick<Ctx, 'db'>, project_id: number): Promise<{ id: number; name: string }[]> =>
  ctx.db
    .selectFrom('project_categories')
    .innerJoin('categories', 'categories.id', 'category_id')
    .select(['categories.id', 'categories.name'])
    .where('project_id', '=', project_id)
    .orderBy(byText(ctx.db, 'categories.name'))
    .execute()

/** The same as a small read. */
export const categoriesIn = (project_id: number): SmallRead =>
  sql`0 as owner, categories.id as id, 0 as number, categories.name as name, '' as text
    from project_categories join categories on categories.id = category_id where project_id = ${project_id}`

/** All categories, those of a project first (screens-projects, Categories). */
export async function categoriesFor(ctx: Pick<Ctx, 'db' | 'actor'>, project_id: number): Promise<CategoryOfProject[]> {
  const [all, own] = await Promise.all([categoriesSeen(ctx), categoriesOf(ctx, project_id)])
  const inside = new Set(own.map(({ id }) => id))
  const rows = all.map((row) => ({ ...row, selected: inside.has(row.id) }))
  return [...rows.filter(({ selected }) => selected), ...rows.filter(({ selected }) => !selected)]
}

/** All categories, those of a brand first, with the number of its services in each. */
export async function categoriesForBrand(ctx: Pick<Ctx, 'db' | 'actor'>, brand_id: number): Promise<CategoryOfProject[]> {
  const [all, own, services] = await Promise.all([
    categoriesSeen(ctx),
    ctx.db.selectFrom('brand_categories').select('category_id').where('brand_id', '=', brand_id).execute(),
    servicesInCategories(ctx, brand_id),
  ])
  const inside = new Set(own.map(({ category_id }) => category_id))
  const rows = all.map((row) => ({ ...row, selected: inside.has(row.id), services_count: services.get(row.id) ?? 0 }))
  return [...rows.filter(({ selected }) => selected), ...rows.filter(({ selected }) => !selected)]
}

/** How many of a brand's services are in each category. */
async function servicesInCategories({ db }: Pick<Ctx, 'db'>, brand_id: number): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('services')
    .select((eb) => ['category_id', eb.fn.countAll().as('count')])
    .where('brand_id', '=', brand_id)
    .where('deleted_at', 'is', null)
    .groupBy('category_id')
    .execute()
  return new Map(rows.flatMap(({ category_id, count }) => (category_id === null ? [] : [[category_id, Number(count)]])))
}

/** Adds a brand to a category or removes it; throws 409 while one of the brand's services is in it. */
export async function checkBrand(
  ctx: Ctx,
  brand_id: number,
  { id, name }: { id: number; name: string },
  checked: boolean,
): Promise<void> {
  const before = (await categoriesForBrand({ db: ctx.tx, actor: ctx.actor }, brand_id)).filter(({ selected }) => selected)
  if (before.some((one) => one.id === id) === checked) return
  if (checked) await ctx.tx.insertInto('brand_categories').values({ brand_id, category_id: id }).execute()
  else {
    const many = before.find((one) => one.id === id)?.services_count ?? 0
    if (many) throw new HttpError(409, 'not_now', `${many === 1 ? '1 service is' : `${figure(many)} services are`} in ${name}`)
    await ctx.tx.deleteFrom('brand_categories').where('brand_id', '=', brand_id).where('category_id', '=', id).execute()
  }
  const named = before.map((one) => one.name)
  const after = checked ? [...named, name].sort() : named.filter((one) => one !== name)
  await ctx.record({
    ...{ subject: 'brand', subject_id: brand_id },
    ...{ before: { categories: named.sort().join(', ') }, after: { categories: after.join(', ') } },
  })
  ctx.emit({ noun: 'category', id: brand_id, audience: 'admin' })
  ctx.emit({ noun: 'brand', id: brand_id })
}

/**
 * Sets a project's categories, with one history line of their names before and after.
 * Writes nothing if they are unchanged.
 */
export async function setCategories(ctx: Ctx, project: { id: number; client_id: number }, ids: readonly number[]): Promise<void> {
  const project_id = project.id
  const before = await categoriesOf({ db: ctx.tx }, project_id)
  const gone = before.filter(({ id }) => !ids.includes(id)).map(({ id }) => id)
  const added = ids.filter((id) => !before.some((one) => one.id === id))
  if (!gone.length && !added.length) return
  if (gone.length)
    await ctx.tx.deleteFrom('project_categories').where('project_id', '=', project_id).where('category_id', 'in', gone).execute()
  if (added.length)
    await ctx.tx
      .insertInto('project_categories')
      .values(added.map((category_id) => ({ project_id, category_id })))
      .execute()
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name).join(', ')
  await ctx.record({
    subject: 'project',
    subject_id: project_id,
    project_id,
    before: { categories: names(before) },
    after: { categories: names(await categoriesOf({ db: ctx.tx }, project_id)) },
  })
  ctx.emit({ noun: 'category', id: project_id, project_id, audience: 'scope', client_id: project.client_id })
}
