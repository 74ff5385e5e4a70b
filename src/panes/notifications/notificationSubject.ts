import { subjectAs } from '../../commands/subject.ts'
import type { RowOf } from '../../list/nounColumns.tsx'

/** A row of the notifications list. */
export type NotificationRow = RowOf<'notification'>

/** Converts a notification to a command subject. */
export const notificationSubject = subjectAs<NotificationRow>('notification')
