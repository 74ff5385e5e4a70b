import { addAll, type Bits, collect, has, type Pick } from './bits.ts'
import { ODD } from './build.ts'
import { codeRange, codesByRank } from './codes.ts'
import { alphaRange, beginsWith, idRange, type Token, wordRange, wordsFuzzy, wordsInside } from './lookup.ts'
import { addInitials, type MashWalk, mashWalk, walkOn } from './mash.ts'
import { LEVEL, looksInside } from './match.ts'
import type { Entity, PackedIndex } from './types.ts'

/** Sets of a token by level, each holding those of the levels above it; the same array where a level adds nothing. */
type TokenSets = {
  sets: (Bits | null)[]
  range: [from: number, to: number]
  /** The walk for mashes, while it is under way. */
  mash: { bits: Bits; walk: MashWalk } | null
  /** Words by fuzzy level, once they were looked for. */
  fuzzy: ReturnType<typeof wordsFuzzy> | null
}

/** Kept sets, in bytes: enough for the tokens of the last few queries at a million names. */
const CACHE_BYTES = 24e6

const decoder = new TextDecoder()

/** Whether a token is known can change with the names, so its sets are kept apart. */
const nameOf = (token: Token): string => (token.known ? token.text : `~${token.text}`)

/** One packed index opened for searching, and which of its names are still alive. */
export class Segment {
  readonly p: PackedIndex
  readonly size: number
  /** Ranks below it are used ones. */
  readonly used: number
  alive: Bits | null = null
  dead = 0
  readonly taken: Bits
  private tokens = new Map<string, TokenSets>()
  private pool: Bits[] = []
  private held = 0
  private kindMasks = new Map<string, Bits>()
  private codes: Map<number, string> | null = null
  private odd: Map<number, number | string>

  constructor(packed: PackedIndex) {
    this.p = packed
    this.size = packed.kind.length
    this.used = packed.used.length
    this.taken = new Int32Array((this.size + 31) >>> 5)
    const spare = this.size & 31
    // Bits past the last rank count as taken, so that no pass ever answers them.
    if (spare !== 0) this.taken[this.taken.length - 1] = ~((1 << spare) - 1)
    this.odd = new Map(packed.oddIds)
  }

  get live(): number {
    return this.size - this.dead
  }

  idOf(rank: number): number | string {
    const id = this.p.id[rank]!
    return id === ODD ? this.odd.get(rank)! : id
  }

  keyOf = (rank: number): string => `${this.kindOf(rank)}:${this.idOf(rank)}`
  kindOf = (rank: number): string => this.p.kinds[this.p.kind[rank]!]!
  nameOf = (rank: number): string => decoder.decode(this.p.nameText.subarray(this.p.nameAt[rank]!, this.p.nameAt[rank + 1]!))
  detailOf = (rank: number): string =>
    decoder.decode(this.p.detailText.subarray(this.p.detailAt[rank]!, this.p.detailAt[rank + 1]!))
  weightOf = (rank: number): number => this.p.weight[rank] ?? 0
  isAlive = (rank: number): boolean => this.alive === null || has(this.alive, rank)

  /** The entity of a rank, its code squeezed: for building another index of it. */
  entity(rank: number): Entity {
    this.codes ??= codesByRank(this.p)
    const kind = this.kindOf(rank)
    const id = this.idOf(rank)
    const entity: Entity = { key: `${kind}:${id}`, kind, id, name: this.nameOf(rank), detail: this.detailOf(rank) }
    const code = this.codes.get(rank)
    if (code !== undefined) entity.code = code
    const weight = this.weightOf(rank)
    if (weight !== 0) entity.weight = weight
    return entity
  }

  /** The living rank of a key, or -1. */
  find(key: string): number {
    const colon = key.indexOf(':')
    const kind = this.p.kinds.indexOf(key.slice(0, colon))
    if (kind < 0) return -1
    const text = key.slice(colon + 1)
    if (/^(0|[1-9][0-9]*)$/.test(text) && Number(text) < ODD) {
      const [from, to] = idRange(this.p, Number(text), Number(text) + 1)
      for (let i = from; i < to; i++) {
        const rank = this.p.byId[i]!
        if (this.p.kind[rank] === kind && this.isAlive(rank)) return rank
      }
    }
    for (const [rank, id] of this.odd) if (String(id) === text && this.p.kind[rank] === kind && this.isAlive(rank)) return rank
    return -1
  }

