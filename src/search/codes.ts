import { ASCII, squeeze } from './fold.ts'
import { byKeys, byWideKeys, Numbers, Units } from './growingLists.ts'
import type { PackedIndex } from './types.ts'

/** How many letters a code's sort key has: 38 to the tenth is still an exact number. */
const KEY_LETTERS = 10

/**
 * Returns squeezed codes in order, ties by rank. Codes are also listed by their digits: 4812 finds P-04812.
 * Digits that equal the record's id aren't listed, because the id finds it anyway.
 */
export function packCodes(codes: Codes, rankOf: Uint32Array): Pick<PackedIndex, 'codeText' | 'codeAt' | 'codeRank'> {
  const { text, at, owner } = codes
  const count = owner.size
  const units = text.data
  const key = new Float64Array(count)
  const ranks = new Uint32Array(count)
  let order = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    order[i] = i
    ranks[i] = rankOf[owner.data[i]!]!
    let value = 0
    for (let j = 0, from = at.data[i]!, to = at.data[i + 1]!; j < KEY_LETTERS; j++)
      value = value * 38 + (from + j < to ? keyLetter(units[from + j]!) : 0)
    key[i] = value
  }
  order = byWideKeys(byKeys(order, ranks), key)
  const textOf = (i: number): string => String.fromCharCode(...units.subarray(at.data[i]!, at.data[i + 1]!))
  for (let i = 0; i < count; ) {
    let end = i + 1
    while (end < count && key[order[end]!] === key[order[i]!]) end++
    if (end > i + 1 && order.subarray(i, end).some((code) => isLong(codes, code))) {
      const run = [...order.subarray(i, end)].map((code) => ({ code, text: textOf(code) }))
      run.sort((a, b) =>
        a.text < b.text ? -1 : a.text > b.text ? 1 : rankOf[owner.data[a.code]!]! - rankOf[owner.data[b.code]!]!,
      )
      order.set(
        run.map(({ code }) => code),
        i,
      )
    }
    i = end
  }
  const codeAt = new Uint32Array(count + 1)
  const codeRank = new Uint32Array(count)
  const codeText = new Uint16Array(text.size)
  let size = 0
  for (let i = 0; i < count; i++) {
    const code = order[i]!
    for (let j = at.data[code]!; j < at.data[code + 1]!; j++) codeText[size++] = units[j]!
    codeAt[i + 1] = size
    codeRank[i] = rankOf[owner.data[code]!]!
  }
  return { codeText, codeAt, codeRank }
}

/** True for a code that is longer than its key, or has letters that keys merge. */
function isLong({ text, at }: Codes, code: number): boolean {
  const from = at.data[code]!
  const to = at.data[code + 1]!
  if (to - from > KEY_LETTERS) return true
  for (let i = from; i < to; i++) if (text.data[i]! >= 128) return true
  return false
}

const keyLetter = (unit: number): number => (unit >= 128 ? 37 : unit >= 97 ? unit - 86 : unit - 47)

/** Collects squeezed codes with their entities. */
export class Codes {
  readonly text = new Units()
  readonly at = new Numbers()
  readonly owner = new Numbers()

  constructor() {
    this.at.push(0)
  }

  /** Adds a code; returns true if its number is the id. */
  add(owner: number, code: string, id: number | string): boolean {
    const room = this.text.reserve(code.length * 2 + 16)
    const from = this.text.size
    let size = from
    for (let i = 0; i < code.length; i++) {
      const unit = code.charCodeAt(i)
      if (unit >= 128) {
        size = from
        this.text.size = from
        const folded = squeeze(code)
        const wide = this.text.reserve(folded.length)
        for (let j = 0; j < folded.length; j++) wide[size++] = folded.charCodeAt(j)
        break
      }
      if (ASCII[unit]! > 1) room[size++] = ASCII[unit]!
    }
    if (size === from) return false
    this.close(owner, size)
    const units = this.text.data
    let digits = from
    while (digits < size && units[digits]! >= 97 && units[digits]! <= 122) digits++
    if (digits === from || digits === size) return false
    for (let i = digits; i < size; i++) if (units[i]! < 48 || units[i]! > 57) return false
    while (digits < size - 1 && units[digits] === 48) digits++
    let value = 0
    for (let i = digits; i < size; i++) value = value * 10 + units[i]! - 48
    if (value === id && value > 0) return true
    const more = this.text.reserve(size - digits)
    let end = this.text.size
    for (let i = digits; i < size; i++) more[end++] = more[i]!
    this.close(owner, end)
    return false
  }

  private close(owner: number, size: number): void {
    this.text.size = size
    this.at.push(size)
    this.owner.push(owner)
  }
}

/** Returns the digits after a code's letters, without leading zeros; null for other codes. */
function digitsOf(code: string): string | null {
  const found = /^[a-z]+([0-9]+)$/.exec(code)
  return found === null ? null : found[1]!.replace(/^0+(?=\d)/, '')
}

/** Returns the range [from, to) of codes that equal the token, or begin with it. */
export function codeRange(packed: PackedIndex, token: string, how: 'is' | 'begins'): [from: number, to: number] {
  const count = packed.codeRank.length
  const search = (past: boolean): number => {
    let low = 0
    let high = count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (goesBefore(packed, middle, token, past, how)) low = middle + 1
      else high = middle
    }
    return low
  }
  return [search(false), search(true)]
}

function goesBefore(packed: PackedIndex, place: number, token: string, past: boolean, how: 'is' | 'begins'): boolean {
  const from = packed.codeAt[place]!
  const length = packed.codeAt[place + 1]! - from
  for (let i = 0; i < token.length; i++) {
    if (i >= length) return true
    const difference = packed.codeText[from + i]! - token.charCodeAt(i)
    if (difference !== 0) return difference < 0
  }
  return past && (how === 'begins' || length === token.length)
}

/** Returns the squeezed codes by rank, to move entities to another index. */
export function codesByRank(packed: PackedIndex): Map<number, string> {
  const out = new Map<number, string>()
  for (let i = 0; i < packed.codeRank.length; i++) {
    const code = String.fromCharCode(...packed.codeText.subarray(packed.codeAt[i]!, packed.codeAt[i + 1]!))
    const rank = packed.codeRank[i]!
    const known = out.get(rank)
    if (known === undefined || digitsOf(code) !== null) out.set(rank, code)
  }
  return out
}
