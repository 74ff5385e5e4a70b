import { useAtomValue } from 'jotai'
import { useEffect, useMemo, useRef, useState } from 'react'
import { MESSAGES } from '../../../../contract/messages.ts'
import { civilToday } from '../../../../contract/pacing.ts'
import type { VisitFilter } from '../../../../contract/visitFilter.ts'
import type { VisitView } from '../../../commands/brandInfoController.ts'
import { serverTime } from '../../../data/serverClock.ts'
import { configAtom } from '../../../data/session.ts'
import { useCall } from '../../../data/useCall.ts'
import { withQuery } from '../../../routing/ref.ts'
import { href } from '../../../routing/routes.ts'
import { workspace } from '../../../workspace/currentWorkspace.ts'
import { usePane } from '../../../workspace/pane.tsx'
import { queryOfView, saysNothing, textOfView, viewOfFilter, viewOfQuery } from './visitView.ts'

const NONE: readonly VisitFilter[] = []

/** Returns what the link shows of a brand (0: all brands), with the saved filter in its path. */
export function useVisitView(brand: number) {
  const { query, params, setQuery, replace, go } = usePane()
  const { time_zone } = useAtomValue(configAtom)
  const today = civilToday(time_zone, serverTime())
  const wanted = params.filter === 'none' ? null : Number(params.filter)
  const listed = useCall('filter.list', brand ? { bid: brand } : wanted ? {} : null, { fresh: true })
  const filters = listed.data?.data ?? NONE
  const filter = wanted === null ? null : (filters.find(({ filter_id }) => filter_id === wanted) ?? null)
  const read = listed.data !== undefined || listed.error !== undefined
  const silent = saysNothing(query)
  /** The filter opened here; one just saved may not be in the list yet. */
  const opened = useRef<number | null>(null)
  // A saved filter's view applies until the link sets its own.
  const ready = wanted === null || !silent || (filter ? true : read && opened.current !== wanted)
  const text = JSON.stringify(silent && filter ? viewOfFilter(filter) : viewOfQuery(query))
  const view = useMemo(() => JSON.parse(text) as VisitView, [text])
  const problem = view.date === 'custom' && view.start && view.end && view.start > view.end ? MESSAGES.startBeforeEnd : null

  const queryText = JSON.stringify(query)
  useEffect(() => {
    if (wanted === null || !read || listed.error) return
    if (filter && brand === 0) replace(withQuery(href('brand', { id: filter.brand_id, filter: wanted }), JSON.parse(queryText)))
    if (filter || opened.current === wanted) return
    workspace.notice('That filter doesn’t exist.', 'bad')
    replace(withQuery(href('brand', { id: brand, filter: 'none' }), JSON.parse(queryText)))
  }, [wanted, read, listed.error, filter, brand, queryText, replace])

  const latest = useRef({ view, wanted, query })
  latest.current = { view, wanted, query }
  const [does] = useState(() => ({
    setView(patch: Partial<VisitView>) {
      const { view, wanted } = latest.current
      setQuery(queryOfView({ ...view, ...patch }, wanted !== null))
    },
    /** Shows one day as a custom period, with a history entry that Back reverts. */
    openDay(day: string) {
      const { view, wanted } = latest.current
      setQuery(queryOfView({ ...view, date: 'custom', start: day, end: day }, wanted !== null), { push: true })
    },
    toggleBefore: () => setQuery({ before: latest.current.query.before ? null : 1 }),
  }))
  const openFilter = (id: number | null) => {
    const { before } = query
    opened.current = id
    if (id === null) return go(withQuery(href('brand', { id: brand, filter: 'none' }), { ...queryOfView(view, false), before }))
    go(withQuery(href('brand', { id: brand, filter: id }), { before }))
  }
  return {
    ...{ view, today, filters, filter, problem, ready, openFilter, ...does },
    wanted,
    before: query.before === '1',
    changed: filter !== null && textOfView(viewOfFilter(filter)) !== textOfView(view),
  }
}
export type VisitViewState = ReturnType<typeof useVisitView>
