/* Matches one token against one word. Fuzzy matching uses the dictionary and reaches names only through words. */

/**
 * How a name matches a token, best last; a name's closeness is the sum over the tokens.
 * `near`: another spelling of the whole word. `detail`: a word of the second line.
 * `initials`: at its start, or run together.
 * `acronym`: initials of words within. `skipped`: initials or beginnings run together with words left out.
 */
export const LEVEL = {
  letters: 0,
  editStart: 1,
  editWhole: 2,
  skipped: 3,
  inside: 4,
  acronym: 5,
  initials: 6,
  detail: 7,
  start: 8,
  near: 9,
  whole: 10,
} as const

/** Shorter tokens never match by a typo: nearly every word is one letter away from some other. */
const SHORTEST_EDIT = 4
/** From this length on a typo may change two letters, and three in even longer words. */
const TWO_EDITS = 8
const THREE_EDITS = 12

/** Returns a word's fuzzy level or -1: a typo, dropped vowels, dropped letters after the first. Never for digits. */
export function fuzzyLevel(token: ArrayLike<number>, word: ArrayLike<number>, from: number, to: number, beside: boolean): number {
  if (token.length < SHORTEST_EDIT) return -1
  if (token.length === SHORTEST_EDIT) {
    if (isSlip(token, word, from, to)) return LEVEL.editWhole
    // Other words narrow what a short one can mean.
    if (!beside || token[0] !== word[from]) return -1
    const near = editLevel(token, word, from, to) === LEVEL.editWhole || skeletonLevel(token, word, from, to) === LEVEL.editWhole
    return near ? LEVEL.editWhole : -1
  }
  const edit = editLevel(token, word, from, to)
  if (edit === LEVEL.editWhole) return edit
  const skeleton = skeletonLevel(token, word, from, to)
  const best = Math.max(edit, skeleton)
  if (best >= 0) return best
  return token.length * 2 >= to - from && isSubsequence(token, word, from, to) ? LEVEL.letters : -1
}

/** In four letters, only swapped middle letters are a typo, and a whole word without its vowels. */
function isSlip(token: ArrayLike<number>, word: ArrayLike<number>, from: number, to: number): boolean {
  if (token[0] !== word[from]) return false
  const [b, c, d] = [token[1]!, token[2]!, token[3]!]
  if (to - from === 4) {
    const [x, y, z] = [word[from + 1], word[from + 2], word[from + 3]]
    if (b === y && c === x && d === z) return true
  }
  return !isVowel(b) && !isVowel(c) && !isVowel(d) && skeletonLevel(token, word, from, to) === LEVEL.editWhole
}

/** True if the token has a digit: a number, a wave or a code, which never matches another one. */
export function hasDigit(token: ArrayLike<number>): boolean {
  for (let i = 0; i < token.length; i++) if (token[i]! >= 48 && token[i]! <= 57) return true
  return false
}

/** A wrong, missing, extra or swapped letter: `editWhole` for the whole word, `editStart` for its start, else -1. */
function editLevel(token: ArrayLike<number>, word: ArrayLike<number>, from: number, to: number): number {
  const m = token.length
  const n = to - from
  let i = 0
  while (i < m && i < n && token[i] === word[from + i]) i++
  if (i === m) return -1
  if (i === n) return m === n + 1 ? LEVEL.editWhole : -1
  const at = from + i
  let best = restLevel(token, i + 1, word, at + 1, to)
  if (best < LEVEL.editWhole) best = Math.max(best, restLevel(token, i + 1, word, at, to))
  if (best < LEVEL.editWhole) best = Math.max(best, restLevel(token, i, word, at + 1, to))
  if (best < LEVEL.editWhole && i + 1 < m && at + 1 < to && token[i] === word[at + 1] && token[i + 1] === word[at])
    best = Math.max(best, restLevel(token, i + 2, word, at + 2, to))
  return best
}

function restLevel(token: ArrayLike<number>, i: number, word: ArrayLike<number>, at: number, to: number): number {
  const m = token.length
  if (m - i > to - at) return -1
  for (; i < m; i++, at++) if (token[i] !== word[at]) return -1
  return at === to ? LEVEL.editWhole : LEVEL.editStart
}

const isVowel = (unit: number): boolean => unit === 97 || unit === 101 || unit === 105 || unit === 111 || unit === 117

