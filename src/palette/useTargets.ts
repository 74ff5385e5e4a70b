import { useEffect, useState } from 'react'
import type { Subject } from '../commands/subject.ts'
import { store } from '../data/jotaiStore.ts'
import type { PaletteStart } from '../runner/runnerState.ts'
import { paneStateAtom, paneStateOf } from '../workspace/paneState.ts'

/**
 * The palette's subjects, frozen when it opens.
 * A record that was still loading is added as `came` when it arrives, the same object from then on.
 */
export function useTargets(start: PaletteStart): { at: PaletteStart['at']; came: readonly Subject[] | null } {
  const [late, setLate] = useState<{ at: PaletteStart['at']; came: readonly Subject[] } | null>(null)
  const { at, pane } = start
  useEffect(() => {
    if (at.focused || at.cursor || at.selected.length) return
    const look = () => {
      const { subject } = paneStateOf(store.get(paneStateAtom), pane)
      if (!subject) return
      stop()
      setLate({ at: { ...at, focused: subject }, came: [subject] })
    }
    const stop = store.sub(paneStateAtom, look)
    look()
    return stop
  }, [at, pane])
  return late ?? { at, came: null }
}
