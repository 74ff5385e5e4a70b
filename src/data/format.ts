import { store } from './jotaiStore.ts'
import { preferencesAtom } from './preferences.ts'

const DAY: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' }
const STYLES = {
  day: { ...DAY },
  'day and year': { ...DAY, year: 'numeric' },
  'day in full': { dateStyle: 'full' },
  short: { ...DAY, hour: 'numeric', minute: '2-digit' },
  full: { dateStyle: 'full', timeStyle: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

// Making a formatter takes a hundred times as long as using it, and a list has several in each row.
const made = new Map<string, Intl.DateTimeFormat>()
function formatter(style: keyof typeof STYLES, timeZone: string): Intl.DateTimeFormat {
  const key = `${style} ${timeZone}`
  let known = made.get(key)
  if (!known) {
    known = new Intl.DateTimeFormat('en-US', { ...STYLES[style], timeZone })
    made.set(key, known)
  }
  return known
}
const noon = (civil: string) => new Date(`${civil.slice(0, 10)}T12:00:00Z`)

/** A civil date as a list shows it: "Nov 24", with the year when it is another one; "–" without a date. */
export function shortDate(civil: string | null | undefined): string {
  if (!civil) return '–'
  const date = noon(civil)
  if (Number.isNaN(date.getTime())) return civil
  const other = date.getUTCFullYear() !== new Date().getUTCFullYear()
  return formatter(other ? 'day and year' : 'day', 'UTC').format(date)
}

/** A civil date in full: "Tuesday, November 24, 2026". */
export const longDate = (civil: string | null | undefined): string =>
  civil ? formatter('day in full', 'UTC').format(noon(civil)) : 'no date'

/** A moment in the display zone: "Nov 24, 3:05 PM". */
export function moment(iso: string | null | undefined, style: 'short' | 'full' = 'short'): string {
  if (!iso) return '–'
  return formatter(style, store.get(preferencesAtom).time_zone || 'America/New_York').format(new Date(iso))
}

/** The day of a moment in a time zone: "Nov 24, 2026". */
export const dayOf = (at: number, timeZone: string): string => formatter('day and year', timeZone).format(at)

const figure = new Intl.NumberFormat('en-US')
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
/** 1250 → "1,250". */
export const count = (value: number): string => figure.format(value)
/** Cents as dollars: 125000 → "$1,250.00". */
export const dollars = (cents: number): string => money.format(cents / 100)
