import { atom } from 'jotai'
import { store } from '../data/jotaiStore.ts'
import { type Layout, type Pane, panesOf } from '../routing/layout.ts'
import { bufferKeys } from './keys/typeahead.ts'
import { paneStateAtom, paneStateOf, setPaneState } from './paneState.ts'

/** Closed panes with unsaved changes, latest first. They stay mounted out of sight for Back and Restore. */
export const detachedAtom = atom<readonly Pane[]>([])
const MOST_DETACHED = 8

/** A step that would lose unsaved changes and awaits an answer. `closing`: tabs close; else a pane changes screen. */
export interface UnsavedChanges {
  ids: readonly string[]
  closing: boolean
  go(): void
}
export const unsavedChangesAtom = atom<UnsavedChanges | null>(null)

const isDirty = (id: string) => paneStateOf(store.get(paneStateAtom), id).dirty

/** Returns those panes that have unsaved changes. */
export const dirtyAmong = (ids: readonly string[]): string[] => ids.filter(isDirty)

/** Runs `go` at once if no unsaved changes are lost, or else once the user agrees. */
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
  // Keys pressed before the question appears must neither answer it nor reach the screen behind it.
  bufferKeys()
  store.set(unsavedChangesAtom, { ids, closing, go: sure })
}

/** Returns panes with unsaved changes that show another screen in the next layout, which would lose them. */
export function lostBetween(before: Layout, after: Layout): string[] {
  const next = new Map(panesOf(after).map((pane) => [pane.id, pathOf(pane.ref)]))
  return panesOf(before).flatMap(({ id, ref }) => (next.has(id) && next.get(id) !== pathOf(ref) && isDirty(id) ? [id] : []))
}
const pathOf = (ref: string) => ref.split('?', 1)[0]

/** Keeps panes with unsaved changes that the next layout lacks; returns all panes to keep mounted. */
export function detach(before: Layout, after: Layout): Set<string> {
  const open = new Set(panesOf(after).map((pane) => pane.id))
  const old = store.get(detachedAtom)
  const parked = [...panesOf(before), ...old]
    .filter((pane, at, all) => !open.has(pane.id) && isDirty(pane.id) && all.findIndex(({ id }) => id === pane.id) === at)
    .slice(0, MOST_DETACHED)
  if (parked.length || old.length) store.set(detachedAtom, parked)
  return new Set([...open, ...parked.map((pane) => pane.id)])
}

/** Makes the browser ask before the page with unsaved changes is left, visible or not. */
export function onBeforeUnload(event: BeforeUnloadEvent): void {
  if (Object.values(store.get(paneStateAtom)).some(({ dirty }) => dirty)) event.preventDefault()
}
