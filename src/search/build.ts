import { Codes, packCodes } from './codes.ts'
import { Dictionary } from './dictionary.ts'
import { byKeys, Numbers } from './growingLists.ts'
import { initialsOf, packAcronyms, packInitials } from './initials.ts'
import { packContacts, readDetail } from './secondLine.ts'
import { Text } from './text.ts'
import type { Entity, Frecency, PackedIndex } from './types.ts'

/** Marks ids in `id` that aren't whole numbers below it; `oddIds` has those. */
export const ODD = 0xffffffff

/** The number of words `alpha` sorts by. */
export const ALPHA_DEPTH = 4

/** Builds the index of entities with distinct keys; pure. */
export function buildIndex(entities: Iterable<Entity>, frecency: Frecency = new Map()): PackedIndex {
  const builder = new Builder()
  for (const entity of entities) builder.add(entity)
  return builder.finish(frecency)
}

/** Takes entities in slices of any size, then packs them. */
export class Builder {
  private dictionary = new Dictionary()
  private words = new Numbers()
  private wordsAt = new Numbers()
  private name = new Text()
  private detail = new Text()
  private kindOf = new Map<string, number>()
  private kindOrder: number[] = []
  private kind = new Numbers()
  private id = new Numbers()
  private odd: { at: number; id: number | string }[] = []
  private weights = new Float32Array(0)
  private codes = new Codes()
  private fields = new Numbers()
  private fieldsAt = new Numbers()
  private numbered: number[] = []

  constructor() {
    this.wordsAt.push(0)
    this.fieldsAt.push(0)
  }

  get size(): number {
    return this.kind.size
  }

  add(entity: Entity): void {
    const at = this.size
    this.dictionary.read(entity.name, this.words)
    this.wordsAt.push(this.words.size)
    this.name.push(entity.name)
    this.detail.push(entity.detail)
    this.dictionary.read(readDetail(entity.detail), this.fields)
    this.fieldsAt.push(this.fields.size)
    let kind = this.kindOf.get(entity.kind)
    if (kind === undefined) {
      kind = this.kindOf.size
      this.kindOf.set(entity.kind, kind)
    }
    this.kind.push(kind)
    const { id } = entity
    if (typeof id === 'number' && id >= 0 && id < ODD && Number.isInteger(id)) this.id.push(id)
    else {
      this.id.push(ODD)
      this.odd.push({ at, id })
    }
    if (entity.weight) {
      if (at >= this.weights.length) {
        const wider = new Float32Array(at * 2 + 16)
        wider.set(this.weights)
        this.weights = wider
      }
      this.weights[at] = entity.weight
    }
    if (entity.code && this.codes.add(at, entity.code, id)) this.numbered.push(at)
  }

