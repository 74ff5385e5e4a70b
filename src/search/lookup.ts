import type { Steps } from './bits.ts'
import { ALPHA_DEPTH } from './build.ts'
import { acronymKey, initialOf } from './fold.ts'
import { INITIALS_DEPTH } from './initials.ts'
import type { Spelled } from './spelling.ts'
import { ACRONYM, editsOf, fuzzyLevel, insideAt, RUN_TOGETHER, SKIPPED } from './tokenMatch.ts'
import type { PackedIndex } from './types.ts'

/** A folded word of a query. */
export type Token = {
  text: string
  /** Distinguishes tokens of the same text. */
  key: string
  units: Uint16Array
  mask: number
  /** A live name has a word that begins with it, or is one typo away, so it isn't split into several. */
  known: boolean
  /** Other spellings, made of words that some name has. */
  spellings: readonly Spelled[]
  /** It is an email address or its beginning, and is only looked up among those. */
  contact: boolean
  /** The query has other words, so it may be the word of a kind. */
  beside: boolean
  /** It has a digit, so it never matches another number. */
  fixed: boolean
}

/** Returns the words [from, to) of the dictionary that begin with `units[at..end)`; the first may equal it. */
export function wordRange(p: PackedIndex, units: ArrayLike<number>, at = 0, end = units.length): [from: number, to: number] {
  const from = firstWord(p, units, at, end, false, 0)
  const isNone = from < p.wordMask.length && !before(p, from, units, at, end, true)
  return [from, isNone ? from : firstWord(p, units, at, end, true, from)]
}

/** Returns the first word from `from` on that isn't before the units, or before all that begin with them if `past`. */
function firstWord(p: PackedIndex, units: ArrayLike<number>, at: number, end: number, past: boolean, from: number): number {
  let low = from
  let high = p.wordMask.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (before(p, middle, units, at, end, past)) low = middle + 1
    else high = middle
  }
  return low
}

function before(p: PackedIndex, word: number, units: ArrayLike<number>, at: number, end: number, past: boolean): boolean {
  let i = p.wordAt[word]!
  const to = p.wordAt[word + 1]!
  for (; at < end; at++, i++) {
    if (i === to) return true
    const difference = p.wordText[i]! - units[at]!
    if (difference !== 0) return difference < 0
  }
  return past
}

/** Returns the number of this exact word; -1 if no name has it. */
export function wordId(p: PackedIndex, units: ArrayLike<number>): number {
  const { length } = units
  const word = firstWord(p, units, 0, length, false, 0)
  if (word === p.wordMask.length || p.wordAt[word + 1]! - p.wordAt[word]! !== length) return -1
  return before(p, word, units, 0, length, true) ? word : -1
}

/** Dictionary words per step. */
const WORDS = 2048

/** Returns words that contain the token, but not at their start. */
export function* wordsInside(p: PackedIndex, token: Token): Steps<number[]> {
  const out: number[] = []
  for (let at = 0; at < p.wordMask.length; at += WORDS) {
    inside(p, token, at, Math.min(p.wordMask.length, at + WORDS), out)
    yield
  }
  return out
}

function inside({ wordMask, wordAt, wordText }: PackedIndex, { mask, units }: Token, low: number, high: number, out: number[]) {
  for (let word = low; word < high; word++)
    if ((wordMask[word]! & mask) === mask && insideAt(units, wordText, wordAt[word]!, wordAt[word + 1]!) >= 0) out.push(word)
}

/** Words by fuzzy level: by their letters, by a typo in the start, by a typo in the whole. */
export type FuzzyWords = [letters: number[], editStart: number[], editWhole: number[]]

/** Returns words that match the token only fuzzily. */
export function* wordsFuzzy(p: PackedIndex, token: Token): Steps<FuzzyWords> {
  const out: FuzzyWords = [[], [], []]
  for (let at = 0; at < p.wordMask.length; at += WORDS) {
    fuzzy(p, token, at, Math.min(p.wordMask.length, at + WORDS), out)
    yield
  }
  return out
}

/** True if more bits than `most` are set. */
function tooMany(bits: number, most: number): boolean {
  let left = bits
  for (let i = 0; i < most; i++) left &= left - 1
  return left !== 0
}

function fuzzy(
  { wordMask, wordAt, wordText }: PackedIndex,
  { mask, units, beside }: Token,
  low: number,
  high: number,
  out: FuzzyWords,
) {
  const edits = editsOf(units)
  const shortest = units.length - (edits?.most ?? 1)
  const longest = units.length + (edits?.most ?? 0)
  for (let word = low; word < high; word++) {
    const missing = mask & ~wordMask[word]!
    const but1 = missing & (missing - 1)
    if (but1 !== 0 && (edits === null || tooMany(but1, edits.most - 1))) continue
    const from = wordAt[word]!
    const to = wordAt[word + 1]!
    if (to - from < shortest) continue
    let level = but1 === 0 && to - from >= units.length - 1 ? fuzzyLevel(units, wordText, from, to, beside) : -1
    if (level < 0 && edits !== null && to - from <= longest && !tooMany(wordMask[word]! & ~mask, edits.most))
      if (edits.near(wordText, from, to)) level = 0
    if (level >= 0) out[level as 0 | 1 | 2].push(word)
  }
}

