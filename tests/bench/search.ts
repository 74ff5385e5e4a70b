/*
 * Search beside the libraries, by class of query, in one run: `node tests/bench/search.ts [--only=fieldwork] [--sizes=10000,100000] [--json]`.
 * Each query is typed letter by letter and every keystroke is timed; an engine that takes long for a letter is asked for the whole query
 * only. Queries come from all classes in turns until the engine's time for that size is over: how many there were stands beside each figure.
 * "Found" is the wanted name among the first five after the last letter.
 */
import { loadavg } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import uFuzzy from '@leeoniya/ufuzzy'
import flexsearch from 'flexsearch'
import Fuse from 'fuse.js'
import fuzzysort from 'fuzzysort'
import { commandScore } from '../../node_modules/cmdk/dist/command-score.mjs'
import { buildIndex } from '../../src/palette/search/build.ts'
import { BUDGET_MS } from '../../src/palette/search/client.ts'
import { openIndex } from '../../src/palette/search/searcher.ts'
import type { Entity } from '../../src/palette/search/types.ts'
import { makeEntities } from './search-names.ts'
import { makeQueries, type Query } from './search-queries.ts'

type Engine = { title: string; open: (entities: Entity[]) => (text: string) => string[] }

/** Keystrokes and answers of one class, or of all. */
type Sample = {
  times: number[]
  queries: number
  wanted: number
  found: number
  /** Found once what the budget cut was gone on with. */
  foundLate: number
  /** Keystrokes that the budget cut. */
  cut: number
  /** Processor time by keystroke: on a busy machine the clock counts the neighbours too. */
  processor: number[]
}
export type Row = { names: number; engine: string; class: string } & Omit<Sample, 'times' | 'processor'> & {
    keystrokes: number
    p50: number
    p99: number
    max: number
    processor99: number
    processorMax: number
  }
type Opened = { names: number; engine: string; buildMs: number; megabytes: number }

/** Seconds that a library is asked for, by size; ours answers everything. */
const SECONDS: Record<number, number> = { 10000: 5, 100000: 10, 1000000: 24 }
/** A keystroke that takes longer is not typed letter by letter. */
const LONG_MS = 50

const labelOf = ({ name, code }: Entity): string => (code === undefined ? name : `${name} ${code}`)
let cut = false
let late: () => string[] = () => []

