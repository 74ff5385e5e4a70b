import { type Bits, collect, has, type Pick, STEP, type Steps } from './bits.ts'
import { ODD } from './build.ts'
import { codeRange, codesByRank } from './codes.ts'
import { unitsOf } from './fold.ts'
import { alphaRange, beginsWith, idRange, type Token, wordId, wordRange } from './lookup.ts'
import { holdsInitials } from './runTogether.ts'
import { LEVEL } from './tokenMatch.ts'
import { Sets } from './tokenSets.ts'
import type { Entity, PackedIndex } from './types.ts'

const decoder = new TextDecoder()

/** How many names to check for two initials. */
const MOST_PAIRED = 2000

/** A packed index open for searching, and which of its names are alive. */
export class Segment {
  readonly p: PackedIndex
  readonly size: number
  /** Ranks below this are used names. */
  readonly used: number
  alive: Bits | null = null
  dead = 0
  readonly taken: Bits
  readonly sets: Sets
  private masks = new Map<string, { bits: Bits; alive: Bits | null; dead: number }>()
  private codes: Map<number, string> | null = null
  private odd: Map<number, number | string>

  constructor(packed: PackedIndex) {
    this.p = packed
    this.size = packed.kind.length
    this.used = packed.used.length
    this.taken = new Int32Array((this.size + 31) >>> 5)
    const spare = this.size & 31
    // Bits past the last rank count as taken, so that no pass returns them.
    if (spare !== 0) this.taken[this.taken.length - 1] = ~((1 << spare) - 1)
    this.odd = new Map(packed.oddIds)
    this.sets = new Sets(packed, (text) => this.called(text))
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

  /** Returns the entity of a rank, with its code squeezed, to build another index. */
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

  /** Returns the live rank of a key, or -1. */
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

  /** Returns the ranks to search: live ones of these kinds; null for all. */
  *mask(kinds: readonly string[] | undefined): Steps<Bits | null> {
    if (kinds === undefined) return this.alive
    const name = kinds.join('\n')
    let kept = this.masks.get(name)
    if (kept === undefined) {
      const bits = new Int32Array(this.taken.length)
      const wanted = new Uint8Array(256)
      for (const kind of kinds) if (this.p.kinds.includes(kind)) wanted[this.p.kinds.indexOf(kind)] = 1
      for (let rank = 0; rank < this.size; rank += STEP) {
        this.ofKinds(bits, wanted, rank, Math.min(this.size, rank + STEP))
        yield
      }
      kept = { bits, alive: null, dead: 0 }
      this.masks.set(name, kept)
    }
    if (this.alive === null) return kept.bits
    if (kept.alive === null || kept.dead !== this.dead) {
      kept.alive ??= new Int32Array(this.taken.length)
      kept.dead = this.dead
      for (let i = 0; i < kept.alive.length; i++) kept.alive[i] = kept.bits[i]! & this.alive[i]!
    }
    return kept.alive
  }

  /** Returns the ranks of a mask that were used before. */
  usedOnly(mask: Bits | null): Bits {
    const bits = new Int32Array((this.used + 31) >>> 5)
    for (let i = 0; i < bits.length; i++) bits[i] = mask === null ? -1 : mask[i]!
    if ((this.used & 31) !== 0) bits[bits.length - 1]! &= (1 << (this.used & 31)) - 1
    return bits
  }

  private ofKinds(bits: Bits, wanted: Uint8Array, from: number, to: number): void {
    const { kind } = this.p
    for (let rank = from; rank < to; rank++) if (wanted[kind[rank]!] === 1) bits[rank >>> 5]! |= 1 << (rank & 31)
  }

  /** True if a live name has a word that begins with the token. */
  knows(token: Token): boolean {
    const [from, to] = wordRange(this.p, token.units)
    const { post, postAt, field, fieldAt } = this.p
    for (let i = postAt[from]!; i < postAt[to]!; i++) if (this.isAlive(post[i]!)) return true
    for (let i = fieldAt[from]!; i < fieldAt[to]!; i++) if (this.isAlive(field[i]!)) return true
    return false
  }

  /** True if a live name has a word that is the token with a typo. */
  slips(token: Token): boolean {
    const { p } = this
    const [, starts, wholes] = this.sets.fuzzyOf(token)
    return [...starts, ...wholes].some((word) => {
      for (let i = p.postAt[word]!; i < p.postAt[word + 1]!; i++) if (this.isAlive(p.post[i]!)) return true
      return false
    })
  }

  /** True if a live name, or its second line, has this exact word. */
  hasWord(text: string): boolean {
    const word = wordId(this.p, unitsOf(text))
    if (word < 0) return false
    const { post, postAt, field, fieldAt } = this.p
    for (let i = postAt[word]!; i < postAt[word + 1]!; i++) if (this.isAlive(post[i]!)) return true
    for (let i = fieldAt[word]!; i < fieldAt[word + 1]!; i++) if (this.isAlive(field[i]!)) return true
    return false
  }

  /** Returns ranks whose id or code is the token; they match it as a whole word. */
  called(text: string): number[] {
    const out: number[] = []
    if (/^[1-9][0-9]{0,9}$/.test(text)) {
      const [from, to] = idRange(this.p, Number(text), Number(text) + 1)
      for (let i = from; i < to; i++) if (has(this.p.numbered, this.p.byId[i]!)) out.push(this.p.byId[i]!)
    }
    const [from, to] = codeRange(this.p, text, 'is')
    for (let i = from; i < to; i++) out.push(this.p.codeRank[i]!)
    return out
  }

  /** Returns the first `need` ranks whose code or id begins with the text. */
  *calledAlike(text: string, mask: Bits | null, need: number): Steps<number[]> {
    const out = new Smallest(need, (rank) => (mask === null || has(mask, rank)) && !has(this.taken, rank))
    const [from, to] = codeRange(this.p, text, 'begins')
    yield* out.offerAll(this.p.codeRank, from, to)
    if (/^[1-9][0-9]{0,9}$/.test(text))
      for (let step = 1; Number(text) * step < ODD; step *= 10) {
        const [low, high] = idRange(this.p, Number(text) * step, (Number(text) + 1) * step)
        yield* out.offerAll(this.p.byId, low, high)
      }
    return out.ranks
  }

  /** Returns the first `need` ranks whose names equal, or begin with, the query's words. */
  *named(words: readonly Token[], exact: boolean, mask: Bits | null, need: number): Steps<number[]> {
    const sequence = words.map(({ units }) => wordRange(this.p, units))
    for (let i = 0; i < words.length; i++) {
      const [from, to] = sequence[i]!
      if (from === to || ((exact || i < words.length - 1) && !this.isWhole(from, words[i]!))) return []
    }
    const certain = sequence.length < 4 || (sequence.length === 4 && !exact)
    const out = new Smallest(
      need,
      (rank) =>
        (mask === null || has(mask, rank)) && !has(this.taken, rank) && (certain || beginsWith(this.p, rank, sequence, exact)),
    )
    const [from, to] = alphaRange(this.p, sequence, exact)
    yield* out.offerAll(this.p.alpha, from, to)
    return out.ranks
  }

  /** Returns ranks that match the other tokens and have these two letters as the initials of adjacent words. */
  *withPair(pair: Token, others: readonly Token[], mask: Bits | null): Steps<number[]> {
    const picks = yield* this.collect(others, LEVEL.detail, mask, MOST_PAIRED)
    return picks.map(({ rank }) => rank).filter((rank) => holdsInitials(this.p, rank, pair.units, true))
  }

  private isWhole(word: number, token: Token): boolean {
    return this.p.wordAt[word + 1]! - this.p.wordAt[word]! === token.units.length
  }

  /** Returns the best `need` ranks that match every token at this level or better. */
  *collect(tokens: readonly Token[], least: number, mask: Bits | null, need: number): Steps<Pick[]> {
    const { sets } = this
    const levels: Bits[] = []
    for (const token of tokens) for (let level = least + 1; level <= LEVEL.whole; level++) levels.push(sets.of(token, level))
    const all = tokens.map((token) => sets.of(token, least))
    return yield* collect(all, levels, mask, this.taken, this.used, need)
  }
}

/** Keeps the smallest distinct accepted ranks, in order. */
class Smallest {
  readonly ranks: number[] = []
  private most: number
  private admits: (rank: number) => boolean

  constructor(most: number, admits: (rank: number) => boolean) {
    this.most = most
    this.admits = admits
  }

  /** Offers `list[from..to)`, step by step. */
  *offerAll(list: Uint32Array, from: number, to: number): Steps<void> {
    for (let at = from; at < to; at += STEP) {
      for (let i = at; i < Math.min(to, at + STEP); i++) this.offer(list[i]!)
      yield
    }
  }

  private offer(rank: number): void {
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
