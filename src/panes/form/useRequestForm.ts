import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { showDate } from '../../../contract/dates.ts'
import { endsAfterParent } from '../../../contract/lateEnd.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { ApiError } from '../../data/api.ts'
import { useMay } from '../../data/permissions.ts'
import { currentMe } from '../../data/session.ts'
import { useCall } from '../../data/useCall.ts'
import { present, presentFailure, resultOpening } from '../../runner/present.ts'
import { attention, attentionAt, wasClicked } from '../../workspace/attention.ts'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { whenDrawn } from '../../workspace/focusLater.ts'
import { usePane, usePaneForm } from '../../workspace/pane.tsx'
import { typedSince } from '../shared/form/changedFields.ts'
import type { Drafts } from '../shared/form/drafts.ts'
import { type FieldFault, focusField } from '../shared/form/FormShell.tsx'
import { useUploads } from '../shared/form/useUploads.ts'
import { type Draft, differs, endOf, type Field } from './requestDraft.ts'
import { LABELS, messageOf, type Rules, requestResolver } from './requestRules.ts'

/** Options that differ between request forms; one constant per form. */
export interface RequestKind {
  drafts: Drafts<Draft>
  rules: Rules
  empty(client_id: string): Draft
  /** Field names in order, to focus the first error. */
  fields: readonly Field[]
  /** Which default duration applies. */
  ends: 'newer' | 'older'
  /** Sends the call's input. */
  send(input: Record<string, unknown>, attempt: string, draft: Draft): Promise<{ id: number; message: string }>
  /** The path that opens after success. */
  leads(id: number): string
  /** The text of the success dialog. */
  body: string
  /** The title of the success dialog; defaults to the server's message. */
  title?: string
  /** The button's label; defaults to "Send request". */
  button?: string
  /** Also shows failures that belong to no field in a dialog. */
  failureDialog?: true
  /** The title of a failed send; defaults to "The request wasn’t sent". */
  notSent?: string
  /** Focuses a field, where that takes more than scrolling. */
  focus?(form: HTMLElement | null, field: Field): void
  /** Returns fields that must be filled in or looked at before sending, beyond the rules. */
  missing?(draft: Draft, empty: Draft): readonly Field[]
}

const KEEP_MS = 300

