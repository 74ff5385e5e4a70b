import { Bytes, Numbers } from './growingLists.ts'

/** Concatenated UTF-8 texts. */
export class Text {
  private bytes = new Bytes()
  private at = new Numbers()

  constructor() {
    this.at.push(0)
  }

  push(text: string): void {
    const room = this.bytes.reserve(text.length * 3)
    let size = this.bytes.size
    // Written by hand: an encoder costs a microsecond per call, and most second lines have a dot that isn't ASCII.
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (unit < 0x80) {
        room[size++] = unit
        continue
      }
      if (unit < 0x800) {
        room[size++] = 0xc0 | (unit >> 6)
        room[size++] = 0x80 | (unit & 0x3f)
        continue
      }
      const point = text.codePointAt(i)!
      if (point > 0xffff) {
        i++
        room[size++] = 0xf0 | (point >> 18)
        room[size++] = 0x80 | ((point >> 12) & 0x3f)
        room[size++] = 0x80 | ((point >> 6) & 0x3f)
        room[size++] = 0x80 | (point & 0x3f)
        continue
      }
      // A lone surrogate has no bytes of its own.
      const whole = point >= 0xd800 && point < 0xe000 ? 0xfffd : point
      room[size++] = 0xe0 | (whole >> 12)
      room[size++] = 0x80 | ((whole >> 6) & 0x3f)
      room[size++] = 0x80 | (whole & 0x3f)
    }
    this.bytes.size = size
    this.at.push(size)
  }

  /** Returns the texts in another order, in arrays of the exact size. */
  inOrder(order: Uint32Array): [text: Uint8Array, at: Uint32Array] {
    const text = new Uint8Array(this.bytes.size)
    const at = new Uint32Array(order.length + 1)
    const { data } = this.bytes
    const starts = this.at.data
    let size = 0
    for (let rank = 0; rank < order.length; rank++) {
      const from = order[rank]!
      const to = starts[from + 1]!
      for (let i = starts[from]!; i < to; i++) text[size++] = data[i]!
      at[rank + 1] = size
    }
    return [text, at]
  }
}
