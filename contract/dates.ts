import { dayOf } from './moments.ts'

const DAY_MS = 86_400_000
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

/** Parses 2026-11-24, 11/24/2026, 11/24/26 or 1/2/2026 to ISO; null unless the date exists. */
export function readDate(typed: string): string | null {
  const text = typed.trim()
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})$/.exec(text)
  const [year, month, day] = iso ? [iso[1], iso[2], iso[3]] : us ? [us[3], us[1], us[2]] : []
  if (!year || !month || !day) return null
  return dayOf(year.length === 2 ? `20${year}` : year, month, day)
}

/** Formats an ISO date as MM/DD/YYYY; returns anything else unchanged. */
export function showDate(iso: string): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso)
  return parts ? `${parts[2]}/${parts[3]}/${parts[1]}` : iso
}

/** Returns the error for a text that isn't a date; `label` names the field. */
export const notADate = (typed: string, label?: string): string =>
  `${label ? `${label}: ` : ''}“${typed
    .trim()
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .slice(0, 40)}” isn’t a date. Try 11/24, fri or in 6 weeks.`

/** Returns the index of the word that starts with these letters, at least three. */
const placeOf = (word: string, list: readonly string[]) => (word.length < 3 ? -1 : list.findIndex((one) => one.startsWith(word)))
const iso = (time: number) => new Date(time).toISOString().slice(0, 10)
const at = (civil: string) => Date.parse(`${civil}T00:00:00Z`)

const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const SHORT: Readonly<Record<string, string>> = {
  eow: 'end of week',
  eom: 'end of month',
  eoq: 'end of quarter',
  eoy: 'end of year',
}

/**
 * Parses a date as people type it, to ISO or null: 11/24, nov 24, tomorrow, +7d, in two weeks, fri, next month.
 * Also "end of quarter", "end of March". A day without a year is the next one.
 */
export function readDay(typed: string, today: string): string | null {
  const text = typed.trim().toLowerCase().replace(/[,.]/g, ' ').replace(/\s+/g, ' ')
  return readDate(text) ?? near(text, today) ?? edge(text, today) ?? weekday(text, today) ?? monthDay(text, today)
}

/** Parses the start of the next week, month, quarter or year, or the end of this or the next one. */
function edge(text: string, today: string): string | null {
  const found = /^(?:(next)|(?:the )?end of(?: (?:the|this))?( next)?) ([a-z]+)$/.exec(SHORT[text] ?? text)
  if (!found) return null
  const [, starts, later, what = ''] = found
  const on = later ? 1 : 0
  const [year, month] = today.split('-').map(Number) as [number, number]
  if (what === 'week') {
    const monday = at(today) - ((new Date(at(today)).getUTCDay() + 6) % 7) * DAY_MS
    const friday = monday + (on * 7 + 4) * DAY_MS
    return iso(starts ? monday + 7 * DAY_MS : friday < at(today) ? friday + 7 * DAY_MS : friday)
  }
  const long = { month: 1, quarter: 3, year: 12 }[what]
  if (long) {
    // The first day of the following period, or of the one after.
    const first = Date.UTC(year, (Math.floor((month - 1) / long) + 1 + on) * long, 1)
    return iso(starts ? first : first - DAY_MS)
  }
  const named = starts || later ? -1 : placeOf(what, MONTHS)
  return named < 0 ? null : iso(Date.UTC(named < month - 1 ? year + 1 : year, named + 1, 0))
}

function near(text: string, today: string): string | null {
  const known: Record<string, number> = { today: 0, now: 0, tod: 0, tomorrow: 1, tmr: 1, tom: 1, yesterday: -1 }
  if (Object.hasOwn(known, text)) return iso(at(today) + known[text]! * DAY_MS)
  const figures = text.replace(/\b[a-z]+\b/g, (word) => {
    const number = word === 'a' || word === 'an' ? 1 : NUMBERS.indexOf(word)
    return number < 0 ? word : String(number)
  })
  const by =
    /^(?:(\+|-|in )\s?)?(\d{1,4}) ?(d|day|days|w|week|weeks|m|mo|month|months|y|year|years)?( ago| from now| from today)?$/.exec(
      figures,
    )
  if (!by || (!by[1] && !by[4])) return null
  const many = Number(by[2]) * (by[1] === '-' || by[4] === ' ago' ? -1 : 1)
  const unit = by[3]?.[0] ?? 'd'
  if (unit === 'm' || unit === 'y') return monthsOn(today, unit === 'y' ? many * 12 : many)
  return iso(at(today) + many * (unit === 'w' ? 7 : 1) * DAY_MS)
}

/** Returns the same day some months later, or the month's last day if it is shorter. */
function monthsOn(civil: string, months: number): string {
  const [year, month, day] = civil.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return iso(Date.UTC(year, month - 1 + months, Math.min(day, last)))
}

/** Parses weekdays: "fri" is the next Friday, never today; "next fri" is next week's, with weeks from Monday. */
function weekday(text: string, today: string): string | null {
  const found = /^(next |this )?([a-z]+)$/.exec(text)
  const day = found ? placeOf(found[2]!, DAYS) : -1
  if (!found || day < 0) return null
  const now = new Date(at(today)).getUTCDay()
  if (found[1] === 'next ') {
    const monday = at(today) - ((now + 6) % 7) * DAY_MS + 7 * DAY_MS
    return iso(monday + ((day + 6) % 7) * DAY_MS)
  }
  return iso(at(today) + (((day - now + 6) % 7) + 1) * DAY_MS)
}

/** Parses "nov 24", "24 nov" and "11/24", each also with a year. */
function monthDay(text: string, today: string): string | null {
  const words = /^([a-z]+) (\d{1,2})(?:st|nd|rd|th)?(?: (\d{4}))?$/.exec(text)
  const turned = /^(\d{1,2})(?:st|nd|rd|th)? ([a-z]+)(?: (\d{4}))?$/.exec(text)
  const short = /^(\d{1,2})\/(\d{1,2})$/.exec(text)
  const [month, day, year] = words
    ? [placeOf(words[1]!, MONTHS) + 1, words[2], words[3]]
    : turned
      ? [placeOf(turned[2]!, MONTHS) + 1, turned[1], turned[3]]
      : short
        ? [Number(short[1]), short[2], undefined]
        : [0, undefined, undefined]
  if (!month || !day) return null
  if (year) return readDate(`${year}-${month}-${day}`)
  const first = Number(today.slice(0, 4))
  // The next February 29 may be years away.
  for (let next = first; next < first + 9; next++) {
    const date = readDate(`${next}-${month}-${day}`)
    if (date && date >= today) return date
  }
  return null
}
