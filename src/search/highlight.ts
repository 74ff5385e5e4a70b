import { ASCII, foldCharacter, isPicture, SMALL_WORDS } from './fold.ts'
import type { Token } from './lookup.ts'
import { contactToken } from './secondLine.ts'
import { ACRONYM, editsOf, fuzzyLevel, insideAt, LEVEL, looksInside, RUN_TOGETHER, SKIPPED } from './tokenMatch.ts'
import type { Range } from './types.ts'

const MARK = /^\p{M}$/u

/** How many letters of a name are matched; rows never show more. */
const MOST_LETTERS = 600

/**
 * A folded name with its mapping: unit i came from `name.slice(start[i], end[i])`.
 * Reused for each row and keystroke, so that typing creates no garbage.
 */
const units = new Uint16Array(MOST_LETTERS + 32)
const start = new Uint32Array(MOST_LETTERS + 32)
const end = new Uint32Array(MOST_LETTERS + 32)
/** The positions of its pictures, which go after its words. */
const pictures = new Uint32Array(MOST_LETTERS / 2)
/** Where each of its words begins and ends in `units`. */
const wordFrom = new Uint32Array(MOST_LETTERS + 32)
const wordTo = new Uint32Array(MOST_LETTERS + 32)
let words = 0

/** Returns the ranges of a row's name, and of its second line for tokens that the name doesn't contain as typed. */
export function rangesOfRow(name: string, detail: string, tokens: readonly Token[]): [name: Range[], detail: Range[]] {
  mapName(name)
  const inName: Range[] = []
  const weak: { token: Token; ranges: Range[] }[] = []
  for (const token of tokens) {
    const literal = literalOf(token)
    if (literal !== null) inName.push(...toText(literal))
    else weak.push({ token, ranges: toText(remoteOf(token)) })
  }
  if (weak.length === 0 || detail === '') return [joined([...inName, ...weak.flatMap(({ ranges }) => ranges)]), []]
  const inDetail: Range[] = []
  mapName(detail)
  for (const { token, ranges } of weak) {
    const found = literalOf(token) ?? contactIn(token)
    if (found === null) inName.push(...ranges)
    else inDetail.push(...toText(found))
  }
  return [joined(inName), joined(inDetail)]
}

const toText = (ranges: readonly Range[]): Range[] => ranges.map(([from, to]) => [start[from]!, end[to - 1]!])

function joined(marked: Range[]): Range[] {
  marked.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const out: Range[] = []
  for (const range of marked) {
    const last = out[out.length - 1]
    if (last !== undefined && range[0] <= last[1]) last[1] = Math.max(last[1], range[1])
    else out.push(range)
  }
  return out
}

/** Returns the range of an address or phone number in the text of which a part begins with the token. */
function contactIn({ text }: Token): Range[] | null {
  const wanted = contactToken(text)
  if (wanted === null) return null
  for (let w = 0; w < words; w++) {
    const from = wordFrom[w]!
    let i = 0
    while (i < wanted.length && units[from + i] === wanted.charCodeAt(i)) i++
    if (i === wanted.length) return [[from, from + i]]
  }
  return null
}

function mapName(name: string): void {
  let size = 0
  let from = 0
  let seen = 0
  words = 0
  const close = (): void => {
    if (size > from) {
      wordFrom[words] = from
      wordTo[words++] = size
    }
    from = size
  }
  for (let at = 0, next = 0; at < name.length && size + 2 * seen < MOST_LETTERS; at = next) {
    const unit = name.charCodeAt(at)
    if (unit < 128) {
      next = at + 1
      const folded = ASCII[unit]!
      if (folded === 0) close()
      else if (folded !== 1) {
        units[size] = folded
        start[size] = at
        end[size++] = next
      }
      continue
    }
    const point = name.codePointAt(at)!
    next = at + (point > 0xffff ? 2 : 1)
    const folded = foldCharacter(point)
    // A combining mark belongs to the letter before it.
    if (folded === '' && size > from && end[size - 1] === at && MARK.test(String.fromCodePoint(point))) end[size - 1] = next
    if (folded === ' ' && isPicture(point)) pictures[seen++] = at
    for (let i = 0; i < folded.length; i++) {
      const part = folded.charCodeAt(i)
      if (part === 32) close()
      else {
        units[size] = part
        start[size] = at
        end[size++] = next
      }
    }
  }
  close()
  for (let i = 0; i < seen; i++) {
    const at = pictures[i]!
    const next = at + (name.codePointAt(at)! > 0xffff ? 2 : 1)
    for (let unit = at; unit < next; unit++) {
      units[size] = name.charCodeAt(unit)
      start[size] = at
      end[size++] = next
    }
    close()
  }
}

