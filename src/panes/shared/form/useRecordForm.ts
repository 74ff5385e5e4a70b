import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Control, type FieldValues, type Path, type PathValue, type Resolver, useForm, useWatch } from 'react-hook-form'
import type { FormRows } from '../../../commands/workspaceApi.ts'
import { ApiError, newAttempt } from '../../../data/api.ts'
import { isOwnChange } from '../../../data/ownVersions.ts'
import { currentMe } from '../../../data/session.ts'
import { present, presentFailure, resultOpening } from '../../../runner/present.ts'
import { attentionAt, wasClicked } from '../../../workspace/attention.ts'
import { workspace } from '../../../workspace/currentWorkspace.ts'
import { whenDrawn } from '../../../workspace/focusLater.ts'
import { usePane, usePaneForm } from '../../../workspace/pane.tsx'
import { typedSince } from './changedFields.ts'
import { draftsOf, type KeptFile, shapedLike } from './drafts.ts'
import { type FieldFault, focusField } from './FormShell.tsx'
import {
  changedIn,
  conflictsIn,
  type FormRules,
  fieldAt,
  messageWith,
  readByRules,
  same,
  schemaOf,
  valuesOf,
} from './formRules.ts'
import { useDraftKeeping } from './useDraftKeeping.ts'
import { useUploads } from './useUploads.ts'

type Name<V> = keyof V & string

/** What is sent when a form saves. */
interface Writing<V> {
  /** The call's complete input, validated. */
  input: Record<string, unknown>
  /** Changed fields only, so that an edit keeps other people's changes. */
  patch: Record<string, unknown>
  values: V
  changed: readonly Name<V>[]
  /** The version the user edited. */
  lock: number | undefined
  /** The same for every retry of the same values. */
  attempt: string
}

/** What a form reports after saving. */
export interface Written {
  /** The dialog's title: "Activity Created". */
  title: string
  /** The record's name. */
  name: string
  /** What OK opens. */
  leads: string | (() => void)
  /** The record's new version. */
  lock?: number
}

/** A confirmation before saving: what it does to a running project, or what it removes. */
export interface Review {
  title: string
  lines: readonly string[]
  confirm?: string
  danger?: boolean
}

export interface RecordFormOptions<V extends FieldValues> {
  /** The form's storage key: `activity.edit`. */
  form: string
  /** The record that is edited or added to; each has its own draft. */
  record?: number | undefined
  /** Initial values: a new record's defaults, or the loaded record. Render the form only once it has loaded. */
  initial: V
  /** The loaded record's `lock_version`; without it, the form creates a record. */
  lock?: number | undefined
  /** Field labels, in form order. */
  labels: Readonly<Record<Name<V>, string>>
  /** One constant per form. */
  rules: FormRules<V>
  /** Rules that need other records, such as a parent's start. */
  also?: (values: V) => Partial<Record<Name<V>, string>>
  /** Names what wasn't saved in an error dialog: "activity". */
  noun: string
  save(writing: Writing<V>): Promise<Written>
  /** Returns a confirmation to show before saving; null saves right away. */
  review?: (values: V, changed: readonly Name<V>[]) => Promise<Review | null> | Review | null
  /** Returns the next form's values after "Save and add another"; omitted where that isn't offered. */
  another?: (values: V) => V
  /** For forms with rows: adds a row, or removes the one with the focus. */
  rows?: FormRows
  /** The field with files, which are uploaded as they are added. */
  files?: Name<V>
  /** Converts `theirs` of a 409 response to form values, where names differ. */
  theirs?: (record: Readonly<Record<string, unknown>>, base: V) => V
  /** Formats a field's value for the conflict dialog. */
  shown?: (field: Name<V>, value: unknown) => string
  /** Focuses a field where that takes more than scrolling, such as a wizard's step. */
  focus?: (field: string) => void
}

interface How<V> {
  /** True for "Save and add another". */
  again: boolean
  lock: number | undefined
  /** The values when the button was pressed; later typing isn't saved with them. Defaults to the current values. */
  typed?: V
  /** Whether the user is still waiting since the press. Defaults to starting now. */
  waits?: () => boolean
  onto?: { values: V; theirs: readonly Name<V>[] }
}

interface StoredDraft<V> {
  values: V
  base: V
  /** −1 for a new record. */
  lock: number
}

/**
 * A record form's state: a draft that outlasts the page, errors, sending, conflicts, and what opens next.
 * Rendered by `RecordForm`; `control` binds `FormField`s. See docs/decisions/forms.md.
 */
