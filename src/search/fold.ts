import { foldSign } from '../../contract/fold.ts'

/* Folding removes case, diacritics and punctuation. Names, queries and the highlighter must agree letter by letter. */

const WORDY = /[\p{L}\p{N}]/u

/** 0 separates words, 1 is ignored (an apostrophe), anything else is the folded unit. */
export const ASCII = new Uint8Array(128)
for (let c = 0; c < 128; c++) {
  const lower = c >= 65 && c <= 90 ? c + 32 : c
  if ((lower >= 97 && lower <= 122) || (lower >= 48 && lower <= 57)) ASCII[c] = lower
  else if (c === 39 || c === 96) ASCII[c] = 1
}

const seen = new Map<number, string>()
const MOST_SEEN = 20_000

/** Folds a character to its letters: `''` if ignored, `' '` if it separates words. */
export function foldCharacter(point: number): string {
  if (point < 128) {
    const unit = ASCII[point]!
    return unit === 0 ? ' ' : unit === 1 ? '' : String.fromCharCode(unit)
  }
  const known = seen.get(point)
  if (known !== undefined) return known
  let out = ''
  for (const part of foldSign(String.fromCodePoint(point))) {
    if (part === "'") continue
    out += WORDY.test(part) ? part : ' '
  }
  if (seen.size >= MOST_SEEN) seen.clear()
  seen.set(point, out)
  return out
}

const PICTURE = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u
/** Below this code point the only pictures are ©, ®, ‼ and ⁉, which occur next to letters in names. */
const FIRST_PICTURE = 0x2190
const pictures = new Map<number, boolean>()

/**
 * True if a separator is a picture: an emoji, half a flag, a family member. Each is a word of its own.
 * Pictures sort after words of letters, so a name still begins with its first letters.
 */
export function isPicture(point: number): boolean {
  if (point < FIRST_PICTURE) return false
  let known = pictures.get(point)
  if (known === undefined) {
    known = foldCharacter(point) === ' ' && PICTURE.test(String.fromCodePoint(point))
    pictures.set(point, known)
  }
  return known
}

/** Returns a text's folded words, then its pictures: `"🚀 O'Brien & Söhne"` is `['obrien', 'sohne', '🚀']`. */
export function foldWords(text: string): string[] {
  let folded = ''
  let behind = ''
  for (const character of text) {
    const point = character.codePointAt(0)!
    const unit = foldCharacter(point)
    folded += unit
    if (unit === ' ' && isPicture(point)) behind += ` ${character}`
  }
  return (folded + behind).split(' ').filter((word) => word !== '')
}

/** Reduces a code to its folded letters and digits: `P-4812` is `p4812`. */
export const squeeze = (text: string): string => foldWords(text).join('')

/** Returns the letters in a word as bits: one for each of a…z, digits in pairs, one for all others. */
export function maskOf(units: ArrayLike<number>, from: number, to: number): number {
  let mask = 0
  for (let i = from; i < to; i++) mask |= 1 << bitOf(units[i]!)
  return mask
}

function bitOf(unit: number): number {
  if (unit >= 97 && unit <= 122) return unit - 97
  if (unit >= 48 && unit <= 57) return 26 + ((unit - 48) >> 1)
  return 31
}

/** Returns a folded text as UTF-16 units. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length)
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i)
  return units
}

/** Returns an initial in six bits; 0 if it isn't a Latin letter or digit. */
export function initialOf(unit: number): number {
  if (unit >= 97 && unit <= 122) return unit - 96
  if (unit >= 48 && unit <= 57) return unit - 21
  return 0
}

/** The number of keys of three initials. */
export const ACRONYMS = 37 ** 3

/** Returns the key of three consecutive initials. */
export const acronymKey = (a: number, b: number, c: number): number => (a * 37 + b) * 37 + c

/** Small words that people leave out of initials. */
export const SMALL_WORDS: ReadonlySet<string> = new Set([
  'a',
  'an',
  'and',
  'at',
  'by',
  'de',
  'for',
  'in',
  'la',
  'of',
  'on',
  'or',
  'the',
  'to',
  'und',
  'y',
])