/** Returns the ranges where the text has the token as a word, its beginning, or another spelling; null if nowhere. */
function literalOf({ units: token, spellings }: Token): Range[] | null {
  let begins: Range | null = null
  for (let w = 0; w < words; w++) {
    if (!startsAt(wordFrom[w]!, wordTo[w]!, token)) continue
    const range: Range = [wordFrom[w]!, wordFrom[w]! + token.length]
    if (wordTo[w]! - wordFrom[w]! === token.length) return [range]
    begins ??= range
  }
  for (const { words: others, begins: open } of spellings) {
    const found = spelledAt(others, open === true)
    if (found !== null) return found
  }
  return begins === null ? null : [begins]
}

/** Returns the ranges of consecutive words. */
function spelledAt(others: readonly string[], open: boolean): Range[] | null {
  for (let w = 0; w + others.length <= words; w++) {
    let i = 0
    while (i < others.length && isWord(w + i, others[i]!, open && i === others.length - 1)) i++
    if (i === others.length) return others.map((text, at) => [wordFrom[w + at]!, wordFrom[w + at]! + text.length])
  }
  return null
}

/** True if the word is this text; with `open`, digits may follow. */
function isWord(word: number, text: string, open: boolean): boolean {
  const [from, to] = [wordFrom[word]!, wordTo[word]!]
  if (open ? to - from < text.length : to - from !== text.length) return false
  for (let i = 0; i < text.length; i++) if (units[from + i] !== text.charCodeAt(i)) return false
  for (let i = from + text.length; i < to; i++) if (units[i]! < 48 || units[i]! > 57) return false
  return true
}

/** Returns the ranges where the text matches the token less directly, at its best level. */
function remoteOf({ units: token, fixed, beside }: Token): Range[] {
  let inside: Range | null = null
  let fuzzy: [level: number, from: number, to: number] | null = null
  const edits = editsOf(token)
  for (let w = 0; w < words; w++) {
    const from = wordFrom[w]!
    const to = wordTo[w]!
    const at = looksInside(token) ? insideAt(token, units, from, to) : -1
    if (at >= 0) inside ??= [at, at + token.length]
    if (fixed) continue
    const near = fuzzyLevel(token, units, from, to, beside)
    const level = near < 0 && edits?.near(units, from, to) ? LEVEL.letters : near
    if (level >= LEVEL.letters && (fuzzy === null || level > fuzzy[0])) fuzzy = [level, from, to]
  }
  const run = initials(token) ?? runTogetherRanges(token) ?? acronym(token)
  if (run !== null) return run
  if (inside !== null) return [inside]
  const skipping = skipped(token)
  if (skipping !== null) return skipping
  return fuzzy === null ? [] : common(fuzzy[1], fuzzy[2], token)
}

/** Matches initials with one word left out, or beginnings run together with words left out. */
function skipped(token: Uint16Array): Range[] | null {
  if (token.length >= SKIPPED.initials) {
    const found = initialsWithGap(token, false) ?? initialsWithGap(token, true)
    if (found !== null) return found
  }
  if (token.length < SKIPPED.runTogether || token.length > SKIPPED.longest) return null
  const ahead = initialsAhead(token)
  if (ahead !== null) return ahead
  const deadEnds = new Set<number>()
  for (let i = 0; i + 1 < words; i++) {
    const found = piecesAround(i, token, 0, deadEnds)
    if (found !== null) return found
  }
  return null
}

/** Matches initials of the first words, and the beginning of a later one. */
function initialsAhead(token: Uint16Array): Range[] | null {
  for (let count = 2; count <= token.length - SKIPPED.tail && count < words; count++) {
    const first = initials(token.subarray(0, count))
    if (first === null) continue
    const tail = token.subarray(count)
    for (let w = count; w < words; w++)
      if (startsAt(wordFrom[w]!, wordTo[w]!, tail)) return [...first, [wordFrom[w]!, wordFrom[w]! + tail.length]]
  }
  return null
}

