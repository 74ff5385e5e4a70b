/* The second line: its words are searched beside the name's, its addresses and telephone numbers as a list. */
import { byDigits, Numbers } from './grow.ts'
import type { PackedIndex } from './types.ts'

const PART = /\s*·\s*/
const isPhone = (part: string): boolean => /^\+?[\d\s()./-]{6,}$/.test(part)
const isContact = (part: string): boolean => part.includes('@') || isPhone(part)

/** What of a second line is read as words. */
export const readDetail = (detail: string): string =>
  detail.includes('@') || /\d{3}/.test(detail)
    ? detail
        .split(PART)
        .map((part) => (isPhone(part) ? '' : part.replace(/\S*@\S*/g, '')))
        .join(' ')
    : detail

/** The addresses and telephone numbers of a second line, reduced to letters and digits from each run on. */
export function contactsOf(detail: string): string[] {
  return detail.split(PART).flatMap((part) => {
    if (!isContact(part)) return []
    const text = isPhone(part) ? part : part.slice(part.search(/\S*@/))
    return [...startsOf(text)].map((at) => letters(text.slice(at)))
  })
}

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Where runs begin that a contact is looked up by: each of a number or of a local part, and the domain. */
function* startsOf(text: string): Iterable<number> {
  const sign = text.indexOf('@')
  for (const { index } of text.matchAll(/[a-z0-9]+/gi)) {
    if (sign < 0 || index < sign) yield index
    else {
      yield index
      return
    }
  }
}

/** Letters in a sort key: 38 to the ninth fits three passes of sixteen bits. */
const KEY = 9
const DOT = 0xc2
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The digit of a byte in a key: 0 if it is passed over. */
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

/** The places of all contacts' runs in the text of the second lines, in order of their first letters. */
export function packContacts(detailText: Uint8Array, detailAt: Uint32Array): Uint32Array {
  const places = new Numbers()
  const ends = new Numbers()
  for (let rank = 0; rank + 1 < detailAt.length; rank++) {
    const [from, to] = [detailAt[rank]!, detailAt[rank + 1]!]
    if (!mayHoldContact(detailText, from, to)) continue
    const detail = decoder.decode(detailText.subarray(from, to))
    let at = 0
    for (const part of detail.split(/(\s*·\s*)/)) {
      if (isContact(part)) {
        const own = isPhone(part) ? 0 : part.search(/\S*@/)
        const start = from + encoder.encode(detail.slice(0, at + own)).length
        // A run's place in units is its place in bytes while the text is plain.
        const plain = part.slice(own)
        for (const run of startsOf(plain)) {
          places.push(start + encoder.encode(plain.slice(0, run)).length)
          ends.push(to)
        }
      }
      at += part.length
    }
  }
  const count = places.size
  const keys = new Float64Array(count)
  let order: Uint32Array<ArrayBuffer> = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    order[i] = i
    keys[i] = keyAt(detailText, places.data[i]!, ends.data[i]!)
  }
  for (let step = 1; step <= 0x100000000; step *= 0x10000) order = byDigits(order, (i) => Math.floor(keys[i]! / step) & 0xffff)
  return order.map((i) => places.data[i]!)
}

/** A quick look: an @, or three digits. */
function mayHoldContact(text: Uint8Array, from: number, to: number): boolean {
  let digits = 0
  for (let i = from; i < to; i++) {
    const byte = text[i]!
    if (byte === 64) return true
    if (byte >= 48 && byte <= 57 && ++digits === 6) return true
  }
  return false
}

/** The rank whose second line holds this place. */
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

/** What of a token is looked up among contacts: a national number without its zero; null if it is too short. */
export function contactToken(token: string): string | null {
  if (!/^[a-z0-9]+$/.test(token)) return null
  const text = /^0+[1-9]\d+$/.test(token) ? token.replace(/^0+/, '') : token
  return text.length >= (/^\d+$/.test(text) ? LEAST.digits : LEAST.letters) ? text : null
}

/** Ranks with an address or a telephone number of which a run begins with the token. */
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
