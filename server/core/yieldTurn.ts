let last: Promise<void> = Promise.resolve()
/** Resolves in a later turn of the event loop, so that long work in slices doesn't block everything else. */
export function yieldTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
  return last
}
