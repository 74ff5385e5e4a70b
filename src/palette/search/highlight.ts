import { foldCharacter, SMALL_WORDS } from './fold.ts'
import type { Token } from './lookup.ts'
import { ACRONYM, fuzzyLevel, insideAt, LEVEL, looksInside, MASH } from './match.ts'
import type { Range } from './types.ts'

/** A name folded with a way back: unit i of the words came from `name.slice(start[i], end[i])`. */
type Mapped = { units: number[]; start: number[]; end: number[]; words: [from: number, to: number][] }

const MARK = /^\p{M}$/u

/** The stretches of a name that a query's tokens matched, in order and apart from each other. */
export function rangesOf(name: string, tokens: readonly Token[]): Range[] {
  const mapped = mapName(name)
  const marked: Range[] = []
  for (const token of tokens)
    for (const [from, to] of matchOf(mapped, token)) marked.push([mapped.start[from]!, mapped.end[to - 1]!])
  marked.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const out: Range[] = []
  for (const [from, to] of marked) {
    const last = out[out.length - 1]
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else out.push([from, to])
  }
  return out
}

function mapName(name: string): Mapped {
  const mapped: Mapped = { units: [], start: [], end: [], words: [] }
  let from = 0
  const close = (): void => {
    if (mapped.units.length > from) mapped.words.push([from, mapped.units.length])
    from = mapped.units.length
  }
  let at = 0
  for (const character of name) {
    const folded = foldCharacter(character.codePointAt(0)!)
    const next = at + character.length
    if (folded === '' && mapped.units.length > from && mapped.end[mapped.end.length - 1] === at && MARK.test(character))
      mapped.end[mapped.end.length - 1] = next
    for (let i = 0; i < folded.length; i++) {
      const unit = folded.charCodeAt(i)
      if (unit === 32) close()
      else {
        mapped.units.push(unit)
        mapped.start.push(at)
        mapped.end.push(next)
      }
    }
    at = next
  }
  close()
  return mapped
}

/** Runs of units that the token matched, by the best level there is. */
function matchOf(mapped: Mapped, { units: token }: Token): Range[] {
  const { units, words } = mapped
  let start: Range | null = null
  let inside: Range | null = null
  let fuzzy: [level: number, from: number, to: number] | null = null
  for (const [from, to] of words) {
    if (startsAt(units, from, to, token)) {
      const range: Range = [from, from + token.length]
      if (to - from === token.length) return [range]
      start ??= range
    }
    if (start !== null) continue
    const at = looksInside(token) ? insideAt(token, units, from, to) : -1
    if (at >= 0) inside ??= [at, at + token.length]
    const level = fuzzyLevel(token, units, from, to)
    if (level >= LEVEL.letters && (fuzzy === null || level > fuzzy[0])) fuzzy = [level, from, to]
  }
  if (start !== null) return [start]
  const run = initials(mapped, token) ?? mashed(mapped, token) ?? acronym(mapped, token)
  if (run !== null) return run
  if (inside !== null) return [inside]
  return fuzzy === null ? [] : common(units, fuzzy[1], fuzzy[2], token)
}

function startsAt(units: readonly number[], from: number, to: number, token: Uint16Array): boolean {
  if (to - from < token.length) return false
  for (let i = 0; i < token.length; i++) if (units[from + i] !== token[i]) return false
  return true
}

function initials({ units, words }: Mapped, token: Uint16Array): Range[] | null {
  if (token.length < 2) return null
  const brief = words.filter(([from, to]) => !SMALL_WORDS.has(String.fromCharCode(...units.slice(from, to))))
  for (const some of [words, brief])
    if (some.length >= token.length && token.every((unit, i) => units[some[i]![0]] === unit))
      return some.slice(0, token.length).map(([from]) => [from, from + 1])
  return null
}

function acronym({ units, words }: Mapped, token: Uint16Array): Range[] | null {
  if (token.length < ACRONYM.shortest || token.length > ACRONYM.longest) return null
  const brief = words.filter(([from, to]) => !SMALL_WORDS.has(String.fromCharCode(...units.slice(from, to))))
  for (const some of [words, brief])
    for (let first = 1; first + token.length <= some.length; first++)
      if (token.every((unit, i) => units[some[first + i]![0]] === unit))
        return some.slice(first, first + token.length).map(([from]) => [from, from + 1])
  return null
}

function mashed(mapped: Mapped, token: Uint16Array): Range[] | null {
  if (token.length < 3 || token.length > MASH.longest) return null
  const vain = new Set<number>()
  for (let i = 0; i + 1 < mapped.words.length; i++) {
    const found = pieces(mapped, i, token, 0, vain)
    if (found !== null) return found
  }
  return null
}

/** What was tried in vain from a word and a place in the token is not tried again: the ways through are many, the places few. */
function pieces(mapped: Mapped, i: number, token: Uint16Array, at: number, vain: Set<number>): Range[] | null {
  const word = mapped.words[i]
  if (word === undefined || vain.has(i * 64 + at)) return null
  const [from, to] = word
  let length = 0
  while (from + length < to && at + length < token.length && mapped.units[from + length] === token[at + length]) length++
  if (at > 0 && length > 0 && at + length === token.length) return [[from, from + length]]
  for (; length >= 1; length--) {
    if (length === 1 && to - from > 1) break
    const rest = pieces(mapped, i + 1, token, at + length, vain)
    if (rest !== null) return [[from, from + length], ...rest]
  }
  vain.add(i * 64 + at)
  return null
}

/** The longest common letters of token and word, as runs of the word. */
function common(units: readonly number[], from: number, to: number, token: Uint16Array): Range[] {
  const m = token.length
  const n = to - from
  const best: number[][] = Array.from({ length: m + 1 }, () => new Array<number>(n + 1).fill(0))
  for (let i = m - 1; i >= 0; i--)
    for (let j = n - 1; j >= 0; j--)
      best[i]![j] = token[i] === units[from + j] ? best[i + 1]![j + 1]! + 1 : Math.max(best[i + 1]![j]!, best[i]![j + 1]!)
  const out: Range[] = []
  for (let i = 0, j = 0; i < m && j < n; ) {
    if (token[i] === units[from + j] && best[i]![j] === best[i + 1]![j + 1]! + 1) {
      const last = out[out.length - 1]
      if (last !== undefined && last[1] === from + j) last[1]++
      else out.push([from + j, from + j + 1])
      i++
      j++
    } else if (best[i + 1]![j]! >= best[i]![j + 1]!) i++
    else j++
  }
  return out
}
