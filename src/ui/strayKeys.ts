import { type KeyboardEvent, useRef, useState } from 'react'

/** How long in ms after a stray letter Enter is ignored. */
const REST_MS = 700

/**
 * Catches letters typed where no text can be entered, and the Enter after them, which were meant for something else.
 * `onKeyDown` returns true for a key to swallow; `words` is the hint to show, or null.
 */
export function useStrayKeys(): { onKeyDown(event: KeyboardEvent): boolean; words: string | null } {
  const [stray, setStray] = useState('')
  const [held, setHeld] = useState(false)
  const last = useRef(Number.NEGATIVE_INFINITY)
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const { key, ctrlKey, metaKey, altKey, timeStamp } = event
    if (ctrlKey || metaKey || altKey) return false
    const strays = stray !== '' || timeStamp - last.current < REST_MS
    if (key === 'Enter' || (key === ' ' && strays)) {
      if (!strays) return false
      if (key === 'Enter') {
        setStray('')
        setHeld(true)
      }
    } else if (key === 'Backspace') {
      if (!stray) return false
      setStray(stray.slice(0, -1))
    } else if ([...key].length === 1 && key !== ' ') setStray(stray + key)
    else return false
    last.current = timeStamp
    return true
  }
  const words = stray
    ? `“${stray}” isn’t used here.`
    : held
      ? 'What you typed isn’t used here. Press Enter again to continue.'
      : null
  return { onKeyDown, words }
}