/** A request form's state: a draft that outlasts the page, options, uploads, errors and sending. */
export function useRequestForm(kind: RequestKind) {
  const me = currentMe()
  const choosesClient = useMay('client.dropdown')
  const { go, setDirty, active } = usePane()
  const page = useRef<HTMLFormElement>(null)
  const empty = useMemo(
    () => kind.empty(!choosesClient && me.clients.length === 1 ? String(me.clients[0]!.id) : ''),
    [kind, me, choosesClient],
  )
  const [kept] = useState(() => kind.drafts.read(me.id, empty))
  const [restored, setRestored] = useState(kept !== null && differs(kept, empty))
  const [serverError, setServerError] = useState<ApiError | null>(null)
  const parentStart = useRef<string | null>(null)
  const resolver = useMemo(() => requestResolver(kind.rules, () => parentStart.current), [kind])
  const { control, handleSubmit, setValue, setError, getValues, reset, trigger, formState } = useForm<Draft>({
    defaultValues: kept ?? empty,
    resolver,
    shouldFocusError: false,
  })
  const draft = useWatch({ control }) as Draft
  const { errors, isSubmitting } = formState

  const choices = useCall('client.dropdown', choosesClient ? {} : null)
  const clients = (choosesClient ? (choices.data?.data ?? []) : me.clients).map((client) => ({
    value: String(client.id),
    label: client.name,
  }))
  const siblings = useCall(
    'project.ofClient',
    draft.client_id
      ? {
          client_id: Number(draft.client_id),
          generation: kind.ends === 'older' ? 'campaign' : 'project',
          per_page: 500,
          brief: true,
          texts: false,
        }
      : null,
  )
  const parents = (siblings.data?.data ?? []).map((project) => ({
    value: String(project.id),
    label: `${codeOf('project', project.id)} ${project.name}`,
  }))
  const parent = siblings.data?.data.find((project) => String(project.id) === draft.parent_id)
  parentStart.current = parent?.start_dt ?? null

  const onFiles = useCallback(
    (change: (files: Draft['file_ids']) => Draft['file_ids']) =>
      setValue('file_ids', change(getValues('file_ids')), { shouldDirty: true, shouldValidate: formState.isSubmitted }),
    [setValue, getValues, formState.isSubmitted],
  )
  const uploads = useUploads(draft.file_ids, onFiles as Parameters<typeof useUploads>[1])

  // biome-ignore lint/correctness/useExhaustiveDependencies: any change may fix another field's error
  useEffect(() => {
    if (!formState.isSubmitted) return
    const stale = kind.fields.filter((field) => errors[field] && errors[field].type !== 'server')
    if (stale.length) void trigger(stale)
  }, [draft])
  const changed = differs(draft, empty)
  useEffect(() => setDirty(changed), [changed, setDirty])
  useEffect(() => () => setDirty(false), [setDirty])
  const keep = useRef(() => {})
  keep.current = () => kind.drafts.keep(me.id, changed ? draft : null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: saves each change of the draft after a delay
  useEffect(() => {
    // Drafts survive a reload, a crash and a closed window, and never leave this browser.
    const timer = setTimeout(() => keep.current(), KEEP_MS)
    return () => clearTimeout(timer)
  }, [draft, changed, me.id])
  useEffect(() => {
    // On pagehide the timer may never fire.
    const now = () => keep.current()
    addEventListener('pagehide', now)
    return () => removeEventListener('pagehide', now)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft may be open in several panes; the active one owns it
  useEffect(() => {
    if (!active) return
    const now = kind.drafts.read(me.id, empty) ?? empty
    if (differs(now, getValues())) reset(now)
    return () => keep.current()
  }, [active])

  const focus = (field: Field) => (kind.focus ?? focusField)(page.current, field)
  const refuse = (fields: Readonly<Record<string, unknown>>) => {
    const first = kind.fields.find((field) => field in fields)
    whenDrawn(() => (first ? focus(first) : page.current?.querySelector('[data-faults]')?.scrollIntoView({ block: 'center' })))
  }
  const notSent = kind.notSent ?? 'The request wasn’t sent'
  const again = useRef(() => {})
  const send = async (filled: Draft, still: () => boolean) => {
    setServerError(null)
    const waits = attentionAt(() => page.current, still)
    const clicks = wasClicked()
    // Keeps the draft while the request is in flight, so a retry after a crash reuses the same attempt.
    kind.drafts.keep(me.id, filled)
    const { input, fieldOf } = kind.rules
    try {
      const { id, message } = await kind.send(input(filled), kind.drafts.attempt(me.id), filled)
      kind.drafts.keep(me.id, null)
      // The user may have started the next request already.
      const next = typedSince(filled, getValues(), empty)
      reset(empty)
      setRestored(false)
      for (const [field, value] of Object.entries(next)) setValue(field as Field, value as never)
      const leads = () => go(kind.leads(id))
      const title = kind.title ?? message
      const body = kind.body || filled.name
      present(waits, resultOpening({ kind: 'dialog', title, body, onOk: leads }), `${title}: “${filled.name}”`, {
        tone: 'good',
        leads,
      })
    } catch (error) {
      const failure = error instanceof ApiError ? error : new ApiError(0, 'broken', 'The request couldn’t be sent. Try again.')
      const known = Object.entries(failure.fields).filter(([name]) => fieldOf(name) in LABELS)
      for (const [name, message] of known) {
        const field = fieldOf(name) as Field
        setError(field, { type: 'server', message: messageOf(field, message, name) })
      }
      if (!known.length) {
        setServerError(failure)
        const retry = () => again.current()
        const dialog = resultOpening({ kind: 'dialog', title: notSent, body: failure.message, retry })
        if (kind.failureDialog)
          return presentFailure({ waits, clicks, dialog, sentence: `${notSent}: ${failure.message}`, retry })
      }
      if (waits()) refuse(Object.fromEntries(known.map(([name]) => [fieldOf(name), true])))
      else workspace.notice(`${notSent}: ${failure.message}`, 'bad')
    }
  }
  const submit = () => {
    again.current = submit
    if (isSubmitting) return
    if (uploads.busy) return setServerError(new ApiError(0, 'uploading', 'A file is still uploading.'))
    if (uploads.faulty) {
      setError('file_ids', { type: 'upload', message: uploads.faulty })
      return refuse({ file_ids: true })
    }
    setServerError(null)
    const waits = attention()
    const missing = Object.fromEntries((kind.missing?.(getValues(), empty) ?? []).map((field) => [field, true]))
    const stop = (fields: Readonly<Record<string, unknown>>) =>
      waits() ? refuse({ ...fields, ...missing }) : workspace.notice(`${notSent}: some fields need fixing.`, 'bad')
    void handleSubmit((filled) => (Object.keys(missing).length ? stop({}) : send(filled, waits)), stop)()
  }
  const discard = () => {
    for (const file of uploads.files) uploads.remove(file.id)
    kind.drafts.keep(me.id, null)
    reset(empty)
    setRestored(false)
    setServerError(null)
  }
  usePaneForm({ send: submit, discard })

  const faults: FieldFault[] = kind.fields.flatMap((field) => {
    const message = errors[field]?.message
    return message ? [{ field, label: LABELS[field], message: String(message) }] : []
  })
  const late =
    parent?.end_dt && draft.end_dt > parent.end_dt ? [`${endsAfterParent(showDate(parent.end_dt))} You can still send it.`] : []
  return {
    page,
    me,
    control,
    draft,
    empty,
    clients,
    /** True if there are several clients to choose from. */
    choosesClient: choosesClient || clients.length > 1,
    parents,
    uploads,
    /** True if anything was filled in. */
    changed,
    /** True if a draft of an earlier visit was restored. */
    restored,
    isSubmitting,
    button: kind.button ?? 'Send request',
    serverError,
    faults,
    late,
    submit,
    focus,
    setValue,
    /** Stores the draft and clears the unsaved flag: another screen shows the same draft. */
    stay() {
      keep.current()
      setDirty(false)
    },
    /** Sets several fields; validates them if sending was already tried. */
    fill(values: Partial<Draft>) {
      for (const [field, value] of Object.entries(values))
        setValue(field as Field, value as never, { shouldDirty: true, shouldValidate: formState.isSubmitted })
    },
    /** The end follows the start until the user sets it. */
    onStart(start: string) {
      const end = getValues('end_dt')
      const next = endOf(start, kind.ends)
      if (!next || (end && end !== getValues('followed'))) return
      setValue('followed', next)
      setValue('end_dt', next, { shouldDirty: true, shouldValidate: formState.isSubmitted })
    },
  }
}
export type RequestFormState = ReturnType<typeof useRequestForm>
