import { useEffect, useMemo } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { longDate } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { subjectAs } from '../../commands/subject.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { whenDrawn } from '../../workspace/focusLater.ts'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane, usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { outsideWarnings } from '../shared/activityDates.ts'
import type { FormRules } from '../shared/form/formRules.ts'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { useRecordForm } from '../shared/form/useRecordForm.ts'
import { RecordError } from '../shared/RecordError.tsx'
import { isGone } from '../shared/RecordGone.tsx'
import { RunningProject } from '../shared/RunningProject.tsx'
import { useRunningProject } from '../shared/useRunningProject.ts'
import {
  ACTIVITY_LABELS,
  ActivityFiles,
  type ActivityValues,
  activityInput,
  asRequest,
  NameFields,
  socialWarning,
  TimeFields,
} from './activityForm.tsx'
import type { Draft } from './requestDraft.ts'
import { ActivitySection, UrlField } from './requestSections.tsx'

type Activity = Output<'activity.get'>['data']
type Project = Output<'activity.project'>['data']

/** Uses the API call's own schema. */
export const ACTIVITY_RULES: FormRules<ActivityValues> = {
  schema: async () => (await import('../../../contract/activityInput.ts')).ActivityForm,
  input: activityInput,
}
/** Fields that participants see; changes reach them immediately. */
const SEEN = ['name', 'about', 'activity_type', 'action_type', 'social_type', 'social_text', 'social_link', 'url'] as const
const subjectOf = subjectAs<Activity>('activity')

const valuesOf = (activity: Activity): ActivityValues => ({
  name: activity.name,
  about: activity.about,
  activity_type: activity.activity_type,
  action_type: activity.action_type === 'nothing' ? '' : activity.action_type,
  social_type: activity.social_type,
  social_text: activity.social_text,
  social_link: activity.social_link,
  url: activity.url,
  start_dt: activity.start_dt ?? '',
  end_dt: activity.end_dt ?? '',
  file_ids: [],
})

/** Edits several fields of an activity at once. */
export default function EditActivityPane({ params }: PaneProps) {
  const id = Number(params.id)
  const answer = useCall('activity.get', { id }, { fresh: true })
  const project = useCall('activity.project', { activity_id: id }, { fresh: true }).data?.data
  const activity = answer.data?.data
  const subject = useMemo(() => (activity && !isGone(answer.error) ? subjectOf(activity) : null), [activity, answer.error])
  usePaneSubject(subject)
  if (answer.error && !activity)
    return (
      <RecordError
        error={answer.error}
        retry={answer.retry}
        what={`Activity ${id}`}
        home={href('activities')}
        homeTitle="all activities"
      />
    )
  if (!activity) return <FormSkeleton />
  return <EditActivity key={activity.id} activity={activity} project={project ?? null} />
}

function EditActivity({ activity, project }: { activity: Activity; project: Project | null }) {
  const { query } = usePane()
  const running = useRunningProject<readonly string[]>(activity.project_id, (changed) =>
    SEEN.some((name) => changed.includes(name))
      ? ['Participants see the new text at once.']
      : changed.some((name) => name === 'start_dt' || name === 'end_dt')
        ? ['The new dates apply immediately.']
        : ['Participants see no change.'],
  )
  const form = useRecordForm<ActivityValues>({
    form: 'activity.edit',
    record: activity.id,
    initial: valuesOf(activity),
    lock: activity.lock_version,
    labels: ACTIVITY_LABELS as Readonly<Record<string, string>>,
    rules: ACTIVITY_RULES,
    noun: 'activity',
    files: 'file_ids',
    theirs: (record) => valuesOf(record as unknown as Activity),
    review: (_values, changed) => running.review(changed),
    async save({ patch, values, lock }) {
      const { file_ids: _, ...fields } = patch
      const typeFields: object = Object.hasOwn(fields, 'activity_type')
        ? { ...fields, action_type: activityInput(values).action_type }
        : fields
      const { data: saved } = await api.write('activity.edit', {
        id: activity.id,
        ...typeFields,
        file_ids: values.file_ids.map(({ id }) => id),
        ...(lock ? { lock_version: lock } : {}),
      })
      return {
        title: 'Activity Updated',
        name: saved.name,
        lock: saved.lock_version,
        leads: href('activity', { id: activity.id }, { tab: 'details' }),
      }
    },
  })
  const { values, control } = form
  const { focus } = form
  const wanted = query.focus
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link sets the first field only once
  useEffect(() => {
    if (wanted && Object.hasOwn(ACTIVITY_LABELS, wanted)) whenDrawn(() => focus(wanted))
  }, [wanted])
  const shown = { control: asRequest(control), draft: values as unknown as Draft }
  const dates = { start_dt: values.start_dt || null, end_dt: values.end_dt || null }
  return (
    <RecordForm
      form={form}
      title={`Edit ${activity.name}`}
      aside={
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-meta text-muted">
          <span className="font-mono">{codeOf('activity', activity.id)}</span>
          <PaneLink to={href('activity', { id: activity.id }, { tab: 'details' })} className="hover:text-ink hover:underline">
            {activity.project_name}
          </PaneLink>
        </p>
      }
      warnings={[...socialWarning(values), ...(project ? outsideWarnings(dates, project) : [])]}
      sections={[
        {
          id: 'activity',
          title: 'Activity',
          fields: ['name', 'about', 'activity_type', 'action_type', 'social_type', 'social_text', 'social_link'],
          children: (
            <>
              <NameFields control={control} />
              <ActivitySection {...shown} link={false} />
            </>
          ),
        },
        { id: 'link', title: 'Link', fields: ['url'], children: <UrlField {...shown} /> },
        {
          id: 'time',
          title: 'Time',
          hint: project
            ? `The project runs from ${longDate(project.start_dt)} to ${longDate(project.end_dt)}.`
            : 'Usually within the project’s dates.',
          fields: ['start_dt', 'end_dt'],
          children: <TimeFields control={control} />,
        },
        {
          id: 'files',
          title: 'Files',
          fields: ['file_ids'],
          ...(activity.assets.length
            ? {
                hint: `${activity.assets.length} already uploaded: ${activity.assets.map((asset) => asset.original_name).join(', ')}`,
              }
            : {}),
          children: <ActivityFiles control={control} uploads={form.uploads} />,
        },
      ]}
    >
      <RunningProject running={running} change={form.dirty ? form.changed : null} />
    </RecordForm>
  )
}
