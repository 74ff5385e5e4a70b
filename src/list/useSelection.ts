import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { idAbove, type Subject } from '../commands/subject.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { type FlatRows, isGap } from './flattenRows.ts'
import type { RowSource } from './rowSource.ts'
import type { Matching } from './selectableLists.ts'
import { checked, FEW, type KeyOf, NOTHING_SELECTED, type Selection, toggled, withSelected } from './selection.ts'
import type { Rows } from './useRows.ts'

interface Parts<Row extends object> {
  rows: Rows<Row>
  shown: FlatRows<Row>
  source: RowSource<Row>
  subjectOf: (row: Row) => Subject
  /** The list's state as text. */
  under: string
  matching: Matching | null
  /** The kind of the rows; a change clears the selection. */
  kind: string | undefined
  leavesOut: ((subject: Subject) => boolean) | undefined
  /** Converts a record selected by the server for this list, such as to a member of its group. */
  adopt?: ((subject: Subject) => Subject) | undefined
  keyOf?: KeyOf | undefined
}

/** A list's selection and its operations. */
export interface ListSelection {
  selected: readonly Subject[]
  ids: ReadonlySet<string | number>
  /** How many rows "select all" left out. */
  leftOut: number
  all: boolean
  select(index: number, range: boolean): void
  /** Selects a range; later ones continue from its end. */
  extend(from: number, to: number): void
  /** Selects every row of a range. */
  span(from: number, to: number): void
  selectAll(): void
  /** Selects the next `count` rows from an index on; resolves to the last one's index, or null if it was cancelled. */
  selectNext?(from: number, count: number): Promise<number | null>
  /** True if both leave out flagged rows. */
  leavesFlagged?: boolean
  /** Replaces the selection. */
  selectThese?(subjects: readonly Subject[]): void
  /** Selects all matches with further filter values, flagged ones too; null if it was cancelled. */
  selectMatching?(filter: Record<string, unknown>): Promise<number | null>
  /** Selects records by id, loaded or not, as a map has them; or toggles them with `toggles`. */
  selectIds(ids: readonly number[], toggles: boolean): void
  /** Clears the selection, or cancels what is still adding to it. */
  clear(): void
}

const SETTLE_MS = 400

