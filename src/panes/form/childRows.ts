import { addDays } from '../../../contract/pacing.ts'
import { readDate } from '../../ui/dates.ts'
import { endOf } from './draft.ts'

/** One child in the form; text as typed. */
export interface ChildRow {
  name: string
  start_dt: string
  end_dt: string
  goal: string
}

/** "… Wave 3": the parent's name with the next number among its children's. */
export function nextName(parent: string, taken: readonly string[]): string {
  const numbers = taken.map((name) => Number(/\bWave (\d+)$/.exec(name)?.[1] ?? 0))
  return `${parent.slice(0, 180)} Wave ${Math.max(taken.length, ...numbers) + 1}`
}

/** The end that follows a start, unless somebody has set another one. */
export const followingEnd = (was: { start_dt: string; end_dt: string }, start: string): string =>
  was.end_dt && was.end_dt !== endOf(was.start_dt, 'older') ? was.end_dt : endOf(start, 'older')

/** The next row: it starts the day after the one before ends, and has the same goal. */
export function nextRow(parent: string, taken: readonly string[], before: ChildRow): ChildRow {
  const end = readDate(before.end_dt)
  const start = end ? addDays(end, 1) : ''
  return { name: nextName(parent, taken), start_dt: start, end_dt: endOf(start, 'older'), goal: before.goal }
}
