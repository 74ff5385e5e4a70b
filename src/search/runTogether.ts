import { addBoth, adding, type Bits, has, type Steps } from './bits.ts'
import { SMALL_WORDS, unitsOf } from './fold.ts'
import { INITIALS_DEPTH } from './initials.ts'
import { initialsAround, initialsRange, wordId, wordRange } from './lookup.ts'
import type { Spelled } from './spelling.ts'
import { hasDigit, RUN_TOGETHER, SKIPPED } from './tokenMatch.ts'
import type { PackedIndex } from './types.ts'

/** Adds names whose initials begin with the token, with or without small words: "boa", "ba" for Bank of America. */
export function* addInitials(p: PackedIndex, units: Uint16Array, into: Bits): Steps<void> {
  const range = initialsRange(p, units)
  if (range === null) return
  if (hasDigit(units)) {
    const letters = units.findIndex((unit) => unit < 97)
    const alike = letters < 2 ? null : initialsRange(p, units.subarray(0, letters))
    if (alike !== null) yield* addChecked(p.initialsRank, alike, into, (rank) => spellsInitials(p, rank, units))
  }
  if (units.length <= INITIALS_DEPTH) yield* adding(into, p.initialsRank, range[0], range[1])
  else yield* addChecked(p.initialsRank, range, into, (rank) => holdsInitials(p, rank, units, false))
}

/** Adds names in which adjacent words have these initials: "asp" for Acme Awareness Study Panel. */
export function* addAcronyms(p: PackedIndex, units: Uint16Array, range: [number, number], into: Bits): Steps<void> {
  if (units.length === 3) yield* adding(into, p.acronymRank, range[0], range[1])
  else yield* addChecked(p.acronymRank, range, into, (rank) => holdsInitials(p, rank, units, true))
}

/** Adds names whose initials are the token's with one word left out: "qmcs" for Quokka Mobile Games Churn Study. */
export function* addInitialsSkipping(p: PackedIndex, units: Uint16Array, into: Bits): Steps<void> {
  for (const range of initialsAround(p, units)) {
    if (units.length < INITIALS_DEPTH) yield* adding(into, p.initialsRank, range[0], range[1])
    else yield* addChecked(p.initialsRank, range, into, (rank) => holdsInitialsSkipping(p, rank, units))
  }
}

/** Adds names whose first initials begin the token, and a later word of which begins with its rest: "btsback". */
export function* addInitialsAhead(p: PackedIndex, units: Uint16Array, into: Bits): Steps<void> {
  const most = Math.min(INITIALS_DEPTH, units.length - SKIPPED.tail)
  for (let count = 2; count <= most; count++) {
    const tail = wordRange(p, units, count, units.length)
    if (tail[0] === tail[1]) continue
    const range = initialsRange(p, units.subarray(0, count))
    if (range !== null) yield* addChecked(p.initialsRank, range, into, (rank) => isAhead(p, rank, count, tail))
  }
}

/** True if a name's first initials begin the token, and a later word begins with its rest. */
export function holdsInitialsAhead(p: PackedIndex, rank: number, units: Uint16Array): boolean {
  for (let count = 2; count < Math.min(INITIALS_DEPTH, units.length); count++) {
    if (!holdsInitials(p, rank, units.subarray(0, count), false)) return false
    if (isAhead(p, rank, count, wordRange(p, units, count, units.length))) return true
  }
  return false
}

function isAhead(p: PackedIndex, rank: number, count: number, [from, to]: [number, number]): boolean {
  for (let i = p.wordsAt[rank]! + count; i < p.wordsAt[rank + 1]!; i++) {
    const word = p.words[i]!
    if (word >= from && word < to) return true
  }
  return false
}

function holdsInitialsSkipping(p: PackedIndex, rank: number, units: Uint16Array): boolean {
  for (let gap = 1; gap < INITIALS_DEPTH; gap++)
    if (skipsAt(p, rank, units, gap, false) || skipsAt(p, rank, units, gap, true)) return true
  return false
}

