let last: Promise<void> = Promise.resolve()
/** Waits for its own turn of the event loop, so that long work in slices leaves turns for everything else. */
export function yieldTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
  return last
}
