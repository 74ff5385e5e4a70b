import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Subject } from '../commands/subject.ts'
import type { ListController } from '../commands/workspaceApi.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { isInField } from '../workspace/focusLater.ts'
import { bufferKeys } from '../workspace/keys/typeahead.ts'
import { usePane } from '../workspace/pane.tsx'

/** A row of a paged part of a screen, such as a note or a change. */
interface Entry {
  id: number
}
interface Parts<Row extends Entry> {
  /** The rows of this page; undefined while they load. */
  rows: readonly Row[] | undefined
  page: number
  size: number
  /** The number of entries on all pages. */
  total: number
  subjectOf(row: Row): Subject | null
  /** What Enter does. */
  onOpen(row: Row): void
}
export interface Entries {
  /** For the element around the rows. */
  whole: RefObject<HTMLOListElement | null>
  /** The id of the entry under the cursor; null before the user moves to one. */
  at: number | null
  /** For the focusable element of a row. */
  propsOf(id: number): { 'data-entry': number; 'data-cursor': '' | undefined; tabIndex: number; onFocus: () => void }
}

/** The style of a focusable entry. */
export const ENTRY = 'flex scroll-my-4 gap-3 -mx-2 rounded-md px-2 py-2.5 data-[cursor]:bg-accent-wash'

/** How long (ms) the cursor must rest before the URL changes. */
const REST_MS = 150
/** How many pages to search for the entry of a URL, which newer ones may have moved. */
const MOST_PAGES = 20
const NONE: readonly Subject[] = []
const nothing = () => {}

/**
 * A cursor over the entries of a pane: it crosses pages, is part of the URL (`entry`), and focuses its row.
 * It exists only once the user moves to an entry; until then the pane keeps its own keys and subject.
 */
