import { atom } from 'jotai'
import { store } from '../data/jotaiStore.ts'
import { type LinkedLayout, linkOf, mended, readLink } from '../routing/codec.ts'
import { follow } from '../routing/compareLayout.ts'
import type { Where } from '../routing/layout.ts'
import { activate, activePane, columnsOf, go, type Layout, open, panesOf, pin, placeless, placeOf } from '../routing/layout.ts'
import { match, resolve, resolveOrHome } from '../routing/match.ts'
import { reassignIds } from '../routing/reassignIds.ts'
import { HOME } from '../routing/routes.ts'
import { dropStash, lastLayout, ownLayout, readLayout, saveLayout, stashedLayout, stashLayout } from './layoutStorage.ts'
import { forgetAllBut, noteName, paneStateAtom, paneStateOf } from './paneState.ts'
import { confirmLeave, detach, detachedAtom, dirtyAmong, lostBetween, onBeforeUnload } from './unsavedChanges.ts'
import { activeIdAtom, layoutAtom, narrowAtom } from './workspaceState.ts'

/** How a change enters the history: as a step, in place after a moment, or as a focus move, which are merged. */
export type How = 'push' | 'replace' | 'focus'

const REPLACE_AFTER = 250
let user: number | null = null
let place = 0
let pending: ReturnType<typeof setTimeout> | null = null

/** The layout that "Restore my panes" would restore, or null; `offered` until the user decides. */
export const restorableAtom = atom<{ layout: Layout; offered: boolean } | null>(null)
/** The command of the opened link; the palette takes it and sets null. */
export const pendingCommandAtom = atom<{ command: string; answers: Record<string, string> } | null>(null)

/** Changes what is open, the only way to do so; URL and browser history follow. */
export function change(operation: (layout: Layout) => Layout, how: How = 'push'): void {
  const before = store.get(layoutAtom)
  const after = follow(before, operation(before))
  if (after === before) return
  settle(after)
  if (how === 'replace') {
    pending ??= setTimeout(flush, REPLACE_AFTER)
    return
  }
  // Pending changes belong to the history entry being left.
  if (pending !== null) writeHistory(before, 'replace', entry()?.why ?? 'step')
  const refocused = how === 'focus' && entry()?.why === 'focus'
  writeHistory(after, refocused ? 'replace' : 'push', how === 'focus' ? 'focus' : 'step')
}

function settle(layout: Layout): void {
  const kept = detach(store.get(layoutAtom), layout)
  store.set(layoutAtom, layout)
  forgetAllBut(kept)
}

