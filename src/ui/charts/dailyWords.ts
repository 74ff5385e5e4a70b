import { count, percent, showDay } from '../../../contract/format.ts'

/** A day of visits: all, and of different devices; `error` is the share an estimated `unique` may be off by. */
export interface Day {
  date: string
  total: number
  unique: number
  error?: number
}

/** The day that another is measured against, and what it is called: "the day before". */
export interface Measure {
  day: Pick<Day, 'total' | 'unique'> | undefined
  name: string
}

/** A change in per cent of what was before: "+12 %", "−4 %", "=", "new" where nothing was before. */
export function showChange(value: number, before: number | undefined | null): string {
  if (before === undefined || before === null) return '–'
  if (before === 0) return value === 0 ? '=' : 'new'
  const change = Math.round((1000 * (value - before)) / before) / 10
  if (change === 0) return '='
  const size = Math.abs(change)
  return `${change > 0 ? '+' : '−'}${percent(size >= 10 ? Math.round(size) : size)}`
}

/** The same for a screen reader: "12 % more than the day before". */
export function sayChange(value: number, before: number | undefined | null, name: string): string {
  const shown = showChange(value, before)
  if (shown === '–') return `nothing to compare with ${name}`
  if (shown === '=') return `as many as ${name}`
  if (shown === 'new') return `none ${name}`
  return `${shown.slice(1)} ${shown.startsWith('+') ? 'more' : 'fewer'} than ${name}`
}

/** "≈ 1,204" where a figure is estimated. */
export const about = (value: number, error: number | undefined): string => `${error ? '≈ ' : ''}${count(value)}`

/** "Tue, Nov 17 · 541 visits +4 % · 402 unique −1 %"; with a line behind also its visits: "· before 520". */
export const readDay = (day: Day, { day: before }: Measure, partial: boolean, behind?: string): string =>
  `${showDay(day.date, 'weekday')}, ${showDay(day.date)}${partial ? ' so far' : ''} · ${count(day.total)} visits ${showChange(day.total, before?.total)} · ${about(day.unique, day.error)} unique ${showChange(day.unique, before?.unique)}${behind && before ? ` · ${behind} ${count(before.total)}` : ''}`

/** The same for a screen reader. */
export const sayDay = (day: Day, { day: before, name }: Measure, partial: boolean): string =>
  [
    `${showDay(day.date, 'day in full')}${partial ? ', so far' : ''}: ${count(day.total)} visits, ${sayChange(day.total, before?.total, name)}`,
    `${day.error ? 'about ' : ''}${count(day.unique)} unique devices, ${sayChange(day.unique, before?.unique, name)}`,
  ].join('; ')
