/** The flags of a reward entry, as bits of `entries.flags` (screens-people-places-rewards.md). */
const FLAG_BITS = { amount: 1, email: 2, ip: 4 } as const
/** Filters of entries by flag: one of them, any or none. */
export const ENTRY_FLAGS = ['amount', 'email', 'ip', 'any', 'none'] as const
export type EntryFlag = (typeof ENTRY_FLAGS)[number]

/** Returns the values of `entries.flags` that match a filter. */
export const flagsThat = (flag: EntryFlag): number[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].filter((bits) =>
    flag === 'any' ? bits > 0 : flag === 'none' ? bits === 0 : (bits & FLAG_BITS[flag]) > 0,
  )

const WORDS = [
  ['amount', 'Amount'],
  ['email', 'Email'],
  ['ip', 'IP address'],
] as const
/** Formats the flags: "Amount, IP address". */
export const flagWords = (bits: number): string =>
  WORDS.flatMap(([flag, word]) => (bits & FLAG_BITS[flag] ? [word] : [])).join(', ')
