/* Growing lists of numbers, without boxing each number. */

export class Bytes {
  data = new Uint8Array(1 << 12)
  size = 0
  /** Makes room for `more` bytes; returns the array to write to, from `size` on. */
  reserve(more: number): Uint8Array {
    if (this.size + more > this.data.length) {
      const wider = new Uint8Array(Math.max(this.data.length * 2, this.size + more))
      wider.set(this.data)
      this.data = wider
    }
    return this.data
  }
  done = (): Uint8Array => this.data.slice(0, this.size)
}

export class Units {
  data = new Uint16Array(1 << 10)
  size = 0
  reserve(more: number): Uint16Array {
    if (this.size + more > this.data.length) {
      const wider = new Uint16Array(Math.max(this.data.length * 2, this.size + more))
      wider.set(this.data)
      this.data = wider
    }
    return this.data
  }
  done = (): Uint16Array => this.data.slice(0, this.size)
}

export class Numbers {
  data = new Uint32Array(1 << 10)
  size = 0
  push(value: number): void {
    if (this.size === this.data.length) {
      const wider = new Uint32Array(this.data.length * 2)
      wider.set(this.data)
      this.data = wider
    }
    this.data[this.size++] = value
  }
  done = (): Uint32Array => this.data.slice(0, this.size)
}

/** A stable counting-sort pass by 16 bits. */
export function byDigits(order: Uint32Array, digits: (at: number) => number): Uint32Array<ArrayBuffer> {
  const counts = new Uint32Array(0x10001)
  for (let i = 0; i < order.length; i++) counts[digits(order[i]!) + 1]!++
  for (let d = 0; d < 0x10000; d++) counts[d + 1]! += counts[d]!
  const out = new Uint32Array(order.length)
  for (let i = 0; i < order.length; i++) {
    const at = order[i]!
    out[counts[digits(at)]!++] = at
  }
  return out
}
