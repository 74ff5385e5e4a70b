import { useEffect, useRef } from 'react'
import { store } from '../data/jotaiStore.ts'
import type { PaneHandle } from './pane.tsx'
import { elementOf } from './paneElements.ts'
import { activeIdAtom } from './workspaceState.ts'

/** Calls `focus` once, when the pane is active and its content `ready`, unless the focus is within it or elsewhere. */
export function useFocusOnArrival({ id }: PaneHandle, focus: () => void, ready = true): void {
  const arrived = useRef(false)
  // The caller renders when its content arrives or its pane becomes active; another pane may have become so since.
  useEffect(() => {
    if (arrived.current || !ready || store.get(activeIdAtom) !== id) return
    arrived.current = true
    if (document.activeElement?.contains(elementOf(id))) focus()
  })
}
