import { readDate } from '../../../contract/dates.ts'
import { addDays } from '../../../contract/pacing.ts'
import { endOf } from './requestDraft.ts'

/** A child's form values, as typed. */
export interface ChildRow {
  name: string
  start_dt: string
  end_dt: string
  goal: string
}

/** Returns "… Wave 3": the parent's name with the next number among its children. */
export function nextName(parent: string, taken: readonly string[]): string {
  const numbers = taken.map((name) => Number(/\bWave (\d+)$/.exec(name)?.[1] ?? 0))
  return `${parent.slice(0, 180)} Wave ${Math.max(taken.length, ...numbers) + 1}`
}

/** Returns the default end for a new start, unless the user set another end. */
export const followingEnd = (was: { start_dt: string; end_dt: string }, start: string): string =>
  was.end_dt && was.end_dt !== endOf(was.start_dt, 'older') ? was.end_dt : endOf(start, 'older')

/** Returns the next row: it starts the day after the previous one ends, with the same goal. */
export function nextRow(parent: string, taken: readonly string[], before: ChildRow): ChildRow {
  const end = readDate(before.end_dt)
  const start = end ? addDays(end, 1) : ''
  return { name: nextName(parent, taken), start_dt: start, end_dt: endOf(start, 'older'), goal: before.goal }
}
