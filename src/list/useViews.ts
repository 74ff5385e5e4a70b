import { useEffect, useMemo, useState } from 'react'
import type { ListController } from '../commands/workspaceApi.ts'
import { useCall } from '../data/useCall.ts'
import { usePane } from '../workspace/pane.tsx'
import type { ListView } from './listView.ts'
import { type SavedView, viewSubject } from './viewSubject.ts'

/** A list's saved views, and the current one. */
export interface ListViews {
  all: readonly SavedView[]
  /** The open view; `changed` if the list differs from it. */
  current: SavedView | null
  changed: boolean
  /** For commands; null if nothing can be saved. */
  workspace: ListController['views']
}

/** The current view per pane. URLs hold only the state, so opening one needs no view. */
const shownBy = new Map<string, number>()

/** Returns the saved views of this pane's screen. */
export function useViews(view: ListView, list: string): ListViews {
  const { match, visible } = usePane()
  const screen = match ? (match.tab ? `${match.id}.${match.tab}` : match.id) : null
  const path = match?.path ?? null
  const { data, loading } = useCall('view.list', screen && visible ? { screen } : null)
  const [last, setLast] = useState(() => shownBy.get(list) ?? null)
  const { state, settle, show } = view
  const all = useMemo(() => data?.data ?? [], [data])
  const known = last === null ? undefined : all.find((one) => one.id === last)
  const exact = useMemo(() => {
    const same = all.filter((one) => settle(one.query) === state)
    return same.find((one) => one.id === last) ?? same.find((one) => one.mine) ?? same[0]
  }, [all, state, settle, last])
  // The default state is no view, unless one matches it exactly.
  const current = exact ?? (state === '' ? null : (known ?? null))
  const changed = current !== null && exact === undefined
  const id = current?.id ?? null
  useEffect(() => {
    if (!data) return
    setLast(id)
    if (id === null) shownBy.delete(list)
    else shownBy.set(list, id)
  }, [data, id, list])
  const workspace = useMemo<ListController['views']>(
    () =>
      screen === null || path === null
        ? null
        : {
            screen,
            path,
            state,
            all: all.map((one) => viewSubject(one)),
            loading: loading,
            current: current && viewSubject(current, state),
            changed,
            show: (query, id) => {
              if (id !== undefined) {
                shownBy.set(list, id)
                setLast(id)
              }
              show(query)
            },
          },
    [screen, path, state, all, loading, current, changed, show, list],
  )
  return useMemo(() => ({ all, current, changed, workspace }), [all, current, changed, workspace])
}
