import uFuzzy from '@leeoniya/ufuzzy'
import flexsearch from 'flexsearch'
import Fuse from 'fuse.js'
import fuzzysort from 'fuzzysort'
import { commandScore } from '../../node_modules/cmdk/dist/command-score.mjs'
import { buildIndex } from '../../src/search/build.ts'
import { BUDGET_MS } from '../../src/search/searchClient.ts'
import { openIndex } from '../../src/search/searcher.ts'
import type { Entity } from '../../src/search/types.ts'

/** Ours, or a library as a palette would use it; returns matching names, best first. */
export type Engine = { title: string; open: (entities: Entity[]) => (text: string) => string[] }

const labelOf = ({ name, code }: Entity): string => (code === undefined ? name : `${name} ${code}`)

/** The budget's effect on our last result: whether it was cut, and the names that continuing finds. */
export const budget: { cut: boolean; late: () => string[] } = { cut: false, late: () => [] }

/** TABLE  the engines measured. */
export const ENGINES: Engine[] = [
  {
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
  },
  {
    title: 'cmdk',
    open: (entities) => {
      const labels = entities.map(labelOf)
      return (text) => best(entities, (i) => commandScore(labels[i]!, text, []))
    },
  },
  {
    title: 'fuse.js',
    open: (entities) => {
      const fuse = new Fuse(entities, { keys: ['name', 'code'], ignoreLocation: true, useExtendedSearch: false })
      return (text) => fuse.search(text, { limit: 50 }).map(({ item }) => item.name)
    },
  },
  {
    title: 'fuzzysort',
    open: (entities) => {
      const targets = entities.map((entity) => ({ entity, label: fuzzysort.prepare(labelOf(entity)) }))
      return (text) => fuzzysort.go(text, targets, { key: 'label', limit: 50 }).map(({ obj }) => obj.entity.name)
    },
  },
  {
    title: 'uFuzzy',
    open: (entities) => {
      const fuzzy = new uFuzzy({ intraMode: 1 })
      const labels = uFuzzy.latinize(entities.map(labelOf))
      return (text) => {
        const [ids, info, order] = fuzzy.search(labels, text, 4, 1000)
        if (ids === null) return []
        if (info === null || order === null) return ids.slice(0, 50).map((i) => entities[i]!.name)
        return order.slice(0, 50).map((i) => entities[info.idx[i]!]!.name)
      }
    },
  },
  {
    title: 'flexsearch',
    open: (entities) => {
      const index = new flexsearch.Index({ tokenize: 'forward', encoder: flexsearch.Charset.LatinBalance })
      entities.forEach((entity, i) => {
        index.add(i, labelOf(entity))
      })
      return (text) => (index.search(text, { limit: 50, suggest: true }) as number[]).map((i) => entities[i]!.name)
    },
  },
]

/** The names of the best fifty, as a plain list would sort them. */
function best(entities: Entity[], score: (i: number) => number): string[] {
  const scored: { i: number; score: number }[] = []
  for (let i = 0; i < entities.length; i++) {
    const value = score(i)
    if (value > 0) scored.push({ i, score: value })
  }
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, 50)
    .map(({ i }) => entities[i]!.name)
}
