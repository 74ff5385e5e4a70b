/** Parses "4001,4002" from a link; skips anything else, at most 1,000 IDs. */
export const idsIn = (text: string | undefined): number[] =>
  [...new Set((text ?? '').split(',').filter((part) => /^\d{1,9}$/.test(part)))].map(Number).slice(0, 1000)
