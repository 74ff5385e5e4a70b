import { useCallback, useMemo } from 'react'
import { count } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { OneStopGroup } from '../../ui/OneStopGroup.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { FormField } from '../shared/form/FormField.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { useRecordForm } from '../shared/form/useRecordForm.ts'
import { RecordTrouble } from '../shared/RecordTrouble.tsx'
import { RunningProject } from '../shared/RunningProject.tsx'
import { useRunningProject } from '../shared/useRunningProject.ts'
import { type Activity, activitySubject } from './activity.ts'
import {
  AUDIENCE_LABELS,
  type AudienceDraft,
  type AudienceField,
  audienceDraft,
  labelsOf,
  optionsOf,
  share,
  shortcutsOf,
  type Target,
  type TargetCompletes,
} from './audience.ts'

const WHO = ['age', 'gender'] as const
const NARROWER = ['hhi', 'ethnicity', 'marital_status', 'children'] as const
const RULES: FormRules<AudienceDraft> = {
  schema: async () => (await import('../../../contract/target.ts')).AudienceForm,
}

/** Edits the audience of an activity, whose version is the lock (screens-projects.md, Edit audience). */
export default function EditTargetPane({ params }: PaneProps) {
  const id = Number(params.id)
  const answer = useCall('activity.get', { id }, { fresh: true })
  const target = useCall('activity.target', { id }, { fresh: true })
  const completes = useCall('target.completes', { id }, { fresh: true })
  const activity = answer.data?.data
  const subject = useMemo(() => (activity ? activitySubject(activity) : null), [activity])
  usePaneSubject(subject)
  const failed = !activity ? answer.error : !target.data ? target.error : undefined
  if (failed)
    return (
      <RecordTrouble
        error={failed}
        retry={() => {
          answer.retry()
          target.retry()
        }}
        what={`Activity ${id}`}
        home={href('activities')}
        homeTitle="all activities"
      />
    )
  if (!activity || !target.data) return <Skeleton rows={10} />
  return <AudienceForm activity={activity} target={target.data.data} completes={completes.data?.data} />
}

function AudienceForm({
  activity,
  target,
  completes,
}: {
  activity: Activity
  target: Target | null
  completes: TargetCompletes | undefined
}) {
  const { id } = activity
  const effects = useCallback(
    async (change: AudienceDraft) => (await api.write('target.check', { activity_id: id, ...change })).data.effects,
    [id],
  )
  const running = useRunningProject<AudienceDraft>(activity.project_id, effects)
  const initial = useMemo(() => audienceDraft(target), [target])
  const form = useRecordForm<AudienceDraft>({
    form: 'target.edit',
    record: id,
    initial,
    lock: target?.version,
    labels: AUDIENCE_LABELS,
    rules: RULES,
    noun: 'audience',
    review: (values) => running.review(values),
    theirs: (record) => audienceDraft(record as unknown as Target),
    shown: (field, value) => labelsOf(field, value as string[], String).join(', ') || 'Any',
    async save({ input, patch, lock, attempt }) {
      const { data, message } =
        lock === undefined
          ? await api.write('target.create', { activity_id: id, ...(input as { age: string[]; gender: string[] }) }, { attempt })
          : await api.write('target.edit', { activity_id: id, version: lock, ...patch }, { attempt })
      return { title: message, name: activity.name, leads: href('activity', { id }, { tab: 'target' }), lock: data.version }
    },
  })
  const group = (field: AudienceField) => <Group key={field} form={form} field={field} completes={completes} />
  return (
    <RecordForm
      form={form}
      title={`Audience of ${activity.name}`}
      aside={
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-meta text-muted">
          <span className="font-mono">{codeOf('activity', id)}</span>
          <span>{target ? `Version ${target.version}` : 'No audience yet'}</span>
          {completes && <span>{count(completes.completes)} completes so far</span>}
          <PaneLink to={href('activity', { id }, { tab: 'target' })} className="text-accent-ink hover:underline">
            Target audience
          </PaneLink>
        </p>
      }
      actions={
        <CommandButton id="target.copyFrom" plain>
          Copy from…
        </CommandButton>
      }
      sections={[
        {
          id: 'who',
          title: 'Age and gender',
          hint: 'With the completes so far beside each value.',
          fields: WHO,
          children: WHO.map(group),
        },
        {
          id: 'narrower',
          title: 'Narrower',
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

type Form = ReturnType<typeof useRecordForm<AudienceDraft>>

function Group({ form, field, completes }: { form: Form; field: AudienceField; completes: TargetCompletes | undefined }) {
  const rows = completes?.groups[field]
  const beside = (value: string) => {
    const number = rows?.find((row) => row.value === value)?.completes
    return number === undefined ? null : `${count(number)} · ${share(number, completes!.completes)}`
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
        <OneStopGroup
          options={optionsOf(field)}
          shortcuts={shortcutsOf(field)}
          value={value as string[]}
          onChange={onChange}
          beside={beside}
        />
      )}
    </FormField>
  )
}
