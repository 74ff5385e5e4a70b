import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { templateChanges } from '../../../../contract/reportColumns.ts'
import { registerReport } from '../../../commands/reportController.ts'
import { ApiError } from '../../../data/api.ts'
import { api } from '../../../data/apiClient.ts'
import { currentMe } from '../../../data/session.ts'
import { useCall } from '../../../data/useCall.ts'
import { workspace } from '../../../workspace/currentWorkspace.ts'
import { usePane, usePaneForm } from '../../../workspace/pane.tsx'
import { useController } from '../../../workspace/useController.ts'
import type { Conflict } from '../../shared/form/ConflictDialog.tsx'
import { draftsOf } from '../../shared/form/drafts.ts'
import {
  changedKeys,
  drafted,
  type Edit,
  edited,
  movedTo,
  NO_CHANGES,
  type ReportAnswer,
  type ReportColumn,
  type ReportDraft,
  sentOf,
  shapedTo,
} from './reportDraft.ts'

/** A conflicting column in a 409 response. */
interface StaleRow {
  column_key: string
  theirs: ReportColumn
  mine: Readonly<Record<string, unknown>>
  clashes: readonly string[]
}
const WORDS: Readonly<Record<string, string>> = {
  column_name: 'name',
  column_type: 'type',
  column_custom_definition: 'definition',
  should_include: 'include',
  order: 'place',
}
const NONE: readonly ReportColumn[] = []

