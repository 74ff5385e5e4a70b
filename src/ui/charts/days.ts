import { showTime } from '../../../contract/format.ts'

/** A day of a trend: its civil date (ISO), what was delivered up to it (null: not yet), and what the plan says. */
export type TrendPoint = { date: string; value: number | null; plan?: number | null }

/** What the days of a trend are counted by: the calendar, or the field time from its first day. */
export type TrendAxis = 'date' | 'day'

const DAY_MS = 86_400_000

/** The place of each day of a trend: whole days since 1970, or the day of its field time, from 1. */
export const placesOf = (points: readonly TrendPoint[], axis: TrendAxis): number[] =>
  points.map(({ date }, at) => (axis === 'day' ? at + 1 : Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS)))

/** A place of an axis in words: "Nov 17", "Day 12". */
export const showPlace = (place: number, axis: TrendAxis): string =>
  axis === 'day' ? `Day ${place}` : showTime(place * DAY_MS, 'day', 'UTC')

/** The first and last place that trends have together; null without any. */
export function spanOf(trends: readonly (readonly TrendPoint[])[], axis: TrendAxis): readonly [number, number] | null {
  const ends = trends.flatMap((points) => {
    const places = placesOf(points, axis)
    return places.length ? [places[0]!, places.at(-1)!] : []
  })
  return ends.length ? [Math.min(...ends), Math.max(...ends)] : null
}

/**
 * Chooses the axis for several trends: the calendar, unless they are so far apart that each would get less than half
 * the width; then the days of their field time.
 */
export function axisFor(trends: readonly (readonly TrendPoint[])[]): TrendAxis {
  const together = spanOf(trends, 'date')
  const longest = Math.max(0, ...trends.map((points) => points.length))
  return together && together[1] - together[0] + 1 > 2 * longest ? 'day' : 'date'
}

/** The most that trends reach, delivered or planned: one scale for all of them. At least 1. */
export const topOf = (trends: readonly (readonly TrendPoint[])[]): number =>
  Math.max(1, ...trends.flatMap((points) => points.flatMap(({ value, plan }) => [value ?? 0, plan ?? 0])))
