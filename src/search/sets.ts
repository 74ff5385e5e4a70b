import { addAll, adding, type Bits, STEP, type Steps } from './bits.ts'
import { acronymRange, type FuzzyWords, type Token, wordRange, wordsFuzzy, wordsInside } from './lookup.ts'
import { LEVEL, looksInside } from './match.ts'
import { addAcronyms, addInitials, addMashes } from './runTogether.ts'
import type { PackedIndex } from './types.ts'

/** A token's sets by level, each including the levels above; the same array where a level adds nothing. */
type TokenSets = {
  sets: (Bits | null)[]
  range: [from: number, to: number]
  /** The set being built, to be continued. */
  making: Steps<Bits> | null
  /** All arrays acquired from it. */
  acquired: Set<Bits>
  /** Words by fuzzy level, once searched. */
  fuzzy: FuzzyWords | null
}

/** The cache of sets in bytes: enough for the last few queries' tokens at a million names. */
const CACHE_BYTES = 24e6

/** Changes of names can make a token known, so its sets are separate. */
const nameOf = (token: Token): string => (token.known ? token.text : `~${token.text}`)

/** Which names of a packed index match a token, by level; built on demand in steps, cached for the next keystrokes. */
export class Sets {
  private p: PackedIndex
  /** Ranks whose id or code is the text. */
  private called: (text: string) => readonly number[]
  private length: number
  private tokens = new Map<string, TokenSets>()
  private pool: Bits[] = []
  private held = 0

  constructor(p: PackedIndex, called: (text: string) => readonly number[]) {
    this.p = p
    this.called = called
    this.length = (p.kind.length + 31) >>> 5
  }

  /** Builds the token's sets from the whole word down to `least`, reusing finished and continuing partial ones. */
  *prepare(token: Token, least: number): Steps<void> {
    const kept = this.touch(token)
    for (let level = LEVEL.whole; level >= least; level--) {
      if (kept.sets[level] !== null) continue
      kept.making ??= this.make(token, kept, level)
      for (;;) {
        const step = kept.making.next()
        if (step.done) {
          kept.sets[level] = step.value
          kept.making = null
          break
        }
        yield
      }
    }
  }

  /** Returns a prepared level's set. */
  of(token: Token, level: number): Bits {
    return this.tokens.get(nameOf(token))!.sets[level]!
  }

  /** Frees the oldest tokens' sets; called between queries. */
  trim(): void {
    for (const [text, { acquired }] of this.tokens) {
      if (this.held * this.length * 4 <= CACHE_BYTES) return
      for (const bits of acquired) this.pool.push(bits)
      this.held -= acquired.size
      this.tokens.delete(text)
    }
  }

  private touch(token: Token): TokenSets {
    const name = nameOf(token)
    const kept = this.tokens.get(name) ?? {
      sets: new Array<Bits | null>(LEVEL.whole + 1).fill(null),
      range: wordRange(this.p, token.units),
      making: null,
      acquired: new Set<Bits>(),
      fuzzy: null,
    }
    this.tokens.delete(name)
    this.tokens.set(name, kept)
    return kept
  }

  private *make(token: Token, kept: TokenSets, level: number): Steps<Bits> {
    const { p } = this
    const { units } = token
    const [from, to] = kept.range
    if (level >= LEVEL.start) {
      const bits = this.blank(kept)
      if (level === LEVEL.start) yield* adding(bits, p.post, p.postAt[from]!, p.postAt[to]!)
      else if (from < to && p.wordAt[from + 1]! - p.wordAt[from]! === units.length)
        yield* adding(bits, p.post, p.postAt[from]!, p.postAt[from + 1]!)
      for (const rank of this.called(token.text)) bits[rank >>> 5]! |= 1 << (rank & 31)
      return bits
    }
    const above = kept.sets[level + 1]!
    if (level === LEVEL.initials) {
      const bits = this.blank(kept, above)
      yield* addInitials(p, units, bits)
      if (!token.known)
        yield* addMashes(
          p,
          units,
          bits,
          () => this.blank(kept),
          (acquired) => this.free(kept, acquired),
        )
      return bits
    }
    if (level === LEVEL.acronym) {
      const range = acronymRange(p, units)
      if (range === null || range[0] === range[1]) return above
      const bits = this.blank(kept, above)
      yield* addAcronyms(p, units, range, bits)
      return bits
    }
    if (level === LEVEL.inside)
      return looksInside(units) ? yield* this.withWords(kept, above, yield* wordsInside(p, token)) : above
    kept.fuzzy ??= yield* wordsFuzzy(p, token)
    return yield* this.withWords(kept, above, kept.fuzzy[level as 0 | 1 | 2])
  }

  private *withWords(kept: TokenSets, above: Bits, words: readonly number[]): Steps<Bits> {
    if (words.length === 0) return above
    const { post, postAt } = this.p
    const bits = this.blank(kept, above)
    let since = 0
    for (const word of words) {
      const from = postAt[word]!
      const to = postAt[word + 1]!
      if (to - from > STEP) yield* adding(bits, post, from, to)
      else {
        addAll(bits, post, from, to)
        since += to - from + 8
        if (since > STEP) {
          since = 0
          yield
        }
      }
    }
    return bits
  }

  private blank(kept: TokenSets, like?: Bits): Bits {
    this.held++
    const bits = this.pool.pop() ?? new Int32Array(this.length)
    if (like === undefined) bits.fill(0)
    else bits.set(like)
    kept.acquired.add(bits)
    return bits
  }

  private free(kept: TokenSets, bits: Bits): void {
    this.held--
    kept.acquired.delete(bits)
    this.pool.push(bits)
  }
}
