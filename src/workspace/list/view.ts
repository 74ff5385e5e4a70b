import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Sort } from '../../ui/grid/columns.ts'
import { usePane } from '../pane.tsx'

/** What a list shows, as its link says it: search, filters, sort; the place in it is the pane's own. */
export interface ListView {
  search: string
  /** Each filter's value; the default where the link says nothing. */
  filters: Readonly<Record<string, string>>
  sort: Sort | undefined
  /** Changes with everything that changes what matches. */
  key: string
  /** What is typed, at once; `search` follows after a moment. */
  typed: string
  setSearch(text: string): void
  setFilter(name: string, value: string): void
  setSort(column: string): void
  /** The page in the link, from 1. */
  page: number
  setPage(page: number): void
  reset(): void
}

const SETTLE_MS = 180

/** A list's state in its pane's link: `?search=acme&status=active&sort=-pacing`. `filters` names the filters with their defaults. */
export function useListView<F extends Readonly<Record<string, string>>>(
  filters: F,
  usual?: Sort,
): ListView & { filters: Readonly<Record<keyof F, string>> } {
  const { query, setQuery } = usePane()
  const search = query.search ?? ''
  const [typed, setTyped] = useState(search)
  const sent = useRef(search)
  useEffect(() => {
    // Back, a link or another list state changes the search from outside; what is being typed is not taken away.
    if (search !== sent.current) {
      sent.current = search
      setTyped(search)
    }
  }, [search])
  useEffect(() => {
    if (typed === sent.current) return
    const timer = setTimeout(() => {
      sent.current = typed.trim()
      setQuery({ search: typed.trim(), page: null })
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [typed, setQuery])

  const sort = useMemo<Sort | undefined>(() => {
    const text = query.sort
    return text ? { column: text.replace(/^-/, ''), direction: text.startsWith('-') ? 'desc' : 'asc' } : usual
  }, [query.sort, usual])
  const names = useRef(filters)
  const values = useMemo(
    () =>
      Object.fromEntries(Object.entries(names.current).map(([name, otherwise]) => [name, query[name] ?? otherwise])) as Record<
        keyof F,
        string
      >,
    [query],
  )
  const key = JSON.stringify([search, values, sort])
  const setFilter = useCallback(
    (name: string, value: string) => setQuery({ [name]: value === names.current[name] ? null : value, page: null }),
    [setQuery],
  )
  const setSort = useCallback(
    (column: string) => {
      // Up, down, and then as it was.
      const next = sort?.column !== column ? column : sort.direction === 'asc' ? `-${column}` : null
      setQuery({ sort: next, page: null })
    },
    [setQuery, sort],
  )
  const setPage = useCallback((page: number) => setQuery({ page: page > 1 ? page : null }), [setQuery])
  const reset = useCallback(() => {
    setTyped('')
    sent.current = ''
    setQuery({ search: null, page: null, ...Object.fromEntries(Object.keys(names.current).map((name) => [name, null])) })
  }, [setQuery])
  return {
    search,
    filters: values,
    sort,
    key,
    typed,
    setSearch: setTyped,
    setFilter,
    setSort,
    page: Math.max(1, Number(query.page) || 1),
    setPage,
    reset,
  }
}
