import { addAll, adding, addSet, type Bits, STEP, type Steps } from './bits.ts'
import { foldWords, unitsOf } from './fold.ts'
import { acronymRange, type FuzzyWords, fuzzyAtOnce, type Token, wordId, wordRange, wordsFuzzy, wordsInside } from './lookup.ts'
import { addAcronyms, addInitials, addInitialsAhead, addInitialsSkipping, addRunTogether, addSpelled } from './runTogether.ts'
import { contactRanks } from './secondLine.ts'
import type { Spelled } from './spelling.ts'
import { LEVEL, looksInside } from './tokenMatch.ts'
import type { PackedIndex } from './types.ts'

/** A token's sets by level, each including the levels above; the same array if a level adds nothing. */
type TokenSets = {
  sets: (Bits | null)[]
  range: [from: number, to: number]
  /** The set under construction, to be continued. */
  making: Steps<Bits> | null
  /** All arrays acquired from the cache. */
  acquired: Set<Bits>
  /** Words by fuzzy level, once searched. */
  fuzzy: FuzzyWords | null
}

/** True if addresses count as a word: not for a single word, which means a name first, unless it is a number. */
const byContact = ({ beside, text }: Token): boolean => beside || /^\d+$/.test(text)

function addRanks(bits: Bits, ranks: readonly number[]): void {
  for (const rank of ranks) bits[rank >>> 5]! |= 1 << (rank & 31)
}

function addKinds(bits: Bits, kind: Uint8Array, wanted: Uint8Array, from: number, to: number): void {
  for (let rank = from; rank < to; rank++) if (wanted[kind[rank]!] === 1) bits[rank >>> 5]! |= 1 << (rank & 31)
}

/** The most sets that are kept, enough for the tokens of the last few queries, and their bytes with many names. */
const KEPT = { sets: 192, bytes: 24e6 } as const

/** How many spellings' names are kept: those of two tokens. */
const MOST_SPELLED = 16

/** For how many tokens fuzzy words are cached. */
const MOST_SLIPS = 64
const slipName = ({ text, beside }: Token): string => (beside ? `+${text}` : text)

/** A change of names can make a token known, so its sets are separate. */
const nameOf = (token: Token): string => (token.known ? token.key : `~${token.key}`)

/** Which names of a packed index match a token, by level; built on demand in steps, cached for the next keystrokes. */
export class Sets {
  private p: PackedIndex
  /** Returns ranks whose id or code is the text. */
  private called: (text: string) => readonly number[]
  private length: number
  private tokens = new Map<string, TokenSets>()
  private pool: Bits[] = []
  private held = 0
  /** Fuzzy words of tokens looked up before a search began. */
  private slips = new Map<string, FuzzyWords>()

  /** The folded words of each kind. */
  private kindWords: string[][]
  /** Names with a spelling of two words or of a number being typed, which its tokens share. */
  private spelled = new Map<string, Bits>()