/** Returns words that match the token only fuzzily, without steps. */
export function fuzzyAtOnce(p: PackedIndex, token: Token): FuzzyWords {
  const out: FuzzyWords = [[], [], []]
  if (!token.fixed) fuzzy(p, token, 0, p.wordMask.length, out)
  return out
}

/**
 * Returns the range of `alpha` whose names begin with these words, the last as a prefix, or equal them if `exact`.
 * Only the first four words narrow the range: check with `beginsWith`.
 */
export function alphaRange(p: PackedIndex, sequence: readonly (readonly [number, number])[], exact: boolean): [number, number] {
  const k = sequence.length
  const depth = Math.min(k, ALPHA_DEPTH)
  const low = sequence.slice(0, depth).map(([from]) => from + 1)
  const high = [...low]
  if (k > depth) high[depth - 1]!++
  else if (!exact) high[depth - 1] = sequence[k - 1]![1] + 1
  else if (k < ALPHA_DEPTH) {
    low.push(0)
    high.push(1)
  } else high[depth - 1]!++
  return [alphaBound(p, low), alphaBound(p, high)]
}

function alphaBound(p: PackedIndex, target: readonly number[]): number {
  const { alpha, words, wordsAt } = p
  let low = 0
  let high = alpha.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const rank = alpha[middle]!
    let difference = 0
    for (let d = 0; d < target.length && difference === 0; d++) {
      const i = wordsAt[rank]! + d
      difference = (i < wordsAt[rank + 1]! ? words[i]! + 1 : 0) - target[d]!
    }
    if (difference < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** True if the name's words equal the sequence, or begin with it when not `exact`. */
export function beginsWith(
  p: PackedIndex,
  rank: number,
  sequence: readonly (readonly [number, number])[],
  exact: boolean,
): boolean {
  const from = p.wordsAt[rank]!
  const length = p.wordsAt[rank + 1]! - from
  if (length < sequence.length || (exact && length !== sequence.length)) return false
  for (let i = 0; i < sequence.length; i++) {
    const word = p.words[from + i]!
    const [low, high] = sequence[i]!
    if (exact || i < sequence.length - 1 ? word !== low : word < low || word >= high) return false
  }
  return true
}

/** Returns the range of `initials` that begins with the token's letters; null if it can't be initials. */
export function initialsRange(p: PackedIndex, units: Uint16Array): [from: number, to: number] | null {
  if (units.length < RUN_TOGETHER.shortest || units.length > 12) return null
  let key = 0
  for (let i = 0; i < INITIALS_DEPTH; i++) {
    if (i < units.length && initialOf(units[i]!) === 0) return null
    key = key * 64 + (i < units.length ? initialOf(units[i]!) : 0)
  }
  const step = 64 ** Math.max(0, INITIALS_DEPTH - units.length)
  return [bound(p.initials, key), bound(p.initials, key + step)]
}

/** Returns the ranges of `initials` that match the token with one more initial in between, among the first five. */
export function initialsAround(p: PackedIndex, units: Uint16Array): [from: number, to: number][] {
  if (units.length < SKIPPED.initials || units.length > 12 || !units.every((unit) => initialOf(unit) !== 0)) return []
  const out: [number, number][] = []
  const spare = INITIALS_DEPTH - 1
  for (let gap = 1; gap < Math.min(units.length, INITIALS_DEPTH); gap++)
    for (let any = 1; any < 38; any++) {
      let key = 0
      for (let i = 0; i < INITIALS_DEPTH; i++) {
        const at = i < gap ? i : i - 1
        key = key * 64 + (i === gap ? any : at < units.length ? initialOf(units[at]!) : 0)
      }
      const step = 64 ** Math.max(0, spare - units.length)
      const range: [number, number] = [bound(p.initials, key), bound(p.initials, key + step)]
      if (range[0] < range[1]) out.push(range)
    }
  return out
}

/** Returns the range of `acronymRank` for the token's first three letters; null if they can't be initials. */
export function acronymRange(p: PackedIndex, units: Uint16Array): [from: number, to: number] | null {
  if (units.length < ACRONYM.shortest || units.length > ACRONYM.longest || !units.every((unit) => initialOf(unit) !== 0))
    return null
  const key = acronymKey(initialOf(units[0]!), initialOf(units[1]!), initialOf(units[2]!))
  return [p.acronymAt[key]!, p.acronymAt[key + 1]!]
}

/** Returns the first index in an ascending list with at least `value`. */
function bound(list: Uint32Array, value: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the range of `byId` with exactly this id, for tokens of digits without a leading zero. */
export function idRange(p: PackedIndex, low: number, high: number): [from: number, to: number] {
  const search = (value: number): number => {
    let from = 0
    let to = p.byId.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if (p.id[p.byId[middle]!]! < value) from = middle + 1
      else to = middle
    }
    return from
  }
  return [search(low), search(high)]
}