export function useEntries<Row extends Entry>({ rows, page, size, total, subjectOf, onOpen }: Parts<Row>): Entries {
  const { query, setQuery, setList, active, id: pane } = usePane()
  const linked = Number(query.entry) || null
  const [at, setAt] = useState(linked)
  const whole = useRef<HTMLOListElement>(null)
  /** The cursor's position, including keys that aren't rendered yet. */
  const here = useRef({ id: at, index: 0 })
  /** The entry to move to on the page that loads. */
  const want = useRef<'first' | 'last' | null>(null)
  /** How many pages are left to search for the entry of the URL. */
  const seeking = useRef(linked === null ? 0 : MOST_PAGES)
  const focuses = useRef(linked !== null)
  const published = useRef(linked)

  const go = useCallback((row: Row | undefined, index: number) => {
    here.current = { id: row?.id ?? null, index }
    focuses.current = true
    setAt(row?.id ?? null)
  }, [])
  const turn = useCallback(
    (to: number, which: 'first' | 'last') => {
      want.current = which
      setQuery({ page: to > 1 ? to : null, entry: null })
    },
    [setQuery],
  )
  const pages = Math.max(1, Math.ceil(total / size))

  // The URL changed: Back, or another link to the same pane.
  useEffect(() => {
    if (linked === published.current) return
    published.current = linked
    if (linked === null) return
    here.current = { id: linked, index: 0 }
    seeking.current = MOST_PAGES
    focuses.current = true
    setAt(linked)
  }, [linked])

  useEffect(() => {
    if (!rows) return
    const wanted = want.current
    want.current = null
    if (wanted) return go(wanted === 'first' ? rows[0] : rows.at(-1), wanted === 'first' ? 0 : rows.length - 1)
    if (at === null) return
    const index = rows.findIndex(({ id }) => id === at)
    if (index >= 0) {
      here.current = { id: at, index }
      seeking.current = 0
      return
    }
    if (seeking.current > 0) {
      seeking.current -= 1
      if (page < pages && seeking.current) return setQuery({ page: page + 1 })
      seeking.current = 0
      setAt(null)
      return workspace.notice('This entry no longer exists.')
    }
    // The entry was deleted, or the page changed: take what is in its place.
    const next = Math.min(here.current.index, rows.length - 1)
    const inside = document.activeElement === document.body || (whole.current?.contains(document.activeElement) && !isInField())
    go(rows[next], next)
    focuses.current = Boolean(inside)
  }, [rows, at, page, pages, go, setQuery])

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that arrive may have the entry of a link
  useLayoutEffect(() => {
    if (at === null || !active || !focuses.current) return
    const element = whole.current?.querySelector<HTMLElement>(`[data-entry="${at}"]`)
    if (!element) return
    focuses.current = false
    element.focus({ preventScroll: true })
    element.scrollIntoView({ block: 'nearest' })
  }, [at, rows, active])

  useEffect(() => {
    if (at === null || seeking.current) return
    const timer = setTimeout(() => {
      published.current = at
      setQuery({ entry: at })
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [at, setQuery])

  const latest = useRef({ rows, subjectOf, onOpen })
  useLayoutEffect(() => {
    latest.current = { rows, subjectOf, onOpen }
  })
  const list = useMemo<ListController | null>(() => {
    if (!rows?.length) return null
    const row = () => (here.current.id === null ? undefined : rows.find(({ id }) => id === here.current.id))
    const to = (index: number) => {
      if (index < 0 && page > 1) return turn(page - 1, 'last')
      if (index >= rows.length && page < pages) return turn(page + 1, 'first')
      const next = Math.max(0, Math.min(index, rows.length - 1))
      go(rows[next], next)
    }
    const move = (by: number) => (row() ? to(here.current.index + by) : to(by > 0 ? 0 : rows.length - 1))
    return {
      entries: true,
      cursor: rows.find(({ id }) => id === at) ? latest.current.subjectOf(rows.find(({ id }) => id === at)!) : null,
      get loading() {
        return want.current ? 'rows' : null
      },
      selected: NONE,
      move,
      screen: (by, count = 1) => workspace.layout.scroll(by > 0 ? 'screenDown' : 'screenUp', count),
      end: (which) => {
        const first = which === 'first'
        if (first ? page > 1 : page < pages) turn(first ? 1 : pages, which)
        else to(first ? 0 : rows.length - 1)
      },
      open: () => {
        const now = row()
        if (now) latest.current.onOpen(now)
      },
      page: (by) => {
        const next = Math.max(1, Math.min(page + by, pages))
        if (next !== page) turn(next, 'first')
      },
      clearSelection: () => {
        if (!row()) return false
        here.current = { id: null, index: 0 }
        setAt(null)
        setQuery({ entry: null })
        document.getElementById(`pane-${pane}`)?.focus({ preventScroll: true })
        return true
      },
      menu: () => workspace.palette({ text: '>' }),
      rowMenu: () => {
        const button = whole.current?.querySelector<HTMLElement>('[data-cursor] button[aria-haspopup]')
        if (!button) return
        bufferKeys()
        button.click()
      },
      select: nothing,
      selectRange: nothing,
      selectAll: nothing,
      filter: nothing,
      sort: nothing,
      edit: () => {
        const now = row()
        if (now) latest.current.onOpen(now)
      },
      expand: nothing,
      views: null,
      columns: () => [],
      exportable: null,
    }
  }, [rows, page, pages, at, turn, go, setQuery, pane])
  useLayoutEffect(() => setList(list), [list, setList])
  useEffect(() => () => setList(null), [setList])

  return {
    whole,
    at,
    propsOf: (id) => ({
      'data-entry': id,
      'data-cursor': id === at ? '' : undefined,
      tabIndex: id === (at ?? rows?.[0]?.id) ? 0 : -1,
      onFocus: () => {
        if (here.current.id === id) return
        here.current = { id, index: rows?.findIndex((row) => row.id === id) ?? 0 }
        setAt(id)
      },
    }),
  }
}
