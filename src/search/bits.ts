/* Sets of ranks as bits, and the single pass that ranks their intersection. */

export type Bits = Int32Array

/** Work in short steps, so that its caller can check the time in between; it returns the result at the end. */
export type Steps<T> = Generator<undefined, T, undefined>

/**
 * Entries per step, about ten microseconds.
 * Steps are plain functions called often: if the engine drops their code, only one short step is slow.
 */
export const STEP = 8192

/** Adds `list[from..to)` to a set, at once. */
export function addAll(bits: Bits, list: Uint32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const rank = list[i]!
    bits[rank >>> 5]! |= 1 << (rank & 31)
  }
}

/** Adds `list[from..to)` to a set, step by step. */
export function* adding(bits: Bits, list: Uint32Array, from: number, to: number): Steps<void> {
  for (let at = from; at < to; at += STEP) {
    addAll(bits, list, at, Math.min(to, at + STEP))
    yield
  }
}

/** Adds what the other set has. */
export function addSet(bits: Bits, other: Bits): void {
  for (let i = 0; i < bits.length; i++) bits[i]! |= other[i]!
}

/** Adds what both sets have. */
export function addBoth(bits: Bits, one: Bits, other: Bits): void {
  for (let i = 0; i < bits.length; i++) bits[i]! |= one[i]! & other[i]!
}

export const has = (bits: Bits, rank: number): boolean => (bits[rank >>> 5]! & (1 << (rank & 31))) !== 0

/** How many names are in a set, and in the mask if there is one. */
export function countOf(bits: Bits, mask: Bits | null): number {
  let sum = 0
  for (let i = 0; i < bits.length; i++) {
    let v = mask === null ? bits[i]! : bits[i]! & mask[i]!
    v -= (v >>> 1) & 0x55555555
    v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
    sum += Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return sum
}

export type Pick = { rank: number; sum: number }

/** Words of 32 names that one step of `collect` looks at. */
const WIDTH = 1024
/** Enough to count twelve tokens at ten levels. */
const PLANES = 7
const both = new Int32Array(WIDTH)
const planes = new Int32Array(PLANES)

/** Intersects the sets without `taken`, for one step. Plain loops stay compiled. */
function intersect(all: readonly Bits[], mask: Bits | null, taken: Bits, at: number, length: number): void {
  const first = all[0]!
  for (let i = 0; i < length; i++) both[i] = first[at + i]! & ~taken[at + i]!
  for (let t = 1; t < all.length; t++) and(all[t]!, at, length)
  if (mask !== null) and(mask, at, length)
}

function and(set: Bits, at: number, length: number): void {
  for (let i = 0; i < length; i++) both[i]! &= set[at + i]!
}

/** Counts how many levels contain each of a word's 32 names, bit by bit in seven planes. */
function count(levels: readonly Bits[], i: number, c: number): void {
  planes.fill(0)
  for (let l = 0; l < levels.length; l++) {
    let carry = levels[l]![i]! & c
    for (let plane = 0; carry !== 0 && plane < PLANES; plane++) {
      const next = planes[plane]! & carry
      planes[plane]! ^= carry
      carry = next
    }
  }
}

/** Returns which of the names `c` have the count `sum`. */
function counted(c: number, sum: number): number {
  let b = c
  for (let plane = 0; plane < PLANES; plane++) b &= ~(planes[plane]! ^ -((sum >> plane) & 1))
  return b
}

/** Appends the ranks of the bits in word `i`. */
function ranksOf(i: number, bits: number, into: number[]): void {
  let b = bits
  while (b !== 0) {
    const low = b & -b
    into.push(i * 32 + 31 - Math.clz32(low))
    b ^= low
  }
}

/** The state of a pass: used names, others by closeness, and the least closeness that can still get in. */
type Pass = { early: number[]; buckets: number[][]; floor: number; used: number; need: number }

/** Adds the names of `both`; returns true if nothing ahead can get in. */
function sift(pass: Pass, levels: readonly Bits[], at: number, length: number): boolean {
  const { early, buckets, used, need } = pass
  const most = levels.length
  for (let w = 0; w < length; w++) {
    let c = both[w]!
    if (c === 0) continue
    const i = at + w
    if (i * 32 < used) {
      const usedBits = i * 32 + 32 <= used ? -1 : (1 << (used & 31)) - 1
      ranksOf(i, c & usedBits, early)
      if (early.length >= need) return true
      c &= ~usedBits
      if (c === 0) continue
    }
    count(levels, i, c)
    for (let s = most; s >= pass.floor && c !== 0; s--) {
      const b = counted(c, s)
      if (b === 0) continue
      ranksOf(i, b, buckets[s]!)
      c &= ~b
    }
    // With enough names of closeness s or better, only closer ones can still get in.
    let above = early.length
    for (let s = most; s >= pass.floor; s--) {
      above += buckets[s]!.length
      if (above >= need) pass.floor = s + 1
    }
    if (pass.floor > most) return true
  }
  return false
}

/**
 * Returns the best `need` ranks in every set of `all`: used ones (below `used`) by rank, then by count of `levels`.
 * Ties keep rank order. The pass ends as soon as nothing ahead can get in.
 */
export function* collect(
  all: readonly Bits[],
  levels: readonly Bits[],
  mask: Bits | null,
  taken: Bits,
  used: number,
  need: number,
): Steps<Pick[]> {
  const most = levels.length
  const pass: Pass = { early: [], buckets: Array.from({ length: most + 1 }, () => []), floor: 0, used, need }
  // The mask of used names is no longer than these.
  const size = Math.min(taken.length, mask?.length ?? taken.length)
  for (let at = 0; at < size; at += WIDTH) {
    const length = Math.min(WIDTH, size - at)
    intersect(all, mask, taken, at, length)
    if (sift(pass, levels, at, length)) break
    yield
  }
  const picks: Pick[] = pass.early.map((rank) => ({ rank, sum: most + 1 }))
  for (let s = most; s >= 0 && picks.length < need; s--) for (const rank of pass.buckets[s]!) picks.push({ rank, sum: s })
  picks.length = Math.min(picks.length, need)
  return picks
}
