import { atom } from 'jotai'
import { store } from '../data/jotaiStore.ts'
import { type Layout, type Pane, panesOf } from '../routing/layout.ts'
import { bufferKeys } from './keys/typeahead.ts'
import { paneStateAtom, paneStateOf, setPaneState } from './paneState.ts'

/** Panes outside all columns with unsaved typing; mounted out of sight, so Back or Restore finds it. Latest first. */
export const detachedAtom = atom<readonly Pane[]>([])
const MOST_DETACHED = 8

/** A step that would lose unsaved typing and awaits an answer. `closing`: tabs close; else a pane changes screen. */
export interface UnsavedChanges {
  ids: readonly string[]
  closing: boolean
  go(): void
}
export const unsavedChangesAtom = atom<UnsavedChanges | null>(null)

const isDirty = (id: string) => paneStateOf(store.get(paneStateAtom), id).dirty

/** Those of these panes with unsaved typing. */
export const dirtyAmong = (ids: readonly string[]): string[] => ids.filter(isDirty)

/** Runs `go` at once if no typing in these panes is lost by it, else once the user agrees. */
export function confirmLeave(ids: readonly string[], closing: boolean, go: () => void): void {
  const typed = dirtyAmong(ids)
  if (!typed.length) {
    go()
    return
  }
  const sure = () => {
    for (const id of typed) setPaneState(id, { dirty: false })
    go()
  }
  // Keys pressed before the question appears don't answer it, and don't reach the screen behind it.
  bufferKeys()
  store.set(unsavedChangesAtom, { ids, closing, go: sure })
}

/** Panes with unsaved typing that show another screen in the next layout, which would lose it. */
export function lostBetween(before: Layout, after: Layout): string[] {
  const next = new Map(panesOf(after).map((pane) => [pane.id, pathOf(pane.ref)]))
  return panesOf(before).flatMap(({ id, ref }) => (next.has(id) && next.get(id) !== pathOf(ref) && isDirty(id) ? [id] : []))
}
const pathOf = (ref: string) => ref.split('?', 1)[0]

/** Keeps panes with unsaved typing that the next layout lacks. Returns every pane to remember. */
export function detach(before: Layout, after: Layout): Set<string> {
  const open = new Set(panesOf(after).map((pane) => pane.id))
  const old = store.get(detachedAtom)
  const parked = [...panesOf(before), ...old]
    .filter((pane, at, all) => !open.has(pane.id) && isDirty(pane.id) && all.findIndex(({ id }) => id === pane.id) === at)
    .slice(0, MOST_DETACHED)
  if (parked.length || old.length) store.set(detachedAtom, parked)
  return new Set([...open, ...parked.map((pane) => pane.id)])
}

/** Makes the browser ask before leaving a page with unsaved typing, visible or not. */
export function onBeforeUnload(event: BeforeUnloadEvent): void {
  if (Object.values(store.get(paneStateAtom)).some(({ dirty }) => dirty)) event.preventDefault()
}
