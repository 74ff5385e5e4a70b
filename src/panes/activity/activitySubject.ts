import type { Output } from '../../../contract/calls.ts'
import { type Subject, subjectAs } from '../../commands/subject.ts'

export type Activity = Output<'activity.get'>['data']

/** The props of every activity tab. */
export interface ActivityTabProps {
  activity: Activity
  subject: Subject
}

/** Converts an activity to a command subject. */
export const activitySubject = subjectAs<Activity>('activity')