/** A selection that lasts as long as its list, through paging, sorting and searching. */
export function useSelection<Row extends object>(parts: Parts<Row>): ListSelection {
  const { rows, shown, under, matching, leavesOut } = parts
  const [selection, setSelection] = useState<Selection>(NOTHING_SELECTED)
  const [leftOut, setLeftOut] = useState(0)
  const selectionNow = useRef(selection)
  selectionNow.current = selection
  const anchor = useRef(-1)
  const busy = useRef<AbortController | null>(null)
  const latest = useRef(parts)
  latest.current = parts
  const adopted = useCallback((found: readonly Subject[]) => {
    const { adopt } = latest.current
    return adopt ? found.map(adopt) : found
  }, [])

  const clear = useCallback(() => {
    if (busy.current) {
      busy.current.abort()
      return
    }
    setSelection(NOTHING_SELECTED)
    setLeftOut(0)
  }, [])
  const first = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that clears it
  useEffect(() => {
    if (!first.current) {
      busy.current?.abort()
      setSelection(NOTHING_SELECTED)
      setLeftOut(0)
    }
    first.current = false
  }, [parts.kind])
  useEffect(() => () => busy.current?.abort(), [])

  /** Escape cancels rows that must be read first. */
  const work = useCallback(async (find: (stop: AbortController) => Promise<void>) => {
    busy.current?.abort()
    const stop = new AbortController()
    busy.current = stop
    try {
      await find(stop)
    } catch (error) {
      if (!stop.signal.aborted)
        workspace.notice(error instanceof Error ? error.message : 'Not all rows could be selected.', 'bad')
      else if (busy.current === stop) workspace.notice('Selection cancelled.')
    } finally {
      if (busy.current === stop) busy.current = null
    }
  }, [])

  const select = useCallback(
    (index: number, range: boolean) => {
      const { shown, under, rows, subjectOf, keyOf } = latest.current
      const base = anchor.current
      anchor.current = index
      if (!range || base < 0) {
        const item = shown.at(index)
        if (item && !isGap(item)) setSelection((selection) => toggled(selection, item.subject, under, keyOf))
        return
      }
      const [from, to] = [Math.min(base, index), Math.max(base, index)]
      const items = Array.from({ length: to - from + 1 }, (_, at) => shown.at(from + at))
      const there = items.flatMap((item) => (item && !isGap(item) ? [item.subject] : []))
      setSelection((selection) => withSelected(selection, there, under, keyOf))
      if (there.length === items.length) return
      // Rows within the range may not be loaded.
      void work(async ({ signal }) => {
        const read = await rows.loader.stretch(shown.recordAt(from), shown.recordAt(to), signal)
        setSelection((selection) => withSelected(selection, read.map(subjectOf), under))
      })
    },
    [work],
  )
  const extend = useCallback((from: number, to: number) => {
    const { shown, under, keyOf } = latest.current
    const items = [shown.at(from), shown.at(to)].flatMap((item) => (item && !isGap(item) ? [item.subject] : []))
    setSelection((selection) => withSelected(selection, items, under, keyOf))
    anchor.current = to
  }, [])

  const span = useCallback(
    (from: number, to: number) => {
      anchor.current = from
      select(to, true)
    },
    [select],
  )

  const selectIds = useCallback(
    (ids: readonly number[], toggles: boolean) => {
      const { shown, under, matching } = latest.current
      const there = new Map<number, Subject>()
      for (const id of ids) {
        const item = shown.at(shown.indexOf(id))
        if (item && !isGap(item)) there.set(id, item.subject)
      }
      setSelection((selection) => {
        if (!toggles) return withSelected(selection, there.values(), under)
        const on = new Map([...selection].filter(([id]) => !ids.includes(id)))
        const off = [...there.values()].filter(({ id }) => !selection.has(id))
        return withSelected(on, off, under)
      })
      const rest = ids.filter((id) => !there.has(id) && !(toggles && selectionNow.current.has(id)))
      if (rest.length && matching)
        void work(async ({ signal }) => {
          const { askThese } = await import('./selectAll.ts')
          const read = await askThese(matching, rest, signal)
          setSelection((selection) => withSelected(selection, adopted(read), under))
        })
    },
    [work, adopted],
  )

  const total = rows.count ?? 0
  const all = selection.size > 0 && selection.size + leftOut >= total
  const selectAll = useCallback(() => {
    if (all) return clear()
    const { source, subjectOf, under } = latest.current
    void work(async (stop) => {
      const { findAll } = await import('./selectAll.ts')
      const all = await findAll(matching, source, subjectOf, stop)
      const found = adopted(all)
      stop.signal.throwIfAborted()
      const subjects = leavesOut ? found.filter((subject) => !leavesOut(subject)) : found
      setLeftOut(found.length - subjects.length)
      setSelection(withSelected(NOTHING_SELECTED, subjects, under))
    })
  }, [all, clear, matching, leavesOut, work, adopted])

  const selectNext = useCallback(
    async (from: number, count: number) => {
      let last: number | null = null
      await work(async ({ signal }) => {
        const { rows, shown, subjectOf, under, keyOf } = latest.current
        const found: Subject[] = []
        let skipped = 0
        const end = rows.count ?? 0
        for (let at = Math.max(0, shown.recordAt(from)); found.length < count && at < end; at += count) {
          const read = await rows.loader.stretch(at, Math.min(end, at + count) - 1, signal)
          for (const [place, row] of read.entries()) {
            if (found.length === count) break
            const subject = subjectOf(row)
            if (leavesOut?.(subject)) skipped++
            else {
              found.push(subject)
              last = shown.indexAt(at + place)
            }
          }
        }
        signal.throwIfAborted()
        setLeftOut(skipped)
        setSelection((selection) => withSelected(selection, adopted(found), under, keyOf))
      })
      return last
    },
    [leavesOut, work, adopted],
  )

  const selectThese = useCallback((subjects: readonly Subject[]) => {
    setLeftOut(0)
    setSelection(withSelected(NOTHING_SELECTED, subjects, latest.current.under))
  }, [])
  const selectMatching = useCallback(
    async (filter: Record<string, unknown>) => {
      let found: number | null = null
      await work(async (stop) => {
        const { source, subjectOf, matching } = latest.current
        if (!matching?.selects) return
        const { findAll } = await import('./selectAll.ts')
        const more = { ...matching, filter: { ...matching.filter, ...filter } }
        const subjects = await findAll(more, source, subjectOf, stop)
        stop.signal.throwIfAborted()
        found = subjects.length
        selectThese(subjects)
      })
      return found
    },
    [work, selectThese],
  )

  // After a reload, updates the selection, because allowed actions may have changed.
  useEffect(() => {
    if (!selection.size) return
    const there = new Map<number, Subject>()
    const seen = new Set<number>()
    for (const item of shown.items()) {
      if (!selection.has(item.id)) continue
      seen.add(item.id)
      there.set(item.id, item.subject)
    }
    if (seen.size) setSelection((selection) => checked(selection, under, seen, there))
  }, [shown, selection, under])

  // Deselects rows that left the list after a change, visible or not.
  const version = useRef(rows.chunks)
  const size = selection.size
  useEffect(() => {
    if (version.current === rows.chunks || rows.stale || rows.count === undefined) return
    version.current = rows.chunks
    if (!size) return
    const loadedAll = [...rows.chunks.values()].reduce((sum, chunk) => sum + chunk.length, 0) >= rows.count
    if (loadedAll) {
      const there = new Map<number, Subject>()
      for (const item of shown.items()) there.set(item.id, item.subject)
      setSelection((selection) => checked(selection, under, withChildrenLeft(selection, shown), there))
    }
  }, [rows.chunks, rows.stale, rows.count, shown, under, size])

  useEffect(() => {
    if (!matching?.selects) return
    let stop: AbortController | null = null
    let timer: ReturnType<typeof setTimeout> | null = null
    const check = async () => {
      timer = null
      if (busy.current) return
      stop?.abort()
      stop = new AbortController()
      try {
        const { signal } = stop
        const { stillMatching } = await import('./selectAll.ts')
        const { checked: asked, there } = await stillMatching(matching, selectionNow.current, under, signal)
        const still = new Map(adopted([...there.values()]).map((subject) => [subject.id, subject]))
        setSelection((selection) => checked(selection, under, asked, still))
      } catch {
        // The next change checks again; until then, the server refuses what isn't possible.
      }
    }
    const stopListening = rows.loader.onRefresh(() => {
      if (!selectionNow.current.size) return
      timer ??= setTimeout(() => void check(), selectionNow.current.size > FEW ? SETTLE_MS * 5 : SETTLE_MS)
    })
    return () => {
      stopListening()
      if (timer) clearTimeout(timer)
      stop?.abort()
    }
  }, [matching, under, rows.loader, adopted])

  const selected = useMemo(() => [...selection.values()].map((one) => one.subject), [selection])
  const ids = useMemo(() => new Set<string | number>(selection.keys()), [selection])
  const leavesFlagged = leavesOut !== undefined
  return useMemo(
    () => ({
      ...{ selected, ids, leftOut, all, leavesFlagged, select, extend, span },
      ...{ selectAll, selectNext, selectIds, selectThese, selectMatching, clear },
    }),
    [
      selected,
      ids,
      leftOut,
      all,
      leavesFlagged,
      select,
      extend,
      span,
      selectAll,
      selectNext,
      selectIds,
      selectThese,
      selectMatching,
      clear,
    ],
  )
}

/** Returns the selected ids of a fully loaded list, except children of collapsed rows. */
function withChildrenLeft<Row extends object>(selection: Selection, shown: FlatRows<Row>): ReadonlySet<number> {
  const leftIds = new Set<number>()
  for (const [id, one] of selection) {
    if (idAbove(one.subject, 'parent') !== null && shown.indexOf(id) < 0) continue
    leftIds.add(id)
  }
  return leftIds
}
