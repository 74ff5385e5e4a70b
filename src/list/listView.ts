import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Sort } from '../ui/grid/columns.ts'
import { usePane } from '../workspace/pane.tsx'
import { type ListState, patchTo, readState, sameSort, settle, type Usual, writeState } from './listState.ts'

/** A list's state from its URL: search, filters, order. The position belongs to the pane. */
export interface ListView extends ListState {
  /** Changes whenever the matches may change. */
  key: string
  /** The state as its URL has it, `search=acme&sort=-name`, for saved views; empty for the defaults. */
  state: string
  /** Normalizes another state for this list. */
  settle(state: string): string
  /** Shows another state, as a step that Back undoes. */
  show(state: string): void
  /** The typed text, at once; `search` follows after a moment. */
  typed: string
  setSearch(text: string): void
  /** Searches the typed text without waiting. */
  searchNow(): void
  setFilter(name: string, value: string): void
  /** Sorts by a column: first this way, then reversed, then by the default. */
  setSort(column: string, first: Sort['direction']): void
  /** Sets the order; null restores the default. */
  sortBy(sort: Sort | null): void
  /** The list's default order; undefined for newest first. */
  usualSort: Sort | undefined
  /** The page in the URL, from 1. */
  page: number
  setPage(page: number): void
  reset(): void
}

const SETTLE_MS = 180
const NOT_OWN = { text: '', nth: 0 }

/** Identifies what a list shows, wherever its cursor is. */
export const keyOfState = ({ search, filters, sort }: ListState): string => JSON.stringify([search, filters, sort])

/** Options of a list of people: a search with an @ stays out of the URL, and one of a single letter waits for more. */
export interface Discreet {
  discreet?: boolean
}

/** Keeps a list's state in its pane's URL: `?search=acme&status=active&sort=-pacing`. `filters` has the defaults. */
export function useListView<F extends Readonly<Record<string, string>>>(
  filters: F,
  sorted?: Sort,
  { discreet = false }: Discreet = {},
): ListView & { filters: Readonly<Record<keyof F, string>> } {
  const { query, setQuery } = usePane()
  const [usual] = useState<Usual>({ filters, sort: sorted })
  const linked = useMemo(() => readState(query, usual), [query, usual])
  /** A search that the URL must not have, with a number that stands for it in keys, so that they name nobody. */
  const [own, setOwn] = useState(NOT_OWN)
  const state = useMemo(() => (linked.search || !own.text ? linked : { ...linked, search: own.text }), [linked, own.text])
  const { search, sort } = state
  const [typed, setTyped] = useState(search)
  const sent = useRef(search)
  useEffect(() => {
    // Back, a link or a view changes the search from outside, but never while the user types.
    if (search !== sent.current) {
      sent.current = search
      setTyped(search)
    }
  }, [search])
  const searchNow = useCallback(() => {
    const text = typed.trim()
    if (text === sent.current || (discreet && text.length === 1)) return
    sent.current = text
    const isOwn = discreet && text.includes('@')
    if (discreet) setOwn(({ nth }) => ({ text: isOwn ? text : '', nth: nth + 1 }))
    setQuery({ search: isOwn ? null : text, page: null })
  }, [typed, setQuery, discreet])
  useEffect(() => {
    const timer = setTimeout(searchNow, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [searchNow])

  const key = keyOfState(state === linked ? linked : { ...linked, search: `@${own.nth}` })
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
  const sortBy = useCallback(
    (to: Sort | null) => {
      const signed = to && !sameSort(to, usual.sort) ? `${to.direction === 'desc' ? '-' : ''}${to.column}` : null
      setQuery({ sort: signed, page: null })
    },
    [setQuery, usual],
  )
  const setPage = useCallback((page: number) => setQuery({ page: page > 1 ? page : null }), [setQuery])
  const reset = useCallback(() => {
    setTyped('')
    setOwn(NOT_OWN)
    sent.current = ''
    setQuery({ search: null, page: null, ...Object.fromEntries(Object.keys(usual.filters).map((name) => [name, null])) })
  }, [setQuery, usual])
  const show = useCallback(
    (to: string) => {
      const patch = patchTo(to, usual)
      sent.current = patch.search ?? ''
      setTyped(sent.current)
      setOwn(NOT_OWN)
      setQuery(patch, { push: true })
    },
    [setQuery, usual],
  )
  return {
    search,
    filters: state.filters as Readonly<Record<keyof F, string>>,
    sort,
    key,
    state: writeState(linked, usual),
    settle: useCallback((text: string) => settle(text, usual), [usual]),
    show,
    typed,
    setSearch: setTyped,
    searchNow,
    setFilter,
    setSort,
    sortBy,
    usualSort: usual.sort,
    page: Math.max(1, Number(query.page) || 1),
    setPage,
    reset,
  }
}
