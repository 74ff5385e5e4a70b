/*
 * Search, by class of query, beside the libraries, in one run: `node tests/bench/search.ts [--million] [--json] [--quick]`.
 * Each query is typed letter by letter; every keystroke is timed. "Found" is the wanted name among the first five after the last letter.
 */
import uFuzzy from '@leeoniya/ufuzzy'
import flexsearch from 'flexsearch'
import Fuse from 'fuse.js'
import fuzzysort from 'fuzzysort'
import MiniSearch from 'minisearch'
import { commandScore } from '../../node_modules/cmdk/dist/command-score.mjs'
import { buildIndex } from '../../src/palette/search/build.ts'
import { openIndex } from '../../src/palette/search/searcher.ts'
import type { Entity } from '../../src/palette/search/types.ts'
import { makeEntities } from './search-names.ts'
import { makeQueries, type Query } from './search-queries.ts'

/** What the page gives a keystroke; the rest is finished behind. */
const BUDGET_MS = 5

type Engine = { title: string; most: number; open: (entities: Entity[]) => (text: string) => string[] }

type Row = {
  names: number
  engine: string
  class: string
  keystrokes: number
  p50: number
  p99: number
  max: number
  found: number | null
  /** Found once the worker has finished what the budget cut. */
  foundLate: number | null
  /** Share of keystrokes that the budget cut. */
  cut: number
}
type Opened = { names: number; engine: string; buildMs: number; megabytes: number }

const labelOf = ({ name, code }: Entity): string => (code === undefined ? name : `${name} ${code}`)
let cut = false
let late: () => string[] = () => []

const ENGINES: Engine[] = [
  {
    title: 'fieldwork',
    most: 1e7,
    open: (entities) => {
      const searcher = openIndex(buildIndex(entities))
      return (text) => {
        const { hits, complete, resume } = searcher.search(text, { limit: 50, budgetMs: BUDGET_MS })
        cut = !complete
        late = complete ? () => [] : () => resume!().hits.map(({ name }) => name)
        return hits.map(({ name }) => name)
      }
    },
  },
  {
    title: 'cmdk',
    most: 1e5,
    open: (entities) => {
      const labels = entities.map(labelOf)
      return (text) => best(entities, (i) => commandScore(labels[i]!, text, []))
    },
  },
  {
    title: 'fuse.js',
    most: 1e5,
    open: (entities) => {
      const fuse = new Fuse(entities, { keys: ['name', 'code'], ignoreLocation: true, useExtendedSearch: false })
      return (text) => fuse.search(text, { limit: 50 }).map(({ item }) => item.name)
    },
  },
  {
    title: 'fuzzysort',
    most: 1e6,
    open: (entities) => {
      const targets = entities.map((entity) => ({ entity, label: fuzzysort.prepare(labelOf(entity)) }))
      return (text) => fuzzysort.go(text, targets, { key: 'label', limit: 50 }).map(({ obj }) => obj.entity.name)
    },
  },
  {
    title: 'uFuzzy',
    most: 1e6,
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
    most: 1e6,
    open: (entities) => {
      const index = new flexsearch.Index({ tokenize: 'forward', encoder: flexsearch.Charset.LatinBalance })
      entities.forEach((entity, i) => {
        index.add(i, labelOf(entity))
      })
      return (text) => (index.search(text, { limit: 50, suggest: true }) as number[]).map((i) => entities[i]!.name)
    },
  },
  {
    title: 'minisearch',
    most: 1e6,
    open: (entities) => {
      const index = new MiniSearch({ fields: ['name', 'code'], searchOptions: { prefix: true, fuzzy: 0.2, combineWith: 'AND' } })
      index.addAll(entities.map(({ name, code }, id) => ({ id, name, code })))
      return (text) =>
        index
          .search(text)
          .slice(0, 50)
          .map(({ id }) => entities[id as number]!.name)
    },
  },
]

/** The names of the fifty best, as a plain list would sort them. */
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

function collectGarbage(): void {
  ;(globalThis as { gc?: () => void }).gc?.()
}

