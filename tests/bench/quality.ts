import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entity } from '../../src/search/types.ts'
import { generate } from './outsider/names.ts'

/** What an outsider typed: `want` is the id in mind (null: nothing should be found), `also` others that do as well. */
export type Typed = { cls: string; q: string; want: number | null; also: number[]; used: boolean }

const readJson = <T>(name: string): T =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'outsider', `${name}.json`), 'utf8')) as T
export const typedQueries = (): Typed[] => readJson('queries')
export const shortWords = (): string[] => readJson('shortWords')

/** The outsider's names as the product hands them over, and how often some were used. */
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

/** How many queries of a class found what was wanted first, among the first five, and the milliseconds of each. */
type Score = { queries: number; first: number; five: number; times: number[] }
export type Scores = Map<string, Score>

/** Everything in one line of the table. */
export const ALL = 'all'
/** Queries without an answer count as found when they stay empty. */
export const NONE = 'nothing to be found'

/** Asks an engine every query, or until its seconds are up; `find` returns the ids of its rows. */
export function judge(find: (text: string) => number[], queries: readonly Typed[], seconds: number): Scores {
  const scores: Scores = new Map()
  const end = performance.now() + seconds * 1000
  for (const { cls, q, want, also } of queries) {
    if (performance.now() > end) break
    const start = process.cpuUsage()
    const ids = find(q)
    const { user, system } = process.cpuUsage(start)
    const right = (id: number | undefined): boolean => id !== undefined && (id === want || also.includes(id))
    const first = want === null ? ids.length === 0 : right(ids[0])
    const five = want === null ? first : ids.slice(0, 5).some(right)
    for (const name of [want === null ? NONE : cls, ALL]) {
      const score = scores.get(name) ?? { queries: 0, first: 0, five: 0, times: [] }
      scores.set(name, score)
      score.queries++
      score.first += Number(first)
      score.five += Number(five)
      score.times.push((user + system) / 1000)
    }
  }
  return scores
}

/** Queries whose wanted row stood first while a word was typed, and was lost with the next letter of the same word. */
export function lostWhileTyping(find: (text: string) => number[], queries: readonly Typed[]): { query: Typed; at: string }[] {
  const isLetter = (sign: string | undefined): boolean => /[\p{L}\p{N}]/u.test(sign ?? ' ')
  return queries.flatMap((query) => {
    const { q, want, also } = query
    let first = false
    for (let length = 1; length <= q.length && want !== null; length++) {
      const [id] = find(q.slice(0, length))
      const now = id !== undefined && (id === want || also.includes(id))
      if (first && !now && isLetter(q[length - 1]) && isLetter(q[length - 2])) return [{ query, at: q.slice(0, length) }]
      first = now
    }
    return []
  })
}

/** The queries in turns of their classes, so that a slow engine that is cut off has answered some of each. */
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
 * Queries kept out while rules are made: every third of a class.
 * A rule that fits single queries shows as a gap between these and the others.
 */
export const heldOut = (queries: readonly Typed[]): Set<Typed> =>
  new Set(queries.filter(({ cls, q }, at) => queries.slice(0, at).filter((one) => one.cls === cls).length % 3 === 2 && q !== ''))
