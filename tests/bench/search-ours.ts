import { buildIndex } from '../../src/search/build.ts'
import { BUDGET_MS } from '../../src/search/searchClient.ts'
import { openIndex } from '../../src/search/searcher.ts'
import type { Entity } from '../../src/search/types.ts'

/** Ours, or a library as a palette would use it; returns matching names, best first. */
export type Engine = { title: string; open: (entities: Entity[]) => (text: string) => string[] }

/** The budget's effect on our last result: whether it was cut, and the names that continuing finds. */
export const budget: { cut: boolean; late: () => string[] } = { cut: false, late: () => [] }

/** The workspace's search, with its budget for each letter. */
export const OURS: Engine = {
  title: 'fieldwork',
  open: (entities) => {
    const searcher = openIndex(buildIndex(entities))
    return (text) => {
      const { hits, complete, resume } = searcher.search(text, { limit: 50, budgetMs: BUDGET_MS })
      budget.cut = !complete
      budget.late = complete ? () => [] : () => resume!().hits.map(({ name }) => name)
      return hits.map(({ name }) => name)
    }
  },
}
