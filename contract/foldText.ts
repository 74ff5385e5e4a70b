/*
 * Two foldings of strangers' text, for everything that is compared.
 * `nameKey` says whether two texts are one to a person: names, email addresses, answers, ids.
 * `foldText` is what lists and the palette search and sort by: it drops accents too, one character at a time.
 */

/** Letters that no normalization takes apart, and signs that people type in several ways. */
const SIMPLER: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŋ: 'n',
  ŧ: 't',
  ة: 'ه',
  ى: 'ي',
  ـ: '',
}
/** Quotation marks and hyphens that look like those of a keyboard. */
const SIGNS: Readonly<Record<string, string>> = {
  '’': "'",
  '‘': "'",
  ʼ: "'",
  '′': "'",
  '“': '"',
  '”': '"',
  '‐': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '−': '-',
}
/** The zeros of other scripts' digits. */
const ZEROS = [0x660, 0x6f0, 0x966]

/** Characters that show nothing, or turn the direction of what is behind them. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb]/u
const UNSEEN_ALL = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb]/gu
/** True for text with characters that show nothing, or turn the direction of what is behind them. */
export const hasUnseen = (text: string): boolean => UNSEEN.test(text)
/** Something to see: no format sign, blank, or letter drawn as nothing. */
const SEEN = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\s\u2800]/u
/** True for a text of which nothing is seen, which is blank everywhere. */
export const showsNothing = (text: string): boolean => !SEEN.test(text)
const BLANK = /[\s\p{Cc}\u2800]/u
const BLANKS = /[\s\p{Cc}\u2800]+/gu
const SIGNS_ALL = /[’‘ʼ′“”‐‒–—−]/gu
const MARK = /\p{M}/u
const PLAIN = /^[!-~]*(?: [!-~]+)*$/

/** By way of upper case, as ς and σ, ı and i, ß and ẞ differ in lower case only; a character at a time, for Σ. */
const caseless = (text: string): string => {
  let folded = ''
  for (const sign of text) for (const upper of sign.toLowerCase().toUpperCase()) folded += upper.toLowerCase()
  return folded
}

/**
 * A text as a person tells it from another: without what isn't seen, in no case, with single blanks.
 * The same for every spelling that Unicode calls compatible, and for quotation marks and hyphens that look alike.
 */
export function nameKey(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  const seen = text.replace(UNSEEN_ALL, '').replace(SIGNS_ALL, (sign) => SIGNS[sign]!)
  const folded = caseless(seen.normalize('NFKC')).normalize('NFKC').replace(UNSEEN_ALL, '')
  return folded
    .replace(SIGNS_ALL, (sign) => SIGNS[sign]!)
    .replace(BLANKS, ' ')
    .trim()
}

/** Folded characters; not all of Unicode, which a stranger may send. */
const folds = new Map<string, string>()
const MOST_FOLDS = 20_000
/** Folds one character as `foldText` does. */
export function foldSign(sign: string): string {
  const known = folds.get(sign)
  if (known !== undefined) return known
  const folded = SIGNS[sign] ?? [...sign.normalize('NFKD')].map(simplest).join('')
  if (folds.size >= MOST_FOLDS) folds.clear()
  folds.set(sign, folded)
  return folded
}

/** One part of a decomposed character: caseless, without an accent, in our letters and digits. */
function simplest(part: string): string {
  if (MARK.test(part) || UNSEEN.test(part)) return ''
  if (BLANK.test(part)) return part < '\u0080' ? part : ' '
  const lower = [...caseless(part).normalize('NFKD')].filter((sign) => !MARK.test(sign)).join('')
  const simpler = SIMPLER[lower] ?? SIGNS[lower]
  if (simpler !== undefined) return simpler
  const point = lower.codePointAt(0)!
  for (const zero of ZEROS) if (point >= zero && point < zero + 10) return String(point - zero)
  // Katakana are read as hiragana.
  return point >= 0x30a1 && point <= 0x30f6 ? String.fromCodePoint(point - 0x60) : lower
}

const ASCII = /^[\0-\x7f]*$/
const NOT_ASCII = /[^\0-\x7f]/gu
/** A text as lists and the palette search and sort it; the database's `fold_text` is the same function. */
export function foldText(text: string): string {
  const lower = text.toLowerCase()
  return ASCII.test(lower) ? lower : lower.replace(NOT_ASCII, foldSign)
}

/** The words of a search, folded. */
export const foldedWords = (search: string): string[] => foldText(search).split(/\s+/).filter(Boolean)
/** True if a text contains every word of a search, in any order. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const folded = words.length ? foldText(text) : ''
  return words.every((word) => folded.includes(word))
}

/** Compares two texts in the order of every list: by their folds, letter by letter, then as they are written. */
export function compareText(one: string, other: string): number {
  return comparePoints(foldText(one), foldText(other)) || comparePoints(one, other)
}

/** Compares by code point, as databases do; `<` would compare halves of a pair. */
function comparePoints(one: string, other: string): number {
  if (one === other) return 0
  const [a, b] = [[...one], [...other]]
  const at = a.findIndex((sign, at) => sign !== b[at])
  if (at < 0) return -1
  return b[at] === undefined ? 1 : a[at]!.codePointAt(0)! - b[at].codePointAt(0)!
}

/** A phone number's digits, without the country code of a US number ("+1 503 555 9807"). */
export const phoneDigits = (typed: string): string => typed.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')

/** The most digits of a phone number of any country, which begins with a plus. */
const MOST_WITH_PLUS = 15
/** What a field takes of a phone number while it is typed: ten digits, or all of one that begins with a plus. */
export function typedPhone(typed: string): string {
  const digits = phoneDigits(typed)
  if (!typed.trim().startsWith('+') || digits !== typed.replace(/\D/g, '')) return digits.slice(0, 10)
  return `+${digits.slice(0, MOST_WITH_PLUS)}`
}
