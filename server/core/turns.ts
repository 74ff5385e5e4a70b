let last: Promise<void> = Promise.resolve()
/** Waits for a turn of the event loop that no other large body has: long work in slices leaves everybody else theirs. */
export function ownTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
  return last
}
