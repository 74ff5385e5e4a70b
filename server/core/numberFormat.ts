/** How a number of a spreadsheet is shown: as it is, as a moment, or as digits with zeros in front. */
export type Format =
  | 'plain'
  | { is: 'moment'; day: boolean; time: boolean; length: boolean; utc: boolean; has1904: boolean }
  /** Its signs; an empty one is a digit. */
  | { is: 'digits'; mask: readonly string[] }

const DAY_MS = 86_400_000
/** Day 0 of a spreadsheet; Excel counts a 29 February 1900, so days before it are one later. */
const EPOCH = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** The last day before the year 2200. */
const LAST = 109_571

/** TABLE  the formats of the standard that need no code of their own, by number. */
const BUILT_IN: Readonly<Record<number, string>> = {
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
}
/** Formats of East Asian programs: days, except for a few of times. */
const isEastern = (id: number) => (id >= 27 && id <= 36) || (id >= 50 && id <= 58)
const EASTERN_TIMES = [32, 33, 34, 35]

/** The format of a cell by its number and code. */
export function cellFormat(id: number, own: string | undefined, has1904: boolean): Format {
  const code = own ?? BUILT_IN[id] ?? (isEastern(id) ? (EASTERN_TIMES.includes(id) ? 'h:mm' : 'yyyy/m/d') : '')
  // Only the format of positive numbers counts, without texts, colors and locales.
  const [first = ''] = code.split(';')
  const bare = first.replace(/"[^"]*"|\\.|_.|\*./g, '')
  const length = /\[(h+|m+|s+)\]/i.test(bare)
  const letters = bare.replace(/\[[^[\]]*\]/g, (bracket) => (/^\[[hms]+\]$/i.test(bracket) ? bracket : ''))
  // A few programs write it in their own language.
  if (/general|standard/i.test(letters)) return 'plain'
  const time = /[hs]/i.test(letters)
  const day = /[yd]/i.test(letters) || (/m/i.test(letters) && !time)
  if (time || day) return { is: 'moment', day, time, length, utc: first.includes('UTC'), has1904 }
  const mask = maskOf(first)
  return mask ? { is: 'digits', mask } : 'plain'
}

/** The signs of a format of digits alone, 00000 or 000\-00\-0000, without colors and locales; null for any other. */
function maskOf(code: string): string[] | null {
  const mask: string[] = []
  for (const [whole, quoted, escaped, sign] of code.matchAll(/"([^"]*)"|\\(.)|\[[^[\]]*\]|[_*].|([\s\S])/gu)) {
    if (sign === undefined) mask.push(...(quoted ?? escaped ?? ''))
    else if (whole === '0') mask.push('')
    else if (/[-() +:]/.test(whole)) mask.push(whole)
    else return null
  }
  return mask.filter((sign) => !sign).length > 1 ? mask : null
}

/** Digits in a format's mask, from the right; the first place takes all that are left. */
function masked(digits: string, mask: readonly string[]): string {
  const first = mask.indexOf('')
  let left = digits
  let shown = ''
  for (const [at, sign] of [...mask.entries()].reverse()) {
    const taken = sign || (at === first ? left || '0' : left.slice(-1) || '0')
    if (!sign) left = at === first ? '' : left.slice(0, -1)
    shown = taken + shown
  }
  return shown
}

const two = (number: number) => String(number).padStart(2, '0')

/** A number of a sheet as people see it: 42.36 where it stores 42.360000000000003, 2026-03-01 where it stores 46082. */
export function shownAs(value: string, format: Format): string {
  const number = Number(value)
  if (value === '' || !Number.isFinite(number)) return value
  const plain = String(Number(number.toPrecision(15)))
  if (format === 'plain') return plain
  if (format.is === 'digits') return /^\d+$/.test(plain) ? masked(plain, format.mask) : plain
  if (number < 0 || number > LAST) return plain
  const seconds = Math.round(number * 86_400)
  if (format.length || (!format.day && number < 1))
    return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  const early = !format.has1904 && number < 61 ? 1 : 0
  const ms = (format.has1904 ? EPOCH_1904 : EPOCH) + early * DAY_MS + seconds * 1000
  const moment = new Date(ms).toISOString()
  // A time of midnight is only told if the format has one.
  if (!format.time && seconds % 86_400 === 0) return moment.slice(0, 10)
  return format.utc ? `${moment.slice(0, 19)}Z` : `${moment.slice(0, 10)} ${moment.slice(11, 19)}`
}
