/** Keys and clicks so far, replayed ones too. */
let acts = 0

/** Counts a key or a click; the one key listener calls it. */
export const noteAct = (): void => {
  acts++
}

/**
 * Takes note of this moment; the answer tells whether nothing was pressed or clicked since. Whoever ends later than it was asked for opens a
 * dialog, moves the focus or goes to another screen only while that holds (docs/decisions/0003-keys.md).
 */
export function attention(): () => boolean {
  const then = acts
  return () => acts === then
}
