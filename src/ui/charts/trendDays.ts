import { showTime } from '../../../contract/format.ts'

/** A day of a trend: its civil date, what was delivered so far (null if in the future), and the plan. */
export type TrendPoint = { date: string; value: number | null; plan?: number | null }

/** The day axis of a trend: by date, or by day in field. */
export type TrendAxis = 'date' | 'day'

const DAY_MS = 86_400_000

/** Returns each day's position on the axis: days since 1970, or the day in field from 1. */
export const placesOf = (points: readonly TrendPoint[], axis: TrendAxis): number[] =>
  points.map(({ date }, at) => (axis === 'day' ? at + 1 : Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS)))

/** Formats a position: "Nov 17", "Day 12". */
export const showPlace = (place: number, axis: TrendAxis): string =>
  axis === 'day' ? `Day ${place}` : showTime(place * DAY_MS, 'day', 'UTC')

/** Returns the first and last position of all trends; null without any. */
export function spanOf(trends: readonly (readonly TrendPoint[])[], axis: TrendAxis): readonly [number, number] | null {
  const ends = trends.flatMap((points) => {
    const places = placesOf(points, axis)
    return places.length ? [places[0]!, places.at(-1)!] : []
  })
  return ends.length ? [Math.min(...ends), Math.max(...ends)] : null
}

/** Chooses the axis of several trends: dates, or days in field if each trend would get less than half the width. */
export function axisFor(trends: readonly (readonly TrendPoint[])[]): TrendAxis {
  const together = spanOf(trends, 'date')
  const longest = Math.max(0, ...trends.map((points) => points.length))
  return together && together[1] - together[0] + 1 > 2 * longest ? 'day' : 'date'
}

/** Returns the highest value of all trends, delivered, planned or ordered; at least 1. */
export const topOf = (trends: readonly (readonly TrendPoint[])[], goals: readonly number[] = []): number =>
  Math.max(1, ...goals, ...trends.flatMap((points) => points.flatMap(({ value, plan }) => [value ?? 0, plan ?? 0])))
