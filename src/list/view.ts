import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Sort } from '../ui/grid/columns.ts'
import { usePane } from '../workspace/pane.tsx'
import { type ListState, patchTo, readState, settle, type Usual, writeState } from './listState.ts'

/** What a list shows, as its link says it: search, filters, sort; the place in it is the pane's own. */
export interface ListView extends ListState {
  /** Changes with everything that changes what matches. */
  key: string
  /** The same as the link says it, `search=acme&sort=-name`: what a saved view keeps. Empty is the list as it begins. */
  state: string
  /** Another state in this list's own spelling. */
  settle(state: string): string
  /** Shows another state; a step that Back undoes. */
  show(state: string): void
  /** What is typed, at once; `search` follows after a moment. */
  typed: string
  setSearch(text: string): void
  /** Searches what is typed without waiting. */
  searchNow(): void
  setFilter(name: string, value: string): void
  /** Sorts by a column, first that way; chosen again the other way, then as the list was. */
  setSort(column: string, first: Sort['direction']): void
  /** The page in the link, from 1. */
  page: number
  setPage(page: number): void
  reset(): void
}

const SETTLE_MS = 180

/** A list's state in its pane's link: `?search=acme&status=active&sort=-pacing`. `filters` names the filters with their defaults. */
export function useListView<F extends Readonly<Record<string, string>>>(
  filters: F,
  sorted?: Sort,
): ListView & { filters: Readonly<Record<keyof F, string>> } {
  const { query, setQuery } = usePane()
  const [usual] = useState<Usual>({ filters, sort: sorted })
  const state = useMemo(() => readState(query, usual), [query, usual])
  const { search, sort } = state
  const [typed, setTyped] = useState(search)
  const sent = useRef(search)
  useEffect(() => {
    // Back, a link or another list state changes the search from outside; what is being typed is not taken away.
    if (search !== sent.current) {
      sent.current = search
      setTyped(search)
    }
  }, [search])
  const searchNow = useCallback(() => {
    if (typed.trim() === sent.current) return
    sent.current = typed.trim()
    setQuery({ search: sent.current, page: null })
  }, [typed, setQuery])
  useEffect(() => {
    const timer = setTimeout(searchNow, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [searchNow])

  const key = JSON.stringify([search, state.filters, sort])
  const setFilter = useCallback(
    (name: string, value: string) => setQuery({ [name]: value === usual.filters[name] ? null : value, page: null }),
    [setQuery, usual],
  )
  const setSort = useCallback(
    (column: string, first: Sort['direction']) => {
      const signed = { asc: column, desc: `-${column}` }
      const next =
        sort?.column !== column ? signed[first] : sort.direction === first ? signed[first === 'asc' ? 'desc' : 'asc'] : null
      setQuery({ sort: next, page: null })
    },
    [setQuery, sort],
  )
  const setPage = useCallback((page: number) => setQuery({ page: page > 1 ? page : null }), [setQuery])
  const reset = useCallback(() => {
    setTyped('')
    sent.current = ''
    setQuery({ search: null, page: null, ...Object.fromEntries(Object.keys(usual.filters).map((name) => [name, null])) })
  }, [setQuery, usual])
  const show = useCallback(
    (to: string) => {
      const patch = patchTo(to, usual)
      sent.current = patch.search ?? ''
      setTyped(sent.current)
      setQuery(patch, { push: true })
    },
    [setQuery, usual],
  )
  return {
    search,
    filters: state.filters as Readonly<Record<keyof F, string>>,
    sort,
    key,
    state: writeState(state, usual),
    settle: useCallback((text: string) => settle(text, usual), [usual]),
    show,
    typed,
    setSearch: setTyped,
    searchNow,
    setFilter,
    setSort,
    page: Math.max(1, Number(query.page) || 1),
    setPage,
    reset,
  }
}