function skipsAt(p: PackedIndex, rank: number, units: Uint16Array, gap: number, brief: boolean): boolean {
  const isSmall = smallOf(p)
  let at = 0
  let seen = 0
  for (let i = p.wordsAt[rank]!; i < p.wordsAt[rank + 1]! && at < units.length; i++) {
    const word = p.words[i]!
    if (brief && isSmall[word] === 1) continue
    if (seen++ === gap) continue
    if (p.wordText[p.wordAt[word]!] !== units[at]) return false
    at++
  }
  return at === units.length && seen > gap
}

/** Adds names that contain these words in a row. */
export function* addSpelled(
  p: PackedIndex,
  { words, begins }: Spelled,
  into: Bits,
  blank: () => Bits,
  release: (bits: Bits) => void,
): Steps<void> {
  if (begins) {
    yield* addNumbered(p, words, into, blank, release)
    return
  }
  const ids = words.map((word) => wordId(p, unitsOf(word)))
  if (ids.some((id) => id < 0)) return
  if (ids.length === 1) {
    yield* adding(into, p.post, p.postAt[ids[0]!]!, p.postAt[ids[0]! + 1]!)
    return
  }
  const count = (id: number): number => p.postAt[id + 1]! - p.postAt[id]!
  const [rarest, next] = ids.toSorted((a, b) => count(a) - count(b)) as [number, number]
  const beside = blank()
  yield* adding(beside, p.post, p.postAt[next]!, p.postAt[next + 1]!)
  const range: [number, number] = [p.postAt[rarest]!, p.postAt[rarest + 1]!]
  yield* addChecked(p.post, range, into, (rank) => has(beside, rank) && holdsInTurn(p, rank, ids))
  release(beside)
}

/** Adds names with the last word, perhaps continued by digits, after the one before it if there are two. */
function* addNumbered(
  p: PackedIndex,
  words: readonly string[],
  into: Bits,
  blank: () => Bits,
  release: (bits: Bits) => void,
): Steps<void> {
  const numbered = numberedFrom(p, words.at(-1)!)
  if (numbered.size === 0) return
  if (words.length === 1) {
    for (const word of numbered) yield* adding(into, p.post, p.postAt[word]!, p.postAt[word + 1]!)
    return
  }
  const first = wordId(p, unitsOf(words[0]!))
  if (first < 0) return
  const beside = blank()
  for (const word of numbered) yield* adding(beside, p.post, p.postAt[word]!, p.postAt[word + 1]!)
  yield* addChecked(p.post, [p.postAt[first]!, p.postAt[first + 1]!], into, (rank) => {
    if (!has(beside, rank)) return false
    for (let i = p.wordsAt[rank]!; i + 1 < p.wordsAt[rank + 1]!; i++)
      if (p.words[i] === first && numbered.has(p.words[i + 1]!)) return true
    return false
  })
  release(beside)
}

/** Returns the words that are this text, or continue it with digits only. */
function numberedFrom(p: PackedIndex, text: string): Set<number> {
  const from = wordRange(p, unitsOf(text))[0]
  const to = wordRange(p, unitsOf(`${text}9`))[1]
  const out = new Set<number>()
  for (let word = from; word < to; word++) {
    let digits = true
    for (let i = p.wordAt[word]! + text.length; i < p.wordAt[word + 1]! && digits; i++)
      digits = p.wordText[i]! >= 48 && p.wordText[i]! <= 57
    if (digits) out.add(word)
  }
  return out
}

function holdsInTurn(p: PackedIndex, rank: number, ids: readonly number[]): boolean {
  const last = p.wordsAt[rank + 1]! - ids.length
  for (let from = p.wordsAt[rank]!; from <= last; from++) {
    let i = 0
    while (i < ids.length && p.words[from + i] === ids[i]) i++
    if (i === ids.length) return true
  }
  return false
}

/** How many names to check between two looks at the clock. */
const CHECKED = 512
/** How many words of 32 names, of sets that hold few of them. */
const SIFTED = 64

