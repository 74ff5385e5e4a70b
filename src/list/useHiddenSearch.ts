import { useAtomValue } from 'jotai'
import { useCallback, useRef, useState } from 'react'
import { browserStore } from '../data/browserStore.ts'
import { usePane } from '../workspace/pane.tsx'
import { narrowAtom } from '../workspace/workspaceState.ts'

/** Whether a list's search box is hidden, and what hides and shows it; null in a narrow window, where it is one button. */
export interface SearchVisibility {
  isHidden: boolean
  toggle: (() => void) | null
}

/**
 * Hides and shows a list's search box, remembered in this browser by screen and rows.
 * While the list is `searching` the box shows all the same, and hiding it clears the search.
 */
export function useHiddenSearch(noun: string, searching: boolean, clear: () => void): SearchVisibility {
  const name = `search.hidden.${usePane().match?.id ?? ''}.${noun}`
  const narrow = useAtomValue(narrowAtom)
  const [stored, setStored] = useState(browserStore.get(name) === true)
  const isHidden = stored && !searching && !narrow
  const latest = useRef({ isHidden, clear })
  latest.current = { isHidden, clear }
  const toggle = useCallback(() => {
    const hides = !latest.current.isHidden
    if (hides) latest.current.clear()
    browserStore.set(name, hides)
    setStored(hides)
  }, [name])
  return { isHidden, toggle: narrow ? null : toggle }
}