function memory(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0

/** Types each query letter by letter as long as `seconds` last for the class; at least one query is run whole. */
function measure(
  find: (text: string) => string[],
  queries: readonly Query[],
  seconds: number,
): Omit<Row, 'names' | 'engine' | 'class'> {
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  let asked = 0
  let found = 0
  let foundLate = 0
  let cuts = 0
  for (const { text, wanted } of queries) {
    if (asked > 0 && performance.now() > end) break
    let names: string[] = []
    let slow = false
    for (let length = 1; length <= text.length; length++) {
      // An engine that takes long for a letter is asked for the end of the query only.
      if (slow) length = text.length
      const start = performance.now()
      names = find(text.slice(0, length))
      const took = performance.now() - start
      times.push(took)
      slow = took > 50 && performance.now() > end - seconds * 500
      if (cut) cuts++
      cut = false
    }
    asked++
    if (wanted === null) continue
    if (names.slice(0, 5).includes(wanted)) found++
    if ([...names, ...late()].slice(0, 5).includes(wanted)) foundLate++
  }
  times.sort((a, b) => a - b)
  return {
    keystrokes: times.length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    max: times[times.length - 1] ?? 0,
    found: queries[0]?.wanted == null ? null : found / asked,
    foundLate: queries[0]?.wanted == null ? null : foundLate / asked,
    cut: cuts / times.length,
  }
}

const flag = (name: string): boolean => process.argv.includes(`--${name}`)
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice(7)
const show = (value: number): string => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2))

/** Runs everything and answers the rows; prints tables unless told otherwise. */
export function runSearchBench({ million, quick, silent }: { million: boolean; quick: boolean; silent: boolean }): {
  rows: Row[]
  opened: Opened[]
} {
  const rows: Row[] = []
  const opened: Opened[] = []
  const log = (text: string): void => {
    if (!silent) console.log(text)
  }
  for (const names of [10_000, 100_000, ...(million ? [1_000_000] : [])]) {
    const entities = makeEntities(names)
    const queries = makeQueries(entities, quick ? 40 : 200)
    for (const { title, most, open } of ENGINES) {
      if (names > most || (only !== undefined && only !== title)) continue
      const before = memory()
      const start = performance.now()
      const find = open(entities)
      const buildMs = performance.now() - start
      const megabytes = memory() - before
      opened.push({ names, engine: title, buildMs, megabytes })
      log(`\n${title} at ${names.toLocaleString('en')} names: built in ${show(buildMs)} ms, ${show(megabytes)} MB`)
      log(
        `  ${'class'.padEnd(28)}${'keys'.padStart(7)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}${'max ms'.padStart(9)}${'found'.padStart(8)}${'late'.padStart(8)}${'cut'.padStart(8)}`,
      )
      // A session is warm: the first keystrokes of a process compile the code.
      for (const query of Object.values(queries).flat().slice(0, 400)) if (title === 'fieldwork') find(query.text)
      for (const [group, list] of Object.entries(queries)) {
        const row = { names, engine: title, class: group, ...measure(find, list, title === 'fieldwork' ? 60 : quick ? 0.5 : 2) }
        rows.push(row)
        log(line(row))
      }
      log(line(total(rows.filter((row) => row.engine === title && row.names === names))))
    }
  }
  return { rows, opened }
}

/** All classes as one: worst p99 and max, found by the mean of the classes. */
function total(rows: Row[]): Row {
  const asked = rows.filter((row) => row.found !== null)
  return {
    ...rows[0]!,
    class: 'all (worst, mean found)',
    keystrokes: rows.reduce((sum, row) => sum + row.keystrokes, 0),
    p50: Math.max(...rows.map((row) => row.p50)),
    p99: Math.max(...rows.map((row) => row.p99)),
    max: Math.max(...rows.map((row) => row.max)),
    found: asked.reduce((sum, row) => sum + row.found!, 0) / asked.length,
    foundLate: asked.reduce((sum, row) => sum + row.foundLate!, 0) / asked.length,
    cut: Math.max(...rows.map((row) => row.cut)),
  }
}

function line(row: Row): string {
  const found = row.found === null ? '' : `${(row.found * 100).toFixed(0)} %`
  const later = row.foundLate === null || row.foundLate === row.found ? '' : `${(row.foundLate * 100).toFixed(0)} %`
  const share = row.cut === 0 ? '' : `${(row.cut * 100).toFixed(1)} %`
  return `  ${row.class.padEnd(28)}${String(row.keystrokes).padStart(7)}${show(row.p50).padStart(9)}${show(row.p99).padStart(9)}${show(row.max).padStart(9)}${found.padStart(8)}${later.padStart(8)}${share.padStart(8)}`
}

if (import.meta.main) {
  const result = runSearchBench({ million: flag('million'), quick: flag('quick'), silent: flag('json') })
  if (flag('json')) console.log(JSON.stringify(result))
}
