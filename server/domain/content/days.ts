import { addDays } from '../../../contract/pacing.ts'
import { clockOf } from '../visit/clock.ts'
import { dayNumberOf } from '../visit/sums.ts'

/** The moment at which a civil day begins in a zone, as ISO text. */
export const dayStart = (day: string, zone: string): string =>
  new Date(clockOf(zone).startOf(dayNumberOf(day)) * 1000).toISOString()

/** The following civil day. */
export const dayAfter = (day: string): string => addDays(day, 1)
