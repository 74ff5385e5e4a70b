import { useAtomValue } from 'jotai'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { store } from '../data/jotaiStore.ts'
import { preferencesAtom, setPreferences } from '../data/preferences.ts'
import type { Column } from '../ui/grid/columns.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { usePane } from '../workspace/pane.tsx'
import { arranged, type ChosenColumn, isUsual, readColumns, settledColumns, usualColumns, writeColumns } from './columnChoice.ts'

/** A list's columns as arranged, and functions to arrange them. */
export interface ListColumns<Row> {
  /** The columns to draw, in order. */
  shown: readonly Column<Row>[]
  chosen: readonly ChosenColumn[]
  /** True if they differ from the defaults. */
  changed: boolean
  /** Their text in a URL; null for the defaults. */
  text: string | null
  /** Arranges them; a burst of changes, as while dragging, is saved once it ends. */
  change(next: readonly ChosenColumn[]): void
  reset(): void
  /** Saves a pending change at once, before the list is left. */
  settle(): void
}

const REST_MS = 500
const NOTHING: Readonly<Record<string, string>> = {}

/**
 * Returns a list's columns: those of its URL if it has any, as a saved view's does, or else as this user left them.
 * With a view open, a change goes into the URL, so that the view can be updated; otherwise it is stored.
 */
export function useColumns<Row>(columns: readonly Column<Row>[], name: string, inView: boolean): ListColumns<Row> {
  const { query, setQuery, match } = usePane()
  const key = `${match ? (match.tab ? `${match.id}.${match.tab}` : match.id) : ''} ${name}`.slice(0, 80)
  const { columns: kept = NOTHING } = useAtomValue(preferencesAtom)
  const [draft, setDraft] = useState<string | null>(null)
  const own = kept[key]
  const linked = query.columns
  const columnsText = draft ?? linked ?? own
  const read = useMemo(() => readColumns(columnsText), [columnsText])
  const chosen = useMemo(() => settledColumns(columns as readonly Column<never>[], read), [columns, read])
  const changed = !isUsual(columns, chosen)
  const shown = useMemo(() => arranged(columns, changed ? chosen : null), [columns, changed, chosen])

  const write = useRef<(text: string | null, left?: boolean) => void>(() => {})
  write.current = (text, left) => {
    setDraft(null)
    if (linked !== undefined || inView) {
      // The pane of a list that was left has another URL by now.
      if (left) return
      // A URL without columns would show the user's own ones instead.
      return setQuery({ columns: text ?? (own ? writeColumns(usualColumns(columns)) : null) })
    }
    const { [key]: _, ...rest } = store.get(preferencesAtom).columns ?? NOTHING
    const next = text === null ? rest : { ...rest, [key]: text }
    setPreferences({ columns: next }).catch((error: Error) => workspace.notice(error.message, 'bad'))
  }
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; flush(left?: boolean): void } | null>(null)
  useEffect(() => () => waiting.current?.flush(true), [])
  const settle = useCallback(() => waiting.current?.flush(), [])
  const later = useCallback((text: string | null) => {
    if (waiting.current) clearTimeout(waiting.current.timer)
    const flush = (left?: boolean) => {
      if (waiting.current) clearTimeout(waiting.current.timer)
      waiting.current = null
      write.current(text, left)
    }
    waiting.current = { timer: setTimeout(() => flush(), REST_MS), flush }
  }, [])
  const change = useCallback(
    (next: readonly ChosenColumn[]) => {
      setDraft(writeColumns(next))
      later(isUsual(columns, next) ? null : writeColumns(next))
    },
    [columns, later],
  )
  const reset = useCallback(() => {
    if (waiting.current) clearTimeout(waiting.current.timer)
    waiting.current = null
    write.current(null)
  }, [])
  return useMemo(
    () => ({ shown, chosen, changed, text: changed ? writeColumns(chosen) : null, change, reset, settle }),
    [shown, chosen, changed, change, reset, settle],
  )
}