function* addChecked(ranks: Uint32Array, [from, to]: [number, number], into: Bits, fits: (rank: number) => boolean): Steps<void> {
  for (let at = from; at < to; at += CHECKED) {
    for (let i = at; i < Math.min(to, at + CHECKED); i++) {
      const rank = ranks[i]!
      if (!has(into, rank) && fits(rank)) into[rank >>> 5]! |= 1 << (rank & 31)
    }
    yield
  }
}

/** True if a name's initials begin with the units, or contain them `within`; small words count or are left out. */
export function holdsInitials(p: PackedIndex, rank: number, units: Uint16Array, within: boolean): boolean {
  const isSmall = smallOf(p)
  if (initialsHold(p, rank, units, within, null)) return true
  for (let i = p.wordsAt[rank]!; i < p.wordsAt[rank + 1]!; i++)
    if (isSmall[p.words[i]!] === 1) return initialsHold(p, rank, units, within, isSmall)
  return false
}

/** True if a name's initials begin with the units, while words with digits may be complete: "pd2025". */
function spellsInitials(p: PackedIndex, rank: number, units: Uint16Array): boolean {
  return (
    spells(p, p.wordsAt[rank]!, p.wordsAt[rank + 1]!, units, 0, null) ||
    spells(p, p.wordsAt[rank]!, p.wordsAt[rank + 1]!, units, 0, smallOf(p))
  )
}

function spells(p: PackedIndex, first: number, to: number, units: Uint16Array, at: number, omitted: Uint8Array | null): boolean {
  if (at === units.length) return true
  if (first === to) return false
  const { wordText } = p
  const word = p.words[first]!
  if (omitted !== null && omitted[word] === 1) return spells(p, first + 1, to, units, at, omitted)
  const from = p.wordAt[word]!
  const end = p.wordAt[word + 1]!
  let same = 0
  let digits = false
  for (let i = from; i < end && !digits; i++) digits = wordText[i]! >= 48 && wordText[i]! <= 57
  if (digits) {
    while (from + same < end && at + same < units.length && wordText[from + same] === units[at + same]) same++
    if (same > 0 && (from + same === end || at + same === units.length))
      if (spells(p, first + 1, to, units, at + same, omitted)) return true
  }
  return wordText[from]! >= 97 && wordText[from] === units[at] && spells(p, first + 1, to, units, at + 1, omitted)
}

/** `omitted` has the small words that are left out; null leaves none out. */
function initialsHold(p: PackedIndex, rank: number, units: Uint16Array, within: boolean, omitted: Uint8Array | null): boolean {
  const { words, wordAt, wordText } = p
  const to = p.wordsAt[rank + 1]!
  for (let start = p.wordsAt[rank]!; start < to; start++) {
    if (omitted !== null && omitted[words[start]!] === 1) continue
    let at = 0
    for (let i = start; i < to && at < units.length; i++) {
      const word = words[i]!
      if (omitted !== null && omitted[word] === 1) continue
      if (wordText[wordAt[word]!] !== units[at]) break
      at++
    }
    if (at === units.length) return true
    if (!within) return false
  }
  return false
}

const small = new WeakMap<PackedIndex, Uint8Array>()

/** Returns 1 for each word of the dictionary that is a small one. */
function smallOf(p: PackedIndex): Uint8Array {
  let known = small.get(p)
  if (known === undefined) {
    known = new Uint8Array(p.wordMask.length)
    for (const text of SMALL_WORDS) {
      const word = wordId(p, unitsOf(text))
      if (word >= 0) known[word] = 1
    }
    small.set(p, known)
  }
  return known
}

/**
 * Adds names in which the token is adjacent words' prefixes run together: "acmsumtra" for Acme Summer Tracker.
 * A piece is three letters or more, a whole word, or the last one.
 * With words left out in between, two letters are enough from the second piece on.
 * The dictionary tells where pieces can end, so only names with a first piece and one that follows it are checked.
 * `blank` returns an empty set, `free` takes it back.
 */
