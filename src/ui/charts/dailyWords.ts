import { count, percent, showDay } from '../../../contract/format.ts'

/** A day of visits and distinct devices; `error` is the share by which an estimated `unique` may be off. */
export interface Day {
  date: string
  total: number
  unique: number
  error?: number
}

/** The day to compare with, and its name: "the day before". */
export interface Measure {
  day: Pick<Day, 'total' | 'unique'> | undefined
  name: string
}

/** Formats a change in percent: "+12 %", "−4 %", "=", or "new" if there was nothing before. */
export function showChange(value: number, before: number | undefined | null): string {
  if (before === undefined || before === null) return '–'
  if (before === 0) return value === 0 ? '=' : 'new'
  const change = Math.round((1000 * (value - before)) / before) / 10
  if (change === 0) return '='
  const size = Math.abs(change)
  return `${change > 0 ? '+' : '−'}${percent(size >= 10 ? Math.round(size) : size)}`
}

/** Describes a change for screen readers: "12 % more than the day before". */
export function sayChange(value: number, before: number | undefined | null, name: string): string {
  const shown = showChange(value, before)
  if (shown === '–') return `nothing to compare with ${name}`
  if (shown === '=') return `as many as ${name}`
  if (shown === 'new') return `none ${name}`
  return `${shown.slice(1)} ${shown.startsWith('+') ? 'more' : 'fewer'} than ${name}`
}

/** Formats a figure, "≈ 1,204" if it is estimated. */
export const about = (value: number, error: number | undefined): string => `${error ? '≈ ' : ''}${count(value)}`

/** Formats a day: "Tue, Nov 17 · 541 visits +4 % · 402 unique −1 %"; with a line behind, "· before 520". */
export const readDay = (day: Day, { day: before }: Measure, partial: boolean, behind?: string): string =>
  `${showDay(day.date, 'weekday')}, ${showDay(day.date)}${partial ? ' so far' : ''} · ${count(day.total)} visits ${showChange(day.total, before?.total)} · ${about(day.unique, day.error)} unique ${showChange(day.unique, before?.unique)}${behind && before ? ` · ${behind} ${count(before.total)}` : ''}`

/** Describes a day for screen readers. */
export const sayDay = (day: Day, { day: before, name }: Measure, partial: boolean): string =>
  [
    `${showDay(day.date, 'day in full')}${partial ? ', so far' : ''}: ${count(day.total)} visits, ${sayChange(day.total, before?.total, name)}`,
    `${day.error ? 'about ' : ''}${count(day.unique)} unique devices, ${sayChange(day.unique, before?.unique, name)}`,
  ].join('; ')
