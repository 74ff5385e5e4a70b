/** Formats of numbers and amounts that the first screen doesn't need; format.ts has the others. */
const formats = new Map<string, Intl.NumberFormat>()

/** Formats a number with `least` to `most` decimals: 12.5 → "12.5", or "12.50" with at least two. */
export function decimal(value: number, most: number, least = 0): string {
  const key = `${least} ${most}`
  const known = formats.get(key) ?? new Intl.NumberFormat('en-US', { minimumFractionDigits: least, maximumFractionDigits: most })
  formats.set(key, known)
  return known.format(value)
}

/** Formats cents as dollars for an input: 1250 → "12.50". */
export const editableDollars = (cents: number): string => (cents / 100).toFixed(2)

/** Formats a list of amounts in dollars without the sign: "5, 10, 15". */
export const amountList = (cents: readonly number[]): string => cents.map((one) => one / 100).join(', ')

/** Formats a percentage with fixed decimals, so that a column of them lines up: "35.0 %". */
export const decimalPercent = (value: number, digits: number): string => `${decimal(value, digits, digits)}\u00a0%`
