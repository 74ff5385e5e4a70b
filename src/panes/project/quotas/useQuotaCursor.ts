import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Quota } from '../../../../contract/quota.ts'
import { isStarving } from '../../../../contract/quotaWhy.ts'
import type { Subject } from '../../../commands/subject.ts'
import type { ListController } from '../../../commands/workspaceApi.ts'
import { workspace } from '../../../workspace/currentWorkspace.ts'
import { bufferKeys } from '../../../workspace/keys/typeahead.ts'
import { usePane } from '../../../workspace/pane.tsx'
import { useFocusOnArrival } from '../../../workspace/useFocusOnArrival.ts'
import { idsOf, type Section, stepFrom } from './quotaLines.ts'

const nothing = () => {}
const NONE: readonly Subject[] = []
/** How long (ms) the cursor must rest before the URL changes. */
const REST_MS = 150

/** A plan as a subject: its total is its cell. */
export const planSubject = (plan: Quota): Subject => ({
  ...{ kind: 'quota', id: plan.id, name: 'Total', record: { ...plan, plan } },
  ...{ allowed_actions: plan.allowed_actions, refused_actions: plan.refused_actions },
})

/** A cell of a plan as a subject, by its id. */
function subjectOf(plan: Quota, id: number): Subject {
  const cell = plan.dimensions.flatMap(({ cells }) => cells).find((one) => one.id === id)
  if (!cell) return planSubject(plan)
  return { kind: 'quotaCell', id, name: cell.name, record: { ...cell, plan, starving: isStarving(cell, plan) } }
}

/** The cursor over the cells of a plan, which keys move and the URL names (`cell`). */
export function useQuotaCursor(plan: Quota, sections: readonly Section[], open: (cell: number) => void) {
  const pane = usePane()
  const { query, setQuery, setList, pin } = pane
  const lines = useMemo(() => idsOf(plan, sections), [plan, sections])
  const all = useMemo(() => lines.flat(), [lines])
  const linked = Number(query.cell)
  const [wanted, setWanted] = useState(linked)
  const [editing, setEditing] = useState<{ id: number; plan: Quota } | null>(null)
  const at = all.includes(wanted) ? wanted : plan.all.id
  const whole = useRef<HTMLDivElement>(null)
  const published = useRef(linked)
  const latest = useRef({ at, lines, all, plan, open })
  latest.current = { at, lines, all, plan, open }

  useEffect(() => {
    if (linked === published.current || Number.isNaN(linked)) return
    published.current = linked
    setWanted(linked)
  }, [linked])
  useEffect(() => {
    if (at === plan.all.id && !published.current) return
    const timer = setTimeout(() => {
      published.current = at
      setQuery({ cell: at === plan.all.id ? null : at })
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [at, plan.all.id, setQuery])

  const focus = useCallback((id: number) => {
    setWanted(id)
    const cell = whole.current?.querySelector<HTMLElement>(`[data-cell="${id}"]`)
    cell?.focus({ preventScroll: true })
    cell?.scrollIntoView({ block: 'nearest' })
  }, [])
  useFocusOnArrival(pane, () => focus(at))
  const edit = useCallback(
    (id: number) => {
      const { plan } = latest.current
      if (plan.state === 'ended') return workspace.notice('The quota plan has ended.')
      pin()
      bufferKeys()
      setWanted(id)
      setEditing({ id, plan })
    },
    [pin],
  )
  const cursor = useMemo(() => subjectOf(plan, at), [plan, at])
  const list = useMemo<ListController>(() => {
    const step = (down: number, right: number) => focus(stepFrom(latest.current.lines, latest.current.at, down, right))
    return {
      entries: true,
      cursor,
      loading: null,
      selected: NONE,
      move: (by) => step(by, 0),
      screen: (by, count = 1) => step(8 * by * count, 0),
      end: (which) => focus(which === 'first' ? latest.current.all[0]! : latest.current.all.at(-1)!),
      open: () => latest.current.open(latest.current.at),
      edit: () => edit(latest.current.at),
      expand: (right) => step(0, right ? 1 : -1),
      async seek(test) {
        const { all, at, plan } = latest.current
        const from = all.indexOf(at)
        const next = [...all.slice(from + 1), ...all.slice(0, from + 1)].find((id) => test(subjectOf(plan, id)))
        if (next === undefined) return false
        focus(next)
        return true
      },
      clearSelection: () => false,
      menu: () => workspace.palette({ text: '>' }),
      rowMenu: () => {
        bufferKeys()
        workspace.palette({ text: '>' })
      },
      select: nothing,
      selectRange: nothing,
      selectAll: nothing,
      filter: nothing,
      sort: nothing,
      page: nothing,
      views: null,
      columns: () => [],
      exportable: null,
    }
  }, [cursor, edit, focus])
  useLayoutEffect(() => setList(list), [list, setList])
  useEffect(() => () => setList(null), [setList])

  const done = (id: number, step?: 1 | -1) => {
    setEditing(null)
    if (document.activeElement !== document.body && !whole.current?.contains(document.activeElement)) return
    const next = step ? (all[all.indexOf(id) + step] ?? id) : id
    // The cell takes the focus once its editor is gone.
    requestAnimationFrame(() => focus(next))
    if (step && next !== id) edit(next)
  }
  return { whole, at, cursor, focus, edit, editing, done }
}
