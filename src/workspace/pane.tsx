import { atom, useAtomValue } from 'jotai'
import { createContext, useContext, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'
import type { Subject } from '../commands/subject.ts'
import type { FormController, ListController } from '../commands/workspaceApi.ts'
import type { Where } from '../routing/layout.ts'
import { panesOf, shownIn } from '../routing/layout.ts'
import { type Match, match } from '../routing/match.ts'
import { type QueryPatch, withQuery } from '../routing/ref.ts'
import type { RouteId } from '../routing/routes.ts'
import { leaveFor, navigate, openFrom, pinPane } from './navigation.ts'
import { setPaneState } from './paneState.ts'
import { detachedAtom } from './unsavedChanges.ts'
import { membersOf } from './useController.ts'
import { activeIdAtom, layoutAtom } from './workspaceState.ts'

/** A pane's only access to the workspace. Its functions keep their identity for the pane's lifetime. */
export interface PaneHandle {
  id: string
  /** Null for a path without a route. */
  route: RouteId | null
  match: Match | null
  params: Readonly<Record<string, string>>
  tab: string | null
  query: Readonly<Record<string, string>>
  /** Changes the pane's query. A filter replaces it after a moment, so Back skips it; `push: true` adds a step. */
  setQuery(patch: QueryPatch, options?: { push?: boolean }): void
  /** Navigates this pane; with `where`, opens the ref from it. */
  go(ref: string, where?: Where): void
  /** Replaces this pane's link; Back doesn't return to it. */
  replace(ref: string): void
  /** Turns a preview into a permanent tab, as editing in it does. */
  pin(): void
  /** True if the pane has the focus. */
  active: boolean
  /** True if the pane is on screen, not behind another tab. */
  visible: boolean
  /** Sets what commands act on while this pane is active; its name titles the tab. */
  setSubject(subject: Subject | null): void
  /** The tab's title without a subject. */
  setTitle(title: string | null): void
  setList(list: ListController | null): void
  /** Marks the tab as having unsaved changes, so that closing it asks. */
  setDirty(dirty: boolean): void
}

const PaneContext = createContext<string | null>(null)
/** The pane id of pages outside the workspace, which own the URL's query. */
export const OUTSIDE = 'outside'

/** Provides a pane's id to its content. */
export const PaneProvider = PaneContext.Provider

/** The id of the surrounding pane, or null outside one. */
export const usePaneId = (): string | null => useContext(PaneContext)

/** The surrounding pane. */
export function usePane(): PaneHandle {
  const id = usePaneId()
  if (id === null) throw new Error('usePane outside a pane')
  const inside = useAtomValue(
    useMemo(
      () => atom((get) => [...panesOf(get(layoutAtom)), ...get(detachedAtom)].find((pane) => pane.id === id)?.ref ?? ''),
      [id],
    ),
  )
  const address = useLocationProperty(() => (id === OUTSIDE ? location.pathname + location.search : ''))
  const ref = id === OUTSIDE ? address : inside
  const active = useAtomValue(useMemo(() => atom((get) => get(activeIdAtom) === id), [id]))
  const visible = usePaneVisible(id)
  const found = useMemo(() => match(ref), [ref])
  const functions = useMemo(() => functionsOf(id), [id])
  return useMemo(
    () => ({
      id,
      route: found?.id ?? null,
      match: found,
      params: found?.params ?? {},
      tab: found?.tab ?? null,
      query: found?.query ?? {},
      active,
      visible,
      ...functions,
    }),
    [id, found, active, visible, functions],
  )
}

/** True while a pane is its column's visible tab; always true outside panes. */
function usePaneVisible(id: string | null): boolean {
  return useAtomValue(
    useMemo(() => atom((get) => id === null || get(layoutAtom).columns.some((column) => shownIn(column).id === id)), [id]),
  )
}

function functionsOf(id: string) {
  const to = (next: (ref: string) => string, how: 'push' | 'replace') =>
    id === OUTSIDE ? leaveFor(next(location.pathname + location.search), how) : navigate(id, next, how)
  return {
    setQuery: (patch: QueryPatch, options: { push?: boolean } = {}) =>
      to((ref) => withQuery(ref, patch), options.push ? 'push' : 'replace'),
    go: (ref: string, where?: Where) => (where && id !== OUTSIDE ? openFrom(id, ref, where) : to(() => ref, 'push')),
    replace: (ref: string) => to(() => ref, 'replace'),
    pin: () => pinPane(id),
    setSubject: (subject: Subject | null) => setPaneState(id, { subject }),
    setTitle: (title: string | null) => setPaneState(id, { title }),
    setList: (list: ListController | null) => setPaneState(id, { list }),
    setDirty: (dirty: boolean) => {
      if (dirty) pinPane(id)
      setPaneState(id, { dirty })
    },
  }
}

/** Publishes the pane's subject while mounted. Pass the same value while nothing changes. */
export function usePaneSubject(subject: Subject | null): void {
  const id = usePaneId()
  useEffect(() => {
    if (id === null) return
    setPaneState(id, { subject })
    return () => setPaneState(id, { subject: null })
  }, [id, subject])
}

/** Publishes the pane's form to keys and commands while mounted; pass a new object with each render. */
export function usePaneForm(form: FormController): void {
  const id = usePaneId()
  const latest = useRef(form)
  useLayoutEffect(() => {
    latest.current = form
  })
  useEffect(() => {
    if (id === null) return
    setPaneState(id, { form: membersOf(latest) })
    return () => setPaneState(id, { form: null })
  }, [id])
}
