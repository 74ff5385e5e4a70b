import { count, dollars } from './format.ts'

/** An amount as it was read: its cents, or null with the likely amount, if there is one. */
export type Amount = { cents: number } | { cents: null; likely: number | null }

/** The most dollars of an amount: eight digits. */
const MOST_DIGITS = 8
const PLAIN = /^-?(?:\d{1,8}|\d{1,3}(?:,\d{3}){1,2})(?:\.\d{0,2})?$|^\.\d{1,2}$/
/** An amount of more digits than are read. */
const LARGE = /^\$?\s*(?:\d{9,}|\d{1,3}(?:,\d{3}){3,})(?:\.\d{0,2})?$/
/** True for dollars beyond any limit. */
export const isLarge = (input: unknown): boolean => LARGE.test(String(input).trim())
/** Two decimals behind a comma, with points or blanks between groups of three. */
const COMMA = /^(\d{1,8}|\d{1,3}(?:[.\s\u00a0\u202f']\d{3}){1,2}),(\d{1,2})$/
/** Groups of three as elsewhere: 1.250 is no amount here, but 1 250.50 is told apart. */
const GROUPS = /^\d{1,3}(?:[\s\u00a0\u202f']\d{3}){1,2}(?:\.\d{1,2})?$/
const SCIENTIFIC = /^\d{1,3}(?:\.\d{1,2})?e\+?\d$/i
/** Thousands or millions by a letter, which only the palette takes: 5k, 1.234k, 2,5 k. */
const SCALED = /^(\d{1,5})(?:[.,](\d{1,5}))?\s?([km])$/i
/** A cell of a column with decimal commas: 12,50 and 1.250,50, and whole ones beside them. */
const DECIMAL_COMMA = /^-?(?:\d{1,8}|\d{1,3}(?:[.\s\u00a0\u202f']\d{3}){1,2})(?:,\d{1,2})?$/

/**
 * Reads dollars as people and programs write them: 5, "5", "$1,250.50".
 * A comma is taken between groups of three only, and at most two decimals; nothing else becomes an amount.
 * A negative one is read, for its guard to refuse.
 */
export function readAmount(input: unknown): Amount {
  const text = typeof input === 'number' ? String(input) : typeof input === 'string' ? input.trim().replace(/^\$\s*/, '') : ''
  if (PLAIN.test(text)) return { cents: centsOf(text.replace('-', '').replaceAll(',', '')) * (text.startsWith('-') ? -1 : 1) }
  const likely = guess(text)
  return { cents: null, likely: likely !== null && likely > 0 ? likely : null }
}

/** The sentence about an amount that wasn't read, with the one that was probably meant. */
export const amountFault = (wrong: string, amount: Amount): string =>
  amount.cents !== null || amount.likely === null
    ? wrong
    : `${wrong}. Write ${dollars(amount.likely).slice(1)} if you mean ${dollars(amount.likely)}`

/** The sentences about an amount that is missing, isn't one, or isn't above 0. */
export interface AmountWords {
  readonly blank: string
  readonly unread: string
  readonly wrong: string
}
/** Reads dollars above 0 and up to `mostCents`; anything else has its sentence. */
export function readDollars(
  input: unknown,
  { blank, unread, wrong }: AmountWords,
  mostCents = 1_000_000_000,
): { cents: number } | { fault: string } {
  if (String(input).trim() === '') return { fault: blank }
  const amount = readAmount(input)
  const large = `must be at most ${dollars(mostCents)}`
  if (amount.cents === null) return { fault: isLarge(input) ? large : amountFault(unread, amount) }
  if (amount.cents <= 0) return { fault: wrong }
  return amount.cents > mostCents ? { fault: large } : { cents: amount.cents }
}

/** Cents of plain digits with at most two decimals, without arithmetic on fractions. */
function centsOf(plain: string): number {
  const [whole = '', decimals = ''] = plain.split('.')
  return Number(whole || '0') * 100 + Number(decimals.padEnd(2, '0'))
}

/** A dollar amount of a file whose decimal sign is the comma, as readAmount takes it; null for any other text. */
export function plainOfComma(cell: string): string | null {
  const text = cell.trim().replace(/^\$\s*/, '')
  return DECIMAL_COMMA.test(text) ? pointed(text) : null
}

/** A number with a decimal comma as one with a point, without its groups. */
const pointed = (number: string): string => number.replace(/[^\d,-]/g, '').replace(',', '.')

const SCALES = { k: 1000, m: 1_000_000 } as const

function guess(text: string): number | null {
  const [, thousands, rest = '', letter] = SCALED.exec(text) ?? []
  if (thousands !== undefined) {
    const cents = Math.round(Number(`${thousands}.${rest || 0}`) * SCALES[letter!.toLowerCase() as 'k' | 'm'] * 100)
    return cents < 10 ** (MOST_DIGITS + 2) ? cents : null
  }
  const [, whole, decimals] = COMMA.exec(text) ?? []
  if (whole !== undefined) return centsOf(`${whole.replace(/\D/g, '')}.${decimals}`)
  if (GROUPS.test(text)) return centsOf(text.replace(/[^\d.]/g, ''))
  if (SCIENTIFIC.test(text)) {
    const cents = Math.round(Number(text) * 100)
    return cents < 10 ** (MOST_DIGITS + 2) ? cents : null
  }
  return /^\d{1,8}\.\d{3,}$/.test(text) ? Math.round(Number(text) * 100) : null
}

const WHOLE = /^[+-]?\d{1,15}$|^\d{1,3}(?:,\d{3})+$/
/** Groups of three that aren't divided by commas, or an exponent. */
const OTHER_WHOLE = /^\d{1,3}(?:[.\s\u00a0\u202f']\d{3}){1,3}$/
/** The whole number that a text probably means though it isn't written as one, 1 200 or 5k; null if there is none. */
export function likelyWhole(input: unknown): number | null {
  const text = typeof input === 'string' ? input.trim() : ''
  const likely = OTHER_WHOLE.test(text)
    ? Number(text.replace(/\D/g, ''))
    : SCIENTIFIC.test(text) || SCALED.test(text)
      ? (guess(text) ?? 0) / 100
      : 0
  return Number.isInteger(likely) && likely > 0 ? likely : null
}
/** The sentence about a text that isn't a whole number, with the one that was probably meant. */
export function wholeFault(wrong: string, input: unknown): string {
  const likely = likelyWhole(input)
  const means = likely === null || count(likely) === String(likely) ? '' : ` if you mean ${count(likely)}`
  return likely === null ? wrong : `${wrong}. Write ${likely}${means}`
}
/** Reads a plain number, "-71.06"; anything else stays as it is, for a schema to refuse. */
export const readDecimal = (input: unknown): unknown =>
  typeof input === 'string' && /^[+-]?\d{1,15}(?:\.\d{1,20})?$/.test(input.trim()) ? Number(input.trim()) : input
/** A number, or one as text in plain digits; NaN for anything else, as JavaScript reads "0x2A" and "1e2" too. */
export function numberOf(input: unknown): number {
  const read = readDecimal(input)
  return typeof read === 'number' ? read : Number.NaN
}
/** Reads the digits of a whole number, "1,200", with −0 as 0; anything else stays as it is, for a schema to refuse. */
export function readWhole(input: unknown): unknown {
  const read = typeof input === 'string' && WHOLE.test(input.trim()) ? Number(input.trim().replaceAll(',', '')) : input
  return read === 0 ? 0 : read
}
