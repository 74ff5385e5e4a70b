import { showTime } from '../../../contract/format.ts'

/** A trend's day: civil date (ISO), delivered so far (null: not yet), and planned. */
export type TrendPoint = { date: string; value: number | null; plan?: number | null }

/** How a trend counts its days: by date, or by day in field. */
export type TrendAxis = 'date' | 'day'

const DAY_MS = 86_400_000

/** Each day's place on the axis: days since 1970, or the day in field, from 1. */
export const placesOf = (points: readonly TrendPoint[], axis: TrendAxis): number[] =>
  points.map(({ date }, at) => (axis === 'day' ? at + 1 : Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS)))

/** A place of an axis in words: "Nov 17", "Day 12". */
export const showPlace = (place: number, axis: TrendAxis): string =>
  axis === 'day' ? `Day ${place}` : showTime(place * DAY_MS, 'day', 'UTC')

/** Returns the trends' common first and last place; null without any. */
export function spanOf(trends: readonly (readonly TrendPoint[])[], axis: TrendAxis): readonly [number, number] | null {
  const ends = trends.flatMap((points) => {
    const places = placesOf(points, axis)
    return places.length ? [places[0]!, places.at(-1)!] : []
  })
  return ends.length ? [Math.min(...ends), Math.max(...ends)] : null
}

/** Chooses the axis for several trends: dates, or days in field if each would get less than half the width. */
export function axisFor(trends: readonly (readonly TrendPoint[])[]): TrendAxis {
  const together = spanOf(trends, 'date')
  const longest = Math.max(0, ...trends.map((points) => points.length))
  return together && together[1] - together[0] + 1 > 2 * longest ? 'day' : 'date'
}

/** Returns the highest value any trend reaches, delivered, planned or ordered; at least 1. */
export const topOf = (trends: readonly (readonly TrendPoint[])[], goals: readonly number[] = []): number =>
  Math.max(1, ...goals, ...trends.flatMap((points) => points.flatMap(({ value, plan }) => [value ?? 0, plan ?? 0])))