interface Entry {
  layout: unknown
  why: 'step' | 'focus'
  /** Its index among the steps of this visit, from 0. */
  place: number
  /** Identifies the step: the tab's stored layout is newer than the step's only if it has the same mark. */
  mark?: string
}
const newMark = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`
const entry = (): Entry | null => (history.state as { fieldwork?: Entry } | null)?.fieldwork ?? null

function writeHistory(layout: Layout, how: 'push' | 'replace', why: Entry['why']): void {
  if (pending !== null) clearTimeout(pending)
  pending = null
  if (how === 'push') place += 1
  const mark = (how === 'replace' && entry()?.mark) || newMark()
  const state: { fieldwork: Entry } = { fieldwork: { layout, why, place, mark } }
  history[how === 'push' ? 'pushState' : 'replaceState'](state, '', linkOf(layout))
  if (user !== null) saveLayout(user, layout, mark)
}

/** Writes pending changes now, before the page is left. */
function flush(): void {
  if (pending !== null) writeHistory(store.get(layoutAtom), 'replace', entry()?.why ?? 'step')
}

/** Navigates a pane to the ref that `next` derives from its own. */
export function navigate(id: string, next: (ref: string) => string, how: 'push' | 'replace'): void {
  change((layout) => {
    const found = placeOf(layout, id)
    if (!found) return layout
    const ref = next(found.pane.ref)
    return go(layout, id, resolve(ref)?.ref ?? ref, how)
  }, how)
}

/** Opens a path from the active pane. Follows aliases and bare paths; an unknown one opens all projects. */
export function openPath(path: string, where: Where = 'here'): void {
  const found = resolveOrHome(path)
  if (found.row.outside) leaveFor(found.ref)
  else if (found.id === 'snapshot') openLink(found.ref)
  // With one visible column nothing can be beside.
  else {
    // A plain screen without filters means the tab last used.
    const screen = !found.row.subject && found.ref === found.path
    // A row's name becomes the title of its record's tab at once.
    const row = paneStateOf(store.get(paneStateAtom), store.get(activeIdAtom)).list?.cursor
    if (row && row.kind === found.row.subject && String(row.id) === found.params.id) noteName(row)
    const how = where === 'glance' && store.get(narrowAtom) ? 'here' : where
    change((layout) => open(layout, found.ref, how, screen, (id) => dirtyAmong([id]).length > 0))
  }
}

/** Opens a path from any pane. */
export function openFrom(id: string, path: string, where: Where): void {
  const placed = placeOf(store.get(layoutAtom), id)
  if (placed && where !== 'background') change((layout) => activate(layout, id), 'focus')
  openPath(path, where)
}

/** Pins a preview in place, without a step that Back would undo. */
export const pinPane = (id: string): void => change((layout) => pin(layout, id), 'replace')

/** Goes to a screen outside the workspace. */
export function leaveFor(ref: string, how: 'push' | 'replace' = 'push'): void {
  flush()
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', ref)
  dispatchEvent(new PopStateEvent('popstate', { state: null }))
}

/** Opens a link instead of the open panes, which "Restore my panes" restores. */
export function openLink(url: string): void {
  const { refs, at, linked, command: doing } = readLink(url)
  const before = store.get(layoutAtom)
  if (user !== null) stashLayout(user, before)
  store.set(restorableAtom, { layout: before, offered: worthOffering(before) })
  change((layout) => columnsOf(refs, at, linked, layout.next))
  if (doing) store.set(pendingCommandAtom, doing)
}

/** Replaces the open columns, which "Restore my panes" restores. There is no offer, because the user did it. */
export function replaceRestorably(operation: (layout: Layout) => Layout): void {
  const before = store.get(layoutAtom)
  change(operation)
  if (store.get(layoutAtom) === before) return
  if (user !== null) stashLayout(user, before)
  store.set(restorableAtom, { layout: before, offered: false })
}

/** Restores the layout that a link replaced, or that of the last visit. The current one can be restored in turn. */
export function restoreMine(): void {
  const mine = store.get(restorableAtom)
  if (!mine) return
  store.set(restorableAtom, { layout: store.get(layoutAtom), offered: false })
  dropStash()
  change((now) => ({ ...mine.layout, next: Math.max(mine.layout.next, now.next) }))
}

/** Dismisses the offer; the command still works. */
export function declineRestore(): void {
  dropStash()
  store.set(restorableAtom, (mine) => (mine ? { ...mine, offered: false } : null))
}

/** Replaces the pane of a shared workspace with its layout. */
export const replaceLayout = (layout: Layout): void => change((now) => reassignIds(layout, now.next), 'replace')

/** Parses the address bar; an unknown screen becomes all projects, and panes beside stay. */
function linkHere(): LinkedLayout {
  const link = readLink(location.pathname + location.search)
  const known = resolve(mended(location.pathname))
  return known ? link : { ...link, refs: link.refs.with(link.at, HOME) }
}

/**
 * Starts the navigation: a reload restores its layout; another URL opens alone and offers the previous layout.
 * Returns a function that ends it, at sign-out.
 */
export function begin(person: number): () => void {
  user = person
  // A write while the page unloads reaches the tab's storage, but not the history's step and URL.
  const mark = entry()?.mark
  const newest = mark ? ownLayout(person, mark) : null
  const own = newest ?? readLayout(entry()?.layout) ?? ownLayout(person)
  const link = linkHere()
  const aside = stashedLayout(person)
  const last = lastLayout(person)
  // Ids that this tab knows or may restore are never reused.
  const next = Math.max(...[own, ownLayout(person), aside, last].map((layout) => layout?.next ?? 1))
  const linked = columnsOf(link.refs, link.at, link.linked, next)
  const reloaded = own !== null && (newest !== null || linkOf(own) === linkOf(linked)) && !link.command
  const opened = reloaded ? { ...own, next } : linked
  settle(opened)
  const earlier = reloaded ? aside : (own ?? aside ?? last)
  if (earlier && worthRestoring(earlier, opened)) {
    store.set(restorableAtom, { layout: earlier, offered: worthOffering(earlier) })
    stashLayout(person, earlier)
  }
  if (link.command) store.set(pendingCommandAtom, link.command)
  place = entry()?.place ?? 0
  writeHistory(opened, 'replace', 'step')
  const onPop = (event: PopStateEvent) => pop(event.state)
  addEventListener('popstate', onPop)
  addEventListener('pagehide', flush)
  addEventListener('beforeunload', onBeforeUnload)
  return () => {
    flush()
    removeEventListener('popstate', onPop)
    removeEventListener('pagehide', flush)
    removeEventListener('beforeunload', onBeforeUnload)
    user = null
    store.set(detachedAtom, [])
    store.set(paneStateAtom, {})
    store.set(restorableAtom, null)
  }
}

/** The browser goes forward again: something above was closed instead, or the user is asked. */
let returning = false

/** Closes what is open above the panes, as Escape does: on a phone Back is the only Escape. False if nothing is. */
function closesAbove(): boolean {
  const list = document.activeElement?.closest<HTMLElement>('[role=combobox][aria-haspopup][aria-expanded=true]')
  const [above = list] = [
    ...document.querySelectorAll<HTMLElement>(':is([role=dialog], [role=alertdialog], [role=menu])[data-state=open]'),
  ].toReversed()
  const sidebar = document.querySelector<HTMLElement>('[data-scrim]')
  if (above) {
    const target = above.contains(document.activeElement) ? document.activeElement! : above
    target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true, cancelable: true }))
  } else sidebar?.click()
  return Boolean(above ?? sidebar)
}

function pop(state: unknown): void {
  if (returning) {
    returning = false
    return
  }
  if (pending !== null) clearTimeout(pending)
  pending = null
  if (match(location.pathname)?.row.outside) return
  const reached = (state as { fieldwork?: Entry } | null)?.fieldwork
  const kept = readLayout(reached?.layout)
  if (kept && reached) {
    const now = store.get(layoutAtom)
    const away = reached.place - place
    if (away < 0 && closesAbove()) {
      returning = true
      history.go(-away)
      return
    }
    const lost = lostBetween(now, kept)
    if (lost.length && away !== 0) {
      returning = true
      history.go(-away)
      confirmLeave(lost, false, () => history.go(away))
      return
    }
    const by = Math.sign(away)
    place = reached.place
    const opened = { ...kept, next: Math.max(kept.next, now.next) }
    settle(opened)
    if (user !== null) saveLayout(user, opened, reached.mark ?? '')
    // Skips a step without a visible change, such as the focus moving to another column and back.
    if (linkOf(kept) === linkOf(now) && by !== 0 && place > 0) history.go(by)
    return
  }
  const { refs, at, linked } = linkHere()
  const now = store.get(layoutAtom)
  // A #fragment, or a link to what is open, is only recorded.
  if (linkOf(columnsOf(refs, at, linked)) !== linkOf(now)) settle(columnsOf(refs, at, linked, now.next))
  writeHistory(store.get(layoutAtom), 'replace', 'step')
}

/** False if there is nothing to restore: a single pane that is open anyway, or the start screen alone. */
function worthRestoring(earlier: Layout, opened: Layout): boolean {
  const refs = panesOf(earlier).map((pane) => placeless(pane.ref))
  const here = new Set(panesOf(opened).map((pane) => placeless(pane.ref)))
  return refs.some((ref) => !here.has(ref)) && (refs.length > 1 || refs[0] !== HOME)
}

/** A single screen is one step back. Several screens or unsaved changes are offered; the command restores any. */
const worthOffering = (earlier: Layout): boolean => {
  const panes = panesOf(earlier)
  return panes.length > 1 || dirtyAmong(panes.map(({ id }) => id)).length > 0
}

/** The focused pane. */
export const focusedPane = () => activePane(store.get(layoutAtom))
