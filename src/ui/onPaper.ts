import { useSyncExternalStore } from 'react'

let printing = false
const listeners = new Set<() => void>()

/** Tells every list that the page is being printed, or no longer. */
export function setPrinting(now: boolean): void {
  printing = now
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the page is being printed: what is virtual on the screen is drawn whole. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => printing)
