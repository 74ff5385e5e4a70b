import { showRounded } from './format.ts'

/**
 * The parts of a whole in percent, with some decimals, so that they add up to 100 as shown (largest remainder).
 * What the parts lack of the whole takes a share, too. Parts that overlap, as several answers do, are rounded each.
 */
export const sharesOf = (parts: readonly number[], whole = parts.reduce((sum, part) => sum + part, 0), digits = 1): number[] =>
  sharesWithin(100, parts, whole, digits)

/** The same for parts of a part whose own share is shown: they add up to it. */
export function sharesWithin(percent: number, parts: readonly number[], whole: number, digits = 1): number[] {
  const unit = 10 ** digits
  const units = Math.round(percent * unit)
  if (whole <= 0) return parts.map(() => 0)
  const rest = whole - parts.reduce((sum, part) => sum + part, 0)
  const exact = [...parts, Math.max(0, rest)].map((part) => (units * part) / whole)
  if (rest < 0) return parts.map((_, at) => Math.round(exact[at]!) / unit)
  // A tiny error of the division must not take a unit away.
  const floors = exact.map((value) => Math.floor(value + 1e-9))
  const missing = units - floors.reduce((sum, value) => sum + value, 0)
  const largest = exact
    .map((value, at) => ({ at, remainder: value - floors[at]! }))
    .sort((one, other) => other.remainder - one.remainder || exact[one.at]! - exact[other.at]! || one.at - other.at)
  for (const { at } of largest.slice(0, missing)) floors[at]!++
  return parts.map((_, at) => floors[at]! / unit)
}

/** Formats the parts of a whole as percentages that add up to 100. */
export const showShares = (parts: readonly number[], whole = parts.reduce((sum, part) => sum + part, 0), digits = 0): string[] =>
  sharesOf(parts, whole, digits).map((percent, at) => showRounded(percent, parts[at]!, whole, digits))
