import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { foldWords } from '../../../src/search/fold.ts'
import type { Searcher } from '../../../src/search/searcher.ts'
import { type Entity, type Hit, type SearchAnswer, TIER } from '../../../src/search/types.ts'
import { generate } from './names.ts'

/** An outsider's query: `want` is the id in mind (null: nothing should be found), `also` others that count as well. */
export type Typed = { cls: string; q: string; want: number | null; also: number[]; used: boolean }

const readJson = <T>(name: string): T => JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8')) as T
export const typedQueries = (): Typed[] => readJson('queries')
export const shortWords = (): string[] => readJson('shortWords')

/** The outsider's names as the product passes them on, and how often some were used. */
export function outsiderWorld(count: number): { entities: Entity[]; frecency: Map<string, number> } {
  const frecency = new Map<string, number>()
  const entities = generate(count).map(({ id, kind, name, code, detail, status, weight }): Entity => {
    const key = `${kind}:${id}`
    if (weight > 0) frecency.set(key, weight)
    const entity: Entity = { key, kind, id, name, detail: [detail, status].filter(Boolean).join(' · ') }
    if (code) entity.code = code
    return entity
  })
  // Flat strings rather than ropes, as from a server's response.
  return { entities: JSON.parse(JSON.stringify(entities)) as Entity[], frecency }
}

/** How many queries of a class found the wanted row first, or among the first five, and the milliseconds of each. */
type Score = { queries: number; first: number; five: number; times: number[] }
export type Scores = Map<string, Score>

/** The line of the table for all classes. */
export const ALL = 'all'
/** Queries without an answer count as found when they stay empty. */
export const NONE = 'nothing to be found'

/** The ids of an engine's rows, best first, and its processor time in milliseconds. */
export type Answer = { ids: number[]; ms: number }
export type Ask = (text: string) => Answer

/**
 * Times an engine by the processor or the clock, whichever says less; its own thread took no more than either.
 * The processor's time includes the runtime's other threads (compiler, garbage), the clock includes other programs.
 */
export const timed =
  (find: (text: string) => number[]): Ask =>
  (text) => {
    const [start, clock] = [process.cpuUsage(), performance.now()]
    const ids = find(text)
    const took = performance.now() - clock
    const { user, system } = process.cpuUsage(start)
    return { ids, ms: Math.min((user + system) / 1000, took) }
  }

const isRight = ({ want, also }: Typed, id: number | undefined): boolean => id !== undefined && (id === want || also.includes(id))

/** Runs every query through an engine, or until its seconds are up. */
export function judge(ask: Ask, queries: readonly Typed[], seconds: number): Scores {
  const scores: Scores = new Map()
  const end = performance.now() + seconds * 1000
  for (const query of queries) {
    if (performance.now() > end) break
    const { cls, q, want } = query
    const { ids, ms } = ask(q)
    const first = want === null ? ids.length === 0 : isRight(query, ids[0])
    const five = want === null ? first : ids.slice(0, 5).some((id) => isRight(query, id))
    for (const name of [want === null ? NONE : cls, ALL]) {
      const score = scores.get(name) ?? { queries: 0, first: 0, five: 0, times: [] }
      scores.set(name, score)
      score.queries++
      score.first += Number(first)
      score.five += Number(five)
      score.times.push(ms)
    }
  }
  return scores
}

/** Results at once and after continuing cut searches, for queries typed letter by letter; times as in `timed`. */
export type Within = {
  queries: number
  first: number
  five: number
  fiveLate: number
  keys: number
  cut: number
  times: number[]
}

/**
 * Types queries letter by letter, with a budget for each letter.
 * Cut searches continue in slices of the budget for `pauseMs`, as in the page until the next letter.
 */
