/** How many keys and clicks there were, replayed ones included. */
let acts = 0

/** Counts a key or click; only the key listener calls it. */
export const noteAct = (): void => {
  acts++
}

/**
 * Returns a function that tells whether nothing has been pressed or clicked since.
 * Slow work opens a dialog, moves the focus or navigates only if that is so (docs/decisions/0003-keys.md).
 */
export function attention(): () => boolean {
  const then = acts
  return () => acts === then
}
