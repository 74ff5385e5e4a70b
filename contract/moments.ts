/*
 * The only readers of days and moments from outside: of programs, files, forms and links (docs/decisions/strangers.md).
 * `Date.parse` guesses: it reads 30 February as 2 March, and "10/12/2025" by month first.
 */

/** The years that days and moments may have. */
export const YEARS = { first: 1900, last: 2199 } as const

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const hasDay = (year: number, month: number, day: number): boolean => {
  if (year < YEARS.first || year > YEARS.last || month < 1 || month > 12 || day < 1) return false
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (month === 2 && leap ? 29 : LENGTHS[month - 1]!)
}
const two = (text: string) => text.padStart(2, '0')

/** Returns a day of these parts as YYYY-MM-DD; null unless the calendar has it, between 1900 and 2199. */
export const dayOf = (year: string, month: string, day: string): string | null =>
  hasDay(Number(year), Number(month), Number(day)) ? `${year}-${two(month)}-${two(day)}` : null

/** True for a day as YYYY-MM-DD that the calendar has. */
export function isDay(text: string): boolean {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  return parts !== null && dayOf(parts[1]!, parts[2]!, parts[3]!) !== null
}

const MIDNIGHT = /^(\d{4}-\d\d-\d\d)[T ]00:00(?::00(?:\.0{1,9})?)? ?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?$/i
/**
 * Reads YYYY-MM-DD, MM/DD/YYYY, or a day with its midnight as older clients send it; null for anything else.
 * Another time of day would be lost, or mean another day in another zone, so it is not a day.
 */
export function readDay(text: string): string | null {
  const american = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text)
  if (american) return dayOf(american[3]!, american[1]!, american[2]!)
  const day = MIDNIGHT.exec(text)?.[1] ?? text
  return isDay(day) ? day : null
}

const MOMENT =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)? ?(?:(Z)|([+-])(0\d|1[0-4]):?([0-5]\d))?)?$/i

/** What a moment may leave out. */
export interface MomentMay {
  /** The zone of a time without an offset; by default it needs one. */
  zone?: 'UTC'
  /** True if a day alone is a moment: its midnight in UTC. */
  day?: boolean
}

/** Reads a moment, such as 2026-03-01T14:05:00Z or 2026-03-01 14:05+02:00; in ms since 1970, or null. */
export function readMoment(text: string, may: MomentMay = {}): number | null {
  const parts = MOMENT.exec(text)
  if (!parts) return null
  const [, year, month, day, hour, minute, second = '0', fraction = '', utc, sign, hours, minutes] = parts
  if (!hasDay(Number(year), Number(month), Number(day))) return null
  if (hour === undefined) return may.day ? Date.UTC(Number(year), Number(month) - 1, Number(day)) : null
  if (!utc && !sign && may.zone !== 'UTC') return null
  const ahead = sign ? (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1) : 0
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'))
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second), ms) - ahead
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** Reads the date of an HTTP header, "Sun, 06 Nov 1994 08:49:37 GMT"; in ms since 1970, or null. */
export function readHttpDate(text: string): number | null {
  const parts = /^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) GMT$/.exec(text)
  const month = parts ? MONTHS.indexOf(parts[2]!) + 1 : 0
  return parts && month ? readMoment(`${parts[3]}-${two(String(month))}-${parts[1]}T${parts[4]}Z`) : null
}
