/** The ids that a link names: "4001,4002"; without what is none, at most 1,000. */
export const idsIn = (text: string | undefined): number[] =>
  [...new Set((text ?? '').split(',').filter((part) => /^\d{1,9}$/.test(part)))].map(Number).slice(0, 1000)
