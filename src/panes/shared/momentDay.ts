import { moment } from '../../data/format.ts'

/** Formats a time's day in the user's zone: "Nov 24", with the year if it isn't this one; "–" without a time. */
export function momentDay(iso: string | null | undefined): string {
  const isThisYear = moment(iso, 'day and year').endsWith(` ${new Date().getFullYear()}`)
  return moment(iso, isThisYear ? 'day' : 'day and year')
}
