import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { endsAfterParent } from '../../../contract/lateEnd.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import type { FormController } from '../../commands/workspaceApi.ts'
import { ApiError } from '../../data/api.ts'
import { api } from '../../data/apiClient.ts'
import { useMay } from '../../data/may.ts'
import { currentMe } from '../../data/session.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { present, telling } from '../../runner/present.ts'
import { useKeys } from '../../runner/useCommands.ts'
import { Button } from '../../ui/Button.tsx'
import { showDate } from '../../ui/DateInput.tsx'
import { Mark } from '../../ui/Pill.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { attention } from '../../workspace/attention.ts'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { usePane, usePaneForm } from '../../workspace/pane.tsx'
import { typedSince } from '../shared/typedSince.ts'
import { type Draft, draftAttempt, emptyDraft, endOf, type Field, keepDraft, progressOf, readDraft, toInput } from './draft.ts'
import { FormShell, focusField } from './FormShell.tsx'
import { LABELS, loadRules, requestResolver, sentenceOf } from './rules.ts'
import { ActivitySection, AudienceSection, FilesSection, MarketSection, ProjectSection, RewardSection } from './sections.tsx'
import { useUploads } from './uploads.ts'

/** The fields of each section, in the form's order. */
const SECTIONS = [
  {
    id: 'project',
    title: 'Project',
    fields: [
      'client_id',
      'parent_id',
      'name',
      'goal',
      'start_dt',
      'end_dt',
      'loi_minutes',
      'incidence',
      'description',
      'requirements',
    ],
  },
  {
    id: 'activity',
    title: 'Activity',
    fields: ['activity_type', 'action_type', 'social_type', 'social_link', 'social_text', 'url'],
  },
  { id: 'audience', title: 'Audience', fields: ['age', 'gender', 'hhi', 'ethnicity', 'marital_status', 'children'] },
  { id: 'market', title: 'Market', fields: ['location_based', 'targeted_locations'] },
  { id: 'files', title: 'Files', fields: ['file_ids'] },
  { id: 'reward', title: 'Reward', fields: ['partner_id', 'reward_amount_cents'] },
] as const satisfies readonly { id: string; title: string; fields: readonly Field[] }[]
const KEEP_MS = 300

