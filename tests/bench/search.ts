/*
 * Search beside the libraries, by class of query:
 * `node tests/bench/search.ts [--only=fieldwork] [--sizes=10000,100000] [--json]`.
 * Every keystroke of each query is timed; an engine that is slow per letter gets only whole queries.
 * Queries come from all classes in turns until the engine's time is up; each figure shows their number.
 * "Found" means the wanted name is among the first five after the last letter.
 */
import { loadavg } from 'node:os'
import { BUDGET_MS } from '../../src/search/searchClient.ts'
import { budget, ENGINES } from './search-engines.ts'
import { measure, memory, type Row, rowOf, together } from './search-measure.ts'
import { makeEntities } from './search-names.ts'
import { makeQueries } from './search-queries.ts'
import { columns, goals, HEAD, line, type Opened, show, summary } from './search-tables.ts'

/** Seconds for a library by size; ours runs every query. */
const SECONDS: Record<number, number> = { 10000: 5, 100000: 10, 1000000: 24 }

export type Options = { sizes?: readonly number[]; only?: string | undefined; count?: number; silent?: boolean }

/** Runs everything and returns the rows; prints tables unless `silent`. */
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
      // Sessions are warm: a process's first keystrokes compile the code.
      if (ours) for (const query of Object.values(queries).flatMap((list) => list.slice(0, 12))) find(query.text)
      const samples = measure(find, queries, ours ? 240 : (SECONDS[names] ?? 10))
      find = null
      budget.late = () => []
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

if (import.meta.main) runSearchBench(optionsOf(process.argv))

/** `--only=fieldwork --sizes=10000,100000 --count=200` */
export function optionsOf(argv: readonly string[]): Options {
  const value = (name: string): string | undefined =>
    argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
  const sizes = value('sizes')?.split(',').map(Number)
  return { ...(sizes ? { sizes } : {}), only: value('only'), count: Number(value('count') ?? 40) }
}
