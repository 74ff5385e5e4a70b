import { demoNoun, type NounRows } from '../noun.ts'

/** The number of categories in the migration (server/db/data/categories.tsv); their ids count from 1. */
const CATEGORIES = 84

export const category = demoNoun({ tables: ['project_categories'], after: ['project'] })

/** One to three categories for each project. */
export const rows: NounRows<'project_categories'> = {
  ofProject: (random, _, { plan }) => {
    const ids = new Set(Array.from({ length: random.int(1, 3) }, () => random.int(1, CATEGORIES)))
    return { project_categories: [...ids].map((category_id) => ({ project_id: plan.id, category_id })) }
  },
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly category: typeof category
  }
}
