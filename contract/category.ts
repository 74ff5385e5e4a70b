import { z } from 'zod'
import { call, EffectSentence, Flag, Id, listOf, one } from './call.ts'

/** An industry category, such as 5812 Restaurants. */
const Category = z.object({
  id: z.number(),
  name: z.string(),
  sic_code: z.string(),
  /** How many projects in it the caller sees. */
  projects_count: z.number(),
})
/** A category with whether it is selected for a project or brand; `services_count` counts the brand's services. */
const CategoryOfProject = Category.extend({ selected: z.boolean(), services_count: z.number().optional() })
export type CategoryOfProject = z.output<typeof CategoryOfProject>

const Written = listOf(CategoryOfProject).extend({ message: EffectSentence })

/** The industry categories of projects (people-and-catalogue-area 7, visitation). */
export const categoryCalls = {
  'category.list': call({
    method: 'GET',
    path: '/v3/portal/visitation/categories',
    about: 'Lists all categories by name.',
    input: z.object({}),
    output: listOf(Category),
  }),
  'category.ofProject': call({
    method: 'GET',
    path: '/v3/portal/visitation/all_categories/{project}',
    about: 'Lists all categories, those of a project first and marked as selected.',
    input: z.object({ project: Id }),
    output: listOf(CategoryOfProject),
  }),
  'category.ofBrand': call({
    method: 'GET',
    path: '/v3/portal/visitation/all_categories',
    about: 'Lists all categories, those of a brand first and marked as selected.',
    input: z.object({ brand_id: Id }),
    output: listOf(CategoryOfProject),
  }),
  'category.check': call({
    method: 'PUT',
    path: '/v3/portal/visitation/categories',
    about: 'Adds a project or a brand to a category, or removes it.',
    undo: true,
    refreshes: ['project', 'brand'],
    input: z.object({ project_id: Id.optional(), brand_id: Id.optional(), category_id: Id, checked: Flag }),
    output: one(CategoryOfProject).extend({ message: EffectSentence }),
  }),
  'category.set': call({
    method: 'PUT',
    path: '/v3/portal/projects/{id}/categories',
    about: 'Replaces the categories of a project.',
    undo: true,
    refreshes: ['project'],
    input: z.object({ id: Id, category_ids: z.array(Id).max(200) }),
    output: Written,
  }),
} as const
