import { addAll, type Bits, has } from './bits.ts'
import { INITIALS_DEPTH } from './build.ts'
import { SMALL_WORDS } from './fold.ts'
import { initialsRange, wordRange } from './lookup.ts'
import { MASH } from './match.ts'
import type { PackedIndex } from './types.ts'

/** Adds the names whose initials begin with the token, small words counted or left out: "boa" and "ba" for Bank of America. */
export function addInitials(p: PackedIndex, units: Uint16Array, into: Bits): void {
  const range = initialsRange(p, units)
  if (range === null) return
  if (units.length <= INITIALS_DEPTH) {
    addAll(into, p.initialsRank, range[0], range[1])
    return
  }
  for (let i = range[0]; i < range[1]; i++) {
    const rank = p.initialsRank[i]!
    if (isInitials(p, rank, units)) into[rank >>> 5]! |= 1 << (rank & 31)
  }
}

function isInitials(p: PackedIndex, rank: number, units: Uint16Array): boolean {
  return [false, true].some((brief) => {
    let at = 0
    for (let i = p.wordsAt[rank]!; i < p.wordsAt[rank + 1]! && at < units.length; i++) {
      const from = p.wordAt[p.words[i]!]!
      const to = p.wordAt[p.words[i]! + 1]!
      if (brief && to - from <= 3 && SMALL_WORDS.has(String.fromCharCode(...p.wordText.subarray(from, to)))) continue
      if (p.wordText[from] !== units[at++]) return false
    }
    return at === units.length
  })
}

/** A walk over the names that may be mashes of a token, in steps. */
export type MashWalk = { word: number; lastWord: number; next: number; seconds: Bits; hopeful: (word: number) => boolean }

/**
 * Begins to look for names in which the token is the beginnings of words side by side, run together: "acmsumtra" for Acme Summer Tracker.
 * A piece has two letters or more, is a word of one letter, or is the last. The dictionary says where pieces can end; only names that hold a first piece, and
 * somewhere a second one, are looked at. Null when there can't be any.
 */
export function mashWalk(p: PackedIndex, units: Uint16Array, blank: () => Bits): MashWalk | null {
  const length = units.length
  if (length < 3 || length > MASH.longest) return null
  const ends = firstEnds(p, units)
  const feasible = new Uint8Array(length)
  let most = 0
  for (let end = 1; end < length; end++) {
    if (ends[end] === 0 || !isPiece(p, units, 0, end)) continue
    feasible[end] = 1
    most = end
  }
  if (most === 0) return null
  const seconds = blank()
  for (let end = 1; end <= most; end++) {
    if (feasible[end] === 0) continue
    const [from, to] = wordRange(p, units, end, ends[end]!)
    addAll(seconds, p.post, p.postAt[from]!, p.postAt[to]!)
  }
  const hopeful = (word: number): boolean => {
    const wordEnd = p.wordAt[word + 1]!
    for (let i = p.wordAt[word]! + 1, end = 1; end <= most; i++, end++) {
      if (feasible[end] === 1 && (end > 1 || i === wordEnd)) return true
      if (i === wordEnd || p.wordText[i] !== units[end]) return false
    }
    return false
  }
  const [word, lastWord] = wordRange(p, units, 0, 1)
  return { word, lastWord, next: p.postAt[word]!, seconds, hopeful }
}

/** Names looked at in one step, about half a millisecond of work. */
const STEP = 4000

/** Goes a step further, adding what it finds; true at the end. */
export function walkOn(p: PackedIndex, units: Uint16Array, walk: MashWalk, into: Bits): boolean {
  let left = STEP
  for (; walk.word < walk.lastWord; walk.next = p.postAt[++walk.word]!) {
    if (!walk.hopeful(walk.word)) continue
    const to = p.postAt[walk.word + 1]!
    let i = walk.next
    for (; i < to && left > 0; i++) {
      const rank = p.post[i]!
      if (!has(walk.seconds, rank)) continue
      left--
      if (!has(into, rank) && isMashed(p, rank, walk.word, units)) into[rank >>> 5]! |= 1 << (rank & 31)
    }
    walk.next = i
    if (left === 0) return false
  }
  return true
}

/** For each place in the token, the nearest end of a piece from which the rest can be cut up as well; 0 when there is none. */
function firstEnds(p: PackedIndex, units: Uint16Array): Uint8Array {
  const length = units.length
  const ends = new Uint8Array(length + 1)
  for (let start = length - 1; start >= 1; start--)
    for (let end = start + 1; end <= length; end++) {
      if (end < length && ends[end] === 0) continue
      if (isPiece(p, units, start, end)) {
        ends[start] = end
        break
      }
      if (end > start + 1) break
    }
  return ends
}

/** Whether `units[start..end)` can be a piece of a mash: some word begins with it, or is it where it is one letter and not the last. */
function isPiece(p: PackedIndex, units: Uint16Array, start: number, end: number): boolean {
  const [from, to] = wordRange(p, units, start, end)
  return from < to && (end - start > 1 || end === units.length || p.wordAt[from + 1]! - p.wordAt[from]! === 1)
}

function isMashed(p: PackedIndex, rank: number, first: number, units: Uint16Array): boolean {
  const to = p.wordsAt[rank + 1]!
  for (let i = p.wordsAt[rank]!; i + 1 < to; i++) if (p.words[i] === first && pieces(p, i, to, units, 0)) return true
  return false
}

function pieces(p: PackedIndex, i: number, to: number, units: Uint16Array, at: number): boolean {
  if (i === to) return false
  let from = p.wordAt[p.words[i]!]!
  const end = p.wordAt[p.words[i]! + 1]!
  let length = 0
  while (from < end && at + length < units.length && p.wordText[from] === units[at + length]) {
    from++
    length++
  }
  if (at + length === units.length && length > 0 && at > 0) return true
  for (; length >= 2; length--) if (pieces(p, i + 1, to, units, at + length)) return true
  return length === 1 && end - p.wordAt[p.words[i]!]! === 1 && pieces(p, i + 1, to, units, at + 1)
}