  constructor(p: PackedIndex, called: (text: string) => readonly number[]) {
    this.p = p
    this.called = called
    this.length = (p.kind.length + 31) >>> 5
    this.kindWords = p.kinds.map((name) => foldWords(name.replace(/([a-z])([A-Z])/g, '$1 $2')))
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
      if (this.held <= KEPT.sets && this.held * this.length * 4 <= KEPT.bytes) return
      for (const bits of acquired) this.pool.push(bits)
      this.held -= acquired.size
      this.tokens.delete(text)
    }
  }

  /** Returns the words that match a token fuzzily, cached for its search. */
  fuzzyOf(token: Token): FuzzyWords {
    const name = slipName(token)
    const found = this.slips.get(name) ?? fuzzyAtOnce(this.p, token)
    if (this.slips.size >= MOST_SLIPS) this.slips.clear()
    this.slips.set(name, found)
    return found
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
    if (token.contact) {
      // An address matches in no other way.
      if (level !== LEVEL.whole) return kept.sets[level + 1]!
      const bits = this.blank(kept)
      addRanks(bits, contactRanks(p, token.text))
      return bits
    }
    const [from, to] = kept.range
    if (level === LEVEL.near) {
      const above = kept.sets[LEVEL.whole]!
      const strong = token.spellings.filter(({ weak }) => !weak)
      if (strong.length === 0) return above
      const bits = this.blank(kept, above)
      for (const spelled of strong) yield* this.withSpelling(kept, spelled, bits)
      return bits
    }
    if (level === LEVEL.start) {
      const bits = this.blank(kept, kept.sets[LEVEL.near]!)
      yield* adding(bits, p.post, p.postAt[from]!, p.postAt[to]!)
      return bits
    }
    if (level === LEVEL.detail) {
      const bits = this.blank(kept, kept.sets[LEVEL.start]!)
      yield* adding(bits, p.field, p.fieldAt[from]!, p.fieldAt[to]!)
      for (const spelled of token.spellings) {
        const { words, weak } = spelled
        if (weak) yield* this.withSpelling(kept, spelled, bits)
        const word = words.length === 1 ? wordId(p, unitsOf(words[0]!)) : -1
        if (word >= 0) yield* adding(bits, p.field, p.fieldAt[word]!, p.fieldAt[word + 1]!)
      }
      if (byContact(token)) addRanks(bits, contactRanks(p, token.text))
      if (token.beside) yield* this.ofKind(token.text, bits)
      return bits
    }
    if (level === LEVEL.whole) {
      const bits = this.blank(kept)
      if (from < to && p.wordAt[from + 1]! - p.wordAt[from]! === units.length)
        yield* adding(bits, p.post, p.postAt[from]!, p.postAt[from + 1]!)
      for (const rank of this.called(token.text)) bits[rank >>> 5]! |= 1 << (rank & 31)
      return bits
    }
    const above = kept.sets[level + 1]!
    if (level === LEVEL.skipped || level === LEVEL.initials) {
      const skipping = level === LEVEL.skipped
      // Next to other words, people don't leave words out of a token.
      if (skipping && token.beside) return above
      const bits = this.blank(kept, above)
      yield* (skipping ? addInitialsSkipping : addInitials)(p, units, bits)
      if (!token.known && skipping) yield* addInitialsAhead(p, units, bits)
      if (!token.known) yield* addRunTogether(p, units, bits, ...this.loan(kept), skipping)
      return bits
    }
    if (level === LEVEL.acronym) {
      const range = acronymRange(p, units)
      if (range === null || range[0] === range[1]) return above
      const bits = this.blank(kept, above)
      yield* addAcronyms(p, units, range, bits)
      return bits
    }
    if (level === LEVEL.inside) {
      const contacts = byContact(token) ? [] : contactRanks(p, token.text)
      const words = looksInside(units) ? yield* wordsInside(p, token) : []
      if (contacts.length === 0) return yield* this.withWords(kept, above, words)
      const bits = this.blank(kept, above)
      addRanks(bits, contacts)
      return yield* this.withWords(kept, bits, words, bits)
    }
    if (token.fixed) return above
    kept.fuzzy ??= this.slips.get(slipName(token)) ?? (yield* wordsFuzzy(p, token))
    return yield* this.withWords(kept, above, kept.fuzzy[level as 0 | 1 | 2])
  }

  /** Adds the names of kinds whose word begins with the text. */
  private *ofKind(text: string, into: Bits): Steps<void> {
    const isNamed = this.kindWords.map((words) => words.some((word) => word.startsWith(text) || `${word}s` === text))
    if (!isNamed.includes(true)) return
    const { kind } = this.p
    const wanted = Uint8Array.from(isNamed, Number)
    for (let rank = 0; rank < kind.length; rank += STEP) {
      addKinds(into, kind, wanted, rank, Math.min(kind.length, rank + STEP))
      yield
    }
  }

  private *withWords(kept: TokenSets, above: Bits, words: readonly number[], own: Bits | null = null): Steps<Bits> {
    if (words.length === 0) return above
    const { post, postAt } = this.p
    const bits = own ?? this.blank(kept, above)
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

  /** Adds the names with a spelling; those that take long are kept for the query's other token that has it. */
  private *withSpelling(kept: TokenSets, spelling: Spelled, into: Bits): Steps<void> {
    const { words, begins } = spelling
    if (words.length === 1 && !begins) return yield* addSpelled(this.p, spelling, into, ...this.loan(kept))
    const name = begins ? `${words.join(' ')}…` : words.join(' ')
    let names = this.spelled.get(name)
    if (names === undefined) {
      names = this.blank(kept)
      yield* addSpelled(this.p, spelling, names, ...this.loan(kept))
      // It isn't the token's own any more.
      this.held--
      kept.acquired.delete(names)
      const [oldest] = this.spelled.keys()
      if (this.spelled.size >= MOST_SPELLED) {
        this.pool.push(this.spelled.get(oldest!)!)
        this.spelled.delete(oldest!)
      }
      this.spelled.set(name, names)
    }
    addSet(into, names)
  }

  /** Functions that give an empty set and take it back. */
  private loan(kept: TokenSets): [blank: () => Bits, release: (bits: Bits) => void] {
    return [() => this.blank(kept), (bits) => this.release(kept, bits)]
  }

  private blank(kept: TokenSets, like?: Bits): Bits {
    this.held++
    const bits = this.pool.pop() ?? new Int32Array(this.length)
    if (like === undefined) bits.fill(0)
    else bits.set(like)
    kept.acquired.add(bits)
    return bits
  }

  private release(kept: TokenSets, bits: Bits): void {
    this.held--
    kept.acquired.delete(bits)
    this.pool.push(bits)
  }
}