const ENGINES: Engine[] = [
  {
    title: 'fieldwork',
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

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function memory(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0

/** One query of each class, then the next of each. */
function* inTurns(queries: Record<string, Query[]>): Iterable<[string, Query]> {
  const most = Math.max(...Object.values(queries).map((list) => list.length))
  for (let i = 0; i < most; i++) for (const [group, list] of Object.entries(queries)) if (i < list.length) yield [group, list[i]!]
}

/** Types queries until they or the seconds are over. */
function measure(find: (text: string) => string[], queries: Record<string, Query[]>, seconds: number): Map<string, Sample> {
  const samples = new Map<string, Sample>()
  const end = performance.now() + seconds * 1000
  let long = false
  for (const [group, { text, wanted }] of inTurns(queries)) {
    if (performance.now() > end) break
    let sample = samples.get(group)
    if (sample === undefined) {
      sample = { times: [], queries: 0, wanted: 0, found: 0, foundLate: 0, cut: 0, processor: [] }
      samples.set(group, sample)
    }
    let names: string[] = []
    for (let length = long ? text.length : 1; length <= text.length; length++) {
      const used = process.cpuUsage()
      const start = performance.now()
      names = find(text.slice(0, length))
      const took = performance.now() - start
      const { user, system } = process.cpuUsage(used)
      sample.processor.push(Math.min(took, (user + system) / 1000))
      sample.times.push(took)
      if (cut) sample.cut++
      cut = false
      // Now and then it is typed by letters again: what was slow once may have been the machine.
      if (took > LONG_MS && length < text.length) length = text.length - 1
      long = took > LONG_MS
    }
    sample.queries++
    if (wanted === null) continue
    sample.wanted++
    if (names.slice(0, 5).includes(wanted)) sample.found++
    if ([...names, ...late()].slice(0, 5).includes(wanted)) sample.foundLate++
  }
  return samples
}

function rowOf(names: number, engine: string, group: string, { times, processor, ...rest }: Sample): Row {
  const sorted = times.toSorted((a, b) => a - b)
  const [p50, p99, max] = [quantile(sorted, 0.5), quantile(sorted, 0.99), sorted.at(-1) ?? 0]
  const used = processor.toSorted((a, b) => a - b)
  const [processor99, processorMax] = [quantile(used, 0.99), used.at(-1) ?? 0]
  return { names, engine, class: group, ...rest, keystrokes: times.length, p50, p99, max, processor99, processorMax }
}

/** All classes as one. */
function together(samples: Iterable<Sample>): Sample {
  const all: Sample = { times: [], queries: 0, wanted: 0, found: 0, foundLate: 0, cut: 0, processor: [] }
  for (const sample of samples) {
    for (const time of sample.times) all.times.push(time)
    for (const time of sample.processor) all.processor.push(time)
    for (const key of ['queries', 'wanted', 'found', 'foundLate', 'cut'] as const) all[key] += sample[key]
  }
  return all
}

const show = (value: number): string => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2))
const share = (part: number, whole: number): string => (whole === 0 ? '' : `${((part / whole) * 100).toFixed(1)} %`)
const columns = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(28) : cell.padStart(10))).join('')
const HEAD = ['', 'queries', 'keys', 'p50 ms', 'p99 ms', 'max ms', 'CPU p99', 'CPU max', 'found', 'n', 'later', 'cut']

const line = (row: Row): string =>
  columns([
    row.class,
    String(row.queries),
    String(row.keystrokes),
    show(row.p50),
    show(row.p99),
    show(row.max),
    show(row.processor99),
    show(row.processorMax),
    share(row.found, row.wanted),
    row.wanted === 0 ? '' : String(row.wanted),
    row.foundLate === row.found ? '' : share(row.foundLate, row.wanted),
    row.cut === 0 ? '' : share(row.cut, row.keystrokes),
  ])

export type Options = { sizes?: readonly number[]; only?: string | undefined; count?: number; silent?: boolean }

/** Runs everything and answers the rows; prints tables unless told otherwise. */
export function runSearchBench({ sizes = [10_000, 100_000, 1_000_000], only, count = 40, silent = false }: Options): {
  rows: Row[]
  opened: Opened[]
} {
  const rows: Row[] = []
  const opened: Opened[] = []
  const log = (text: string): void => {
    if (!silent) console.log(text)
  }
  const load = (): string => loadavg()[0]!.toFixed(1)
  log(`Milliseconds a keystroke; budget of ours ${BUDGET_MS} ms. Load of the machine at the start: ${load()}.`)
  for (const names of sizes) {
    const entities = makeEntities(names)
    const queries = makeQueries(entities, count)
    for (const { title, open } of ENGINES) {
      if (only !== undefined && only !== title) continue
      const before = memory()
      const start = performance.now()
      let find: ((text: string) => string[]) | null = open(entities)
      const buildMs = performance.now() - start
      const megabytes = memory() - before
      opened.push({ names, engine: title, buildMs, megabytes })
      const ours = title === 'fieldwork'
      // A session is warm: the first keystrokes of a process compile the code.
      if (ours) for (const query of Object.values(queries).flatMap((list) => list.slice(0, 12))) find(query.text)
      const samples = measure(find, queries, ours ? 240 : (SECONDS[names] ?? 10))
      find = null
      late = () => []
      log(
        `\n${title} at ${names.toLocaleString('en')} names: built in ${show(buildMs)} ms, ${show(megabytes)} MB; load ${load()}`,
      )
      log(columns(HEAD))
      for (const [group, sample] of samples) {
        const row = rowOf(names, title, group, sample)
        rows.push(row)
        log(line(row))
      }
      const all = rowOf(names, title, 'all', together(samples.values()))
      rows.push(all)
      log(line(all))
    }
  }
  log(summary(rows, opened))
  log(goals(rows))
  return { rows, opened }
}

