/** Numbers and amounts that the first screen doesn't show; format.ts has the others. */
const formats = new Map<string, Intl.NumberFormat>()

/** A number with at most `most` decimals, and at least `least`: 12.5 → "12.5", and "12.50" with two. */
export function decimal(value: number, most: number, least = 0): string {
  const key = `${least} ${most}`
  const known = formats.get(key) ?? new Intl.NumberFormat('en-US', { minimumFractionDigits: least, maximumFractionDigits: most })
  formats.set(key, known)
  return known.format(value)
}

/** Cents as dollars to edit: 1250 → "12.50". */
export const editableDollars = (cents: number): string => (cents / 100).toFixed(2)

/** The amounts a provider pays, in dollars without their sign: "5, 10, 15". */
export const amountList = (cents: readonly number[]): string => cents.map((one) => one / 100).join(', ')

/** A figure in per cent with as many decimals, so that a column of them lines up: "35.0 %". */
export const decimalPercent = (value: number, digits: number): string => `${decimal(value, digits, digits)}\u00a0%`