  finish(frecency: Frecency): PackedIndex {
    const n = this.size
    const { text: wordText, at: wordAt, mask: wordMask, place } = this.dictionary.sorted()
    const kinds = [...this.kindOf.keys()].sort()
    this.kindOrder = Array.from(this.kindOf.keys(), (kind) => kinds.indexOf(kind))
    const kindHere = this.kind.done().map((kind) => this.kindOrder[kind]!)
    const { order, used } = this.standing(kindHere, frecency)

    const rankOf = new Uint32Array(n)
    for (let rank = 0; rank < n; rank++) rankOf[order[rank]!] = rank
    const kind = new Uint8Array(n)
    const id = new Uint32Array(n)
    const wordsAt = new Uint32Array(n + 1)
    const words = new Uint32Array(this.words.size)
    let size = 0
    for (let rank = 0; rank < n; rank++) {
      const from = order[rank]!
      kind[rank] = kindHere[from]!
      id[rank] = this.id.data[from]!
      for (let i = this.wordsAt.data[from]!; i < this.wordsAt.data[from + 1]!; i++) words[size++] = place[this.words.data[i]!]!
      wordsAt[rank + 1] = size
    }
    const weight = new Float32Array(this.weights.length > 0 ? n : 0)
    for (let rank = 0; rank < weight.length; rank++) weight[rank] = this.weights[order[rank]!] ?? 0
    const [nameText, nameAt] = this.name.inOrder(order)
    const [detailText, detailAt] = this.detail.inOrder(order)
    const { at: postAt, ranks: post } = postings(words, wordsAt, wordMask.length)
    const { at: fieldAt, ranks: field } = this.fieldPostings(order, place, wordMask.length)
    const numbered = new Int32Array((n + 31) >>> 5)
    for (const at of this.numbered) numbered[rankOf[at]! >>> 5]! |= 1 << (rankOf[at]! & 31)
    const table = initialsOf(wordText, wordAt)
    const initials = packInitials(words, wordsAt, table)
    const acronyms = packAcronyms(words, wordsAt, table)
    const whole = new Uint32Array(n - this.odd.length)
    for (let rank = 0, i = 0; rank < n; rank++) if (id[rank] !== ODD) whole[i++] = rank
    const byId = byKeys(whole, id)
    return {
      kinds,
      oddIds: this.odd.map(({ at, id: oddId }) => [rankOf[at]!, oddId]),
      used,
      kind,
      id,
      weight,
      nameText,
      nameAt,
      detailText,
      detailAt,
      wordText,
      wordAt,
      wordMask,
      wordsAt,
      words,
      postAt,
      post,
      fieldAt,
      field,
      contactAt: packContacts(detailText, detailAt),
      numbered,
      alpha: alphabetical(words, wordsAt, wordMask.length),
      initials: initials.keys,
      initialsRank: initials.ranks,
      acronymAt: acronyms.at,
      acronymRank: acronyms.ranks,
      byId,
      ...packCodes(this.codes, rankOf),
    }
  }

  /** Returns the ranks of each word of the second lines, each rank once per word. */
  private fieldPostings(order: Uint32Array, place: Uint32Array, count: number): { at: Uint32Array; ranks: Uint32Array } {
    const { data: fields } = this.fields
    const { data: fieldsAt } = this.fieldsAt
    const at = new Uint32Array(count + 1)
    const last = new Int32Array(count).fill(-1)
    const pass = (each: (word: number, rank: number) => void): void => {
      last.fill(-1)
      for (let rank = 0; rank < order.length; rank++)
        for (let i = fieldsAt[order[rank]!]!; i < fieldsAt[order[rank]! + 1]!; i++) {
          const word = place[fields[i]!]!
          if (last[word] === rank) continue
          last[word] = rank
          each(word, rank)
        }
    }
    pass((word) => at[word + 1]!++)
    for (let word = 0; word < count; word++) at[word + 1]! += at[word]!
    const next = at.slice(0, count)
    const ranks = new Uint32Array(at[count]!)
    pass((word, rank) => {
      ranks[next[word]!++] = rank
    })
    return { at, ranks }
  }

