import { useSyncExternalStore } from 'react'
import type { PrintedRows } from './grid/PrintedRows.tsx'

let printing = false
const listeners = new Set<() => void>()

/** Tells all lists whether the page is being printed. */
export function setPrinting(now: boolean): void {
  printing = now
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** True while the page is being printed, when lists draw all their rows. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => printing)

let preparing = false

/** Tells what is read only once it is in sight to be read now, as the page is about to be printed. */
export function setPreparing(now: boolean): void {
  preparing = now
  for (const listener of listeners) listener()
}

/** Whether the page is about to be printed: what is read once it is in sight is read at once. */
export const usePreparing = (): boolean => useSyncExternalStore(subscribe, () => preparing)

let rows: typeof PrintedRows | null = null
/** Registers the component that prints lists, which isn't in the first load. */
export const setPrintedRows = (component: typeof PrintedRows): void => {
  rows = component
}
/** The component that prints lists; null until it has loaded. */
export const printedRows = (): typeof PrintedRows | null => rows
