import { useRef } from 'react'
import type { Control } from 'react-hook-form'
import { showDate } from '../../../contract/dates.ts'
import { count, counted } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { editedActivityFields, projectFields, statusWords } from '../../../contract/projectFields.ts'
import { DEMOGRAPHICS } from '../../../contract/targetFields.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { writeFields } from '../../data/writeFields.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { attention } from '../../workspace/attention.ts'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { FieldForm } from '../shared/form/FieldForm.tsx'
import { FormField } from '../shared/form/FormField.tsx'
import { focusField } from '../shared/form/FormShell.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { type Review, useRecordForm } from '../shared/form/useRecordForm.ts'
import { recordHref } from '../shared/projectSubject.ts'
import { RunningProject } from '../shared/RunningProject.tsx'
import { useRunningProject } from '../shared/useRunningProject.ts'
import { EditFiles } from './EditFiles.tsx'
import {
  changesTarget,
  EDIT_LABELS,
  type EditDraft,
  type EditField,
  editDraft,
  editFaults,
  editFieldOf,
  editInput,
  familyOf,
  lateWarnings,
  moveTo,
  type Project,
  reachesField,
  shownValue,
} from './projectEdit.ts'
import type { Draft } from './requestDraft.ts'
import { ActivitySection, AudienceSection, MarketSection } from './requestSections.tsx'

const STEPS = [
  { id: 'project', title: 'Project', fields: ['name', 'client_id', 'parent_id'] },
  { id: 'field-time', title: 'Field time', fields: ['goal', 'start_dt', 'end_dt', 'loi_minutes', 'incidence'] },
  { id: 'survey', title: 'Survey', fields: ['campaign_type', 'survey_url', 'description', 'requirements'] },
  {
    id: 'activity',
    title: 'Activity',
    fields: ['activity_name', 'about', 'activity_type', 'action_type', 'social_type', 'social_link', 'social_text', 'url'],
  },
  { id: 'audience', title: 'Audience', fields: DEMOGRAPHICS },
  { id: 'market', title: 'Market', fields: ['location_based', 'targeted_locations'] },
  { id: 'files', title: 'Files', fields: ['file_ids', 'removed'] },
  { id: 'reward', title: 'Reward', fields: ['partner_id'] },
  { id: 'status', title: 'Status', fields: ['status', 'reason'] },
] as const satisfies readonly { id: string; title: string; fields: readonly EditField[] }[]
type StepId = (typeof STEPS)[number]['id']
/** Steps that only apply to projects with activities. */
const OF_ACTIVITY: readonly StepId[] = ['activity', 'audience', 'market']

const FIELDS = { ...projectFields, ...editedActivityFields }
/** Fields of an activity that the request form's section draws. */
const OWN_FIELDS = ['activity_type', 'action_type', 'social_type', 'social_link', 'social_text', 'url'] as const
const HINTS = { stays: null, ordered: 'The next status.', forced: 'This skips a step. The history keeps your reason.' }

const RULES: FormRules<EditDraft> = {
  fieldOf: editFieldOf,
}

