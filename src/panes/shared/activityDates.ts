import { datesOutside } from '../../../contract/activityRules.ts'
import { showDate } from '../../../contract/dates.ts'

interface Dates {
  start_dt: string | null
  end_dt: string | null
}
/** Warns about activity dates outside the project's, which are allowed but unusual. */
export const outsideWarnings = (activity: Dates, project: Dates): string[] => datesOutside(activity, project, showDate)