export function* addRunTogether(
  p: PackedIndex,
  units: Uint16Array,
  into: Bits,
  blank: () => Bits,
  release: (bits: Bits) => void,
  skipping = false,
): Steps<void> {
  const length = units.length
  if (length < (skipping ? SKIPPED.runTogether : 3) || length > (skipping ? SKIPPED.longest : RUN_TOGETHER.longest)) return
  const ends = firstEnds(p, units, skipping ? 2 : 3)
  const least = skipping ? leastFirst(units) : 3
  const [firsts, seconds, hopeful] = [blank(), blank(), blank()]
  for (let end = 1; end < length; end++) {
    if (ends[end] === 0 || !isPiece(p, units, 0, end, least)) continue
    const [from, to] = wordRange(p, units, 0, end)
    firsts.fill(0)
    yield* adding(firsts, p.post, p.postAt[from]!, p.postAt[end < least ? from + 1 : to]!)
    seconds.fill(0)
    for (const [low, high] of piecesAt(p, units, end, ends, skipping ? 2 : 3))
      yield* adding(seconds, p.post, p.postAt[low]!, p.postAt[high]!)
    addBoth(hopeful, firsts, seconds)
    yield
  }
  for (let at = 0; at < into.length; at += SIFTED) {
    addRunTogetherAt(p, units, hopeful, into, at, Math.min(into.length, at + SIFTED), skipping)
    yield
  }
  for (const bits of [firsts, seconds, hopeful]) release(bits)
}

/** Returns the ranges of words that have the piece from `start` on: a whole short word, or the start of any. */
function piecesAt(p: PackedIndex, units: Uint16Array, start: number, ends: Uint8Array, least: number): [number, number][] {
  const out: [number, number][] = []
  for (let end = start + 1; end <= units.length; end++) {
    const [from, to] = wordRange(p, units, start, end)
    if (from === to) break
    if (end < units.length && ends[end] === 0) continue
    if (end - start >= least || end === units.length) return [...out, [from, to]]
    if (isPiece(p, units, start, end, least)) out.push([from, from + 1])
  }
  return out
}

/** Adds the hopeful names that hold the token in pieces, for the words [from, to) of the sets. */
function addRunTogetherAt(
  p: PackedIndex,
  units: Uint16Array,
  hopeful: Bits,
  into: Bits,
  from: number,
  to: number,
  skipping: boolean,
): void {
  for (let i = from; i < to; i++)
    for (let rest = hopeful[i]! & ~into[i]!; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest
      if (isRunTogether(p, i * 32 + 31 - Math.clz32(bit), units, skipping)) into[i]! |= bit
    }
}

/** For each token position, returns the nearest piece end after which the rest can be split; 0 if there is none. */
function firstEnds(p: PackedIndex, units: Uint16Array, least: number): Uint8Array {
  const length = units.length
  const ends = new Uint8Array(length + 1)
  for (let start = length - 1; start >= 1; start--)
    for (let end = start + 1; end <= length; end++) {
      const [from, to] = wordRange(p, units, start, end)
      if (from === to) break
      if ((end === length || ends[end] !== 0) && isPiece(p, units, start, end, least)) {
        ends[start] = end
        break
      }
    }
  return ends
}

/** True if a word begins with `units[start..end)`; a few letters that aren't the last must be the whole word. */
function isPiece(p: PackedIndex, units: Uint16Array, start: number, end: number, least: number): boolean {
  const [from, to] = wordRange(p, units, start, end)
  return from < to && (end - start >= least || end === units.length || p.wordAt[from + 1]! - p.wordAt[from]! === end - start)
}

/** True if the token is beginnings of a name's words run together, with words left out. */
export function holdsRunTogether(p: PackedIndex, rank: number, units: Uint16Array): boolean {
  if (units.length < SKIPPED.runTogether || units.length > SKIPPED.longest) return false
  const to = p.wordsAt[rank + 1]!
  for (let i = p.wordsAt[rank]!; i + 1 < to; i++) if (piecesAround(p, i, to, units)) return true
  return false
}

