let last: Promise<void> = Promise.resolve()
/** Resolves in a later turn of the event loop, so that long work in slices doesn't block everything else. */
export function yieldTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
  return last
}

/** How many characters are worked on in a turn; some milliseconds. */
const TURN_LENGTH = 50_000

/** Works on texts in turn, and lets other callers in between; `lengthOf` an item is in characters. */
export async function inTurns<Item>(
  items: Iterable<Item>,
  lengthOf: (item: Item) => number,
  work: (item: Item) => void,
): Promise<void> {
  let length = 0
  for (const item of items) {
    length += lengthOf(item)
    if (length > TURN_LENGTH) {
      await yieldTurn()
      length = lengthOf(item)
    }
    work(item)
  }
}
