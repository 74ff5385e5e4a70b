import { count } from '../../../contract/format.ts'
import type { Drawing } from './plotLines.ts'
import { placesOf, showPlace, type TrendAxis, type TrendPoint, topOf } from './trendDays.ts'

interface Of {
  points: readonly TrendPoint[]
  /** The first column's trend. */
  base?: readonly TrendPoint[] | undefined
  axis: TrendAxis
  goal: number | null
  today?: string | undefined
  max?: number | undefined
  span?: readonly [number, number] | null | undefined
}

/** Returns the lines of a delivery trend: plan, first column, delivered, and the goal. */
export function trendDrawing({ points, base = [], axis, goal, today, max, span }: Of): Drawing {
  const mine = new Map(placesOf(points, axis).map((place, at) => [place, points[at]!]))
  const theirs = new Map(placesOf(base, axis).map((place, at) => [place, base[at]!]))
  const places = [...new Set([...mine.keys(), ...theirs.keys()])].sort((a, b) => a - b)
  const values = places.map((place) => mine.get(place)?.value ?? null)
  const last = values.findLast((value) => value !== null)
  return {
    places,
    lines: [
      { values: places.map((place) => mine.get(place)?.plan ?? null), colour: 'muted', width: 1, dashed: true, end: 'plan' },
      { values: places.map((place) => theirs.get(place)?.value ?? null), colour: 'muted', width: 1, end: 'first' },
      { values, colour: 'accent', width: 2, area: 0.13, counts: true, end: count(last ?? 0) },
    ],
    span: span ?? [places[0] ?? 0, places.at(-1) ?? 0],
    top: max ?? topOf([points, base], [goal ?? 0]),
    unfinished: places.find((place) => mine.get(place)?.date === today) ?? null,
    goal: goal ? { value: goal, label: `goal ${count(goal)}` } : null,
    showPlace: (place) => showPlace(place, axis),
  }
}
