import { dollars } from './format.ts'

/** An amount as it was read: its cents, or null with the likely amount, if there is one. */
export type Amount = { cents: number } | { cents: null; likely: number | null }

/** The most dollars of an amount: eight digits. */
const MOST_DIGITS = 8
const PLAIN = /^-?(?:\d{1,8}|\d{1,3}(?:,\d{3}){1,2})(?:\.\d{0,2})?$|^\.\d{1,2}$/
/** Two decimals behind a comma, with points or blanks between groups of three. */
const COMMA = /^(\d{1,8}|\d{1,3}(?:[.\s\u00a0\u202f']\d{3}){1,2}),(\d{1,2})$/
/** Groups of three as elsewhere: 1.250 is no amount here, but 1 250.50 is told apart. */
const GROUPS = /^\d{1,3}(?:[\s\u00a0\u202f']\d{3}){1,2}(?:\.\d{1,2})?$/
const SCIENTIFIC = /^\d{1,3}(?:\.\d{1,2})?e\+?\d$/i

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
  if (amount.cents === null) return { fault: amountFault(unread, amount) }
  if (amount.cents <= 0) return { fault: wrong }
  return amount.cents > mostCents ? { fault: `must be at most ${dollars(mostCents)}` } : { cents: amount.cents }
}

/** Cents of plain digits with at most two decimals, without arithmetic on fractions. */
function centsOf(plain: string): number {
  const [whole = '', decimals = ''] = plain.split('.')
  return Number(whole || '0') * 100 + Number(decimals.padEnd(2, '0'))
}

function guess(text: string): number | null {
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
/** Reads the digits of a whole number, "1,200"; anything else stays as it is, for a schema to refuse. */
export const readWhole = (input: unknown): unknown =>
  typeof input === 'string' && WHOLE.test(input.trim()) ? Number(input.trim().replaceAll(',', '')) : input
