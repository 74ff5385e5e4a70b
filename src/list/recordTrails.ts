import type { ReadId } from '../../contract/calls.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import { isStale } from '../data/staleNouns.ts'
import { onForgotten, onStale } from '../data/useCall.ts'
import { type Match, match } from '../routing/match.ts'
import type { Item } from './flattenRows.ts'
import type { RowSource } from './rowSource.ts'

/** The rows of a list, for moving from a record to the next one after the list's screen was left. */
export interface Trail<Row extends object> {
  /** Null if all rows are loaded. */
  source: RowSource<Row> | null
  /** Returns all current rows of a list that is read as a whole. */
  rows?(): readonly Row[]
  /** What the rows are: "projects". */
  noun: string
  itemOf(row: Row, level: number): Item<Row>
  hrefOf(row: Row): string | null
  childrenOf: ((row: Row) => readonly Row[]) | undefined
  open: ReadonlySet<number>
  count: number
  /** The rows read so far; empty after a change. */
  chunks: ReadonlyMap<number, readonly Row[]>
  /** True if these are from an earlier visit. */
  remembered?: boolean
  /** The list whose cursor follows: its pane and path, and what it shows. Null for none. */
  place: { list: string; key: string } | null
}

/** A record's position in a list: its row's id, and its index among the records. */
export interface Step<Row extends object = object> {
  trail: Trail<Row>
  id: number
  record: number
  /** The row as its list shows it; null after a change, from an earlier visit, and if its list isn't on a page. */
  row: Row | null
}

/** Identifies the record of a screen, regardless of the tab; null if the screen has none. */
export const recordKey = (found: Match | null): string | null =>
  found?.row.subject && found.params.id ? `${found.row.subject}:${found.params.id}` : null

const MOST = 200
const steps = new Map<string, Step>()
// Another user has signed in.
onForgotten(() => steps.clear())
onStale((nouns) => {
  for (const step of steps.values()) {
    const { source } = step.trail
    if (!source || !isStale(source.call, nouns)) continue
    step.trail.chunks = new Map()
    step.trail.remembered = false
    step.row = null
  }
})

/** Remembers which list a record was opened from. */
export function noteStep<Row extends object>(href: string, step: Step<Row>): void {
  const key = recordKey(match(href))
  if (key === null) return
  steps.delete(key)
  steps.set(key, step as unknown as Step)
  for (const oldest of [...steps.keys()].slice(0, Math.max(0, steps.size - MOST))) steps.delete(oldest)
}

/** Returns the list that a record was opened from, or null. */
export const stepAt = (key: string): Step | null => steps.get(key) ?? null

/** Returns the row that a record was opened from, and the call of its list, unless something may have changed since. */
export function openedRow(key: string): { call: ReadId; row: object } | null {
  const step = steps.get(key)
  return step?.row && step.trail.source ? { call: step.trail.source.call, row: step.row } : null
}

/** Returns a record's name in the row that it was opened from; null without one, or if the row is another record's. */
export function openedName(kind: SubjectKind, id: number): string | null {
  const step = steps.get(`${kind}:${id}`)
  const subject = step?.row && step.trail.itemOf(step.row, 1).subject
  return subject?.kind === kind && subject.id === id ? subject.name : null
}

/** A list on the page, which finds a record among its rows and moves its cursor. */
export interface OpenList {
  find(key: string): Step | null
  moveTo(id: number, record: number): void
}
const lists = new Map<string, OpenList>()

/** Registers a list for records opened elsewhere; returns a function that removes it. */
export function offerList(list: string, open: OpenList): () => void {
  lists.delete(list)
  lists.set(list, open)
  return () => {
    if (lists.get(list) === open) lists.delete(list)
  }
}

/** Returns the lists on the page, newest first. */
export const openLists = (): OpenList[] => [...lists.values()].reverse()
/** Returns a list on the page by name. */
export const openList = (list: string): OpenList | undefined => lists.get(list)
