import { datesOutside } from '../../../contract/activityRules.ts'
import { showDate } from '../../ui/dates.ts'

interface Dates {
  start_dt: string | null
  end_dt: string | null
}
/** What is unusual about an activity's dates beside its project's; such dates are saved. */
export const outsideWarnings = (activity: Dates, project: Dates): string[] => datesOutside(activity, project, showDate)
