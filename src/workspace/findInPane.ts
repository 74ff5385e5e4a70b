import { atom } from 'jotai'
import { store } from '../data/jotaiStore.ts'
import { match } from '../routing/match.ts'
import { afterDialogs } from './jumpTargets.ts'
import { bufferKeys } from './keys/typeahead.ts'
import { focusedPane } from './navigation.ts'

/** The pane and screen that are searched; a new object on each request. */
export const findInPaneAtom = atom<{ pane: string; screen: string } | null>(null)

/** Identifies a screen and its record, regardless of the tab. */
export function screenOf(ref: string): string {
  const found = match(ref)
  return found ? [found.id, ...Object.values(found.params)].join(' ') : ref
}

/** Opens the bar that searches the focused pane; buffers keys until it has the focus. */
export async function findInPane(): Promise<void> {
  const kept = bufferKeys()
  const { id, ref } = focusedPane()
  await afterDialogs()
  if (!kept.aborted && focusedPane().id === id) store.set(findInPaneAtom, { pane: id, screen: screenOf(ref) })
}
