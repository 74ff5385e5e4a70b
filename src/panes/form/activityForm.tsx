import { useMemo } from 'react'
import { activityFields, filesField } from '../../../contract/activityFields.ts'
import { longDate } from '../../../contract/format.ts'
import { useCall } from '../../data/useCall.ts'
import { outsideWarnings } from '../shared/activityDates.ts'
import { type EditForm, editPane } from '../shared/form/declaredForm.tsx'
import { RunningProject } from '../shared/RunningProject.tsx'
import { useRunningProject } from '../shared/useRunningProject.ts'
import { socialWarning } from './socialWarning.ts'

const FIELDS = { ...activityFields, file_ids: filesField }
/** Fields that participants see; changes reach them immediately. */
const SEEN = ['name', 'about', 'activity_type', 'action_type', 'social_type', 'social_text', 'social_link', 'url'] as const

/** Describes what a change does to a running project. */
const effectsOf = (changed: readonly string[]): string[] =>
  SEEN.some((name) => changed.includes(name))
    ? ['Participants see the new text at once.']
    : changed.some((name) => name === 'start_dt' || name === 'end_dt')
      ? ['The new dates apply immediately.']
      : ['Participants see no change.']

/** What is special about an activity’s form: the running project and its dates, and its files. */
const form: EditForm<'activity', typeof FIELDS> = {
  noun: 'activity',
  fields: FIELDS,
  useSpecial(activity) {
    const project = useCall('activity.project', { activity_id: activity.id }, { fresh: true }).data?.data
    const running = useRunningProject<readonly string[]>(activity.project_id, effectsOf)
    // One that becomes a photo or video needs an action.
    const initial = useMemo(() => (activity.action_type === 'nothing' ? { action_type: '' } : {}), [activity.action_type])
    const { assets } = activity
    return {
      form: {
        initial,
        // Another type has another action.
        sends: (input, changed, whole) =>
          changed.includes('activity_type') ? { ...input, action_type: whole.action_type } : input,
        review: (_values, changed) => running.review(changed),
      },
      sections: [
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
          ...(assets.length
            ? { hint: `${assets.length} already uploaded: ${assets.map((asset) => asset.original_name).join(', ')}` }
            : {}),
        },
      ],
      useDrawn: ({ dirty, changed, values }) => {
        const dates = { start_dt: values.start_dt || null, end_dt: values.end_dt || null }
        return {
          warnings: [...socialWarning(values), ...(project ? outsideWarnings(dates, project) : [])],
          children: <RunningProject running={running} change={dirty ? changed : null} />,
        }
      },
    }
  },
}
export const pane = editPane(form)
