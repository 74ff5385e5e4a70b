import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Subject } from '../commands/subject.ts'
import { store } from '../data/jotaiStore.ts'
import { nextKey, worksAtom } from '../runner/runnerState.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { isGap, type Shown } from './flattenRows.ts'
import { checked, type Marks, NO_MARKS, toggled, withMarks } from './marks.ts'
import { canAskMarks, type Matching } from './selectableLists.ts'
import type { Source } from './source.ts'
import type { Rows } from './useRows.ts'

interface Parts<Row extends object> {
  rows: Rows<Row>
  shown: Shown<Row>
  source: Source<Row>
  subjectOf: (row: Row) => Subject
  /** What the list shows, as one text. */
  under: string
  matching: Matching | null
  /** When this changes, the marks are cleared. */
  kind: string | undefined
  leavesOut: ((subject: Subject) => boolean) | undefined
}

/** A list's marks, and how they are set. */
export interface ListMarks {
  marked: readonly Subject[]
  ids: ReadonlySet<string | number>
  /** How many "mark all" left out. */
  leftOut: number
  all: boolean
  mark(index: number, range: boolean): void
  /** Marks two rows, and what follows goes on from the second. */
  extend(from: number, to: number): void
  markAll(): void
  /** Clears the marks, or stops what is still marking. */
  clear(): void
}

/** After so many it is cheaper to read all that match again than to name each. */
const FEW = 2000
const SETTLE_MS = 400

