import { shortDate } from '../../../contract/format.ts'
import { dayOf } from '../../ui/displayZone.ts'

/** Formats a time's day in the user's zone: "Nov 24", with the year if it isn't this one; "–" without a time. */
export const momentDay = (iso: string | null | undefined): string => shortDate(iso && dayOf(iso))