  /** Orders used entities first, by frecency; then by weight, fewer words, newer id, kind: the order of all ranks. */
  private standing(kind: Uint32Array, frecency: Frecency): { order: Uint32Array; used: Float64Array } {
    const n = this.size
    const id = this.id.data
    const { wordsAt, weights } = this
    let order: Uint32Array<ArrayBuffer> = new Uint32Array(n)
    for (let i = 0; i < n; i++) order[i] = i
    if (this.odd.length > 0) {
      const name = new Map(this.odd.map(({ at, id: oddId }) => [at, String(oddId)]))
      const odd = [...name.keys()].sort((a, b) => (name.get(a)! < name.get(b)! ? -1 : 1))
      let next = 0
      for (const at of odd) order[next++] = at
      for (let i = 0; i < n; i++) if (id[i] !== ODD) order[next++] = i
    }
    if (this.kindOf.size > 1) order = byKeys(order, kind)
    const newer = new Uint32Array(n)
    const length = new Uint32Array(n)
    for (let at = 0; at < n; at++) {
      newer[at] = ODD - id[at]!
      length[at] = Math.min(0xffff, wordsAt.data[at + 1]! - wordsAt.data[at]!)
    }
    order = byKeys(byKeys(order, newer), length)
    if (weights.length > 0) order = byKeys(order, descending(weights, n))
    if (frecency.size === 0) return { order, used: new Float64Array(0) }
    const byKind: (Map<number | string, number> | undefined)[] = []
    for (const [key, value] of frecency) {
      const colon = key.indexOf(':')
      const place = this.kindOf.get(key.slice(0, colon))
      if (place === undefined) continue
      const kindOfKey = this.kindOrder[place]!
      byKind[kindOfKey] ??= new Map()
      byKind[kindOfKey].set(key.slice(colon + 1), value)
      byKind[kindOfKey].set(Number(key.slice(colon + 1)), value)
    }
    const oddId = new Map(this.odd.map(({ at, id: text }) => [at, String(text)]))
    const value = (at: number): number | undefined => byKind[kind[at]!]?.get(id[at] === ODD ? oddId.get(at)! : id[at]!)
    const first: number[] = []
    const rest = new Uint32Array(n)
    let size = 0
    for (const at of order) {
      if (value(at) === undefined) rest[size++] = at
      else first.push(at)
    }
    first.sort((a, b) => value(b)! - value(a)!)
    order.set(first)
    order.set(rest.subarray(0, size), first.length)
    return { order, used: Float64Array.from(first, (at) => value(at)!) }
  }
}

/** Converts weights to integers whose ascending order is the weights' descending one. */
function descending(weights: Float32Array, n: number): Uint32Array {
  const floats = new Float32Array(n)
  for (let at = 0; at < n; at++) floats[at] = weights[at] ?? 0
  const bits = new Uint32Array(floats.buffer)
  for (let at = 0; at < n; at++) {
    const b = bits[at]!
    bits[at] = b & 0x80000000 ? b : ~(b | 0x80000000)
  }
  return bits
}

function postings(words: Uint32Array, wordsAt: Uint32Array, count: number): { at: Uint32Array; ranks: Uint32Array } {
  const at = new Uint32Array(count + 1)
  for (let i = 0; i < words.length; i++) at[words[i]! + 1]!++
  for (let w = 0; w < count; w++) at[w + 1]! += at[w]!
  const next = at.slice(0, count)
  const ranks = new Uint32Array(words.length)
  for (let rank = 0; rank + 1 < wordsAt.length; rank++)
    for (let i = wordsAt[rank]!; i < wordsAt[rank + 1]!; i++) ranks[next[words[i]!]!++] = rank
  return { at, ranks }
}

/** Orders ranks by first word, then second and so on; a shorter name goes first, equal ones by rank. */
function alphabetical(words: Uint32Array, wordsAt: Uint32Array, count: number): Uint32Array {
  const n = wordsAt.length - 1
  let order: Uint32Array<ArrayBuffer> = new Uint32Array(n)
  for (let rank = 0; rank < n; rank++) order[rank] = rank
  const wordAt = (rank: number, depth: number): number => {
    const i = wordsAt[rank]! + depth
    return i < wordsAt[rank + 1]! ? words[i]! + 1 : 0
  }
  for (let depth = ALPHA_DEPTH - 1; depth >= 0; depth--) {
    const counts = new Uint32Array(count + 2)
    for (let rank = 0; rank < n; rank++) counts[wordAt(rank, depth) + 1]!++
    for (let w = 0; w <= count; w++) counts[w + 1]! += counts[w]!
    const out = new Uint32Array(n)
    for (let i = 0; i < n; i++) {
      const rank = order[i]!
      out[counts[wordAt(rank, depth)]!++] = rank
    }
    order = out
  }
  return order
}
