import { sql } from 'kysely'
import type { CategoryOfProject } from '../../../contract/category.ts'
import type { Ctx } from '../../core/context.ts'
import { projectScope } from '../../core/scope.ts'

/** All categories by name, with the number of projects in each that the caller sees. */
export async function categoriesSeen(ctx: Pick<Ctx, 'db' | 'actor'>) {
  const seen = sql<number>`(select count(*) from project_categories inside join projects on projects.id = inside.project_id
    where inside.category_id = categories.id and ${projectScope(ctx.actor)})`
  const rows = await ctx.db
    .selectFrom('categories')
    .select(['id', 'name', 'sic_code', seen.as('projects_count')])
    .orderBy('name')
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
    .orderBy('categories.name')
    .execute()

/** All categories, those of a project first (screens-projects, Categories). */
export async function categoriesFor(ctx: Pick<Ctx, 'db' | 'actor'>, project_id: number): Promise<CategoryOfProject[]> {
  const [all, own] = await Promise.all([categoriesSeen(ctx), categoriesOf(ctx, project_id)])
  const inside = new Set(own.map(({ id }) => id))
  const rows = all.map((row) => ({ ...row, selected: inside.has(row.id) }))
  return [...rows.filter(({ selected }) => selected), ...rows.filter(({ selected }) => !selected)]
}

/**
 * Gives a project exactly these categories, with one history line of their names before and after.
 * Writes nothing if they are its categories already.
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
