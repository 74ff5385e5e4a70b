/** Reproducible randomness: the same seed gives the same run. */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from `from` to `to`, inclusive. */
  int(from: number, to: number): number
  pick<T>(all: readonly T[]): T
  /** True with this probability. */
  chance(share: number): boolean
}

/** Random numbers from a seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return { next, int, pick: (all) => all[int(0, all.length - 1)]!, chance: (share) => next() < share }
}
