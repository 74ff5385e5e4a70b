import type { ColumnKind } from '../contract/column.ts'
import { FIELDS } from '../contract/fields.ts'
import { civilDay, count, dollars, percent, shortDate, showTime } from '../contract/format.ts'
import { readMoment } from '../contract/moments.ts'

type Values = Readonly<Record<string, unknown>>

/** Characters that could move a terminal's cursor or change its reading direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g

/** A record's text on one line, without control characters. */
export const plain = (text: string): string => text.replace(CONTROLS, ' ').trim()

/** A heading for a field: "client_name" → "Client name". */
export const headingOf = (name: string): string => {
  const words = name
    .replace(/_cents$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .replace(/\bid\b/, 'ID')
    .replace(/\b(dt|at)$/, '')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** The kind of a field's values, from the dictionary of fields. */
export function kindOf(name: string): ColumnKind | 'percent' | undefined {
  const word = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
  if (word?.unit === 'cents of a dollar') return 'money'
  if (word?.unit === 'per cent') return 'percent'
  return /(^|_)ids?$/.test(name) ? 'code' : undefined
}

/** A value for people, with numbers, money and dates formatted as in the workspace. */
export function shown(name: string, value: unknown, kind: ColumnKind | 'percent' | undefined = kindOf(name)): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') {
    if (kind === 'money') return dollars(value)
    if (kind === 'percent') return percent(value).replace('\u00a0', ' ')
    return kind === 'code' || !Number.isFinite(value) ? String(value) : count(value)
  }
  if (typeof value === 'string') {
    const moment = readMoment(value)
    if (moment !== null) return momentOf(moment, kind === 'day')
    return DAY.test(value) ? shortDate(value) : plain(value)
  }
  if (Array.isArray(value)) return inShort(value)
  const { name: called, email, id } = value as Values
  const named = called ?? email
  return typeof named === 'string' ? plain(named) : id === undefined ? `${count(Object.keys(value).length)} fields` : String(id)
}

/** "Nov 24, 3:05 PM" in this machine's time zone, with the year if it isn't the current one; or only the day. */
function momentOf(at: number, day: boolean): string {
  const date = shortDate(civilDay(at, Intl.DateTimeFormat().resolvedOptions().timeZone))
  return day ? date : `${date}, ${showTime(at, 'clock')}`
}

function inShort(list: readonly unknown[]): string {
  if (!list.length) return 'none'
  const named = list.map((one) => (typeof one === 'object' && one ? (one as Values).name : one))
  const isPlain = named.every((one) => typeof one === 'string' || typeof one === 'number')
  return isPlain && named.length <= 5 ? named.map((one) => plain(String(one))).join(', ') : `${count(list.length)} in all`
}