/** Marks live as long as their list: paging, sorting and searching keep them. */
export function useMarks<Row extends object>(parts: Parts<Row>): ListMarks {
  const { rows, shown, under, matching, leavesOut } = parts
  const [marks, setMarks] = useState<Marks>(NO_MARKS)
  const [leftOut, setLeftOut] = useState(0)
  const anchor = useRef(-1)
  const busy = useRef<AbortController | null>(null)
  const latest = useRef(parts)
  latest.current = parts

  const clear = useCallback(() => {
    if (busy.current) {
      busy.current.abort()
      return
    }
    setMarks(NO_MARKS)
    setLeftOut(0)
  }, [])
  const first = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that clears them
  useEffect(() => {
    if (!first.current) {
      busy.current?.abort()
      setMarks(NO_MARKS)
      setLeftOut(0)
    }
    first.current = false
  }, [parts.kind])
  useEffect(() => () => busy.current?.abort(), [])

  /** Long marking says how far it is, and can be cancelled there or by Escape. */
  const work = useCallback(
    async (find: (progress: (done: number, total: number) => void, signal: AbortSignal) => Promise<void>) => {
      busy.current?.abort()
      const stop = new AbortController()
      busy.current = stop
      const key = nextKey()
      const progress = (done: number, total: number) => {
        // Two pieces are a blink: nothing to watch.
        if (done >= total) return
        const one = { key, title: 'Select all that match', done, total, note: '', cancel: () => stop.abort() }
        store.set(worksAtom, (all) => [...all.filter((other) => other.key !== key), one])
      }
      try {
        await find(progress, stop.signal)
      } catch (error) {
        if (!stop.signal.aborted)
          workspace.notice(error instanceof Error ? error.message : 'Not all rows could be selected.', 'bad')
        else if (busy.current === stop) workspace.notice('Marking was cancelled.')
      } finally {
        store.set(worksAtom, (all) => all.filter((other) => other.key !== key))
        if (busy.current === stop) busy.current = null
      }
    },
    [],
  )

  const mark = useCallback(
    (index: number, range: boolean) => {
      const { shown, under, rows, subjectOf } = latest.current
      const begun = anchor.current
      anchor.current = index
      if (!range || begun < 0) {
        const item = shown.at(index)
        if (item && !isGap(item)) setMarks((marks) => toggled(marks, item.subject, under))
        return
      }
      const [from, to] = [Math.min(begun, index), Math.max(begun, index)]
      const items = Array.from({ length: to - from + 1 }, (_, at) => shown.at(from + at))
      const there = items.flatMap((item) => (item && !isGap(item) ? [item.subject] : []))
      setMarks((marks) => withMarks(marks, there, under))
      if (there.length === items.length) return
      // Between two ends there may be rows that nobody has loaded.
      void work(async (_progress, signal) => {
        const read = await rows.window.stretch(shown.recordAt(from), shown.recordAt(to), signal)
        setMarks((marks) => withMarks(marks, read.map(subjectOf), under))
      })
    },
    [work],
  )
  const extend = useCallback((from: number, to: number) => {
    const { shown, under } = latest.current
    const items = [shown.at(from), shown.at(to)].flatMap((item) => (item && !isGap(item) ? [item.subject] : []))
    setMarks((marks) => withMarks(marks, items, under))
    anchor.current = to
  }, [])

  const total = rows.count ?? 0
  const all = marks.size > 0 && marks.size + leftOut >= total
  const markAll = useCallback(() => {
    if (all) return clear()
    const { source, subjectOf, under } = latest.current
    void work(async (progress, signal) => {
      const { askAll, readAll } = await import('./allMarks.ts')
      const found = canAskMarks(matching)
        ? await askAll(matching, progress, signal)
        : await readAll(source, subjectOf, progress, signal)
      signal.throwIfAborted()
      const subjects = leavesOut ? found.filter((subject) => !leavesOut(subject)) : found
      setLeftOut(found.length - subjects.length)
      setMarks(withMarks(NO_MARKS, subjects, under))
    })
  }, [all, clear, matching, leavesOut, work])

  // What was read again is marked as it is now: what may be done with it can have changed.
  useEffect(() => {
    if (!marks.size) return
    const there = new Map<number, Subject>()
    const seen = new Set<number>()
    for (const item of shown.items()) {
      if (!marks.has(item.id)) continue
      seen.add(item.id)
      there.set(item.id, item.subject)
    }
    if (seen.size) setMarks((marks) => checked(marks, under, seen, there))
  }, [shown, marks, under])

  // What left the list after something was done to it is marked no more, whether it was in sight or not.
  const version = useRef(rows.chunks)
  const size = marks.size
  useEffect(() => {
    if (version.current === rows.chunks || rows.stale || rows.count === undefined) return
    version.current = rows.chunks
    if (!size) return
    const loadedAll = [...rows.chunks.values()].reduce((sum, chunk) => sum + chunk.length, 0) >= rows.count
    if (loadedAll) {
      const there = new Map<number, Subject>()
      for (const item of shown.items()) there.set(item.id, item.subject)
      setMarks((marks) => checked(marks, under, withChildrenLeft(marks, shown), there))
    }
  }, [rows.chunks, rows.stale, rows.count, shown, under, size])

  const marksNow = useRef(marks)
  marksNow.current = marks
  useEffect(() => {
    if (!canAskMarks(matching)) return
    let stop: AbortController | null = null
    let timer: ReturnType<typeof setTimeout> | null = null
    const check = async () => {
      timer = null
      const many = marksNow.current.size > FEW
      // Of many, all that match are read: children of theirs are not among them and stay as they are.
      const asked = [...marksNow.current].flatMap(([id, { under: then, subject }]) =>
        then === under && !(many && typeof subject.record?.parent_id === 'number') ? [id] : [],
      )
      if (!asked.length || busy.current) return
      stop?.abort()
      stop = new AbortController()
      try {
        const { signal } = stop
        const { askAll, askThese } = await import('./allMarks.ts')
        const found = !many ? await askThese(matching, asked, signal) : await askAll(matching, () => {}, signal)
        const there = new Map(found.map((subject) => [subject.id, subject]))
        setMarks((marks) => checked(marks, under, new Set(asked), there))
      } catch {
        // The next change asks again; until then the server refuses what no longer can be done.
      }
    }
    const unhear = rows.window.hearRefresh(() => {
      if (!marksNow.current.size) return
      timer ??= setTimeout(() => void check(), marksNow.current.size > FEW ? SETTLE_MS * 5 : SETTLE_MS)
    })
    return () => {
      unhear()
      if (timer) clearTimeout(timer)
      stop?.abort()
    }
  }, [matching, under, rows.window])

  const marked = useMemo(() => [...marks.values()].map((mark) => mark.subject), [marks])
  const ids = useMemo(() => new Set<string | number>(marks.keys()), [marks])
  return useMemo(
    () => ({ marked, ids, leftOut, all, mark, extend, markAll, clear }),
    [marked, ids, leftOut, all, mark, extend, markAll, clear],
  )
}

/** Of a list that is loaded in full, every marked record is asked for, but not children of branches that are closed. */
function withChildrenLeft<Row extends object>(marks: Marks, shown: Shown<Row>): ReadonlySet<number> {
  const asked = new Set<number>()
  for (const [id, mark] of marks) {
    const parent = mark.subject.record?.parent_id
    if (typeof parent === 'number' && shown.indexOf(id) < 0) continue
    asked.add(id)
  }
  return asked
}