/** `trckr` for tracker: only vowels after the first letter are missing. Two letters must cover the whole word. */
function skeletonLevel(token: ArrayLike<number>, word: ArrayLike<number>, from: number, to: number): number {
  const m = token.length
  if (m < 2 || token[0] !== word[from]) return -1
  let i = 1
  let at = from + 1
  while (i < m && at < to) {
    if (token[i] === word[at]) i++
    else if (!isVowel(word[at]!)) return -1
    at++
  }
  if (i < m) return -1
  while (at < to && isVowel(word[at]!)) at++
  return at === to ? LEVEL.editWhole : m > 2 ? LEVEL.editStart : -1
}

/** How many letters a column of bits holds. */
const MOST_BITS = 31

/** Wrong, missing, extra or swapped letters: one, two in a long word, or three in a very long one. */
class Edits {
  /** The most that count as a typo. */
  readonly most: number
  private length: number
  /** For each letter, its positions in the token as bits; other letters by their units. */
  private ascii = new Int32Array(128)
  private others = new Map<number, number>()

  constructor(token: ArrayLike<number>) {
    this.length = token.length
    this.most = token.length >= THREE_EDITS ? 3 : token.length >= TWO_EDITS ? 2 : 1
    for (let i = 0; i < token.length; i++) {
      const unit = token[i]!
      if (unit < 128) this.ascii[unit]! |= 1 << i
      else this.others.set(unit, (this.others.get(unit) ?? 0) | (1 << i))
    }
  }

  /** True if the word is near: computes the edit table column by column as bits (Hyyrö 2003). */
  near(word: ArrayLike<number>, from: number, to: number): boolean {
    const { length, most, ascii, others } = this
    if (to - from < length - most || to - from > length + most) return false
    const last = 1 << (length - 1)
    let [up, down, zero, before] = [-1, 0, 0, 0]
    let distance = length
    for (let at = from; at < to; at++) {
      const unit = word[at]!
      const here = unit < 128 ? ascii[unit]! : (others.get(unit) ?? 0)
      const swapped = ((~zero & here) << 1) & before
      zero = (((here & up) + up) ^ up) | here | down | swapped
      let right = down | ~(zero | up)
      const left = zero & up
      if ((right & last) !== 0) distance++
      else if ((left & last) !== 0) distance--
      // Each further letter can reduce the distance by one at most.
      if (distance - (to - at - 1) > most) return false
      right = (right << 1) | 1
      up = (left << 1) | ~(zero | right)
      down = right & zero
      before = here
    }
    return distance <= most
  }
}

const known = new WeakMap<ArrayLike<number>, Edits>()

/** Returns the edits of a long token; null for a short one, and for one longer than people type. */
export function editsOf(token: ArrayLike<number>): Edits | null {
  if (token.length < TWO_EDITS || token.length > MOST_BITS) return null
  const found = known.get(token) ?? new Edits(token)
  known.set(token, found)
  return found
}

/** True if the token is a few typos away from a beginning of the word, as while somebody types it with a slip. */
export function slipsToward(token: ArrayLike<number>, word: ArrayLike<number>): boolean {
  const { length } = token
  // Past the end of a word, something else is typed.
  if (length === 0 || length > Math.min(word.length, MOST_BITS) || token[0] !== word[0]) return false
  const edits = editsOf(token) ?? new Edits(token)
  const longest = Math.min(word.length, length + edits.most)
  for (let end = length - edits.most; end <= longest; end++) if (edits.near(word, 0, end)) return true
  return false
}

/** True if the token's letters occur in order in the word, and both start with the same letter. */
function isSubsequence(token: ArrayLike<number>, word: ArrayLike<number>, from: number, to: number): boolean {
  if (token[0] !== word[from]) return false
  let i = 1
  for (let at = from + 1; at < to && i < token.length; at++) if (token[i] === word[at]) i++
  return i === token.length
}

/** True if a token may match inside words; short Latin ones are inside nearly everything. */
export const looksInside = (token: ArrayLike<number>): boolean => token.length >= 3 || token[0]! >= 128

/** Returns the token's offset in a word after its first letter, or -1. */
export function insideAt(token: ArrayLike<number>, word: ArrayLike<number>, from: number, to: number): number {
  const last = to - token.length
  for (let at = from + 1; at <= last; at++) {
    let i = 0
    while (i < token.length && token[i] === word[at + i]) i++
    if (i === token.length) return at
  }
  return -1
}

/** The shortest and longest token tried as initials or as prefixes run together. */
export const RUN_TOGETHER = { shortest: 2, longest: 60 } as const

/** The fewest letters of initials or beginnings with words left out, of what follows initials, and of a long token. */
export const SKIPPED = { initials: 4, runTogether: 5, tail: 3, long: 8, longest: 30 } as const

/** The fewest and most letters of initials within a name; two are in nearly every name. */
export const ACRONYM = { shortest: 3, longest: 12 } as const
