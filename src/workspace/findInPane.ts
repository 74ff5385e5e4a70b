import { atom } from 'jotai'
import { store } from '../data/jotaiStore.ts'
import { match } from '../routing/match.ts'
import { afterDialogs } from './jumpTargets.ts'
import { bufferKeys } from './keys/typeahead.ts'
import { focusedPane } from './navigation.ts'

/** The search within a pane, and the screen it is about; a new object each time it is asked for. */
export const findInPaneAtom = atom<{ pane: string; screen: string } | null>(null)

/** A screen with its record, whichever of its tabs shows. */
export function screenOf(ref: string): string {
  const found = match(ref)
  return found ? [found.id, ...Object.values(found.params)].join(' ') : ref
}

/** Opens the bar that finds words in the focused pane; keys typed meanwhile are for it. */
export async function findInPane(): Promise<void> {
  const kept = bufferKeys()
  const { id, ref } = focusedPane()
  await afterDialogs()
  if (!kept.aborted && focusedPane().id === id) store.set(findInPaneAtom, { pane: id, screen: screenOf(ref) })
}
