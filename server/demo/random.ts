/** A repeatable random source: a name yields the same numbers on every machine and engine. */
export interface Random {
  /** From 0 up to but not including 1. */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number
  /** True for a `share` of the draws. */
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
  /** `count` distinct elements in the order drawn; all if there are fewer. */
  some<T>(list: readonly T[], count: number): T[]
  /** An index drawn by weight. */
  weigh(weights: ArrayLike<number>): number
  /** Standard normal. */
  normal(): number
  /** Log-normal by its median and 90th percentile. */
  logNormal(median: number, p90: number): number
  shuffle<T>(list: T[]): T[]
}

/** Opens a named stream; draws from one stream never shift another's. */
export function randomOf(...name: (string | number)[]): Random {
  let [a, b, c, d] = hash(name.join('/'))
  // sfc32: 128 bits of state, fast, and random enough for demo data.
  const next = () => {
    const t = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + t
    return (t >>> 0) / 4_294_967_296
  }
  for (let warm = 0; warm < 12; warm++) next()
  let spare: number | null = null
  const random: Random = {
    next,
    int: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (share) => next() < share,
    pick: (list) => list[Math.floor(next() * list.length)]!,
    some: (list, count) => random.shuffle([...list]).slice(0, count),
    weigh(weights) {
      let sum = 0
      for (let at = 0; at < weights.length; at++) sum += weights[at]!
      let left = next() * sum
      for (let at = 0; at < weights.length; at++) {
        left -= weights[at]!
        if (left < 0) return at
      }
      return weights.length - 1
    },
    normal() {
      if (spare !== null) {
        const spareValue = spare
        spare = null
        return spareValue
      }
      const radius = Math.sqrt(-2 * Math.log(1 - next()))
      const angle = 2 * Math.PI * next()
      spare = radius * Math.sin(angle)
      return radius * Math.cos(angle)
    },
    logNormal: (median, p90) => median * Math.exp((Math.log(p90 / median) / 1.2816) * random.normal()),
    shuffle(list) {
      for (let at = list.length - 1; at > 0; at--) {
        const other = Math.floor(next() * (at + 1))
        ;[list[at], list[other]] = [list[other]!, list[at]!]
      }
      return list
    },
  }
  return random
}

function hash(text: string): [number, number, number, number] {
  const out: [number, number, number, number] = [1779033703, 3144134277, 1013904242, 2773480762]
  const primes = [597399067, 2869860233, 951274213, 2716044179] as const
  for (let at = 0; at < text.length; at++) {
    for (let lane = 0; lane < 4; lane++)
      out[lane] = Math.imul(out[lane]! ^ text.charCodeAt(at), primes[lane]!) ^ (out[(lane + 1) % 4]! >>> 15)
  }
  return out
}

/** Splits a whole number by weights into parts that add up exactly (largest remainders). */
export function shareOut(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  if (sum <= 0) return weights.map(() => 0)
  const exact = weights.map((weight) => (total * weight) / sum)
  const parts = exact.map(Math.floor)
  const left = total - parts.reduce((all, part) => all + part, 0)
  const order = exact
    .map((value, at) => ({ at, rest: value - Math.floor(value) }))
    .sort((one, other) => other.rest - one.rest || one.at - other.at)
  for (const { at } of order.slice(0, left)) parts[at]!++
  return parts
}

/** The normal distribution's quantile (Acklam), which keeps a distribution's median and tails exact. */
export function normalQuantile(p: number): number {
  const a = [
    -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
  ] as const
  const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572] as const
  const c = [
    -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783,
  ] as const
  const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416] as const
  const tail = (q: number) =>
    (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) / ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1)
  if (p < 0.02425) return tail(Math.sqrt(-2 * Math.log(p)))
  if (p > 0.97575) return -tail(Math.sqrt(-2 * Math.log(1 - p)))
  const q = p - 0.5
  const r = q * q
  return (
    ((((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q) /
    (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1)
  )
}
