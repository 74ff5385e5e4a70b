import { atom } from 'jotai'
import { store } from '../data/jotaiStore.ts'
import { bufferKeys } from './keys/typeahead.ts'
import { focusedPane } from './navigation.ts'
import { afterDialogs } from './places.ts'

/** The search within a pane, and the address it is about; a new object each time it is asked for. */
export const findingAtom = atom<{ pane: string; path: string } | null>(null)

/** An address without filters and places. */
export const pathOf = (ref: string): string => ref.split('?', 1)[0]!

/** Opens the bar that finds words in the focused pane; keys typed meanwhile are for it. */
export async function find(): Promise<void> {
  const kept = bufferKeys()
  const { id, ref } = focusedPane()
  await afterDialogs()
  if (!kept.aborted && focusedPane().id === id) store.set(findingAtom, { pane: id, path: pathOf(ref) })
}
