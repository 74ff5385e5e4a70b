import { type RefObject, useEffect, useRef } from 'react'
import type { GridHandle } from '../ui/grid/DataGrid.tsx'
import type { FlatRows } from './flattenRows.ts'

/** Focuses a list's grid once, when it is `ready`, unless the user is typing elsewhere. */
export function useFocusOnArrival(grid: RefObject<GridHandle | null>, ready: boolean): void {
  const arrived = useRef(false)
  useEffect(() => {
    if (arrived.current || !ready) return
    arrived.current = true
    if (!document.activeElement || document.activeElement === document.body || document.activeElement.closest('[data-pane]'))
      grid.current?.focus()
  }, [ready, grid])
}

/** Moves the cursor to the row that the URL names, once it is loaded. */
export function useLinkedRow<Row>(at: number | null, shown: FlatRows<Row>, moveTo: (index: number) => void): void {
  const named = useRef<number | null>(null)
  useEffect(() => {
    if (at === named.current) return
    const index = at === null ? -1 : shown.indexOf(at)
    if (at !== null && index < 0) return
    named.current = at
    if (index >= 0) moveTo(index)
  }, [at, shown, moveTo])
}
