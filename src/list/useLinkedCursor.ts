import { useEffect, useRef } from 'react'
import type { FlatRows } from './flattenRows.ts'

/** Moves the cursor to the row that the URL names, once it is loaded. */
export function useLinkedCursor<Row>(at: number | null, shown: FlatRows<Row>, moveTo: (index: number) => void): void {
  const named = useRef<number | null>(null)
  useEffect(() => {
    if (at === named.current) return
    if (at !== null) {
      const index = shown.indexOf(at)
      if (index < 0) return
      moveTo(index)
    }
    named.current = at
  }, [at, shown, moveTo])
}