/** Edits a project or campaign with one of its activities, all fields at once or step by step (decisions.md 8). */
export function EditForm({ project, gone }: { project: Project; gone: boolean }) {
  const { query, setQuery, route } = usePane()
  const wizard = query.mode ? query.mode === 'wizard' : route === 'editProjectWizard'
  const chosen = project.activities.find(({ id }) => String(id) === query.activity) ?? project.activities[0]
  const steps = STEPS.filter(({ id }) => chosen || !OF_ACTIVITY.includes(id))
  const step = wizard ? (steps.find((one) => one.id === query.step) ?? steps[0]!) : null
  const at = step ? steps.indexOf(step) : -1
  const toStep = (id: string) => setQuery({ step: id === STEPS[0].id ? null : id }, { push: true })
  const record = useRef(project)
  record.current = project

  const running = useRunningProject<{ values: EditDraft; changed: readonly string[] }>(project.id, effectsOf)
  const past = useCall('project.history', { id: project.id, filter: 'all', page: 1, per_page: 1 })
  const clients = (useCall('client.dropdown', {}).data?.data ?? []).map((client) => ({
    value: String(client.id),
    label: client.name,
  }))
  const form = useRecordForm<EditDraft>({
    form: chosen ? `project.edit.${chosen.id}` : 'project.edit',
    record: project.id,
    initial: editDraft(project, chosen?.id),
    lock: project.lock_version,
    labels: EDIT_LABELS as Readonly<Record<keyof EditDraft, string>>,
    rules: RULES,
    also: (values) => editFaults(values, record.current, wizard),
    noun: 'project',
    files: 'file_ids',
    theirs: (theirs) => editDraft(theirs as unknown as Project, chosen?.id),
    shown: (field, value) => shownValue(field as EditField, value, { clients, generation: project.generation }),
    async review(values, changed) {
      const move = changed.includes('status') ? moveOf(project, values.status) : null
      const live = reachesField(changed) ? await running.review({ values, changed }) : null
      if (!move || !live) return move ?? live
      return { ...move, lines: [...move.lines, ...live.lines] }
    },
    focus(field) {
      const owner = steps.find((one) => (one.fields as readonly string[]).includes(field))
      if (step && owner && owner !== step) toStep(owner.id)
      const still = attention()
      setTimeout(() => still() && focusField(form.page.current, field), 30)
    },
    async save({ values, changed, lock }) {
      const { data } = await writeFields(api, 'project.edit', editInput(project, values, changed, lock!))
      const leads = recordHref(data.generation, data.id, 'specifications')
      return { title: 'Project Updated', name: data.name, lock: data.lock_version, leads }
    },
  })
  const { control, values, changed } = form
  const siblings =
    useCall(
      'project.ofClient',
      values.client_id
        ? {
            client_id: Number(values.client_id),
            generation: project.generation,
            per_page: 500,
            brief: true,
            texts: false,
          }
        : null,
    ).data?.data ?? []
  const parents = siblings
    .filter((one) => one.id !== project.id)
    .map((one) => ({ value: String(one.id), label: `${codeOf('project', one.id)} ${one.name}` }))
  if (values.parent_id && project.parent && !parents.some((one) => one.value === values.parent_id))
    parents.unshift({ value: String(project.parent.id), label: `${codeOf('project', project.parent.id)} ${project.parent.name}` })
  const parent = siblings.find((one) => String(one.id) === values.parent_id)
  const late = lateWarnings(project, parent?.end_dt ?? null, values.end_dt)
  const dmas = useCall('dma.list', chosen && values.location_based === 'no' ? {} : null)
  // The request form's sections work here because the editor's fields have the same names.
  const shared = control as unknown as Control<Draft>
  const draft = values as unknown as Draft
  const move = moveTo(project, values.status)
  const family = familyOf(project, values.goal)
  /** Sections whose fields the table doesn't draw: the request form's, and files. */
  const bodies: Partial<Record<StepId, React.ReactNode>> = {
    audience: <AudienceSection control={shared} older={project.generation === 'campaign'} />,
    market: <MarketSection control={shared} draft={draft} dmas={dmas} />,
    files: (
      <FormField control={control} name="file_ids" label={EDIT_LABELS.file_ids} group wide>
        {() => (
          <EditFiles
            project={project}
            uploads={form.uploads}
            removed={values.removed}
            onRemoved={(ids) => form.set('removed', ids)}
          />
        )}
      </FormField>
    ),
  }
  /** Fields that a section names for its errors, but draws otherwise or not now. */
  const left: readonly string[] = move.kind === 'stays' ? [...OWN_FIELDS, 'reason'] : OWN_FIELDS
  const ofActivity = {
    start: project.activities.length > 1 && (
      <div className="@lg:col-span-2">
        <Field label="Which activity" hint={form.dirty ? 'Save or start over to choose another activity.' : undefined}>
          <Select
            value={String(chosen?.id ?? '')}
            disabled={form.dirty}
            onChange={(activity) => setQuery({ activity }, { push: true })}
            options={project.activities.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        </Field>
      </div>
    ),
    end: <ActivitySection control={shared} draft={draft} />,
  }
  const next = async () => {
    if (step && (await form.check([...step.fields]))) toStep(steps[at + 1]!.id)
  }
  return (
    <FieldForm
      form={form}
      fields={chosen ? FIELDS : projectFields}
      title={`Edit ${project.name}`}
      who={past.data?.data[0]?.who ?? 'Someone else'}
      aside={
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-meta text-muted">
          <span className="font-mono">{codeOf('project', project.id)}</span>
          <span>{statusWords(project.stored_status)}</span>
          {step && (
            <span>
              step {at + 1} of {steps.length}
            </span>
          )}
          <span aria-live="polite" aria-atomic="true">
            {form.dirty ? `${changed.length} changed` : 'no changes yet'}
          </span>
          <button
            type="button"
            data-view=""
            className="text-accent-ink hover:underline"
            onClick={() => setQuery({ mode: wizard ? 'all' : 'wizard' }, { push: true })}
          >
            {wizard ? 'All fields' : 'Step by step'}
          </button>
          <PaneLink to={recordHref(project.generation, project.id, 'specifications')} className="text-accent-ink hover:underline">
            Specifications
          </PaneLink>
        </p>
      }
      actions={
        <>
          {step && at > 0 && (
            <Button data-view="" onClick={() => toStep(steps[at - 1]!.id)}>
              Back
            </Button>
          )}
          {step && at < steps.length - 1 && (
            <Button data-view="" onClick={() => void next()}>
              Next: {steps[at + 1]!.title}
            </Button>
          )}
        </>
      }
      options={{ client_id: clients, parent_id: parents }}
      hints={{
        client_id: clientHint(project, values),
        goal:
          family &&
          `This project’s own goal. With its children’s ${count(family.children)}, ${count(family.own + family.children)} in total.`,
        status: HINTS[move.kind],
      }}
      hides={left}
      needs={move.kind !== 'stays' && move.reason ? ['client_id', 'reason'] : ['client_id']}
      below={{ goal: <div className="@max-lg:hidden" /> }}
      sections={steps.map((one) => ({ ...one, body: bodies[one.id], ...(one.id === 'activity' ? ofActivity : {}) }))}
      only={step?.id}
      onStep={toStep}
      warnings={gone ? ['This project was deleted, or you no longer have access. It can’t be saved.', ...late] : late}
    >
      <RunningProject running={running} change={reachesField(changed) ? { values, changed } : null} />
    </FieldForm>
  )
}

/** What choosing another client does, before it is saved. */
function clientHint(project: Project, values: EditDraft): string | undefined {
  if (project.parent_id && values.parent_id === String(project.parent_id)) return 'Its parent’s client; change it there.'
  if (values.client_id === String(project.client_id)) return undefined
  const lost = project.team ? `removes the team “${project.team.name}” from the project` : ''
  const moved = project.children.length
    ? `moves its ${counted(project.children.length, 'child', 'children')} along, without their teams`
    : ''
  return lost || moved ? `Saving ${[lost, moved].filter(Boolean).join(', and ')}.` : undefined
}

/** The confirmation before a status change; null if it stays. */
function moveOf(project: Project, to: string): Review | null {
  const { kind } = moveTo(project, to)
  if (kind === 'stays') return null
  const consequence = kind === 'forced' ? 'This skips a step. The history keeps your reason.' : 'It’s the next status.'
  return {
    title: `Change the status to ${statusWords(to)}?`,
    lines: [`${project.name} is ${statusWords(project.stored_status)} now. ${consequence}`],
    confirm: 'Save',
    danger: kind === 'forced',
  }
}

/** Describes what a change does to a project in field, one sentence per effect. */
async function effectsOf({ values, changed }: { values: EditDraft; changed: readonly string[] }): Promise<string[]> {
  const lines: string[] = []
  if (changesTarget(changed) && values.age.length && values.gender.length) {
    const { age, gender, hhi, ethnicity, marital_status, children, targeted_locations } = values
    const sent = { age, gender, hhi, ethnicity, marital_status, children, targeted_locations }
    const { data } = await writeFields(api, 'target.check', {
      activity_id: Number(values.activity_id),
      ...sent,
      ...(values.location_based ? { location_based: values.location_based } : {}),
    })
    lines.push(...data.effects)
  }
  if (['activity_name', 'about', 'url', 'social_text', 'social_link'].some((field) => changed.includes(field)))
    lines.push('Participants see the new text at once.')
  if (changed.includes('survey_url')) lines.push('The activity and survey that have the same link get the new one, too.')
  if (changed.includes('survey_url')) lines.push('People who start from now on get the new link.')
  if (changed.includes('start_dt') || changed.includes('end_dt'))
    lines.push(`Field time becomes ${showDate(values.start_dt)} to ${showDate(values.end_dt)}.`)
  return lines
}
