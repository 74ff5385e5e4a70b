import { useEffect, useMemo } from 'react'
import { activityFields, filesField } from '../../../contract/activityFields.ts'
import type { Output } from '../../../contract/calls.ts'
import { longDate } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { subjectAs } from '../../commands/subject.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { whenDrawn } from '../../workspace/focusLater.ts'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane, usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { outsideWarnings } from '../shared/activityDates.ts'
import { FieldForm } from '../shared/form/FieldForm.tsx'
import { useFieldForm } from '../shared/form/useFieldForm.ts'
import { RecordError } from '../shared/RecordError.tsx'
import { isGone } from '../shared/RecordGone.tsx'
import { RunningProject } from '../shared/RunningProject.tsx'
import { useRunningProject } from '../shared/useRunningProject.ts'
import { socialWarning } from './activityForm.ts'

type Activity = Output<'activity.get'>['data']
type Project = Output<'activity.project'>['data']

const FIELDS = { ...activityFields, file_ids: filesField }
/** Fields that participants see; changes reach them immediately. */
const SEEN = ['name', 'about', 'activity_type', 'action_type', 'social_type', 'social_text', 'social_link', 'url'] as const
const subjectOf = subjectAs<Activity>('activity')

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
  // An activity that becomes a photo or video needs an action.
  const initial = useMemo(() => (activity.action_type === 'nothing' ? { action_type: '' } : {}), [activity.action_type])
  const form = useFieldForm('activity', FIELDS, {
    record: activity,
    initial,
    // Another type has another action.
    sends: (input, changed, whole) => (changed.includes('activity_type') ? { ...input, action_type: whole.action_type } : input),
    review: (_values, changed) => running.review(changed),
    saved: () => ({ leads: href('activity', { id: activity.id }, { tab: 'details' }) }),
  })
  const { values } = form
  const { focus } = form
  const wanted = query.focus
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link sets the first field only once
  useEffect(() => {
    if (wanted && Object.hasOwn(FIELDS, wanted)) whenDrawn(() => focus(wanted))
  }, [wanted])
  const dates = { start_dt: values.start_dt || null, end_dt: values.end_dt || null }
  return (
    <FieldForm
      form={form}
      fields={FIELDS}
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
          fields: ['name', 'about', 'activity_type', 'action_type', 'social_type', 'social_link', 'social_text'],
        },
        { id: 'link', title: 'Link', fields: ['url'] },
        {
          id: 'time',
          title: 'Time',
          hint: project
            ? `The project runs from ${longDate(project.start_dt)} to ${longDate(project.end_dt)}.`
            : 'Usually within the project’s dates.',
          fields: ['start_dt', 'end_dt'],
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
        },
      ]}
    >
      <RunningProject running={running} change={form.dirty ? form.changed : null} />
    </FieldForm>
  )
}
