import type { Output } from '../../../contract/calls.ts'
import { type Subject, subjectAs } from '../../commands/subject.ts'

export type Activity = Output<'activity.get'>['data']

/** What every tab of an activity is given. */
export interface ActivityTabProps {
  activity: Activity
  subject: Subject
}

/** An activity as a command subject. */
export const activitySubject = subjectAs<Activity>('activity')
