/** Days after which a use counts half. */
export const HALF_LIFE_DAYS = 5

/**
 * A use added to a frecency. The figure is the logarithm of all uses, each worth 2^(age of the world in half-lives), so that figures of
 * different days compare as they are and nothing ever has to be aged.
 */
export function addUse(frecency: number | undefined, at: number): number {
  const use = at / (HALF_LIFE_DAYS * 86_400_000)
  if (frecency === undefined) return use
  const high = Math.max(frecency, use)
  return high + Math.log2(2 ** (frecency - high) + 2 ** (use - high))
}