export function useRecordForm<V extends FieldValues>(options: RecordFormOptions<V>) {
  const me = currentMe()
  const { go, setDirty, active } = usePane()
  const page = useRef<HTMLFormElement>(null)
  const latest = useRef(options)
  latest.current = options
  const fields = Object.keys(options.labels) as Name<V>[]
  const edits = options.lock !== undefined
  const name = options.record === undefined ? options.form : `${options.form}.${options.record}`
  const drafts = useMemo(() => draftsOf<StoredDraft<V>>(`form.${name}`), [name])
  const readDraft = useCallback((): StoredDraft<V> | null => {
    const { initial, lock = -1 } = latest.current
    const kept = drafts.read(me.id, { values: initial, base: initial, lock })
    const [values, base] = [shapedLike(kept?.values, initial), shapedLike(kept?.base, initial)]
    return kept && values && base ? { values, base, lock: kept.lock } : null
  }, [drafts, me.id])

  const [draftThen] = useState(readDraft)
  const [base, setBase] = useState<{ values: V; lock: number | undefined }>(() =>
    draftThen && edits ? { values: draftThen.base, lock: draftThen.lock } : { values: options.initial, lock: options.lock },
  )
  const [restored, setRestored] = useState(draftThen !== null && changedIn(base.values, draftThen.values).length > 0)
  const [serverError, setServerError] = useState<ApiError | null>(null)
  const [failed, setFailed] = useState<ApiError | null>(null)
  const [confirmation, setConfirmation] = useState<(Review & { run(): void }) | null>(null)
  const [conflict, setConflict] = useState<{ fields: Name<V>[]; theirs: V; lock: number } | null>(null)
  const [theirChange, setTheirChange] = useState<{ fields: Name<V>[]; both: Name<V>[] } | null>(null)

  const resolver = useMemo<Resolver<V>>(
    () => async (now) => {
      // Cloned, because the form's own object keeps changing while the rules load.
      const values = structuredClone(now)
      const { rules, labels, also } = latest.current
      const { errors } = await readByRules(rules, labels, values)
      const all = { ...errors, ...also?.(values) }
      const entries = Object.entries(all).map(([field, message]) => [field, { type: 'rule', message }])
      return entries.length ? { values: {}, errors: Object.fromEntries(entries) } : { values, errors: {} }
    },
    [],
  )
  const { control, handleSubmit, setError, getValues, setValue, reset, trigger, formState } = useForm<V>({
    defaultValues: (draftThen?.values ?? options.initial) as never,
    resolver,
    shouldFocusError: false,
  })
  const values = useWatch({ control }) as V
  const { errors, isSubmitting } = formState
  const put = useCallback(
    (field: string, value: unknown) =>
      setValue(field as Path<V>, value as PathValue<V, Path<V>>, { shouldDirty: true, shouldValidate: formState.isSubmitted }),
    [setValue, formState.isSubmitted],
  )

  const filesField = options.files
  const onFiles = useCallback(
    (change: (files: readonly KeptFile[]) => KeptFile[]) => {
      if (filesField) put(filesField, change(getValues(filesField as Path<V>) as readonly KeptFile[]))
    },
    [filesField, put, getValues],
  )
  const uploads = useUploads(filesField ? (values[filesField] as readonly KeptFile[]) : NONE, onFiles)

  const changed = changedIn(base.values, values)
  const dirty = changed.length > 0
  useEffect(() => setDirty(dirty), [dirty, setDirty])
  useEffect(() => () => setDirty(false), [setDirty])
  useEffect(() => void schemaOf(options.rules).catch(() => {}), [options.rules])
  // biome-ignore lint/correctness/useExhaustiveDependencies: any change may fix another field's error
  useEffect(() => {
    if (!formState.isSubmitted) return
    const stale = fields.filter((field) => errors[field] && errors[field].type === 'rule')
    if (stale.length) void trigger(stale as unknown as Path<V>[])
  }, [values])

  useDraftKeeping({
    ...{ values, dirty, active, user: me.id },
    store: () => drafts.keep(me.id, dirty ? { values, base: base.values, lock: base.lock ?? -1 } : null),
    adopt() {
      const kept = readDraft()
      if (!kept || same(kept.values, getValues())) return
      if (edits) setBase({ values: kept.base, lock: kept.lock })
      reset(kept.values as never)
    },
  })

  // Unedited fields take other people's changes; those changed on both sides are resolved on save.
  const { initial, lock } = options
  useEffect(() => {
    // A form may be open before its record exists, such as a market before its audience.
    const seen = base.lock ?? -1
    if (isSubmitting || lock === undefined || lock <= seen) return
    const mine = getValues()
    const theirs = changedIn(base.values, initial)
    const own = changedIn(base.values, mine)
    const both = conflictsIn(base.values, mine, initial)
    const byOthers = !isOwnChange(options.form.split('.')[0]!, options.record, seen, lock)
    setTheirChange(own.length && byOthers ? { fields: theirs, both } : null)
    if (both.length && byOthers) return
    setBase({ values: initial, lock })
    const merged = { ...initial, ...Object.fromEntries(own.map((field) => [field, mine[field]])) }
    // What a refused save said still holds for what the user typed.
    reset(merged as never, { keepErrors: true, keepIsSubmitted: true })
  }, [initial, lock, base, isSubmitting, getValues, reset, options.form, options.record])

  const focus = (field: string) => (options.focus ? options.focus(field) : focusField(page.current, field))
  const refuse = (wrong: Readonly<Record<string, unknown>>) => {
    const first = fields.find((field) => Object.hasOwn(wrong, field))
    whenDrawn(() => (first ? focus(first) : page.current?.querySelector('[data-faults]')?.scrollIntoView({ block: 'center' })))
  }
  /** Returns a check that the user is still waiting here: no key pressed since, no other element focused. */
  const waiting = () => attentionAt(() => page.current)
  const notSaved = `The ${options.noun} wasn’t saved`

  /** `onto` is the record as others saved it in the meantime, with the fields that take their value. */
  const save = async (how: How<V>): Promise<void> => {
    const { typed = getValues(), waits = waiting() } = how
    const onto = how.onto?.values ?? base.values
    const own = changedIn(base.values, typed).filter((field) => !how.onto?.theirs.includes(field))
    const filled = how.onto ? { ...onto, ...Object.fromEntries(own.map((field) => [field, typed[field]])) } : typed
    const mine = changedIn(onto, filled)
    const clicks = wasClicked()
    setServerError(null)
    setFailed(null)
    // Keeps the draft while the request is in flight, so a retry after a crash reuses the same attempt.
    if (!edits) drafts.keep(me.id, { values: filled, base: base.values, lock: -1 })
    try {
      const { rules, labels, another } = latest.current
      const { input } = await readByRules(rules, labels, filled)
      const patch = Object.fromEntries(
        Object.entries(input).filter(([each]) => (mine as string[]).includes(fieldAt(rules, each))),
      )
      const attempt = edits ? newAttempt() : drafts.attempt(me.id)
      const written = await options.save({ input, patch, values: filled, changed: mine, lock: how.lock, attempt })
      const after = how.again && another ? another(filled) : edits ? filled : latest.current.initial
      const next = typedSince(typed, getValues(), after)
      drafts.keep(me.id, null)
      setRestored(false)
      setTheirChange(null)
      setBase({ values: after, lock: written.lock ?? how.lock })
      reset(after as never)
      for (const [field, value] of Object.entries(next)) if (!same(value, after[field])) put(field, value)
      const leads = () => (typeof written.leads === 'string' ? go(written.leads) : written.leads())
      const notice = `${written.title}: ${written.name}`
      if (how.again) {
        workspace.notice(notice)
        return refuse(Object.fromEntries(fields.slice(0, 1).map((field) => [field, true])))
      }
      const dialog = resultOpening({ kind: 'dialog', title: written.title, body: written.name, onOk: leads })
      present(waits, dialog, notice, { tone: 'good', leads })
    } catch (error) {
      const failure = error instanceof ApiError ? error : new ApiError(0, 'broken', 'Couldn’t save it. Try again.')
      if (failure.code === 'stale' && failure.more.theirs) return resolveConflict(typed, failure, waits, how.again)
      const { rules, labels } = latest.current
      const known = Object.entries(failure.fields).flatMap(([each, message]) => {
        const field = fieldAt(rules, each)
        return Object.hasOwn(labels, field) ? [{ field: field as Name<V>, message, each }] : []
      })
      for (const { field, message, each } of known)
        setError(field as Path<V>, {
          type: 'server',
          message: rules.words?.(each, message) ?? messageWith(labels[field], message, each),
        })
      if (known.length) {
        const still = waits()
        if (still) refuse(Object.fromEntries(known.map(({ field }) => [field, true])))
        // The specification's error dialog of a failed create, besides the marked field (people-area 8).
        if (still && !edits && clicks) setFailed(failure)
        else if (!still || !edits) workspace.notice(`${notSaved}: ${known[0]!.message}`, 'bad')
        return
      }
      setServerError(failure)
      presentFailure({
        ...{ waits, clicks, sentence: `${notSaved}: ${failure.message}` },
        dialog: { open: () => setFailed(failure), close: () => setFailed(null) },
        retry: () => submit(how.again),
      })
    }
  }
  const resolveConflict = (mine: V, failure: ApiError, waits: () => boolean, again: boolean): Promise<void> | void => {
    const record = failure.more.theirs as Record<string, unknown>
    const theirs = (latest.current.theirs ?? valuesOf)(record, base.values)
    const newer = Number(record.lock_version)
    const both = conflictsIn(base.values, mine, theirs)
    // They changed other fields, so both changes are kept.
    if (!both.length) return save({ again, lock: newer, onto: { values: theirs, theirs: [] }, typed: mine, waits })
    const opening = { open: () => setConflict({ fields: both, theirs, lock: newer }), close: () => setConflict(null) }
    present(waits, opening, `${notSaved}: someone else changed it while you were editing`, {
      tone: 'bad',
      lasts: Number.POSITIVE_INFINITY,
    })
  }
  const submit = (again = false) => {
    if (isSubmitting) return
    if (uploads.busy) return setServerError(new ApiError(0, 'uploading', 'A file is still uploading.'))
    if (uploads.faulty && filesField) {
      setError(filesField as unknown as Path<V>, { type: 'upload', message: uploads.faulty })
      return refuse({ [filesField]: true })
    }
    if (edits && !dirty) return workspace.notice('Nothing was changed.')
    setServerError(null)
    const waits = waiting()
    void handleSubmit(
      async (filled) => {
        const typed = filled as unknown as V
        const review = await latest.current.review?.(typed, changed)
        if (!review) return save({ again, lock: base.lock, typed, waits })
        const run = () => void save({ again, lock: base.lock, typed })
        const opening = { open: () => setConfirmation({ ...review, run }), close: () => setConfirmation(null) }
        present(waits, opening, `The ${options.noun} isn’t saved yet`, { detail: review.title })
      },
      (wrong) => (waits() ? refuse(wrong) : workspace.notice(`${notSaved}: some fields need fixing.`, 'bad')),
    )()
  }
  const discard = () => {
    for (const file of uploads.files) if (!file.id.startsWith('kept')) uploads.remove(file.id)
    drafts.keep(me.id, null)
    setBase({ values: latest.current.initial, lock: latest.current.lock })
    reset(latest.current.initial as never)
    setRestored(false)
    setServerError(null)
    setTheirChange(null)
  }
  const fillFrom = (change: (values: V) => Readonly<Record<string, unknown>>): boolean => {
    const own = Object.entries(change(getValues())).filter(([field]) => Object.hasOwn(latest.current.labels, field))
    for (const [field, value] of own) put(field, value)
    return own.length > 0
  }
  usePaneForm({
    send: () => submit(),
    discard,
    fill: fillFrom,
    another: options.another && (() => submit(true)),
    rows: options.rows,
  })

  const faults: FieldFault[] = fields.flatMap((field) => {
    const message = errors[field]?.message
    return message ? [{ field, label: options.labels[field], message: String(message) }] : []
  })
  const words = (field: Name<V>, value: unknown): string =>
    (options.shown?.(field, value) ?? (Array.isArray(value) ? value.join(', ') : String(value ?? ''))) || '(empty)'
  return {
    page,
    control: control as Control<V>,
    values,
    labels: options.labels,
    changed,
    dirty,
    /** True if the form edits a record rather than creating one. */
    edits,
    /** True if a draft of an earlier visit was restored. */
    restored,
    isSubmitting,
    serverError,
    faults,
    uploads,
    theirChange: theirChange && {
      fields: theirChange.fields.map((field) => options.labels[field]),
      both: theirChange.both.map((field) => options.labels[field]),
    },
    submit,
    focus,
    more: options.another !== undefined,
    set: put as <F extends Name<V>>(field: F, value: V[F]) => void,
    /** Sets several fields; validates them if sending was already tried. */
    fill(some: Partial<V>) {
      for (const [field, value] of Object.entries(some)) put(field, value)
    },
    /** Validates some fields, as a wizard does before its next step. */
    check: (some: readonly Name<V>[]) => trigger(some as unknown as Path<V>[]),
    /** Dialogs that can be open over the form. */
    dialogs: {
      noun: options.noun,
      confirmation,
      failed,
      conflicts: conflict?.fields.map((field) => ({
        field,
        label: options.labels[field],
        mine: words(field, values[field]),
        theirs: words(field, conflict.theirs[field]),
      })),
      close() {
        setConfirmation(null)
        setFailed(null)
        setConflict(null)
      },
      confirm() {
        setConfirmation(null)
        confirmation?.run()
      },
      retry() {
        setFailed(null)
        submit()
      },
      chosen(theirs: readonly string[]) {
        setConflict(null)
        if (conflict)
          void save({ again: false, lock: conflict.lock, onto: { values: conflict.theirs, theirs: theirs as Name<V>[] } })
      },
    },
  }
}

const NONE: readonly KeptFile[] = []

export type RecordFormState<V extends FieldValues> = ReturnType<typeof useRecordForm<V>>
