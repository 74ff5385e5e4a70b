import { count } from '../../../contract/format.ts'
import { showDifference } from './ChartFrame.tsx'
import { showPlace, type TrendAxis, type TrendPoint } from './trendDays.ts'

/** What the crosshair points at: the position, the trend's day and, in a comparison, the first column's day. */
export interface TrendAt {
  place: number
  axis: TrendAxis
  point: TrendPoint | undefined
  /** The day is today and incomplete. */
  partial?: boolean
  /** undefined if there is no first column to compare with. */
  base?: TrendPoint | null
}

/** Returns the difference from the plan, between the rounded figures that are shown. */
export const toPlan = (value: number, plan: number): number => value - Math.round(plan)

/** Formats a day: "Nov 17 · 541 · plan 503 (+38)"; next to a first column also "· first 723 (−182)". */
export function readTrend({ place, axis, point, partial, base }: TrendAt): string {
  const at = showPlace(place, axis)
  if (!point) return `${at} · not in field`
  if (point.value === null) return point.plan == null ? at : `${at} · plan ${count(Math.round(point.plan))}`
  const parts = [`${at}${partial ? ' so far' : ''}`, count(point.value)]
  if (point.plan != null) parts.push(`plan ${count(Math.round(point.plan))} (${difference(toPlan(point.value, point.plan))})`)
  if (base?.value != null) parts.push(`first ${count(base.value)} (${difference(point.value - base.value)})`)
  return parts.join(' · ')
}

const difference = (value: number) => (value === 0 ? '=' : showDifference(value))

/** Describes it for screen readers: "Nov 17: 359 delivered, 120 fewer than planned, 182 fewer than Snack Tracker". */
export function sayTrend({ place, axis, point, partial, base }: TrendAt, to: string): string {
  const at = showPlace(place, axis)
  if (!point) return `${at}: not in field`
  if (point.value === null) return point.plan == null ? at : `${at}: not there yet, ${count(Math.round(point.plan))} planned`
  const parts = [`${at}${partial ? ', so far' : ''}: ${count(point.value)} delivered`]
  if (point.plan != null) parts.push(fewer(toPlan(point.value, point.plan), 'planned', 'as planned'))
  if (base?.value != null) parts.push(fewer(point.value - base.value, to, `as in ${to}`))
  return parts.join(', ')
}

const fewer = (value: number, than: string, same: string) =>
  value === 0 ? same : `${count(Math.abs(value))} ${value > 0 ? 'more' : 'fewer'} than ${than}`
