/** What is typed between opening the palette and the moment its field is there: nothing of it is lost. */
let kept: { text: string; enter: boolean } | null = null

/** Begins to keep keys, when the palette was opened and is not there yet. */
export const keepKeys = (): void => {
  kept ??= { text: '', enter: false }
}

/** Takes a key that was pressed meanwhile; true when it is kept and means nothing else. */
export function keepKey(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): boolean {
  if (!kept) return false
  if (event.key === 'Escape') {
    kept = null
    return false
  }
  if (event.key === 'Enter') kept.enter = true
  else if (event.key === 'Backspace') kept.text = kept.text.slice(0, -1)
  else if ([...event.key].length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) kept.text += event.key
  else return false
  return true
}

/** Gives what was kept to the palette's field, once, and ends keeping. */
export function takeKeys(): { text: string; enter: boolean } {
  const taken = kept ?? { text: '', enter: false }
  kept = null
  return taken
}
