import { atom, useAtomValue } from 'jotai'
import { createContext, useContext, useEffect, useMemo } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'
import type { Subject } from '../commands/subject.ts'
import type { FormController, ListController } from '../commands/workspaceApi.ts'
import type { Where } from '../routing/layout.ts'
import { panesOf, shownIn } from '../routing/layout.ts'
import { type Match, match } from '../routing/match.ts'
import { type QueryPatch, withQuery } from '../routing/ref.ts'
import type { RouteId } from '../routing/routes.ts'
import { leaveFor, navigate, openFrom, pinPane } from './navigation.ts'
import { tell } from './paneState.ts'
import { detachedAtom } from './unsavedChanges.ts'
import { activeIdAtom, layoutAtom } from './workspaceState.ts'

/** A pane's only way to the workspace. The functions keep their identity as long as the pane lives. */
export interface PaneHandle {
  id: string
  /** Null for a path that no route has. */
  route: RouteId | null
  match: Match | null
  params: Readonly<Record<string, string>>
  tab: string | null
  query: Readonly<Record<string, string>>
  /** Changes the pane's own query. A filter replaces (Back skips it, after a moment); `push: true` makes it a step of Back. */
  setQuery(patch: QueryPatch, options?: { push?: boolean }): void
  /** Takes this pane to another ref; with `where`, opens it as seen from this pane. */
  go(ref: string, where?: Where): void
  /** Shows another link in place of this one, which Back does not come to. */
  replace(ref: string): void
  /** Keeps this pane when it is a preview: editing or acting in it does. */
  pin(): void
  /** It has the focus. */
  active: boolean
  /** It is on the screen, not behind another tab. */
  visible: boolean
  /** What commands act on while this pane is active; its name titles the tab. */
  setSubject(subject: Subject | null): void
  /** The tab's title where there is no subject. */
  setTitle(title: string | null): void
  setList(list: ListController | null): void
  /** Unsaved typing: the tab shows a mark, and closing asks. */
  setDirty(dirty: boolean): void
}

const PaneContext = createContext<string | null>(null)
/** Stands for a pane's id on the pages outside the workspace, whose query is the address's own. */
export const OUTSIDE = 'outside'

/** Stands around a pane's content and says which pane it is. */
export const PaneProvider = PaneContext.Provider

/** The id of the pane around this component, or null outside of one. */
export const usePaneId = (): string | null => useContext(PaneContext)

/** The pane around this component. */
export function usePane(): PaneHandle {
  const id = usePaneId()
  if (id === null) throw new Error('usePane is for what stands inside a pane')
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

/** True while a pane is the shown tab of its column; outside of panes always. */
export function usePaneVisible(id: string | null): boolean {
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
    setSubject: (subject: Subject | null) => tell(id, { subject }),
    setTitle: (title: string | null) => tell(id, { title }),
    setList: (list: ListController | null) => tell(id, { list }),
    setDirty: (dirty: boolean) => {
      if (dirty) pinPane(id)
      tell(id, { dirty })
    },
  }
}

/** Says what the pane is about, for as long as the component is there. Pass a value that changes only when it changed. */
export function usePaneSubject(subject: Subject | null): void {
  const id = usePaneId()
  useEffect(() => {
    if (id === null) return
    tell(id, { subject })
    return () => tell(id, { subject: null })
  }, [id, subject])
}

/** Offers the pane's list to keys and commands, for as long as the component is there. */
export function usePaneList(list: ListController | null): void {
  const id = usePaneId()
  useEffect(() => {
    if (id === null) return
    tell(id, { list })
    return () => tell(id, { list: null })
  }, [id, list])
}

/** Offers the pane's form to keys and commands, for as long as the component is there. Pass the same functions from render to render. */
export function usePaneForm(form: FormController | null): void {
  const id = usePaneId()
  useEffect(() => {
    if (id === null) return
    tell(id, { form })
    return () => tell(id, { form: null })
  }, [id, form])
}
