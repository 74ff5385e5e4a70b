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

/** Sorts by 16 bits of each position's key, from bit `shift` on: a stable pass of a counting sort. */
function byDigits(order: Uint32Array, keys: Uint32Array, shift: 0 | 16): Uint32Array<ArrayBuffer> {
  const counts = new Uint32Array(0x10001)
  for (let i = 0; i < order.length; i++) counts[((keys[order[i]!]! >>> shift) & 0xffff) + 1]!++
  for (let d = 0; d < 0x10000; d++) counts[d + 1]! += counts[d]!
  const out = new Uint32Array(order.length)
  for (let i = 0; i < order.length; i++) {
    const at = order[i]!
    out[counts[(keys[at]! >>> shift) & 0xffff]!++] = at
  }
  return out
}

/** Sorts positions by their keys, keeping the order of equal ones; skips a pass whose digits are all 0. */
export function byKeys(order: Uint32Array, keys: Uint32Array): Uint32Array<ArrayBuffer> {
  let most = 0
  for (let i = 0; i < order.length; i++) if (keys[order[i]!]! > most) most = keys[order[i]!]!
  const low = byDigits(order, keys, 0)
  return most > 0xffff ? byDigits(low, keys, 16) : low
}

/** Sorts by whole numbers above 32 bits. */
export function byWideKeys(order: Uint32Array, keys: Float64Array): Uint32Array<ArrayBuffer> {
  const low = new Uint32Array(keys.length)
  const high = new Uint32Array(keys.length)
  for (let i = 0; i < keys.length; i++) {
    high[i] = Math.floor(keys[i]! / 0x100000000)
    low[i] = keys[i]! - high[i]! * 0x100000000
  }
  return byKeys(byKeys(order, low), high)
}