export function typeWithin(searcher: Searcher, queries: readonly Typed[], budgetMs: number, pauseMs: number): Within {
  const out: Within = { queries: 0, first: 0, five: 0, fiveLate: 0, keys: 0, cut: 0, times: [] }
  const slice = (search: () => SearchAnswer): SearchAnswer => {
    let answer: SearchAnswer | null = null
    const { ms } = timed(() => {
      answer = search()
      return []
    })('')
    out.times.push(ms)
    return answer!
  }
  const idsOf = ({ hits }: SearchAnswer): number[] => hits.map(({ id }) => Number(id))
  for (const query of queries) {
    searcher.search('')
    let [ids, late]: [number[], number[]] = [[], []]
    for (let length = 1; length <= query.q.length; length++) {
      let answer = slice(() => searcher.search(query.q.slice(0, length), { budgetMs }))
      out.keys++
      ids = idsOf(answer)
      late = [...ids]
      if (!answer.complete) out.cut++
      const end = length === query.q.length ? Number.POSITIVE_INFINITY : performance.now() + pauseMs
      while (answer.resume !== undefined && performance.now() < end) {
        const { resume } = answer
        answer = slice(() => resume(budgetMs))
        late.push(...idsOf(answer))
      }
    }
    const among = (rows: number[]): boolean =>
      query.want === null ? rows.length === 0 : rows.slice(0, 5).some((id) => isRight(query, id))
    out.queries++
    out.first += Number(query.want === null ? ids.length === 0 : isRight(query, ids[0]))
    out.five += Number(among(ids))
    out.fiveLate += Number(among(late))
  }
  return out
}

/** A query whose wanted row was first while a word was typed, and moved down with the word's next letter. */
type Lost = {
  query: Typed
  /** The text typed when it moved down. */
  at: string
  /** The first row at that moment; null if there is none. */
  instead: Hit | null
  /** Set if the whole name or the last word was complete: then the other row is meant to be first. */
  by: 'name' | 'word' | null
}

/** Types queries letter by letter, each from an empty field. */
export function lostWhileTyping(searcher: Searcher, queries: readonly Typed[]): Lost[] {
  const isLetter = (sign: string | undefined): boolean => /[\p{L}\p{N}]/u.test(sign ?? ' ')
  return queries.flatMap((query): Lost[] => {
    const { q } = query
    searcher.search('')
    let first = false
    for (let length = 1; length <= q.length; length++) {
      const at = q.slice(0, length)
      const [top] = searcher.search(at).hits
      const now = isRight(query, top === undefined ? undefined : Number(top.id))
      if (first && !now && isLetter(q[length - 1]) && isLetter(q[length - 2])) {
        const whole = top !== undefined && top.tier <= TIER.name
        const last = foldWords(at).at(-1)!
        const word = top !== undefined && [...foldWords(top.name), ...foldWords(top.detail)].includes(last)
        return [{ query, at, instead: top ?? null, by: whole ? 'name' : word ? 'word' : null }]
      }
      first = now
    }
    return []
  })
}

/** Alternates between classes, so that a slow engine that is cut off has run some queries of each. */
export function inTurns(queries: readonly Typed[]): Typed[] {
  const turn = new Map<string, number>()
  const placed = queries.map((query) => {
    const at = turn.get(query.cls) ?? 0
    turn.set(query.cls, at + 1)
    return { query, at }
  })
  return placed.sort((a, b) => a.at - b.at).map(({ query }) => query)
}

/**
 * Queries held out while rules are developed: every third of a class.
 * A rule that only fits single queries shows as a gap between these and the others.
 */
export const heldOut = (queries: readonly Typed[]): Set<Typed> =>
  new Set(queries.filter(({ cls, q }, at) => queries.slice(0, at).filter((one) => one.cls === cls).length % 3 === 2 && q !== ''))

/** The share of queries whose row may move down while a word is typed. */
export const MOST_LOST = 0.05

/** Prints how many queries lose the first place, whether the goal is met, and each with the row that took it. */
export function printLost(lost: readonly Lost[], asked: number): void {
  const meant = lost.filter(({ by }) => by !== null).length
  console.log(
    `  lost with the next letter of a word: ${lost.length} of ${asked} (${((lost.length / asked) * 100).toFixed(1)} %; goal ` +
      `${MOST_LOST * 100} %: ${lost.length / asked <= MOST_LOST ? 'hit' : 'MISSED'}); ${meant} of them to an exact or whole-word ` +
      `match (goal all: ${meant === lost.length ? 'hit' : 'MISSED'})`,
  )
  for (const { query, at, instead, by } of lost)
    console.log(`    ${by ?? 'other'}: ${query.cls}: "${at}" of "${query.q}" gives ${instead?.name ?? 'nothing'}`)
}
