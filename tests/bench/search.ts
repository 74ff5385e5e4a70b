/*
 * Search by class of query: `node tests/bench/search.bench.ts [--sizes=10000,100000] [--count=40]`.
 * Beside libraries with `node tests/peers/search.bench.ts [--only=fuse.js]`.
 * Every keystroke of each query is timed; an engine that is slow per letter gets only whole queries.
 * Queries come from all classes in turns until the engine's time is up; each figure shows their number.
 * "Found" means the wanted name is among the first five after the last letter.
 */
import { loadavg } from 'node:os'
import { BUDGET_MS } from '../../src/search/searchClient.ts'
import { measure, memory, type Row, rowOf, together } from './search-measure.ts'
import { makeEntities } from './search-names.ts'
import { budget, type Engine } from './search-ours.ts'
import { makeQueries } from './search-queries.ts'
import { columns, goals, HEAD, line, type Opened, show, summary } from './search-tables.ts'

/** Seconds for a library by size; ours runs every query. */
const SECONDS: Record<number, number> = { 10000: 5, 100000: 10, 1000000: 24 }

type Options = { sizes: readonly number[]; only: string | undefined; count: number }

/** Runs everything and prints tables, and which goals are met. */
export function runSearchBench(engines: readonly Engine[], { sizes, only, count }: Options): void {
  const rows: Row[] = []
  const opened: Opened[] = []
  const load = (): string => loadavg()[0]!.toFixed(1)
  console.log(`Milliseconds a keystroke; budget of ours ${BUDGET_MS} ms. Load of the machine at the start: ${load()}.`)
  for (const names of sizes) {
    const entities = makeEntities(names)
    const queries = makeQueries(entities, count)
    for (const { title, open } of engines) {
      if (only !== undefined && only !== title) continue
      const before = memory()
      const start = performance.now()
      let find: ((text: string) => string[]) | null = open(entities)
      const buildMs = performance.now() - start
      const megabytes = memory() - before
      opened.push({ names, engine: title, buildMs, megabytes })
      const ours = title === 'fieldwork'
      // Sessions are warm: a process's first keystrokes compile the code.
      if (ours) for (const query of Object.values(queries).flatMap((list) => list.slice(0, 12))) find(query.text)
      const samples = measure(find, queries, ours ? 240 : (SECONDS[names] ?? 10))
      find = null
      budget.late = () => []
      console.log(
        `\n${title} at ${names.toLocaleString('en')} names: built in ${show(buildMs)} ms, ${show(megabytes)} MB; load ${load()}`,
      )
      console.log(columns(HEAD))
      for (const [group, sample] of samples) {
        const row = rowOf(names, title, group, sample)
        rows.push(row)
        console.log(line(row))
      }
      const all = rowOf(names, title, 'all', together(samples.values()))
      rows.push(all)
      console.log(line(all))
    }
  }
  console.log(summary(rows, opened))
  console.log(goals(rows))
}

/** `--only=fieldwork --sizes=10000,100000 --count=200` */
export function optionsOf(argv: readonly string[]): Options {
  const value = (name: string): string | undefined =>
    argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
  const sizes = (value('sizes') ?? '10000,100000,1000000').split(',').map(Number)
  return { sizes, only: value('only'), count: Number(value('count') ?? 40) }
}
