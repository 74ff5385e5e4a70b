import { useSyncExternalStore } from 'react'
import type { PrintedRows } from './grid/PrintedRows.tsx'

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

let rows: typeof PrintedRows | null = null
/** Registers what draws a list on paper, which isn't in the first load. */
export const setPrintedRows = (component: typeof PrintedRows): void => {
  rows = component
}
/** What draws a list on paper; null until it has loaded. */
export const printedRows = (): typeof PrintedRows | null => rows
