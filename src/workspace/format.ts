import { preferencesAtom } from '../data/preferences.ts'
import { store } from '../data/store.ts'

const DAY: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' }

/** A civil date as a list shows it: "Nov 24", with the year when it is another one; "–" without a date. */
export function shortDate(civil: string | null | undefined): string {
  if (!civil) return '–'
  const date = new Date(`${civil.slice(0, 10)}T12:00:00Z`)
  const other = date.getUTCFullYear() !== new Date().getUTCFullYear()
  return date.toLocaleDateString('en-US', { ...DAY, timeZone: 'UTC', ...(other ? { year: 'numeric' } : {}) })
}

/** A civil date in full: "Tuesday, November 24, 2026". */
export const longDate = (civil: string | null | undefined): string =>
  civil
    ? new Date(`${civil.slice(0, 10)}T12:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'full', timeZone: 'UTC' })
    : 'no date'

/** A moment in the display zone: "Nov 24, 3:05 PM". */
export function moment(iso: string | null | undefined, style: 'short' | 'full' = 'short'): string {
  if (!iso) return '–'
  const timeZone = store.get(preferencesAtom).time_zone || 'America/New_York'
  return style === 'full'
    ? new Date(iso).toLocaleString('en-US', { dateStyle: 'full', timeStyle: 'long', timeZone })
    : new Date(iso).toLocaleString('en-US', { ...DAY, hour: 'numeric', minute: '2-digit', timeZone })
}

const figure = new Intl.NumberFormat('en-US')
/** 1250 → "1,250". */
export const count = (value: number): string => figure.format(value)
/** Cents as dollars: 125000 → "$1,250.00". */
export const dollars = (cents: number): string => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