  bury(rank: number): void {
    if (this.alive === null) this.alive = new Int32Array(this.taken.length).fill(-1)
    this.alive[rank >>> 5]! &= ~(1 << (rank & 31))
    this.dead++
  }

  /** Which ranks may be answered: the living ones, of these kinds; null when all may. */
  mask(kinds: readonly string[] | undefined): Bits | null {
    if (kinds === undefined) return this.alive
    const name = kinds.join('\n')
    let mask = this.kindMasks.get(name)
    if (mask === undefined) {
      mask = new Int32Array(this.taken.length)
      const wanted = new Uint8Array(256)
      for (const kind of kinds) if (this.p.kinds.includes(kind)) wanted[this.p.kinds.indexOf(kind)] = 1
      for (let rank = 0; rank < this.size; rank++) if (wanted[this.p.kind[rank]!] === 1) mask[rank >>> 5]! |= 1 << (rank & 31)
      this.kindMasks.set(name, mask)
    }
    if (this.alive === null) return mask
    const both = new Int32Array(mask.length)
    for (let i = 0; i < both.length; i++) both[i] = mask[i]! & this.alive[i]!
    return both
  }

  /** Whether a living name has a word that begins with the token. */
  knows(token: Token): boolean {
    const [from, to] = wordRange(this.p, token.units)
    for (let i = this.p.postAt[from]!; i < this.p.postAt[to]!; i++) if (this.isAlive(this.p.post[i]!)) return true
    return false
  }

  /** Ranks whose id or code is the token: they hold it as a whole word. */
  called(text: string): number[] {
    const out: number[] = []
    if (/^[1-9][0-9]{0,9}$/.test(text)) {
      const [from, to] = idRange(this.p, Number(text), Number(text) + 1)
      for (let i = from; i < to; i++) out.push(this.p.byId[i]!)
    }
    const [from, to] = codeRange(this.p, text, 'is')
    for (let i = from; i < to; i++) out.push(this.p.codeRank[i]!)
    return out
  }

  /** The first `need` ranks whose code, or id, begins with the text. */
  calledAlike(text: string, mask: Bits | null, need: number): number[] {
    const out = new Smallest(need, (rank) => (mask === null || has(mask, rank)) && !has(this.taken, rank))
    const [from, to] = codeRange(this.p, text, 'begins')
    for (let i = from; i < to; i++) out.offer(this.p.codeRank[i]!)
    if (/^[1-9][0-9]{0,9}$/.test(text))
      for (let step = 10; Number(text) * step < ODD; step *= 10) {
        const [low, high] = idRange(this.p, Number(text) * step, (Number(text) + 1) * step)
        for (let i = low; i < high; i++) out.offer(this.p.byId[i]!)
      }
    return out.ranks
  }

  /** The first `need` ranks whose names are, or begin with, the words of the query. */
  named(words: readonly Token[], exact: boolean, mask: Bits | null, need: number): number[] {
    const sequence = words.map(({ units }) => wordRange(this.p, units))
    for (let i = 0; i < words.length; i++) {
      const [from, to] = sequence[i]!
      if (from === to || ((exact || i < words.length - 1) && !this.isWhole(from, words[i]!))) return []
    }
    const out = new Smallest(need, (rank) => (mask === null || has(mask, rank)) && !has(this.taken, rank))
    const [from, to] = alphaRange(this.p, sequence, exact)
    const certain = sequence.length < 4 || (sequence.length === 4 && !exact)
    for (let i = from; i < to; i++) {
      const rank = this.p.alpha[i]!
      if (certain || beginsWith(this.p, rank, sequence, exact)) out.offer(rank)
    }
    return out.ranks
  }

  private isWhole = (word: number, token: Token): boolean =>
    this.p.wordAt[word + 1]! - this.p.wordAt[word]! === token.units.length

  /** Does a step of work towards the token's set of this level; true when the set is there. */
  prepare(token: Token, level: number): boolean {
    let kept = this.tokens.get(nameOf(token))
    if (kept === undefined) {
      kept = {
        sets: new Array<Bits | null>(LEVEL.whole + 1).fill(null),
        range: wordRange(this.p, token.units),
        mash: null,
        fuzzy: null,
      }
      this.tokens.set(nameOf(token), kept)
    }
    if (kept.sets[level] === null) kept.sets[level] = this.make(token, kept, level)
    return kept.sets[level] !== null
  }

