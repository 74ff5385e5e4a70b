import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Control, type FieldValues, type Path, type PathValue, type Resolver, useForm, useWatch } from 'react-hook-form'
import type { FormController } from '../../../commands/workspaceApi.ts'
import { ApiError, newAttempt } from '../../../data/api.ts'
import { currentMe } from '../../../data/session.ts'
import { present, resultOpening } from '../../../runner/present.ts'
import { attention } from '../../../workspace/attention.ts'
import { workspace } from '../../../workspace/currentWorkspace.ts'
import { usePane, usePaneForm } from '../../../workspace/pane.tsx'
import { typedSince } from './changedFields.ts'
import { draftsOf, type KeptFile, shapedLike } from './drafts.ts'
import { type FieldFault, focusField, goWhenDrawn } from './FormShell.tsx'
import { changedIn, clashesIn, type FormRules, fieldAt, messageWith, readByRules, same, schemaOf, valuesOf } from './formRules.ts'
import { useUploads } from './uploads.ts'

type Name<V> = keyof V & string

/** What is written of a form. */
interface Writing<V> {
  /** The call's whole input, by the rules. */
  input: Record<string, unknown>
  /** Those names of it whose fields were changed; for an edit, so that other people's changes stay. */
  patch: Record<string, unknown>
  values: V
  changed: readonly Name<V>[]
  /** The version that was edited. */
  lock: number | undefined
  /** The same for every retry of what was filled in. */
  attempt: string
}

/** What a form says of what it saved. */
export interface Written {
  /** "Activity Created". */
  title: string
  /** The record's name. */
  name: string
  /** Where OK leads. */
  leads: string | (() => void)
  /** The version that the record has now. */
  lock?: number
}

/** A question before a form is saved: what it does to a running project, what it takes away. */
export interface Review {
  title: string
  lines: readonly string[]
  confirm?: string
  danger?: boolean
}

export interface RecordFormOptions<V extends FieldValues> {
  /** The form's name in this browser's store: `activity.edit`. */
  form: string
  /** The record that it edits, or the one that it adds to; each has a draft of its own. */
  record?: number | undefined
  /** What it starts with: a new record's defaults, or the record as it was read. Render the form when it is there. */
  initial: V
  /** The `lock_version` of the record as it was read; without it, the form makes a new record. */
  lock?: number | undefined
  /** The fields' labels, in the order of the form. */
  labels: Readonly<Record<Name<V>, string>>
  /** One object a form, the same on every render. */
  rules: FormRules<V>
  /** Rules that need other records, such as a parent's start. */
  also?: (values: V) => Partial<Record<Name<V>, string>>
  /** "activity": what an error dialog says was not saved. */
  noun: string
  save(writing: Writing<V>): Promise<Written>
  /** Asks once more before it is saved; null saves at once. */
  review?: (values: V, changed: readonly Name<V>[]) => Promise<Review | null> | Review | null
  /** The next form's values after "Save and add another"; without it there is no such way. */
  another?: (values: V) => V
  /** The form has rows: how one is added, and the one with the focus removed. */
  rows?: { add(): void; remove(): void }
  /** The field with files, which are uploaded as they are added. */
  files?: Name<V>
  /** The values of the record in a 409's `theirs`, where its names aren't the form's. */
  theirs?: (record: Readonly<Record<string, unknown>>, base: V) => V
  /** A field's value in words, for the clash view. */
  shown?: (field: Name<V>, value: unknown) => string
  /** Focuses a field where that takes more than scrolling: a step of a wizard. */
  focus?: (field: string) => void
}

const KEEP_MS = 300

interface How<V> {
  /** "Save and add another". */
  again: boolean
  lock: number | undefined
  /** The values at the press: what is typed later is not saved with them. By default those now. */
  typed?: V
  /** Whether somebody still waits, since the press. By default since now. */
  waits?: () => boolean
  onto?: { values: V; theirs: readonly Name<V>[] }
}

interface Kept<V> {
  values: V
  base: V
  /** −1 of a new record. */
  lock: number
}