function initialsWithGap(token: Uint16Array, brief: boolean): Range[] | null {
  const out: Range[] = []
  let spare = 1
  for (let w = 0; w < words && out.length < token.length; w++) {
    if (brief && isSmall(w)) continue
    if (units[wordFrom[w]!] === token[out.length]) out.push([wordFrom[w]!, wordFrom[w]! + 1])
    else if (out.length === 0 || spare-- === 0) return null
  }
  return out.length === token.length ? out : null
}

function piecesAround(word: number, token: Uint16Array, at: number, deadEnds: Set<number>): Range[] | null {
  const place = word * 64 + at
  if (word === words || deadEnds.has(place)) return null
  const from = wordFrom[word]!
  const to = wordTo[word]!
  let length = 0
  while (from + length < to && at + length < token.length && units[from + length] === token[at + length]) length++
  if (at > 0 && length > 0 && at + length === token.length) return [[from, from + length]]
  for (; length >= 1; length--) {
    if (length === 1 && to - from > 1) break
    const rest = piecesAround(word + 1, token, at + length, deadEnds)
    if (rest !== null) return [[from, from + length], ...rest]
  }
  const further = at > 0 ? piecesAround(word + 1, token, at, deadEnds) : null
  if (further === null) deadEnds.add(place)
  return further
}

function startsAt(from: number, to: number, token: Uint16Array): boolean {
  if (to - from < token.length) return false
  for (let i = 0; i < token.length; i++) if (units[from + i] !== token[i]) return false
  return true
}

const isSmall = (word: number): boolean =>
  wordTo[word]! - wordFrom[word]! <= 3 && SMALL_WORDS.has(String.fromCharCode(...units.subarray(wordFrom[word]!, wordTo[word]!)))

/** Returns the words from `first` whose initials are the token; `brief` skips small words. Null if they aren't. */
function initialsFrom(first: number, token: Uint16Array, brief: boolean): Range[] | null {
  const out: Range[] = []
  for (let w = first; w < words && out.length < token.length; w++) {
    if (brief && isSmall(w)) continue
    if (units[wordFrom[w]!] !== token[out.length]) return null
    out.push([wordFrom[w]!, wordFrom[w]! + 1])
  }
  return out.length === token.length ? out : null
}

const initials = (token: Uint16Array): Range[] | null =>
  token.length < 2 || words < 2 ? null : (initialsFrom(0, token, false) ?? initialsFrom(0, token, true))

function acronym(token: Uint16Array): Range[] | null {
  if (token.length < ACRONYM.shortest || token.length > ACRONYM.longest) return null
  for (let first = 1; first + token.length <= words; first++) {
    const found = initialsFrom(first, token, false) ?? initialsFrom(first, token, true)
    if (found !== null) return found
  }
  return null
}

function runTogetherRanges(token: Uint16Array): Range[] | null {
  if (token.length < 3 || token.length > RUN_TOGETHER.longest) return null
  const deadEnds = new Set<number>()
  for (let i = 0; i + 1 < words; i++) {
    const found = pieces(i, token, 0, deadEnds)
    if (found !== null) return found
  }
  return null
}

/** Positions that failed aren't retried: there are many paths but few positions. */
function pieces(word: number, token: Uint16Array, at: number, deadEnds: Set<number>): Range[] | null {
  if (word === words || deadEnds.has(word * 64 + at)) return null
  const from = wordFrom[word]!
  const to = wordTo[word]!
  let length = 0
  while (from + length < to && at + length < token.length && units[from + length] === token[at + length]) length++
  if (at > 0 && length > 0 && at + length === token.length) return [[from, from + length]]
  for (; length >= 1; length--) {
    if (length === 1 && to - from > 1) break
    const rest = pieces(word + 1, token, at + length, deadEnds)
    if (rest !== null) return [[from, from + length], ...rest]
  }
  deadEnds.add(word * 64 + at)
  return null
}

/** Returns the longest common letters of token and word, as ranges of the word. */
function common(from: number, to: number, token: Uint16Array): Range[] {
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
