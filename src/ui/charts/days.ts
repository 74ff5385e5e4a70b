/** A day of a trend: its civil date (ISO), what was delivered up to it (null: not yet), and what the plan says. */
export type TrendPoint = { date: string; value: number | null; plan?: number | null }

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** A civil date as a chart shows it: Nov 17. */
export const showDay = (iso: string): string => day.format(new Date(`${iso}T00:00:00Z`))