  private make(token: Token, kept: TokenSets, level: number): Bits | null {
    const { p } = this
    const [from, to] = kept.range
    if (level >= LEVEL.start) {
      const bits = this.blank()
      if (level === LEVEL.start) addAll(bits, p.post, p.postAt[from]!, p.postAt[to]!)
      else if (from < to && this.isWhole(from, token)) addAll(bits, p.post, p.postAt[from]!, p.postAt[from + 1]!)
      for (const rank of this.called(token.text)) bits[rank >>> 5]! |= 1 << (rank & 31)
      return bits
    }
    const above = kept.sets[level + 1]!
    if (level === LEVEL.initials) {
      if (kept.mash === null) {
        const bits = this.blank(above)
        addInitials(p, token.units, bits)
        const walk = token.known ? null : mashWalk(p, token.units, () => this.blank())
        if (walk === null) return bits
        kept.mash = { bits, walk }
        return null
      }
      const { bits, walk } = kept.mash
      if (!walkOn(p, token.units, walk, bits)) return null
      this.free(walk.seconds)
      kept.mash = null
      return bits
    }
    if (level === LEVEL.inside) return looksInside(token.units) ? this.withWords(above, wordsInside(p, token)) : above
    kept.fuzzy ??= wordsFuzzy(p, token)
    return this.withWords(above, kept.fuzzy[level as 0 | 1 | 2])
  }

  private withWords(above: Bits, words: readonly number[]): Bits {
    if (words.length === 0) return above
    const bits = this.blank(above)
    for (const word of words) addAll(bits, this.p.post, this.p.postAt[word]!, this.p.postAt[word + 1]!)
    return bits
  }

  has(token: Token, level: number): boolean {
    const kept = this.tokens.get(nameOf(token))
    return kept !== undefined && kept.sets[level] !== null
  }

  set(token: Token, level: number): Bits {
    return this.tokens.get(nameOf(token))!.sets[level]!
  }

  collect(tokens: readonly Token[], least: number, mask: Bits | null, need: number): Pick[] {
    const levels: Bits[] = []
    for (const token of tokens) for (let level = least + 1; level <= LEVEL.whole; level++) levels.push(this.set(token, level))
    return collect(
      tokens.map((token) => this.set(token, least)),
      levels,
      mask,
      this.taken,
      this.used,
      need,
    )
  }

  /** Lets go of the oldest tokens' sets; called between queries. */
  trim(): void {
    for (const [text, { sets, mash }] of this.tokens) {
      if (this.held * this.taken.byteLength <= CACHE_BYTES) return
      for (const bits of new Set([...sets, mash?.bits, mash?.walk.seconds])) if (bits) this.free(bits)
      this.tokens.delete(text)
    }
  }

  /** Marks a token as used just now. */
  touch(token: Token): void {
    const kept = this.tokens.get(nameOf(token))
    if (kept === undefined) return
    this.tokens.delete(nameOf(token))
    this.tokens.set(nameOf(token), kept)
  }

  private blank(like?: Bits): Bits {
    this.held++
    const bits = this.pool.pop()
    if (bits === undefined) return like === undefined ? new Int32Array(this.taken.length) : like.slice()
    if (like === undefined) bits.fill(0)
    else bits.set(like)
    return bits
  }

  private free(bits: Bits): void {
    this.held--
    this.pool.push(bits)
  }
}

/** Keeps the smallest distinct ranks that are offered and admitted, in order. */
class Smallest {
  readonly ranks: number[] = []
  private most: number
  private admits: (rank: number) => boolean

  constructor(most: number, admits: (rank: number) => boolean) {
    this.most = most
    this.admits = admits
  }

  offer(rank: number): void {
    const { ranks, most } = this
    if (ranks.length === most && (most === 0 || rank >= ranks[most - 1]!)) return
    if (!this.admits(rank)) return
    let at = ranks.length
    while (at > 0 && ranks[at - 1]! >= rank) at--
    if (ranks[at] === rank) return
    ranks.splice(at, 0, rank)
    if (ranks.length > most) ranks.pop()
  }
}