/** One line an engine and size. */
function summary(rows: readonly Row[], opened: readonly Opened[]): string {
  const head = ['', 'names', 'built ms', 'MB', ...HEAD.slice(1, 10)]
  const lines = rows
    .filter((row) => row.class === 'all')
    .map((row) => {
      const { buildMs, megabytes } = opened.find(({ names, engine }) => names === row.names && engine === row.engine)!
      return columns([
        row.engine,
        row.names.toLocaleString('en'),
        show(buildMs),
        show(megabytes),
        String(row.queries),
        String(row.keystrokes),
        show(row.p50),
        show(row.p99),
        show(row.max),
        show(row.processor99),
        show(row.processorMax),
        share(row.found, row.wanted),
        String(row.wanted),
      ])
    })
  return ['\nSide by side, all classes:', columns(head), ...lines].join('\n')
}

/** Whether what was aimed at holds, in words; a goal that is missed fails nothing. */
function goals(rows: readonly Row[]): string {
  const ours = (names: number): Row[] => rows.filter((row) => row.engine === 'fieldwork' && row.names === names)
  const say = (goal: string, met: boolean, figure: string): string => `  ${met ? 'met    ' : 'not met'}  ${goal}: ${figure}`
  const out = ['\nGoals:']
  const million = ours(1_000_000)
  if (million.length > 0) {
    const all = million.find((row) => row.class === 'all')!
    const classes = million.filter((row) => row !== all)
    const slowest = classes.toSorted((a, b) => b.p99 - a.p99)[0]!
    const asked = classes.filter((row) => row.wanted > 0)
    const mean = asked.reduce((sum, row) => sum + row.found / row.wanted, 0) / asked.length
    const weak = asked.filter((row) => row.found / row.wanted < 0.97)
    out.push(
      say(
        'a million names, p99 below 8 ms',
        all.p99 < 8,
        `${show(all.p99)} of all (${show(all.processor99)} by processor time), ${show(slowest.p99)} in the slowest class (${slowest.class})`,
      ),
      say(
        'a million names, nothing above 16 ms',
        all.max <= 16,
        `${show(all.max)} by the clock, ${show(all.processorMax)} by processor time`,
      ),
      say('a million names, 97 % found', mean >= 0.97, `${(mean * 100).toFixed(1)} % in the mean of ${asked.length} classes`),
      say(
        'the same in every class',
        weak.length === 0,
        weak.map((row) => `${row.class} ${share(row.found, row.wanted)} of ${row.wanted}`).join(', ') || 'all of them',
      ),
    )
  }
  const smaller = ours(100_000)
  if (smaller.length > 0) {
    const all = smaller.find((row) => row.class === 'all')!
    const slowest = smaller.toSorted((a, b) => b.p99 - a.p99)[0]!
    out.push(
      say(
        '100,000 names, p99 below 1 ms',
        all.p99 < 1,
        `${show(all.p99)} of all (${show(all.processor99)} by processor time), ${show(slowest.p99)} in the slowest class (${slowest.class})`,
      ),
    )
  }
  return out.join('\n')
}

if (import.meta.main) runSearchBench(optionsOf(process.argv))

/** `--only=fieldwork --sizes=10000,100000 --count=200` */
export function optionsOf(argv: readonly string[]): Options {
  const value = (name: string): string | undefined =>
    argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
  const sizes = value('sizes')?.split(',').map(Number)
  return { ...(sizes ? { sizes } : {}), only: value('only'), count: Number(value('count') ?? 40) }
}