/** The v3 survey project request: a multi-section targeting form (projects-area 5, decisions.md 8 and 9). */
export default function RequestFormPane() {
  const me = currentMe()
  const choosesClient = useMay('client.dropdown')
  const { go, setDirty } = usePane()
  const keys = useKeys()
  const page = useRef<HTMLFormElement>(null)
  const empty = useMemo(
    () => emptyDraft(!choosesClient && me.clients.length === 1 ? String(me.clients[0]!.id) : ''),
    [me, choosesClient],
  )
  const [kept] = useState(() => readDraft(me.id, empty))
  const [restored, setRestored] = useState(kept !== null)
  const [trouble, setTrouble] = useState<ApiError | null>(null)
  const parentStart = useRef<string | null>(null)
  const followed = useRef('')
  const resolver = useMemo(() => requestResolver(() => parentStart.current), [])
  const { control, handleSubmit, setValue, setError, getValues, reset, formState } = useForm<Draft>({
    defaultValues: kept ?? empty,
    resolver,
    shouldFocusError: false,
  })
  const draft = useWatch({ control }) as Draft
  const { errors, isSubmitting } = formState

  const clients = useCall('client.dropdown', choosesClient ? {} : null)
  const choices = (choosesClient ? (clients.data?.data ?? []) : me.clients).map((client) => ({
    value: String(client.id),
    label: client.name,
  }))
  const siblings = useCall('project.ofClient', draft.client_id ? { client_id: Number(draft.client_id), per_page: 500 } : null)
  const parents = (siblings.data?.data ?? []).map((project) => ({
    value: String(project.id),
    label: `${codeOf('project', project.id)} ${project.name}`,
  }))
  const parent = siblings.data?.data.find((project) => String(project.id) === draft.parent_id)
  parentStart.current = parent?.start_dt ?? null
  const dmas = useCall('dma.list', draft.location_based === 'no' ? {} : null)

  const onFiles = useCallback(
    (change: (files: Draft['file_ids']) => Draft['file_ids']) =>
      setValue('file_ids', change(getValues('file_ids')), { shouldDirty: true, shouldValidate: formState.isSubmitted }),
    [setValue, getValues, formState.isSubmitted],
  )
  const uploads = useUploads(draft.file_ids, onFiles as Parameters<typeof useUploads>[1])

  useEffect(() => void loadRules(), [])
  const changed = JSON.stringify(draft) !== JSON.stringify(empty)
  useEffect(() => setDirty(changed), [changed, setDirty])
  useEffect(() => () => setDirty(false), [setDirty])
  useEffect(() => {
    // The draft survives a reload, a crash and a closed window, and never leaves this browser.
    const timer = setTimeout(() => keepDraft(me.id, changed ? draft : null), KEEP_MS)
    return () => clearTimeout(timer)
  }, [draft, changed, me.id])

  const refuse = (fields: Readonly<Record<string, unknown>>) => {
    const first = SECTIONS.flatMap((section) => section.fields as readonly Field[]).find((field) => field in fields)
    requestAnimationFrame(() =>
      first ? focusField(page.current, first) : page.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'center' }),
    )
  }
  const send = async (filled: Draft) => {
    setTrouble(null)
    const still = attention()
    const waits = () =>
      still() && (document.activeElement === document.body || page.current?.contains(document.activeElement) === true)
    // Keeps the draft while the request is in flight, so a retry after a crash reuses the same attempt.
    keepDraft(me.id, filled)
    const { RequestInput } = await loadRules()
    try {
      const { data, message } = await api.write('request.create', RequestInput.parse(toInput(filled)), {
        attempt: draftAttempt(me.id),
      })
      keepDraft(me.id, null)
      // The user may have started the next request already.
      const next = typedSince(filled, getValues(), empty)
      reset(empty)
      setRestored(false)
      for (const [field, value] of Object.entries(next)) setValue(field as Field, value as never)
      const leads = () => go(href('project', { id: data.id }, { tab: 'specifications' }))
      const body = 'It’s pending. We ask channel partners and get back to you with a quote.'
      present(waits, telling({ kind: 'dialog', title: message, body, onOk: leads }), `${message}: “${filled.name}”`, {
        tone: 'good',
        leads,
      })
    } catch (error) {
      const failure =
        error instanceof ApiError ? error : new ApiError(0, 'broken', 'The request couldn’t be sent. Please try again.')
      const known = Object.entries(failure.fields).filter(([field]) => field in LABELS)
      for (const [field, message] of known) setError(field as Field, { type: 'server', message: sentenceOf(field, message) })
      if (!known.length) setTrouble(failure)
      if (waits()) refuse(failure.fields)
      else workspace.notice(`The request wasn’t sent: ${failure.message}`, 'bad')
    }
  }
  const submit = () => {
    if (isSubmitting) return
    if (uploads.busy) return setTrouble(new ApiError(0, 'uploading', 'A file is still uploading. Please wait.'))
    if (uploads.faulty) {
      setError('file_ids', { type: 'upload', message: uploads.faulty })
      return refuse({ file_ids: true })
    }
    setTrouble(null)
    const waits = attention()
    void handleSubmit(send, (fields) =>
      waits() ? refuse(fields) : workspace.notice('The request wasn’t sent: some fields need fixing.', 'bad'),
    )()
  }
  const latest = useRef({ submit, discard: () => {} })
  latest.current = {
    submit,
    discard: () => {
      for (const file of uploads.files) uploads.remove(file.id)
      keepDraft(me.id, null)
      reset(empty)
      setRestored(false)
      setTrouble(null)
    },
  }
  const form = useMemo<FormController>(
    () => ({ send: () => latest.current.submit(), discard: () => latest.current.discard() }),
    [],
  )
  usePaneForm(form)

  const progress = progressOf(draft)
  const filled = progress.filter((field) => field.done).length
  const missing = progress.filter((field) => !field.done).map((field) => field.label)
  const faults = SECTIONS.flatMap((section) => section.fields as readonly Field[]).flatMap((field) => {
    const message = errors[field]?.message
    return message ? [{ field, label: LABELS[field], message: String(message) }] : []
  })
  const late =
    parent?.end_dt && draft.end_dt > parent.end_dt ? [`${endsAfterParent(showDate(parent.end_dt))} You can still send it.`] : []
  const shared = { control, draft }
  const bodies: Record<(typeof SECTIONS)[number]['id'], React.ReactNode> = {
    project: (
      <ProjectSection
        {...shared}
        clients={choices}
        parents={parents}
        onClient={() => setValue('parent_id', '')}
        onStart={(start) => {
          // The end follows the start until the user sets it.
          const end = getValues('end_dt')
          if (endOf(start) && (!end || end === followed.current)) {
            followed.current = endOf(start)
            setValue('end_dt', followed.current, { shouldDirty: true, shouldValidate: formState.isSubmitted })
          }
        }}
      />
    ),
    activity: <ActivitySection {...shared} />,
    audience: <AudienceSection {...shared} />,
    market: <MarketSection {...shared} dmas={dmas} />,
    files: <FilesSection {...shared} uploads={uploads} />,
    reward: <RewardSection {...shared} />,
  }
  const done: Record<(typeof SECTIONS)[number]['id'], boolean> = {
    project: Boolean(draft.client_id) && progress.slice(0, 4).every((field) => field.done),
    activity: draft.activity_type === 'survey' ? Boolean(draft.url || draft.file_ids.length) : Boolean(draft.activity_type),
    audience: progress.slice(4, 6).every((field) => field.done),
    market: progress[6]!.done,
    files: draft.file_ids.length > 0,
    reward: draft.partner_id !== '',
  }
  return (
    <FormShell
      ref={page}
      title="Survey Project Request"
      aside={
        <p className="mt-0.5 flex items-center gap-2 text-meta text-muted">
          <Progress value={filled / progress.length} label="Progress of this form" className="w-24" />
          <span className="truncate tabular-nums" aria-live="polite">
            {filled} of {progress.length}
            {missing.length > 0 && <span className="text-faint"> · still {missing.join(', ')}</span>}
          </span>
        </p>
      }
      actions={
        <>
          {changed && (
            <CommandButton id="form.discard" variant="ghost" plain>
              Start over
            </CommandButton>
          )}
          <Button
            onClick={submit}
            variant="primary"
            busy={isSubmitting}
            data-command="form.send"
            kbd={keys('form.send') ?? undefined}
          >
            {isSubmitting ? 'Sending' : 'Send request'}
          </Button>
        </>
      }
      sections={SECTIONS.map((section) => ({
        id: section.id,
        title: section.title,
        done: done[section.id],
        wrong: faults.filter((fault) => (section.fields as readonly string[]).includes(fault.field)).length,
        children: bodies[section.id],
      }))}
      onSection={(id) => {
        const section = page.current?.querySelector<HTMLElement>(`[data-section="${id}"]`)
        if (!section) return focusField(page.current, id)
        section.scrollIntoView({ block: 'start' })
        section.querySelector<HTMLElement>('input, select, textarea, button')?.focus({ preventScroll: true })
      }}
      faults={faults}
      trouble={trouble}
      warnings={late}
    >
      {restored && (
        <p role="status" className="mt-5 flex items-baseline gap-2 rounded-md bg-blue-wash px-3 py-2 text-blue-ink">
          <Mark shape="diamond" />
          Your draft was kept. “Start over” discards it.
        </p>
      )}
    </FormShell>
  )
}
