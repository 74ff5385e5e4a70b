import { ASCII, foldCharacter, isPicture, maskOf } from './fold.ts'
import { Numbers, Units } from './growingLists.ts'

/** Collects the distinct folded words of many texts, numbered in order of appearance. */
export class Dictionary {
  private text = new Units()
  private at = new Numbers()
  private hashes = new Numbers()
  private table = new Int32Array(1 << 12).fill(-1)
  private word = new Uint16Array(64)
  /** Pictures of the current text, which go after its words. */
  private pictures: number[] = []

  constructor() {
    this.at.push(0)
  }

  get size(): number {
    return this.hashes.size
  }

  /** Folds a text and appends its word numbers to `into`. */
  read(text: string, into: Numbers): void {
    let length = 0
    let hash = 0x811c9dc5
    let { word } = this
    for (let i = 0; i < text.length; i++) {
      let unit = text.charCodeAt(i)
      if (unit < 128) {
        unit = ASCII[unit]!
        if (unit === 0) {
          if (length > 0) {
            into.push(this.intern(length, hash))
            length = 0
            hash = 0x811c9dc5
          }
        } else if (unit !== 1) {
          if (length === word.length) word = this.widen()
          word[length++] = unit
          hash = Math.imul(hash ^ unit, 0x01000193)
        }
        continue
      }
      const point = text.codePointAt(i)!
      if (point > 0xffff) i++
      const folded = foldCharacter(point)
      if (folded === ' ' && isPicture(point)) this.pictures.push(point)
      for (let j = 0; j < folded.length; j++) {
        const part = folded.charCodeAt(j)
        if (part === 32) {
          if (length > 0) into.push(this.intern(length, hash))
          length = 0
          hash = 0x811c9dc5
        } else {
          if (length === word.length) word = this.widen()
          word[length++] = part
          hash = Math.imul(hash ^ part, 0x01000193)
        }
      }
    }
    if (length > 0) into.push(this.intern(length, hash))
    if (this.pictures.length > 0) this.readPictures(into)
  }

  private readPictures(into: Numbers): void {
    for (const point of this.pictures) {
      const picture = String.fromCodePoint(point)
      let hash = 0x811c9dc5
      for (let i = 0; i < picture.length; i++) {
        this.word[i] = picture.charCodeAt(i)
        hash = Math.imul(hash ^ this.word[i]!, 0x01000193)
      }
      into.push(this.intern(picture.length, hash))
    }
    this.pictures.length = 0
  }

  private widen(): Uint16Array<ArrayBuffer> {
    const wider = new Uint16Array(this.word.length * 2)
    wider.set(this.word)
    this.word = wider
    return wider
  }

  private intern(length: number, hash: number): number {
    const { word, table, at } = this
    const mask = table.length - 1
    let slot = (hash ^ (hash >>> 15)) & mask
    for (;;) {
      const known = table[slot]!
      if (known < 0) break
      if (this.hashes.data[known]! === hash >>> 0) {
        const from = at.data[known]!
        if (at.data[known + 1]! - from === length) {
          const text = this.text.data
          let i = 0
          while (i < length && text[from + i] === word[i]) i++
          if (i === length) return known
        }
      }
      slot = (slot + 1) & mask
    }
    const id = this.hashes.size
    table[slot] = id
    this.text.reserve(length).set(word.subarray(0, length), this.text.size)
    this.text.size += length
    at.push(this.text.size)
    this.hashes.push(hash >>> 0)
    if (id * 2 > table.length) this.rehash()
    return id
  }

  private rehash(): void {
    this.table = new Int32Array(this.table.length * 4).fill(-1)
    const mask = this.table.length - 1
    for (let id = 0; id < this.hashes.size; id++) {
      const hash = this.hashes.data[id]!
      let slot = (hash ^ (hash >>> 15)) & mask
      while (this.table[slot]! >= 0) slot = (slot + 1) & mask
      this.table[slot] = id
    }
  }

  /** Returns the words in order of their units, and the position of each old number. */
  sorted(): { text: Uint16Array; at: Uint32Array; mask: Int32Array; place: Uint32Array } {
    const count = this.size
    const text = this.text.data
    const at = this.at.data
    const key = new Float64Array(count)
    const order = new Uint32Array(count)
    for (let id = 0; id < count; id++) {
      order[id] = id
      const from = at[id]!
      const length = at[id + 1]! - from
      key[id] = text[from]! * 0x100000000 + (length > 1 ? text[from + 1]! * 0x10000 : 0) + (length > 2 ? text[from + 2]! : 0)
    }
    order.sort((a, b) => {
      const byKey = key[a]! - key[b]!
      if (byKey !== 0) return byKey
      const endA = at[a + 1]!
      const endB = at[b + 1]!
      let i = at[a]! + 3
      let j = at[b]! + 3
      for (; i < endA && j < endB; i++, j++) if (text[i] !== text[j]) return text[i]! - text[j]!
      return endA - at[a]! - (endB - at[b]!)
    })
    const outText = new Uint16Array(this.text.size)
    const outAt = new Uint32Array(count + 1)
    const mask = new Int32Array(count)
    const place = new Uint32Array(count)
    let size = 0
    for (let i = 0; i < count; i++) {
      const id = order[i]!
      const from = at[id]!
      const to = at[id + 1]!
      outText.set(text.subarray(from, to), size)
      size += to - from
      outAt[i + 1] = size
      mask[i] = maskOf(outText, outAt[i]!, size)
      place[id] = i
    }
    return { text: outText, at: outAt, mask, place }
  }
}
