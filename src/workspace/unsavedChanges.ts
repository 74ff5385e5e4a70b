import { atom } from 'jotai'
import { store } from '../data/jotaiStore.ts'
import { type Layout, type Pane, panesOf } from '../routing/layout.ts'
import { bufferKeys } from './keys/typeahead.ts'
import { paneStateAtom, paneStateOf, tell } from './paneState.ts'

/** Panes that are in no column now and hold unsaved typing: they stay mounted out of sight, so that going back or restoring finds it again. Latest first. */
export const detachedAtom = atom<readonly Pane[]>([])
const MOST_PARKED = 8

/** A step that would lose what was typed; it waits for an answer. `closing`: tabs would close; else a pane would show another screen. */
export interface UnsavedChanges {
  ids: readonly string[]
  closing: boolean
  go(): void
}
export const unsavedChangesAtom = atom<UnsavedChanges | null>(null)

const isDirty = (id: string) => paneStateOf(store.get(paneStateAtom), id).dirty

/** Panes with unsaved typing among these. */
export const dirtyAmong = (ids: readonly string[]): string[] => ids.filter(isDirty)

/** Does something at once when nothing typed in these panes is lost by it, else when the person says so. */
export function leave(ids: readonly string[], closing: boolean, go: () => void): void {
  const typed = dirtyAmong(ids)
  if (!typed.length) {
    go()
    return
  }
  const sure = () => {
    for (const id of typed) tell(id, { dirty: false })
    go()
  }
  // Keys pressed before the question is there answer nothing, and don't reach the screen behind it.
  bufferKeys()
  store.set(unsavedChangesAtom, { ids, closing, go: sure })
}

/** Panes of a layout with unsaved typing that show another screen in the next one: what a pane loses when it goes elsewhere in its place. */
export function lostBetween(before: Layout, after: Layout): string[] {
  const next = new Map(panesOf(after).map((pane) => [pane.id, pathOf(pane.ref)]))
  return panesOf(before).flatMap(({ id, ref }) => (next.has(id) && next.get(id) !== pathOf(ref) && isDirty(id) ? [id] : []))
}
const pathOf = (ref: string) => ref.split('?', 1)[0]

/** Keeps the panes with unsaved typing that the next layout has no place for. Answers every pane that is to be remembered. */
export function detach(before: Layout, after: Layout): Set<string> {
  const open = new Set(panesOf(after).map((pane) => pane.id))
  const old = store.get(detachedAtom)
  const parked = [...panesOf(before), ...old]
    .filter((pane, at, all) => !open.has(pane.id) && isDirty(pane.id) && all.findIndex(({ id }) => id === pane.id) === at)
    .slice(0, MOST_PARKED)
  if (parked.length || old.length) store.set(detachedAtom, parked)
  return new Set([...open, ...parked.map((pane) => pane.id)])
}

/** A browser asks before it leaves a page that holds unsaved typing, in sight or not. */
export function onBeforeUnload(event: BeforeUnloadEvent): void {
  if (Object.values(store.get(paneStateAtom)).some(({ dirty }) => dirty)) event.preventDefault()
}
