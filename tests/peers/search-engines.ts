import uFuzzy from '@leeoniya/ufuzzy'
import flexsearch from 'flexsearch'
import Fuse from 'fuse.js'
import fuzzysort from 'fuzzysort'
import { commandScore } from '../../node_modules/cmdk/dist/command-score.mjs'
import type { Entity } from '../../src/search/types.ts'
import type { Engine } from '../bench/search-ours.ts'

const labelOf = ({ name, code }: Entity): string => (code === undefined ? name : `${name} ${code}`)

/** TABLE  the libraries measured. */
export const LIBRARIES: Engine[] = [
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
