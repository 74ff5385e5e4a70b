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

let both = new Int32Array(0)

/** The intersection of the sets without `taken`, in an array that the next call writes over. Plain loops: they compile once and stay. */
function intersect(all: readonly Bits[], mask: Bits | null, taken: Bits): Bits {
  const length = taken.length
  if (both.length < length) both = new Int32Array(length)
  const out = both
  const first = all[0]!
  for (let i = 0; i < length; i++) out[i] = first[i]! & ~taken[i]!
  for (let t = 1; t < all.length; t++) and(out, all[t]!, length)
  if (mask !== null) and(out, mask, length)
  return out
}

function and(out: Bits, set: Bits, length: number): void {
  for (let i = 0; i < length; i++) out[i]! &= set[i]!
}

const planes = new Int32Array(6)

/** Counts, for each of the 32 names of a word, in how many levels it is: bit by bit in six planes. */
function count(levels: readonly Bits[], i: number, c: number): void {
  planes.fill(0)
  for (let l = 0; l < levels.length; l++) {
    let carry = levels[l]![i]! & c
    for (let plane = 0; carry !== 0 && plane < 6; plane++) {
      const next = planes[plane]! & carry
      planes[plane]! ^= carry
      carry = next
    }
  }
}

/** Which of the names `c` were counted to exactly `sum`. */
function counted(c: number, sum: number): number {
  let b = c
  for (let plane = 0; plane < 6; plane++) b &= ~(planes[plane]! ^ -((sum >> plane) & 1))
  return b
}

/** Appends the ranks of the bits of word `i`. */
function ranksOf(i: number, bits: number, into: number[]): void {
  let b = bits
  while (b !== 0) {
    const low = b & -b
    into.push(i * 32 + 31 - Math.clz32(low))
    b ^= low
  }
}

/**
 * The best `need` ranks that are in every set of `all`: first the used ones (below `used`) by rank, then by the number of `levels`
 * they are in, then by rank. The pass ends as soon as nothing ahead can enter.
 */
export function collect(
  all: readonly Bits[],
  levels: readonly Bits[],
  mask: Bits | null,
  taken: Bits,
  used: number,
  need: number,
): Pick[] {
  const set = intersect(all, mask, taken)
  const length = taken.length
  const most = levels.length
  const early: number[] = []
  const buckets: number[][] = Array.from({ length: most + 1 }, () => [])
  let floor = 0
  for (let i = 0; i < length; i++) {
    let c = set[i]!
    if (c === 0) continue
    if (i * 32 < used) {
      const usedBits = i * 32 + 32 <= used ? -1 : (1 << (used & 31)) - 1
      ranksOf(i, c & usedBits, early)
      if (early.length >= need) break
      c &= ~usedBits
      if (c === 0) continue
    }
    count(levels, i, c)
    for (let s = most; s >= floor && c !== 0; s--) {
      const b = counted(c, s)
      if (b === 0) continue
      ranksOf(i, b, buckets[s]!)
      c &= ~b
    }
    // With enough names of closeness s or better, only closer ones can still enter.
    let above = early.length
    for (let s = most; s >= floor; s--) {
      above += buckets[s]!.length
      if (above >= need) floor = s + 1
    }
    if (floor > most) break
  }
  const picks: Pick[] = early.map((rank) => ({ rank, sum: most + 1 }))
  for (let s = most; s >= 0 && picks.length < need; s--) for (const rank of buckets[s]!) picks.push({ rank, sum: s })
  picks.length = Math.min(picks.length, need)
  return picks
}
