/*
 * `search-quality [--sizes=100000,1000000] [--only=fieldwork] [--seconds=120] [--typing] [--missed]`:
 * how many of an outsider's queries find the wanted row first and among the first five, by class, beside other engines.
 * A library gets `--seconds`; fzf gets as many as it takes, and the bench says when its results come from `.cache`.
 * At 100,000 names it takes some 16 minutes on an idle machine, and four with cached results of fzf.
 * Then ours is typed letter by letter within the page's budget, with and without pauses between letters.
 * `--typing` lists rows that lose the first place with the next letter of a word.
 * `--missed` lists our misses among the queries that rules may be developed from; held-out ones are only counted.
 */
import { loadavg } from 'node:os'
import { BUDGET_MS } from '../../src/search/searchClient.ts'
import { memory } from '../bench/search-measure.ts'
import { show } from '../bench/search-tables.ts'
import {
  ALL,
  type Ask,
  heldOut,
  inTurns,
  judge,
  lostWhileTyping,
  outsiderWorld,
  printLost,
  type Scores,
  timed,
  typedQueries,
  typeWithin,
} from '../support/outsider/quality.ts'
import { ENGINES, ours } from './quality-engines.ts'
import { keptAnswers } from './quality-kept.ts'

const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const seconds = Number(flag('seconds') ?? 120)
/** The most seconds for an engine with cached results. */
const LONG = 3000
/** Milliseconds between two letters of a fast typist. */
const PAUSES = [0, 80]
/** Classes with fewer queries have no figures of their own. */
const FEW = 5
const queries = inTurns(typedQueries())
const held = heldOut(queries)
const share = (part: number, whole: number): string => (whole ? ((part / whole) * 100).toFixed(0) : '')
const quantile = (times: readonly number[], q: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * q))] ?? 0

const line = (cells: readonly string[]): string => cells.map((cell, at) => (at ? cell.padStart(14) : cell.padEnd(36))).join('')

for (const size of (flag('sizes') ?? '100000').split(',').map(Number)) {
  const { entities, frecency } = outsiderWorld(size)
  console.log(`\n${size.toLocaleString('en')} names, load ${loadavg()[0]!.toFixed(1)}; first / among five, in per cent.`)
  const all = new Map<string, Scores>()
  for (const { title, keptFor, open } of ENGINES) {
    if (flag('only') !== undefined && flag('only') !== title) continue
    const before = memory()
    let built: string | null = null
    let find: ((text: string) => number[]) | null = null
    const opened = (text: string): number[] => {
      if (find === null) {
        const start = performance.now()
        find = open(entities, frecency)
        built = `built in ${show(performance.now() - start)} ms, ${show(memory() - before)} MB`
      }
      return find(text)
    }
    const earlier = keptFor === undefined ? null : keptAnswers(keptFor, entities, timed(opened))
    if (earlier === null) opened('')
    const ask: Ask = earlier?.ask ?? timed(opened)
    if (title === 'fieldwork') judge(ask, queries, seconds)
    const scores = judge(ask, queries, title === 'fieldwork' ? 600 : earlier === null ? seconds : LONG)
    earlier?.write()
    all.set(title, scores)
    const { queries: asked, times } = scores.get(ALL)!
    const again = earlier?.reused() ? `${earlier.reused()} of them kept on ${earlier.from!.toISOString().slice(0, 16)}Z, ` : ''
    console.log(
      `${title}: ${built ?? 'not built'}; ${asked} of ${queries.length} queries, ${again}` +
        `own ms p50 ${show(quantile(times, 0.5))}, p95 ${show(quantile(times, 0.95))}, ` +
        `p99 ${show(quantile(times, 0.99))}, most ${show(Math.max(...times))}`,
    )
    if (title !== 'fieldwork') continue
    for (const [name, some] of [
      ['held out', queries.filter((query) => held.has(query))],
      ['the others', queries.filter((query) => !held.has(query))],
    ] as const) {
      const { queries: n, first, five } = judge(ask, some, seconds).get(ALL)!
      console.log(`  ${name}: ${share(first, n)} / ${share(five, n)} of ${n}`)
    }
    for (const pause of PAUSES) {
      const { queries: n, first, five, fiveLate, keys, cut, times: slices } = typeWithin(ours!, queries, BUDGET_MS, pause)
      console.log(
        `  letter by letter within ${BUDGET_MS} ms, ${pause} ms between letters: first ${share(first, n)}, among five ` +
          `${share(five, n)} at once, ${share(fiveLate, n)} with what was cut; ${share(cut, keys)} % of ${keys} letters cut; ` +
          `slices p50 ${show(quantile(slices, 0.5))}, p95 ${show(quantile(slices, 0.95))}, ` +
          `p99 ${show(quantile(slices, 0.99))}, most ${show(Math.max(...slices))}`,
      )
    }
    if (process.argv.includes('--typing')) {
      const asked = queries.filter(({ want }) => want !== null)
      printLost(lostWhileTyping(ours!, asked), asked.length)
    }
    if (process.argv.includes('--missed'))
      for (const query of queries) {
        if (held.has(query)) continue
        const rows = opened(query.q)
        const at = rows.findIndex((id) => id === query.want || query.also.includes(id))
        if (query.want === null ? rows.length === 0 : at === 0) continue
        const name = (id: number | undefined | null) => (id ? `${entities[id - 1]!.name} | ${entities[id - 1]!.detail}` : '')
        console.log(`  ${query.cls}: "${query.q}" at ${at < 0 ? '–' : at + 1}; wants ${name(query.want)}; gives ${name(rows[0])}`)
      }
  }
  console.log(line(['', 'queries', ...all.keys()]))
  const classes = [...new Set([...all.values()].flatMap((scores) => [...scores.keys()]))]
  for (const name of classes.toSorted((a, b) => Number(a === ALL) - Number(b === ALL) || a.localeCompare(b))) {
    const figures = [...all.values()].map((scores) => {
      const score = scores.get(name)
      return score ? `${share(score.first, score.queries)} / ${share(score.five, score.queries)}` : ''
    })
    console.log(line([name, String([...all.values()][0]!.get(name)?.queries ?? ''), ...figures]))
  }
  const [mine, theirs] = [all.get('fieldwork'), all.get('fzf extended')]
  if (mine === undefined || theirs === undefined) continue
  const behind = [...mine].filter(([name, { queries: n, first, five }]) => {
    const other = theirs.get(name)
    return name !== ALL && n >= FEW && other?.queries === n && (other.five > five || other.first > first)
  })
  const named = behind.map(([name, { first, five }]) => {
    const other = theirs.get(name)!
    return `${name} (${first} / ${five} against ${other.first} / ${other.five})`
  })
  console.log(`\nBehind fzf in a class of ${FEW} queries or more, first / among five: ${named.join(', ') || 'none'}`)
}
