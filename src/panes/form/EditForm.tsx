import { useEffect, useMemo, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { codeOf } from '../../../contract/nounOf.ts'
import type { FormController } from '../../commands/workspaceApi.ts'
import { ApiError } from '../../data/api.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { present } from '../../runner/present.ts'
import { toast } from '../../runner/say.tsx'
import { useKeys } from '../../runner/useCommands.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { attention } from '../../workspace/attention.ts'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane, usePaneForm } from '../../workspace/pane.tsx'
import { ConcurrentEdit } from '../shared/form/ConcurrentEdit.tsx'
import { ConflictDialog } from '../shared/form/ConflictDialog.tsx'
import { FormShell, focusField } from '../shared/form/FormShell.tsx'
import { typedSince } from '../shared/form/typedSince.ts'
import { recordHref } from '../shared/subject.ts'
import {
  changedFields,
  clashes,
  EDIT_LABELS,
  type EditDraft,
  type EditField,
  editDraft,
  editResolver,
  familyOf,
  lateWarnings,
  moveTo,
  type Project,
  patchOf,
  shownValue,
  statusWords,
  theirDraft,
} from './edit.ts'
import { FieldTimeFields, ProjectFields, StatusFields, SurveyFields } from './editSections.tsx'

const STEPS = [
  { id: 'project', title: 'Project', fields: ['name', 'client_id', 'parent_id'] },
  { id: 'field-time', title: 'Field time', fields: ['goal', 'start_dt', 'end_dt', 'loi_minutes', 'incidence'] },
  {
    id: 'survey',
    title: 'Survey and reward',
    fields: ['campaign_type', 'partner_id', 'survey_url', 'description', 'requirements'],
  },
  { id: 'status', title: 'Status', fields: ['status', 'reason'] },
] as const satisfies readonly { id: string; title: string; fields: readonly EditField[] }[]

/** Edits a project or campaign, all fields at once or step by step (decisions.md 8). */
export function EditForm({ project, gone, steps }: { project: Project; gone: boolean; steps: boolean }) {
  const { query, setQuery, setDirty, go } = usePane()
  const keys = useKeys()
  const page = useRef<HTMLFormElement>(null)
  const [base, setBase] = useState(project)
  const baseDraft = useMemo(() => editDraft(base), [base])
  const known = useRef(base)
  known.current = base
  const resolver = useMemo(() => editResolver(() => known.current), [])
  const { control, handleSubmit, setError, getValues, setValue, reset, trigger, formState } = useForm<EditDraft>({
    defaultValues: baseDraft,
    resolver,
    shouldFocusError: false,
  })
  const draft = useWatch({ control }) as EditDraft
  const { errors, isSubmitting } = formState
  const [trouble, setTrouble] = useState<ApiError | null>(null)
  const [sure, setSure] = useState(false)
  const [theirChange, setTheirChange] = useState<{ version: number; fields: EditField[]; both: EditField[] } | null>(null)
  const [clash, setClash] = useState<{ fields: EditField[]; theirs: EditDraft; lock: number } | null>(null)

  const past = useCall('project.history', theirChange ? { id: project.id, filter: 'all', page: 1, per_page: 1 } : null)
  const who = past.data?.data[0]?.who ?? 'Somebody'
  const clients = (useCall('client.dropdown', {}).data?.data ?? []).map((client) => ({
    value: String(client.id),
    label: client.name,
  }))
  const siblings =
    useCall('project.ofClient', draft.client_id ? { client_id: Number(draft.client_id), per_page: 500 } : null).data?.data ?? []
  const parents = siblings
    .filter((one) => one.id !== project.id)
    .map((one) => ({ value: String(one.id), label: `${codeOf('project', one.id)} ${one.name}` }))
  if (draft.parent_id && project.parent && !parents.some((one) => one.value === draft.parent_id))
    parents.unshift({ value: String(project.parent.id), label: `${codeOf('project', project.parent.id)} ${project.parent.name}` })
  const parent = siblings.find((one) => String(one.id) === draft.parent_id)

  const changed = changedFields(baseDraft, draft)
  const move = moveTo(base, draft.status)
  const dirty = changed.length > 0
  useEffect(() => setDirty(dirty), [dirty, setDirty])
  useEffect(() => () => setDirty(false), [setDirty])
  // Fields not edited here follow other people's changes at once; fields changed on both sides are asked about on save.
  useEffect(() => {
    if (project.lock_version <= base.lock_version) return
    const [was, now, mine] = [editDraft(base), editDraft(project), getValues()]
    const fields = changedFields(was, now)
    const both = clashes(was, mine, now)
    if (changedFields(was, mine).length) setTheirChange({ version: project.lock_version, fields, both })
    if (both.length) return
    setBase(project)
    reset(now)
    for (const field of [...changedFields(was, mine), 'reason' as const]) setValue(field, mine[field])
  }, [project, base, getValues, reset, setValue])

  const step = steps ? (STEPS.find((one) => one.id === query.step) ?? STEPS[0]) : null
  const at = step ? STEPS.indexOf(step) : -1
  const toStep = (id: string) => setQuery({ step: id === STEPS[0].id ? null : id }, { push: true })
  const showField = (field: string) => {
    const owner = STEPS.find((one) => (one.fields as readonly string[]).includes(field))
    if (step && owner && owner !== step) toStep(owner.id)
    setTimeout(() => focusField(page.current, field), 30)
  }
  const refuse = (fields: Readonly<Record<string, unknown>>) => {
    const first = STEPS.flatMap((one) => one.fields as readonly EditField[]).find((field) => field in fields)
    if (first) showField(first)
  }

  /** `theirs`: fields to leave as somebody else set them. */
  const save = async (lock: number, theirs: readonly EditField[] = []) => {
    const mine = { ...getValues() }
    const fields = changedFields(baseDraft, mine).filter((field) => !theirs.includes(field))
    const still = attention()
    const waits = () =>
      still() && (document.activeElement === document.body || page.current?.contains(document.activeElement) === true)
    setTrouble(null)
    try {
      const input = {
        id: project.id,
        ...patchOf(mine, fields),
        reason: mine.reason.trim(),
        force: fields.includes('status') && move.kind === 'forced',
        lock_version: lock,
      }
      const { data, message } = await api.write('project.edit', input as never)
      const [saved, next] = [editDraft(data), typedSince(mine, getValues(), editDraft(data))]
      const since = changedFields(saved, next)
      setBase(data)
      reset(saved)
      // What was typed during the save isn't saved yet, so the form stays open with it.
      for (const field of since) setValue(field, next[field], { shouldDirty: true })
      const leads = () => go(recordHref(data.generation, data.id, 'specifications'))
      // Don't navigate if the user has moved on.
      const stays = !since.length && !waits()
      void toast(message, { tone: 'good', ...(stays ? { action: { label: 'Open', run: leads } } : {}) })
      if (!since.length && !stays) leads()
    } catch (error) {
      const failure = error instanceof ApiError ? error : new ApiError(0, 'broken', 'Couldn’t save. Please try again.')
      if (failure.code === 'stale') return clashed(mine, failure, waits)
      const faults = Object.entries(failure.fields).filter(([field]) => field in EDIT_LABELS)
      for (const [field, message] of faults) setError(field as EditField, { type: 'server', message })
      if (!waits()) workspace.notice(`“${base.name}” wasn’t saved: ${faults[0]?.[1] ?? failure.message}`, 'bad')
      if (faults.length) {
        if (waits()) refuse(failure.fields)
      } else {
        setTrouble(failure)
        requestAnimationFrame(() => page.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'center' }))
      }
    }
  }
  const clashed = (mine: EditDraft, failure: ApiError, waits: () => boolean): Promise<void> | void => {
    const record = (failure.more.theirs ?? {}) as Record<string, unknown>
    const theirs = theirDraft(record, baseDraft)
    const lock = Number(record.lock_version)
    const fields = clashes(baseDraft, mine, theirs)
    // They changed other fields, so both changes are kept.
    if (!fields.length) return save(lock)
    const found = { open: () => setClash({ fields, theirs, lock }), close: () => setClash(null) }
    present(waits, found, `“${base.name}” wasn’t saved: somebody changed it while you were editing`, {
      tone: 'bad',
      lasts: Number.POSITIVE_INFINITY,
    })
  }
  const submit = () => {
    if (isSubmitting) return
    if (!dirty) return workspace.notice('Nothing was changed.')
    const waits = attention()
    void handleSubmit(
      async () => {
        if (move.kind === 'stays') await save(base.lock_version)
        else
          present(waits, { open: () => setSure(true), close: () => setSure(false) }, `“${base.name}” isn’t saved yet`, {
            detail: `Set it to ${statusWords(draft.status)}?`,
          })
      },
      (fields) => (waits() ? refuse(fields) : workspace.notice(`“${base.name}” wasn’t saved: some fields need fixing.`, 'bad')),
    )()
  }
  const latest = useRef(submit)
  latest.current = submit
  usePaneForm(useMemo<FormController>(() => ({ send: () => latest.current(), discard: () => reset() }), [reset]))

  const faults = STEPS.flatMap((one) => one.fields as readonly EditField[]).flatMap((field) => {
    const message = errors[field]?.message
    return message ? [{ field, label: EDIT_LABELS[field], message: String(message) }] : []
  })
  const bodies = {
    project: (
      <ProjectFields
        control={control}
        clients={clients}
        parents={parents}
        teamLost={draft.client_id !== baseDraft.client_id ? (base.team?.name ?? null) : null}
      />
    ),
    'field-time': <FieldTimeFields control={control} family={familyOf(base, draft.goal)} />,
    survey: <SurveyFields control={control} />,
    status: <StatusFields control={control} move={move} />,
  }
  const late = lateWarnings(base, parent?.end_dt ?? null, draft.end_dt)
  const next = async () => {
    if (step && (await trigger([...step.fields]))) toStep(STEPS[at + 1]!.id)
  }
  return (
    <>
      <FormShell
        ref={page}
        title={`Edit ${base.name}`}
        aside={
          <p className="mt-0.5 flex flex-wrap gap-x-3 text-meta text-muted">
            <span className="font-mono">{codeOf('project', base.id)}</span>
            <span>{statusWords(base.stored_status)}</span>
            {step && (
              <span>
                step {at + 1} of {STEPS.length}
              </span>
            )}
            <span aria-live="polite">{dirty ? `${changed.length} changed` : 'no changes yet'}</span>
            <PaneLink to={recordHref(base.generation, base.id, 'specifications')} className="text-accent-ink hover:underline">
              Specifications
            </PaneLink>
          </p>
        }
        actions={
          <>
            {dirty && (
              <CommandButton id="form.discard" variant="ghost" plain>
                Start over
              </CommandButton>
            )}
            {step && at > 0 && (
              <Button data-view="" onClick={() => toStep(STEPS[at - 1]!.id)}>
                Back
              </Button>
            )}
            {step && at < STEPS.length - 1 && (
              <Button data-view="" onClick={() => void next()}>
                Next: {STEPS[at + 1]!.title}
              </Button>
            )}
            <Button
              variant="primary"
              busy={isSubmitting}
              data-command="form.send"
              kbd={keys('form.send') ?? undefined}
              onClick={submit}
            >
              {isSubmitting ? 'Saving' : 'Save'}
            </Button>
          </>
        }
        sections={STEPS.map((one) => ({
          id: one.id,
          title: one.title,
          wrong: faults.filter((fault) => (one.fields as readonly string[]).includes(fault.field)).length,
          done: (one.fields as readonly EditField[]).some((field) => changed.includes(field)),
          children: bodies[one.id],
        }))}
        {...(step ? { only: step.id } : {})}
        onSection={(id) => {
          if (!STEPS.some((one) => one.id === id)) return showField(id)
          if (step) return toStep(id)
          const section = page.current?.querySelector<HTMLElement>(`[data-section="${id}"]`)
          section?.scrollIntoView({ block: 'start' })
          section?.querySelector<HTMLElement>('input, select, textarea')?.focus({ preventScroll: true })
        }}
        faults={faults}
        trouble={trouble}
        warnings={gone ? ['This project was deleted, or you no longer have access. It can’t be saved.', ...late] : late}
      >
        {dirty && theirChange && (
          <ConcurrentEdit
            who={who}
            what="project"
            fields={theirChange.fields.map((field) => EDIT_LABELS[field])}
            both={theirChange.both.map((field) => EDIT_LABELS[field])}
          />
        )}
      </FormShell>
      <ConfirmDialog
        open={sure}
        onClose={() => setSure(false)}
        onConfirm={() => {
          setSure(false)
          void save(base.lock_version)
        }}
        title={`Set it to ${statusWords(draft.status)}?`}
        confirm="Save"
        danger={move.kind === 'forced'}
      >
        {base.name} is {statusWords(base.stored_status)} now.{' '}
        {move.kind === 'forced' ? 'This skips a step. The history keeps your reason.' : 'This is its next status.'}
      </ConfirmDialog>
      {clash && (
        <ConflictDialog
          clashes={clash.fields.map((field) => ({
            field,
            label: EDIT_LABELS[field],
            mine: shownValue(field, draft[field], { clients }),
            theirs: shownValue(field, clash.theirs[field], { clients }),
          }))}
          onCancel={() => setClash(null)}
          onChosen={(theirs) => {
            setClash(null)
            void save(clash.lock, theirs)
          }}
        />
      )}
    </>
  )
}