/**
 * The state of a form on one record: its draft that outlasts the page, errors, sending, conflicts and what follows.
 * Shown by `RecordForm`; `control` binds `FormField`s. See docs/decisions/forms.md.
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
  const drafts = useMemo(() => draftsOf<Kept<V>>(`form.${name}`), [name])
  const readDraft = useCallback((): Kept<V> | null => {
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
  const [trouble, setTrouble] = useState<ApiError | null>(null)
  const [failed, setFailed] = useState<ApiError | null>(null)
  const [asked, setAsked] = useState<(Review & { run(): void }) | null>(null)
  const [clash, setClash] = useState<{ fields: Name<V>[]; theirs: V; lock: number } | null>(null)
  const [theirChange, setTheirChange] = useState<{ fields: Name<V>[]; both: Name<V>[] } | null>(null)

  const resolver = useMemo<Resolver<V>>(
    () => async (now) => {
      // The form's own object, which goes on changing while the rules load.
      const values = structuredClone(now)
      const { rules, labels, also } = latest.current
      const { errors } = await readByRules(rules, labels, values)
      const all = { ...errors, ...also?.(values) }
      const told = Object.entries(all).map(([field, message]) => [field, { type: 'rule', message }])
      return told.length ? { values: {}, errors: Object.fromEntries(told) } : { values, errors: {} }
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change may mend what is said at another field
  useEffect(() => {
    if (!formState.isSubmitted) return
    const said = fields.filter((field) => errors[field] && errors[field].type === 'rule')
    if (said.length) void trigger(said as unknown as Path<V>[])
  }, [values])

  const keep = useRef(() => {})
  keep.current = () => drafts.keep(me.id, dirty ? { values, base: base.values, lock: base.lock ?? -1 } : null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the draft is kept a moment later
  useEffect(() => {
    const timer = setTimeout(() => keep.current(), KEEP_MS)
    return () => clearTimeout(timer)
  }, [values, dirty, me.id])
  useEffect(() => {
    // A page that goes away doesn't wait for the moment after.
    const now = () => keep.current()
    addEventListener('pagehide', now)
    return () => removeEventListener('pagehide', now)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: one draft may be open in several places; the active one has it
  useEffect(() => {
    if (!active) return
    const kept = readDraft()
    if (kept && !same(kept.values, getValues())) {
      if (edits) setBase({ values: kept.base, lock: kept.lock })
      reset(kept.values as never)
    }
    return () => keep.current()
  }, [active])

  // Fields not edited here follow other people's changes; those changed on both sides are asked about on save.
  const { initial, lock } = options
  useEffect(() => {
    if (isSubmitting || lock === undefined || base.lock === undefined || lock <= base.lock) return
    const mine = getValues()
    const theirs = changedIn(base.values, initial)
    const own = changedIn(base.values, mine)
    const both = clashesIn(base.values, mine, initial)
    setTheirChange(own.length ? { fields: theirs, both } : null)
    if (both.length) return
    setBase({ values: initial, lock })
    reset({ ...initial, ...Object.fromEntries(own.map((field) => [field, mine[field]])) } as never)
  }, [initial, lock, base, isSubmitting, getValues, reset])

  const focus = (field: string) => (options.focus ? options.focus(field) : focusField(page.current, field))
  const refuse = (wrong: Readonly<Record<string, unknown>>) => {
    const first = fields.find((field) => Object.hasOwn(wrong, field))
    goWhenDrawn(() => (first ? focus(first) : page.current?.querySelector('[data-faults]')?.scrollIntoView({ block: 'center' })))
  }
  /** Whether somebody still waits at this form: nothing was pressed since, and nothing else has the focus. */
  const waiting = (): (() => boolean) => {
    const still = attention()
    return () => still() && (document.activeElement === document.body || page.current?.contains(document.activeElement) === true)
  }
  const notSaved = `The ${options.noun} wasn’t saved`

  /** `onto`: the record as somebody else saved it meanwhile, with the fields that take their value. */
  const save = async (how: How<V>): Promise<void> => {
    const { typed = getValues(), waits = waiting() } = how
    const onto = how.onto?.values ?? base.values
    const own = changedIn(base.values, typed).filter((field) => !how.onto?.theirs.includes(field))
    const filled = how.onto ? { ...onto, ...Object.fromEntries(own.map((field) => [field, typed[field]])) } : typed
    const mine = changedIn(onto, filled)
    setTrouble(null)
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
      const said = `${written.title}: ${written.name}`
      if (how.again) {
        workspace.notice(said)
        return refuse(Object.fromEntries(fields.slice(0, 1).map((field) => [field, true])))
      }
      const told = resultOpening({ kind: 'dialog', title: written.title, body: written.name, onOk: leads })
      present(waits, told, said, { tone: 'good', leads })
    } catch (error) {
      const failure = error instanceof ApiError ? error : new ApiError(0, 'broken', 'It couldn’t be saved. Try again.')
      if (failure.code === 'stale' && failure.more.theirs) return clashed(typed, failure, waits, how.again)
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
        if (waits()) refuse(Object.fromEntries(known.map(({ field }) => [field, true])))
        else workspace.notice(`${notSaved}: ${known[0]!.message}`, 'bad')
        return
      }
      setTrouble(failure)
      const opening = { open: () => setFailed(failure), close: () => setFailed(null) }
      present(waits, opening, `${notSaved}: ${failure.message}`, { tone: 'bad' })
    }
  }
  const clashed = (mine: V, failure: ApiError, waits: () => boolean, again: boolean): Promise<void> | void => {
    const record = failure.more.theirs as Record<string, unknown>
    const theirs = (latest.current.theirs ?? valuesOf)(record, base.values)
    const newer = Number(record.lock_version)
    const both = clashesIn(base.values, mine, theirs)
    // They changed other fields, so both changes are kept.
    if (!both.length) return save({ again, lock: newer, onto: { values: theirs, theirs: [] }, typed: mine, waits })
    const opening = { open: () => setClash({ fields: both, theirs, lock: newer }), close: () => setClash(null) }
    present(waits, opening, `${notSaved}: somebody changed it while you were editing`, {
      tone: 'bad',
      lasts: Number.POSITIVE_INFINITY,
    })
  }
  const submit = (again = false) => {
    if (isSubmitting) return
    if (uploads.busy) return setTrouble(new ApiError(0, 'uploading', 'A file is still uploading.'))
    if (uploads.faulty && filesField) {
      setError(filesField as unknown as Path<V>, { type: 'upload', message: uploads.faulty })
      return refuse({ [filesField]: true })
    }
    if (edits && !dirty) return workspace.notice('Nothing was changed.')
    setTrouble(null)
    const waits = waiting()
    void handleSubmit(
      async (filled) => {
        const typed = filled as unknown as V
        const review = await latest.current.review?.(typed, changed)
        if (!review) return save({ again, lock: base.lock, typed, waits })
        const run = () => void save({ again, lock: base.lock, typed })
        const opening = { open: () => setAsked({ ...review, run }), close: () => setAsked(null) }
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
    setTrouble(null)
    setTheirChange(null)
  }
  const fillFrom = (change: (values: V) => Readonly<Record<string, unknown>>): boolean => {
    const own = Object.entries(change(getValues())).filter(([field]) => Object.hasOwn(latest.current.labels, field))
    for (const [field, value] of own) put(field, value)
    return own.length > 0
  }
  const acts = useRef({ submit, discard, fillFrom })
  acts.current = { submit, discard, fillFrom }
  const more = options.another !== undefined
  const hasRows = options.rows !== undefined
  usePaneForm(
    useMemo<FormController>(
      () => ({
        send: () => acts.current.submit(),
        discard: () => acts.current.discard(),
        fill: (change) => acts.current.fillFrom(change),
        ...(more ? { another: () => acts.current.submit(true) } : {}),
        ...(hasRows ? { rows: { add: () => latest.current.rows?.add(), remove: () => latest.current.rows?.remove() } } : {}),
      }),
      [more, hasRows],
    ),
  )

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
    /** It edits a record, and doesn't make one. */
    edits,
    /** It began with a draft of an earlier visit. */
    restored,
    isSubmitting,
    trouble,
    faults,
    uploads,
    theirChange: theirChange && {
      fields: theirChange.fields.map((field) => options.labels[field]),
      both: theirChange.both.map((field) => options.labels[field]),
    },
    submit,
    focus,
    more,
    set: put as <F extends Name<V>>(field: F, value: V[F]) => void,
    /** Fills in several fields, checked again if a send was tried. */
    fill(some: Partial<V>) {
      for (const [field, value] of Object.entries(some)) put(field, value)
    },
    /** Checks some fields, as a wizard does before its next step. */
    check: (some: readonly Name<V>[]) => trigger(some as unknown as Path<V>[]),
    /** The dialogs that may be open over it. */
    over: {
      noun: options.noun,
      asked,
      failed,
      clashes: clash?.fields.map((field) => ({
        field,
        label: options.labels[field],
        mine: words(field, values[field]),
        theirs: words(field, clash.theirs[field]),
      })),
      close() {
        setAsked(null)
        setFailed(null)
        setClash(null)
      },
      confirm() {
        setAsked(null)
        asked?.run()
      },
      retry() {
        setFailed(null)
        submit()
      },
      chosen(theirs: readonly string[]) {
        setClash(null)
        if (clash) void save({ again: false, lock: clash.lock, onto: { values: clash.theirs, theirs: theirs as Name<V>[] } })
      },
    },
  }
}

const NONE: readonly KeptFile[] = []

export type RecordFormState<V extends FieldValues> = ReturnType<typeof useRecordForm<V>>
