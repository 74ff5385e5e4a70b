import { count } from '../../../contract/format.ts'
import { showDifference } from './ChartFrame.tsx'
import { showPlace, type TrendAxis, type TrendPoint } from './days.ts'

/** What the crosshair points at: the place, our day and, if compared, the first column's day. */
export interface TrendAt {
  place: number
  axis: TrendAxis
  point: TrendPoint | undefined
  /** undefined: no first column to compare with. */
  base?: TrendPoint | null
}

/** "Nov 17 · 541 · +38 to plan"; beside a first column "Nov 17 · 359 · −182 to first". */
export function readTrend({ place, axis, point, base }: TrendAt): string {
  const at = showPlace(place, axis)
  if (!point) return `${at} · not in field`
  if (point.value === null) return point.plan == null ? at : `${at} · plan ${count(Math.round(point.plan))}`
  const figure = `${at} · ${count(point.value)}`
  if (base !== undefined) return base?.value == null ? figure : `${figure} · ${difference(point.value - base.value)} to first`
  return point.plan == null ? figure : `${figure} · ${showDifference(Math.round(point.value - point.plan))} to plan`
}

const difference = (value: number) => (value === 0 ? '=' : showDifference(value))

/** The same for a screen reader: "Nov 17: 359 delivered, 120 fewer than planned, 182 fewer than Snack Tracker". */
export function sayTrend({ place, axis, point, base }: TrendAt, to: string): string {
  const at = showPlace(place, axis)
  if (!point) return `${at}: not in field`
  if (point.value === null) return point.plan == null ? at : `${at}: not there yet, ${count(Math.round(point.plan))} planned`
  const parts = [`${at}: ${count(point.value)} delivered`]
  if (point.plan != null) parts.push(fewer(Math.round(point.value - point.plan), 'planned', 'as planned'))
  if (base?.value != null) parts.push(fewer(point.value - base.value, to, `as in ${to}`))
  return parts.join(', ')
}

const fewer = (value: number, than: string, same: string) =>
  value === 0 ? same : `${count(Math.abs(value))} ${value > 0 ? 'more' : 'fewer'} than ${than}`
