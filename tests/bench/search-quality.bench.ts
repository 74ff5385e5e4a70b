/*
 * `npm run bench -- search-quality [--sizes=100000,1000000] [--only=fieldwork] [--seconds=60] [--missed]`:
 * how many of an outsider's queries find the wanted row first and among the first five, by class, ours beside others.
 * `--typing` types them letter by letter and prints where a row that stood first is lost.
 * `--missed` prints our misses of the queries that rules may be made from; the held-out ones are counted only.
 */
import { loadavg } from 'node:os'
import { ALL, heldOut, inTurns, judge, lostWhileTyping, outsiderWorld, type Scores, typedQueries } from './quality.ts'
import { ENGINES } from './quality-engines.ts'
import { memory } from './search-measure.ts'
import { show } from './search-tables.ts'

const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const seconds = Number(flag('seconds') ?? 60)
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
  for (const { title, open } of ENGINES) {
    if (flag('only') !== undefined && flag('only') !== title) continue
    const before = memory()
    const start = performance.now()
    const find = open(entities, frecency)
    const built = performance.now() - start
    const megabytes = memory() - before
    if (title === 'fieldwork') judge(find, queries, seconds)
    const scores = judge(find, queries, title === 'fieldwork' ? 600 : seconds)
    all.set(title, scores)
    const { queries: asked, times } = scores.get(ALL)!
    console.log(
      `${title}: built in ${show(built)} ms, ${show(megabytes)} MB; ${asked} queries, ` +
        `processor ms p50 ${show(quantile(times, 0.5))}, p95 ${show(quantile(times, 0.95))}, ` +
        `p99 ${show(quantile(times, 0.99))}, most ${show(Math.max(...times))}`,
    )
    if (title !== 'fieldwork') continue
    for (const [name, some] of [
      ['held out', queries.filter((query) => held.has(query))],
      ['the others', queries.filter((query) => !held.has(query))],
    ] as const) {
      const { queries: n, first, five } = judge(find, some, seconds).get(ALL)!
      console.log(`  ${name}: ${share(first, n)} / ${share(five, n)} of ${n}`)
    }
    if (process.argv.includes('--typing')) {
      const asked = queries.filter(({ want }) => want !== null)
      const lost = lostWhileTyping(find, asked)
      console.log(
        `  never lost again with the next letter of a word: ${share(asked.length - lost.length, asked.length)} of ${asked.length}`,
      )
      for (const { query, at } of lost) console.log(`    ${query.cls}: lost with "${at}" of "${query.q}"`)
    }
    if (process.argv.includes('--missed'))
      for (const query of queries) {
        if (held.has(query)) continue
        const rows = find(query.q)
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
}
