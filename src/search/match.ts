/* Matches one token against one word. Fuzzy matching uses the dictionary; names are only touched through words. */

/**
 * How a name matches a token, best last; a name's closeness is the sum over the tokens.
 * `initials`: at its start, or prefixes run together. `acronym`: initials of words within.
 */
export const LEVEL = { letters: 0, editStart: 1, editWhole: 2, inside: 3, acronym: 4, initials: 5, start: 6, whole: 7 } as const

/** A word's fuzzy level, or -1: one edit, dropped vowels, or dropped letters after the first. */
export function fuzzyLevel(token: ArrayLike<number>, word: ArrayLike<number>, from: number, to: number): number {
  const edit = token.length >= 3 ? editLevel(token, word, from, to) : -1
  if (edit === LEVEL.editWhole) return edit
  const skeleton = skeletonLevel(token, word, from, to)
  const best = Math.max(edit, skeleton)
  if (best >= 0) return best
  return token.length >= 3 && token.length * 2 >= to - from && isSubsequence(token, word, from, to) ? LEVEL.letters : -1
}

/**
 * A letter wrong, missing, extra or swapped: `editWhole` for the whole word, `editStart` for its start, else -1.
 * Three-letter tokens must keep their first letter, as an edit there could mean anything.
 */
export function editLevel(token: ArrayLike<number>, word: ArrayLike<number>, from: number, to: number): number {
  const m = token.length
  const n = to - from
  let i = 0
  while (i < m && i < n && token[i] === word[from + i]) i++
  if (i === m) return -1
  if (m === 3 && i === 0) return -1
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
export function skeletonLevel(token: ArrayLike<number>, word: ArrayLike<number>, from: number, to: number): number {
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

/** True if the token's letters occur in order in the word, both starting with the same letter. */
export function isSubsequence(token: ArrayLike<number>, word: ArrayLike<number>, from: number, to: number): boolean {
  if (token[0] !== word[from]) return false
  let i = 1
  for (let at = from + 1; at < to && i < token.length; at++) if (token[i] === word[at]) i++
  return i === token.length
}

/** True if a token may match inside words: short Latin ones are inside nearly everything. */
export const looksInside = (token: ArrayLike<number>): boolean => token.length >= 3 || token[0]! >= 128

/** The token's offset in a word after its first letter, or -1. */
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
export const MASH = { shortest: 2, longest: 60 } as const

/** The fewest and most letters for initials within a name: two are in nearly every name. */
export const ACRONYM = { shortest: 3, longest: 12 } as const
