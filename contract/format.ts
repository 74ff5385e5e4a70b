/*
 * Formats of numbers, money, sizes and dates, for the screen, mails, the history and exports.
 * src/data/format.ts adds the user's display zone.
 */

const FIGURE = new Intl.NumberFormat('en-US')
const MONEY = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Formats a whole number: 1250 → "1,250". */
export const count = (value: number): string => FIGURE.format(value)

/** Formats a number with what it counts: "1 location", "2,480 people". `nouns` is an irregular plural. */
export const counted = (value: number, noun: string, nouns = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : nouns}`

const GAP = '\u00a0'

/** Formats a percentage with a space that doesn't break: "12 %". */
export const percent = (value: number): string => `${count(value)}${GAP}%`

/**
 * Formats a rounded share of a whole: "12 %", or "12.0 %" with a decimal; "–" if the whole is 0.
 * A part above 0 never shows "0 %", and an incomplete one never shows "100 %".
 */
export function showRounded(share: number, part: number, whole: number, digits = 0): string {
  if (whole <= 0) return '–'
  const least = 1 / 10 ** digits
  const shown = share.toFixed(digits)
  if (Number(shown) === 0 && part > 0) return `<${GAP}${least.toFixed(digits)}${GAP}%`
  if (Number(shown) === 100 && part < whole) return `>${GAP}${(100 - least).toFixed(digits)}${GAP}%`
  return `${shown}${GAP}%`
}

/** Formats one part of a whole as a percentage; those of a breakdown add up to 100 by percentages.ts. */
export const showShare = (part: number, whole: number, digits = 0): string =>
  showRounded((100 * part) / whole, part, whole, digits)

/** Formats cents as dollars: 125000 → "$1,250.00". */
export const dollars = (cents: number): string => MONEY.format(cents / 100)

/** Formats cents as dollars without zero cents: 125000 → "$1,250". */
export const roundDollars = (cents: number): string => dollars(cents).replace(/\.00$/, '')

/** Formats a size in bytes: "812 B", "14 KB", "9.8 MB". */
export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1_048_576) return `${Math.round(bytes / 1024)} KB`
  if (bytes < 1_073_741_824) return `${(bytes / 1_048_576).toFixed(1)} MB`
  return `${(bytes / 1_073_741_824).toFixed(1)} GB`
}

const DAY: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' }
const STYLES = {
  /** "Nov 24" */
  day: { ...DAY },
  /** "Nov 24, 2026" */
  'day and year': { ...DAY, year: 'numeric' },
  /** "Tuesday, November 24, 2026" */
  'day in full': { dateStyle: 'full' },
  /** "Tue" */
  weekday: { weekday: 'short' },
  /** "Nov 24, 3:05 PM" */
  short: { ...DAY, hour: 'numeric', minute: '2-digit' },
  /** "Tuesday, November 24, 2026 at 3:05:07 PM EST" */
  full: { dateStyle: 'full', timeStyle: 'long' },
  /** "3:05 PM" */
  clock: { hour: 'numeric', minute: '2-digit' },
  /** "3:05:07 PM EST" */
  'clock with zone': { timeStyle: 'long' },
  /** "Nov 24, 2026, 3:05:07 PM EST" */
  'short with zone': { dateStyle: 'medium', timeStyle: 'long' },
  /** "3:05:07 PM" */
  time: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>
export type DateStyle = keyof typeof STYLES

// Creating a formatter takes a hundred times as long as using it, and each row of a list uses several.
const made = new Map<string, Intl.DateTimeFormat>()

/** Formats a time (ms or Date) in a time zone, by default the machine's. */
export function showTime(at: number | Date, style: DateStyle, timeZone?: string): string {
  const key = `${style} ${timeZone}`
  let known = made.get(key)
  if (!known) {
    known = new Intl.DateTimeFormat('en-US', {
      ...STYLES[style],
      ...(timeZone ? { timeZone } : {}),
    })
    made.set(key, known)
  }
  return known.format(at)
}

const civil = new Map<string, Intl.DateTimeFormat>()
/** Returns the civil date of a time in a zone, "2026-11-24"; by its parts, as a locale’s order changes with ICU. */
export function civilDay(at: number | Date, timeZone: string): string {
  let known = civil.get(timeZone)
  if (!known) {
    known = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    civil.set(timeZone, known)
  }
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of known.formatToParts(at)) parts[type] = value
  return `${parts.year}-${parts.month}-${parts.day}`
}

const noon = (civil: string) => new Date(`${civil.slice(0, 10)}T12:00:00Z`)

/** Formats a civil date, by default as "Nov 24". */
export const showDay = (civil: string, style: DateStyle = 'day'): string => showTime(noon(civil), style, 'UTC')

/** Formats a civil date for lists: "Nov 24", with the year if it isn't this one; "–" without a date. */
export function shortDate(civil: string | null | undefined): string {
  if (!civil) return '–'
  const date = noon(civil)
  if (Number.isNaN(date.getTime())) return civil
  const other = date.getUTCFullYear() !== new Date().getUTCFullYear()
  return showTime(date, other ? 'day and year' : 'day', 'UTC')
}

/** Formats a civil date in full: "Tuesday, November 24, 2026". */
export const longDate = (civil: string | null | undefined): string => (civil ? showDay(civil, 'day in full') : 'no date')

/** True if this is a known IANA time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
