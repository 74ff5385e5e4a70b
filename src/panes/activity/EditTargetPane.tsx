import { count } from '../../../contract/format.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { RovingFocusGroup } from '../../ui/RovingFocusGroup.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { FormField } from '../shared/form/FormField.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { RunningProject } from '../shared/RunningProject.tsx'
import {
  AUDIENCE_LABELS,
  type AudienceDraft,
  type AudienceField,
  audienceDraft,
  labelsOf,
  optionsOf,
  sharesBy,
  shortcutsOf,
  type TargetCompletes,
} from './audienceFields.ts'
import { OfTarget, TargetLine, type TargetRecord, useTargetForm } from './TargetForm.tsx'
import { useGeneration } from './useGeneration.ts'

const WHO = ['age', 'gender'] as const
const NARROWER = ['hhi', 'ethnicity', 'marital_status', 'children'] as const
/** Uses the API call's own schema. */
export const AUDIENCE_RULES: FormRules<AudienceDraft> = {
  schema: async () => (await import('../../../contract/target.ts')).AudienceForm,
}

/** Edits an activity's audience; the target's version is the lock (screens-projects.md, Edit audience). */
export default function EditTargetPane({ params }: PaneProps) {
  return <OfTarget id={Number(params.id)}>{(record) => <AudienceForm record={record} />}</OfTarget>
}

function AudienceForm({ record }: { record: TargetRecord }) {
  const { activity, completes } = record
  const generation = useGeneration(activity)
  const { form, running } = useTargetForm<AudienceDraft>(record, {
    form: 'target.edit',
    labels: AUDIENCE_LABELS,
    rules: AUDIENCE_RULES,
    noun: 'audience',
    tab: 'target',
    draftOf: audienceDraft,
    shown: (field, value) => labelsOf(field, value as string[], String, generation).join(', ') || 'Any',
  })
  const group = (field: AudienceField) => (
    <Group key={field} form={form} field={field} completes={completes} generation={generation} />
  )
  return (
    <RecordForm
      form={form}
      title={`Audience of ${activity.name}`}
      aside={<TargetLine record={record} tab="target" />}
      actions={
        <CommandButton id="target.copyFrom" plain>
          Copy from…
        </CommandButton>
      }
      sections={[
        {
          id: 'who',
          title: 'Age and gender',
          hint: 'Each value shows its completes so far.',
          fields: WHO,
          children: WHO.map(group),
        },
        {
          id: 'narrower',
          title: 'More criteria',
          hint: 'Leave a group empty for any.',
          fields: NARROWER,
          children: NARROWER.map(group),
        },
      ]}
    >
      <RunningProject running={running} change={form.dirty ? form.values : null} />
    </RecordForm>
  )
}

type Form = ReturnType<typeof useTargetForm<AudienceDraft>>['form']

function Group({
  form,
  field,
  completes,
  generation,
}: {
  form: Form
  field: AudienceField
  completes: TargetCompletes | undefined
  generation: string
}) {
  const rows = completes?.groups[field]
  const shares = sharesBy(rows ?? [], completes?.completes ?? 0)
  const beside = (value: string) => {
    const number = rows?.find((row) => row.value === value)?.completes
    return number === undefined ? null : `${count(number)} · ${shares(value)}`
  }
  return (
    <FormField
      control={form.control}
      name={field}
      label={AUDIENCE_LABELS[field]}
      group
      {...(field === 'age' || field === 'gender' ? { required: true } : {})}
    >
      {({ value, onChange }) => (
        <RovingFocusGroup
          options={optionsOf(field, generation)}
          shortcuts={shortcutsOf(field, generation)}
          value={value as string[]}
          onChange={onChange}
          beside={beside}
        />
      )}
    </FormField>
  )
}
