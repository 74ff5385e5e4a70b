import { Bytes, Numbers } from './grow.ts'

const encoder = new TextEncoder()

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
    let i = 0
    for (; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (unit >= 128) break
      room[size++] = unit
    }
    if (i < text.length) size = this.bytes.size + encoder.encodeInto(text, room.subarray(this.bytes.size)).written
    this.bytes.size = size
    this.at.push(size)
  }

  /** The texts in another order, in arrays of the exact size. */
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
