import { flushSync } from 'react-dom'
import { attention } from './attention.ts'

/** True while the focus is in a field, where what is typed must stay. */
export const isInField = (): boolean => document.activeElement?.matches('input, textarea, select') === true

/** Runs once a change is rendered, unless the user has done something else by then or is in another field. */
export function whenDrawn(go: () => void): void {
  const still = attention()
  const from = document.activeElement
  requestAnimationFrame(() => {
    if (still() && (document.activeElement === from || !isInField())) go()
  })
}

/** Changes what is shown and focuses a part of it before the next key, which would go elsewhere. */
export function focusChanged(change: () => void, find: () => HTMLElement | null | undefined): void {
  flushSync(change)
  find()?.focus()
  // A palette that closes may give the focus back to where it was.
  whenDrawn(() => find()?.focus())
}
