/** The days after which a use counts half. */
const HALF_LIFE_DAYS = 5

/**
 * Adds a use to a frecency, the logarithm of all uses, each worth 2^(its time in half-lives).
 * Values of different days compare directly, so that nothing ever has to be aged.
 */
export function addUse(frecency: number | undefined, at: number): number {
  const use = at / (HALF_LIFE_DAYS * 86_400_000)
  if (frecency === undefined) return use
  const high = Math.max(frecency, use)
  return high + Math.log2(2 ** (frecency - high) + 2 ** (use - high))
}
