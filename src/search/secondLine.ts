/* The second line: its words are searched together with the name's; addresses and phone numbers have their own list. */
import { byWideKeys, Numbers } from './growingLists.ts'
import type { PackedIndex } from './types.ts'

const isPhone = (part: string): boolean => /^\+?[\d\s()./-]{6,}$/.test(part)

/** Returns the part of a second line that is read as words. */
export const readDetail = (detail: string): string =>
  detail.includes('@') || /\d\D?\d\D?\d/.test(detail)
    ? detail
        .split('·')
        .map((part) => part.trim())
        .map((part) => (isPhone(part) ? '' : part.replace(/\S+/g, (word) => (word.includes('@') ? '' : word))))
        .join(' ')
    : detail

/** How many letters a sort key has: 38 to the ninth fits three passes of sixteen bits. */
const KEY = 9
const DOT = 0xc2

/** Returns the digit of a byte in a key; 0 if it is skipped. */
const digitOf = (byte: number): number =>
  byte >= 97 && byte <= 122 ? byte - 86 : byte >= 65 && byte <= 90 ? byte - 54 : byte >= 48 && byte <= 57 ? byte - 47 : 0

function keyAt(text: Uint8Array, at: number, end: number): number {
  let key = 0
  let taken = 0
  for (let i = at; i < end && taken < KEY && text[i] !== DOT; i++) {
    const digit = digitOf(text[i]!)
    if (digit === 0) continue
    key = key * 38 + digit
    taken++
  }
  for (; taken < KEY; taken++) key *= 38
  return key
}

/** Returns the positions of all contacts' parts in the text of the second lines, ordered by their first letters. */
export function packContacts(detailText: Uint8Array, detailAt: Uint32Array): Uint32Array {
  const places = new Numbers()
  const ends = new Numbers()
  for (let rank = 0; rank + 1 < detailAt.length; rank++) {
    const to = detailAt[rank + 1]!
    for (let from = detailAt[rank]!; from < to; ) {
      let end = from
      while (end < to && detailText[end] !== DOT) end++
      addStarts(detailText, from, end, to, places, ends)
      from = end + 2
    }
  }
  const count = places.size
  const keys = new Float64Array(count)
  let order: Uint32Array<ArrayBuffer> = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    order[i] = i
    keys[i] = keyAt(detailText, places.data[i]!, ends.data[i]!)
  }
  order = byWideKeys(order, keys)
  return order.map((i) => places.data[i]!)
}

const SPACE = 32
const AT = 64
/** Bytes that a phone number may contain besides digits and spaces. */
const AMONG_DIGITS = new Set([...'+()./-'].map((sign) => sign.charCodeAt(0)))

/** Adds the positions within a part of a second line, if it is an address or a phone number. */
function addStarts(text: Uint8Array, from: number, to: number, end: number, places: Numbers, ends: Numbers): void {
  let sign = -1
  let number = true
  let signs = 0
  for (let i = from; i < to && (number || sign < 0); i++) {
    const byte = text[i]!
    if (byte === AT && sign < 0) sign = i
    const digit = byte >= 48 && byte <= 57
    if (byte !== SPACE) signs++
    if (!digit && byte !== SPACE && !AMONG_DIGITS.has(byte)) number = false
  }
  if (sign < 0 && (!number || signs < 6)) return
  let at = from
  if (sign >= 0) for (let i = from; i < sign; i++) if (text[i] === SPACE) at = i + 1
  for (let inRun = false; at < to; at++) {
    const plain = digitOf(text[at]!) !== 0
    if (plain && !inRun) {
      places.push(at)
      ends.push(end)
      if (sign >= 0 && at > sign) return
    }
    inRun = plain
  }
}

/** Returns the rank whose second line contains this position. */
function rankAt({ detailAt }: PackedIndex, place: number): number {
  let low = 0
  let high = detailAt.length - 1
  while (low + 1 < high) {
    const middle = (low + high) >>> 1
    if (detailAt[middle]! <= place) low = middle
    else high = middle
  }
  return low
}

/** The fewest letters or digits that are looked up among contacts. */
const LEAST = { letters: 4, digits: 3 } as const

/** Returns the part of a token to look up among contacts: a national number loses its zero; null if it is too short. */
export function contactToken(token: string): string | null {
  if (!/^[a-z0-9]+$/.test(token)) return null
  const text = /^0+[1-9]\d+$/.test(token) ? token.replace(/^0+/, '') : token
  return text.length >= (/^\d+$/.test(text) ? LEAST.digits : LEAST.letters) ? text : null
}

/** Returns ranks with an address or a phone number of which a part begins with the token. */
export function contactRanks(p: PackedIndex, token: string): number[] {
  const text = contactToken(token)
  if (text === null || p.contactAt.length === 0) return []
  let low = 0
  let width = 38 ** KEY
  for (let i = 0; i < KEY; i++) {
    width /= 38
    low += i < text.length ? digitOf(text.charCodeAt(i)) * width : 0
  }
  const span = 38 ** Math.max(0, KEY - text.length)
  const from = contactBound(p, low)
  const to = contactBound(p, low + span)
  const out = new Set<number>()
  for (let i = from; i < to; i++) {
    const place = p.contactAt[i]!
    const rank = rankAt(p, place)
    if (text.length <= KEY || holds(p, place, p.detailAt[rank + 1]!, text)) out.add(rank)
  }
  return [...out]
}

function contactBound(p: PackedIndex, key: number): number {
  let low = 0
  let high = p.contactAt.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const place = p.contactAt[middle]!
    if (keyAt(p.detailText, place, p.detailAt[rankAt(p, place) + 1]!) < key) low = middle + 1
    else high = middle
  }
  return low
}

function holds({ detailText }: PackedIndex, place: number, end: number, text: string): boolean {
  let at = 0
  for (let i = place; i < end && detailText[i] !== DOT && at < text.length; i++) {
    const digit = digitOf(detailText[i]!)
    if (digit === 0) continue
    if (digit !== digitOf(text.charCodeAt(at))) return false
    at++
  }
  return at === text.length
}
