import { civilDay } from './format.ts'
import { YEARS } from './moments.ts'
import { SPELLING, type Status } from './status.ts'

export const PACING_COLORS = ['Gray', 'Red', 'Orange', 'Green'] as const
export type PacingColor = (typeof PACING_COLORS)[number]
/** Whether a project's field time has begun, is running or is over. */
export const PACING_STATES = ['not_started', 'running', 'over', 'no_dates'] as const
export interface PacingInput {
  status: Status
  ordered: number
  delivered: number
  /** Civil dates YYYY-MM-DD; null if missing. */
  start: string | null
  end: string | null
}
export interface Pacing {
  /** A percentage, rounded half up and not capped; 0 without dates or if not finite. */
  pacing: number
  /** Completes expected to date, not rounded. */
  expected: number
  color: PacingColor
  state: (typeof PACING_STATES)[number]
}

const DAY = 86_400_000

/** Returns the whole days between two civil dates. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to.slice(0, 10)}T00:00:00Z`) - Date.parse(`${from.slice(0, 10)}T00:00:00Z`)) / DAY)
}

/** Returns the civil date `days` later. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)
}

/** Default days in field after the start, by form; visitation includes the start (decisions.md 9). */
export const DEFAULT_DAYS = { older: 7, newer: 21, visitation: 4 } as const
/** The last day that any date may be. */
const LAST_DAY = `${YEARS.last}-12-31`

/** Returns the default end of fieldwork. */
export function defaultEnd(start: string, form: keyof typeof DEFAULT_DAYS = 'newer'): string {
  const end = addDays(start, DEFAULT_DAYS[form])
  return end < LAST_DAY ? end : LAST_DAY
}

/** Returns today's civil date in a time zone; the display zone defaults to America/New_York (decisions.md 3). */
export const civilToday = (zone: string, now: Date): string => civilDay(now, zone)

/** Returns the completes expected by today: ordered × E ÷ D (decisions.md 3). */
export function expectedToDate(ordered: number, start: string | null, end: string | null, today: string): number {
  if (!start || !end) return 0
  const days = daysBetween(start, end) + 1
  const elapsed = Math.min(Math.max(daysBetween(start, today) + 1, 0), days)
  return days > 0 ? (ordered * elapsed) / days : 0
}

/** Returns a pacing figure's color: Gray while pending, Red below 30, Orange below 70, Green from 70. */
export function pacingColor(status: Status, pacing: number): PacingColor {
  if (SPELLING[status].shown === 'Pending') return 'Gray'
  return pacing < 30 ? 'Red' : pacing < 70 ? 'Orange' : 'Green'
}

function share(delivered: number, expected: number): number {
  const figure = Math.floor((100 * delivered) / expected + 0.5)
  return Number.isFinite(figure) ? figure : 0
}

/**
 * Returns the parts that make up a project's figures: itself and its children (decisions.md 13, Families).
 * Leaves out a parent without an order or deliveries, because its dates say nothing about the family's pace.
 */
export function partsOf<T extends { ordered: number; delivered: number }>(project: T, children: readonly T[]): readonly T[] {
  return children.length && !hasOwnPart(project) ? children : [project, ...children]
}

/** True if a parent has an order or deliveries besides its children's. */
export const hasOwnPart = (project: { ordered: number; delivered: number }): boolean =>
  project.ordered > 0 || project.delivered > 0

/** Returns a family's pacing: delivered over expected, each part by its own dates (decisions.md 3 and 13). */
export function pacingOf(project: PacingInput, today: string, children: readonly PacingInput[] = []): Pacing {
  const parts = partsOf(project, children)
  const expected = parts.reduce((sum, part) => sum + expectedToDate(part.ordered, part.start, part.end, today), 0)
  const delivered = parts.reduce((sum, part) => sum + part.delivered, 0)
  const dated = parts.filter((part) => part.start && part.end)
  const started = dated.some((part) => part.start! <= today)
  const over = dated.length > 0 && dated.every((part) => part.end! < today)
  const pacing = dated.length && started ? share(delivered, expected) : 0
  return {
    pacing,
    expected,
    color: pacingColor(project.status, pacing),
    state: !dated.length ? 'no_dates' : !started ? 'not_started' : over ? 'over' : 'running',
  }
}
