import { useState } from 'react'
import { count } from '../../../contract/format.ts'
import { audienceFields, type Demographic } from '../../../contract/targetFields.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { RovingFocusGroup } from '../../ui/RovingFocusGroup.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { FieldForm } from '../shared/form/FieldForm.tsx'
import type { Bound } from '../shared/form/FormField.tsx'
import { RunningProject } from '../shared/RunningProject.tsx'
import { isPresent, labelsOf, optionsOf, sharesBy, shortcutsOf, type TargetCompletes } from './audienceFields.ts'
import { OfTarget, TargetLine, type TargetRecord, useTargetForm } from './TargetForm.tsx'
import { useGeneration } from './useGeneration.ts'

const WHO = ['age', 'gender'] as const
const NARROWER = ['hhi', 'ethnicity', 'marital_status', 'children'] as const
/** Edits an activity's audience; the target's version is the lock (screens-projects.md, Edit audience). */
export default function EditTargetPane({ params }: PaneProps) {
  return <OfTarget id={Number(params.id)}>{(record) => <AudienceForm record={record} />}</OfTarget>
}

function AudienceForm({ record }: { record: TargetRecord }) {
  const { activity, completes } = record
  const generation = useGeneration(activity)
  const { form, running } = useTargetForm(record, {
    form: 'target.edit',
    fields: audienceFields,
    noun: 'audience',
    tab: 'target',
    shown: (field, value) => labelsOf(field, value as readonly string[], String, generation).join(', ') || 'Any',
  })
  return (
    <FieldForm
      form={form}
      fields={audienceFields}
      controls={Object.fromEntries(
        [...WHO, ...NARROWER].map((field) => [
          field,
          (bound: Bound<readonly string[]>) => <Group field={field} completes={completes} generation={generation} {...bound} />,
        ]),
      )}
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
          paired: true,
        },
        {
          id: 'narrower',
          title: 'More criteria',
          hint: 'Leave a group empty for any.',
          fields: NARROWER,
          paired: true,
        },
      ]}
    >
      <RunningProject running={running} change={form.dirty ? form.values : null} />
    </FieldForm>
  )
}

/** The values of a demographic with their completes so far. */
function Group({
  field,
  completes,
  generation,
  value,
  onChange,
}: { field: Demographic; completes: TargetCompletes | undefined; generation: string } & Bound<readonly string[]>) {
  const rows = completes?.groups[field]
  const [stored] = useState(value)
  const shares = sharesBy(rows ?? [], completes?.completes ?? 0)
  const beside = (one: string) => {
    const number = rows?.find((row) => row.value === one)?.completes
    return number === undefined ? null : `${count(number)} · ${shares(one)}`
  }
  return (
    <RovingFocusGroup
      options={optionsOf(field, generation, isPresent([...stored, ...value], rows))}
      shortcuts={shortcutsOf(field, generation)}
      value={value}
      onChange={onChange}
      beside={beside}
    />
  )
}
