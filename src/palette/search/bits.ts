/* Sets of ranks as bits, and the one pass that ranks their intersection. */

export type Bits = Int32Array

/** Adds `list[from..to)` to a set. */
export function addAll(bits: Bits, list: Uint32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const rank = list[i]!
    bits[rank >>> 5]! |= 1 << (rank & 31)
  }
}

export const has = (bits: Bits, rank: number): boolean => (bits[rank >>> 5]! & (1 << (rank & 31))) !== 0

export type Pick = { rank: number; sum: number }

/**
 * The best `need` ranks that are in every set of `all`: first the used ones (below `used`) by rank, then by the number of `levels`
 * they are in, then by rank. Bits are counted 32 names at a time in six planes; the pass ends as soon as nothing ahead can enter.
 */
export function collect(all: Bits[], levels: Bits[], mask: Bits | null, taken: Bits, used: number, need: number): Pick[] {
  const picks: Pick[] = []
  const buckets: number[][] = []
  const most = levels.length
  for (let s = 0; s <= most; s++) buckets.push([])
  let floor = 0
  const words = taken.length
  const usedWord = used >>> 5
  for (let i = 0; i < words; i++) {
    let c = ~taken[i]!
    if (mask !== null) c &= mask[i]!
    for (let t = 0; t < all.length; t++) c &= all[t]![i]!
    if (c === 0) continue
    if (i <= usedWord) {
      const early = i < usedWord ? -1 : (1 << (used & 31)) - 1
      let b = c & early
      while (b !== 0) {
        const low = b & -b
        picks.push({ rank: (i << 5) + (31 - Math.clz32(low)), sum: most + 1 })
        if (picks.length >= need) return picks
        b ^= low
      }
      c &= ~early
      if (c === 0) continue
    }
    let p0 = 0
    let p1 = 0
    let p2 = 0
    let p3 = 0
    let p4 = 0
    let p5 = 0
    for (let l = 0; l < most; l++) {
      let carry = levels[l]![i]! & c
      if (carry === 0) continue
      let next = p0 & carry
      p0 ^= carry
      if (next === 0) continue
      carry = next
      next = p1 & carry
      p1 ^= carry
      if (next === 0) continue
      carry = next
      next = p2 & carry
      p2 ^= carry
      if (next === 0) continue
      carry = next
      next = p3 & carry
      p3 ^= carry
      if (next === 0) continue
      carry = next
      next = p4 & carry
      p4 ^= carry
      p5 ^= next
    }
    let pushed = false
    for (let s = most; s >= floor && c !== 0; s--) {
      let b =
        c &
        ~(p0 ^ -(s & 1)) &
        ~(p1 ^ -((s >> 1) & 1)) &
        ~(p2 ^ -((s >> 2) & 1)) &
        ~(p3 ^ -((s >> 3) & 1)) &
        ~(p4 ^ -((s >> 4) & 1)) &
        ~(p5 ^ -((s >> 5) & 1))
      c &= ~b
      while (b !== 0) {
        const low = b & -b
        buckets[s]!.push((i << 5) + (31 - Math.clz32(low)))
        b ^= low
        pushed = true
      }
    }
    if (pushed) {
      let above = picks.length
      for (let s = most; s >= floor; s--) {
        above += buckets[s]!.length
        if (above >= need) {
          floor = s + 1
          break
        }
      }
      if (floor > most) break
    }
  }
  for (let s = most; s >= 0 && picks.length < need; s--)
    for (const rank of buckets[s]!) {
      if (picks.length >= need) break
      picks.push({ rank, sum: s })
    }
  return picks
}