/** True if words of a name contain the token in pieces; checks a position once. */
function isRunTogether(p: PackedIndex, rank: number, units: Uint16Array, skipping: boolean): boolean {
  const to = p.wordsAt[rank + 1]!
  const fits = skipping ? piecesAround : units.length <= SKIPPED.longest ? piecesFrom : longPiecesFrom
  for (let i = p.wordsAt[rank]!; i + 1 < to; i++)
    if (p.wordText[p.wordAt[p.words[i]!]!] === units[0] && fits(p, i, to, units)) return true
  return false
}

/** True if words from `first` on have the token in pieces; the positions where pieces end are bits. */
function piecesFrom({ words, wordAt, wordText }: PackedIndex, first: number, to: number, units: Uint16Array): boolean {
  const length = units.length
  let ends = 1
  for (let i = first; i < to && ends !== 0; i++) {
    const from = wordAt[words[i]!]!
    const size = wordAt[words[i]! + 1]! - from
    let next = 0
    for (let rest = ends; rest !== 0; rest &= rest - 1) {
      const at = 31 - Math.clz32(rest & -rest)
      let same = 0
      while (same < size && at + same < length && wordText[from + same] === units[at + same]) same++
      if (same > 0 && at > 0 && at + same === length) return true
      for (let piece = 3; piece <= same; piece++) next |= 1 << (at + piece)
      if (same === size) next |= 1 << (at + size)
    }
    ends = next
  }
  return false
}

/** Token positions where the pieces so far can end, for the current word and the next. */
let here = new Uint8Array(RUN_TOGETHER.longest + 1)
let ahead = new Uint8Array(RUN_TOGETHER.longest + 1)

/** Like `piecesFrom`, for a token with more letters than an integer has bits. */
function longPiecesFrom(p: PackedIndex, first: number, to: number, units: Uint16Array): boolean {
  here.fill(0, 0, units.length + 1)
  here[0] = 1
  for (let i = first, some = true; i < to && some; i++) {
    some = false
    ahead.fill(0, 0, units.length + 1)
    const from = p.wordAt[p.words[i]!]!
    const size = p.wordAt[p.words[i]! + 1]! - from
    for (let at = 0; at < units.length; at++) {
      if (here[at] === 0 || p.wordText[from] !== units[at]) continue
      let length = 0
      while (length < size && at + length < units.length && p.wordText[from + length] === units[at + length]) length++
      if (at + length === units.length && length > 0 && at > 0) return true
      for (let piece = 1; piece <= length; piece++) {
        if (piece < 3 && piece < size) continue
        ahead[at + piece] = 1
        some = true
      }
    }
    const swap = here
    here = ahead
    ahead = swap
  }
  return false
}

/** Returns the fewest letters of a first piece with words left out after it; two of a long token are enough. */
const leastFirst = (units: Uint16Array): number => (units.length >= SKIPPED.long ? 2 : 3)

/** Like `piecesFrom`, with words left out between two pieces; the positions where pieces end are bits. */
function piecesAround(p: PackedIndex, first: number, to: number, units: Uint16Array): boolean {
  const { words, wordAt, wordText } = p
  const length = units.length
  const least = leastFirst(units)
  let ends = 1
  for (let i = first; i < to; i++) {
    const from = wordAt[words[i]!]!
    const size = wordAt[words[i]! + 1]! - from
    // The first piece must be of the first word.
    let next = ends & ~1
    for (let rest = ends; rest !== 0; rest &= rest - 1) {
      const at = 31 - Math.clz32(rest & -rest)
      if (wordText[from] !== units[at]) continue
      let same = 1
      while (same < size && at + same < length && wordText[from + same] === units[at + same]) same++
      if (at > 0 && at + same === length) return true
      for (let piece = 1; piece <= same; piece++) if (piece === size || piece >= (at === 0 ? least : 2)) next |= 1 << (at + piece)
    }
    if (next === 0) return false
    ends = next
  }
  return false
}