/** A project's client report with its unsaved changes, and the functions its commands call. */
export function useReport(project: { id: number; name: string }) {
  const { active, setDirty, query } = usePane()
  const me = currentMe()
  const answer = useCall('report.questions', { project_id: project.id, per_page: 2000 })
  const report = answer.data
  const templates = useCall('report.templates', report ? { client_id: report.client_id } : null).data?.data
  const drafts = useMemo(() => draftsOf<ReportDraft>(`report.${project.id}`), [project.id])
  const [draft, setDraft] = useState<ReportDraft>(() => drafts.read(me.id, NO_CHANGES) ?? NO_CHANGES)
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const [stale, setStale] = useState<readonly StaleRow[] | null>(null)
  const [saving, setSaving] = useState(false)
  const base = report?.data ?? NONE
  const known = useMemo(() => (report ? shapedTo(report.data, draft) : draft), [report, draft])
  const columns = useMemo(() => drafted(base, known), [base, known])
  const unsaved = changedKeys(known).length
  useEffect(() => drafts.keep(me.id, unsaved ? known : null), [drafts, me.id, unsaved, known])
  useEffect(() => setDirty(unsaved > 0), [unsaved, setDirty])
  useEffect(() => () => setDirty(false), [setDirty])

  // Commands name records by number, so string keys are numbered on first use.
  const ids = useRef(new Map<string, number>())
  const idOf = useCallback((key: string): number => {
    const id = ids.current.get(key) ?? ids.current.size + 1
    ids.current.set(key, id)
    return id
  }, [])
  const keyOf = (id: number) => [...ids.current].find(([, one]) => one === id)?.[0]

  const change = useCallback((next: (before: ReportDraft) => ReportDraft) => {
    setFaults({})
    setDraft(next)
  }, [])
  const edit = useCallback((key: string, patch: Edit) => change((before) => edited(base, before, key, patch)), [base, change])

  async function save(from: ReportDraft = known) {
    if (saving || !changedKeys(from).length) return
    const sent = sentOf(from)
    setSaving(true)
    try {
      const { message } = await api.write('report.save', { project_id: project.id, questions: sent })
      // Changes made while saving are kept.
      setDraft((now) => (now === draft || now === from ? NO_CHANGES : now))
      setFaults({})
      setStale(null)
      workspace.notice(message)
    } catch (error) {
      const failure = error instanceof ApiError ? error : new ApiError(0, 'broken', 'Something went wrong. Try again.')
      if (failure.code === 'stale' && Array.isArray(failure.more.rows)) return setStale(failure.more.rows as StaleRow[])
      const wrong = Object.entries(failure.fields).flatMap(([field, sentence]) => {
        const [, at] = /^questions\.(\d+)\./.exec(field) ?? []
        const key = at === undefined ? undefined : sent[Number(at)]?.column_key
        return key ? [[key, sentence] as const] : []
      })
      setFaults(Object.fromEntries(wrong))
      workspace.notice(`The report wasn’t saved: ${failure.message}`, 'bad')
    } finally {
      setSaving(false)
    }
  }

  /** Takes their version of the chosen fields, and saves the others over theirs. */
  function chosen(theirs: readonly string[]) {
    if (!stale) return
    const edits = { ...known.edits }
    const moved = { ...known.moved }
    const locks = { ...known.locks }
    for (const { column_key: key, theirs: now, clashes } of stale) {
      locks[key] = now.lock_version
      for (const field of clashes) {
        if (!theirs.includes(`${key}:${field}`)) continue
        if (field === 'order') delete moved[key]
        else {
          const { [field as keyof Edit]: _, ...rest } = edits[key] ?? {}
          if (Object.keys(rest).length) edits[key] = rest
          else delete edits[key]
        }
      }
    }
    const next = { edits, moved, locks }
    setStale(null)
    setDraft(next)
    void save(next)
  }

  useController(registerReport, {
    active: () => active,
    project: { ...project, client_id: report?.client_id ?? 0, client_name: report?.client_name ?? '' },
    unsaved,
    columns: columns.length,
    included: report?.included ?? 0,
    hasSurvey: report?.has_survey ?? false,
    missing: report?.missing.map(({ question_id }) => question_id) ?? [],
    templates:
      templates?.map(({ id, name, client_name }) => ({ value: String(id), label: name, detail: client_name || undefined })) ?? [],
    changes(template) {
      const found = templates?.find(({ id }) => String(id) === template)
      return found ? templateChanges(base, found.columns) : []
    },
    include(ids) {
      const keys = ids.map(keyOf)
      const among = columns.filter(({ column_key }) => keys.includes(column_key))
      const should_include = among.every((column) => column.should_include === 1) ? 0 : 1
      for (const { column_key } of among) edit(column_key, { should_include })
    },
    move(id, by) {
      const at = columns.findIndex(({ column_key }) => column_key === keyOf(id))
      const to = at + by
      if (at < 0 || to < 0 || to >= columns.length) return
      const key = columns[at]!.column_key
      change((before) => movedTo(base, before, key, drafted(base, before).findIndex((one) => one.column_key === key) + 1 + by))
    },
    moveTo(id, place) {
      const key = keyOf(id)
      if (key) change((before) => movedTo(base, before, key, place))
    },
    save: () => void save(),
    discard: () => change(() => NO_CHANGES),
  })
  usePaneForm({ send: () => void save(), discard: () => change(() => NO_CHANGES) })

  const conflicts: readonly Conflict<string>[] | null =
    stale?.flatMap(({ column_key, theirs, mine, clashes }) =>
      clashes.map((field) => ({
        field: `${column_key}:${field}`,
        label: `${theirs.column_name}, ${WORDS[field] ?? field}`,
        mine: shownAs(field, mine[field]),
        theirs: shownAs(field, (theirs as unknown as Record<string, unknown>)[field]),
      })),
    ) ?? null
  const only = query.only === 'included'
  return {
    answer,
    report: report as ReportAnswer | undefined,
    columns: only ? columns.filter(({ should_include }) => should_include === 1) : columns,
    all: columns,
    unsaved,
    changed: useMemo(() => new Set(changedKeys(known)), [known]),
    faults,
    saving,
    edit,
    idOf,
    conflicts,
    chosen,
    closeConflicts: () => setStale(null),
  }
}

const shownAs = (field: string, value: unknown): string =>
  field === 'should_include' ? (value === 1 || value === true ? 'included' : 'excluded') : String(value ?? '') || '(empty)'
