import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import uFuzzy from '@leeoniya/ufuzzy'
import flexsearch from 'flexsearch'
import fuzzysort from 'fuzzysort'
import { extendedMatch, Fzf } from 'fzf'
import MiniSearch from 'minisearch'
import { buildIndex } from '../../src/search/build.ts'
import { openIndex, type Searcher } from '../../src/search/searcher.ts'
import type { Entity } from '../../src/search/types.ts'

/** Ours, or a library over the texts of a row; returns the ids of its rows, best first. */
type Engine = {
  title: string
  /** For a library that takes a second a query: caches its results in `.cache`, for this version and options. */
  keptFor?: string
  open: (entities: Entity[], frecency: ReadonlyMap<string, number>) => (text: string) => number[]
}

const ROWS = 50
const versionOf = (name: string): string => {
  const path = findPackageJSON(name, import.meta.url)!
  return `${name} ${(JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version}`
}
const shown = ({ name, code, detail }: Entity): string => [name, code, detail].filter(Boolean).join(' ')
/** Used names first, because the libraries keep the order of equal matches. */
const byUse = (entities: readonly Entity[], frecency: ReadonlyMap<string, number>): Entity[] =>
  entities.toSorted((a, b) => (frecency.get(b.key) ?? 0) - (frecency.get(a.key) ?? 0))

/** Our searcher over the last names opened, which is also used letter by letter. */
export let ours: Searcher | null = null

/** TABLE  the engines compared. */
export const ENGINES: Engine[] = [
  {
    title: 'fieldwork',
    open: (entities, frecency) => {
      ours = openIndex(buildIndex(entities, frecency))
      const searcher = ours
      return (text) => searcher.search(text, { limit: ROWS }).hits.map(({ id }) => Number(id))
    },
  },
  {
    title: 'fzf extended',
    keptFor: `${versionOf('fzf')} extended, name code detail, used first`,
    open: (entities, frecency) => {
      const list = byUse(entities, frecency)
      const fzf = new Fzf(list, { selector: shown, match: extendedMatch, limit: ROWS })
      return (text) => fzf.find(text).map(({ item }) => Number(item.id))
    },
  },
  {
    title: 'flexsearch',
    open: (entities, frecency) => {
      const list = byUse(entities, frecency)
      const index = new flexsearch.Index({ tokenize: 'forward', encoder: flexsearch.Charset.LatinBalance })
      list.forEach((entity, at) => {
        index.add(at, shown(entity))
      })
      return (text) => (index.search(text, { limit: ROWS, suggest: true }) as number[]).map((at) => Number(list[at]!.id))
    },
  },
  {
    title: 'uFuzzy',
    open: (entities, frecency) => {
      const list = byUse(entities, frecency)
      const fuzzy = new uFuzzy({ intraMode: 1 })
      const labels = uFuzzy.latinize(list.map(shown))
      return (text) => {
        const [ids, info, order] = fuzzy.search(labels, uFuzzy.latinize(text), 4, 1000)
        if (ids === null) return []
        const best = info === null || order === null ? ids : order.map((at) => info.idx[at]!)
        return best.slice(0, ROWS).map((at) => Number(list[at]!.id))
      }
    },
  },
  {
    title: 'minisearch',
    open: (entities, frecency) => {
      const index = new MiniSearch({
        fields: ['name', 'code', 'detail'],
        searchOptions: { prefix: true, fuzzy: 0.2, combineWith: 'AND', boost: { name: 2 } },
      })
      index.addAll(byUse(entities, frecency).map(({ id, name, code, detail }) => ({ id, name, code, detail })))
      return (text) =>
        index
          .search(text)
          .slice(0, ROWS)
          .map(({ id }) => id as number)
    },
  },
  {
    title: 'fuzzysort',
    open: (entities, frecency) => {
      const targets = byUse(entities, frecency).map((entity) => ({ entity, label: fuzzysort.prepare(shown(entity)) }))
      return (text) => fuzzysort.go(text, targets, { key: 'label', limit: ROWS }).map(({ obj }) => Number(obj.entity.id))
    },
  },
]
