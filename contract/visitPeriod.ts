import { addDays, DEFAULT_DAYS } from './pacing.ts'

/** The periods of visits (decisions.md 11); `week` is the last seven days including today. */
export const VISIT_PERIODS = ['today', 'yesterday', 'week', '30days', 'this_month', 'last_month', 'custom'] as const
export type VisitPeriod = (typeof VISIT_PERIODS)[number]

/** The label of each period. */
export const PERIOD_WORDS: Readonly<Record<VisitPeriod, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'Last 7 days',
  '30days': 'Last 30 days',
  this_month: 'This month',
  last_month: 'Last month',
  custom: 'Custom',
}

/** Civil dates, both included. */
export interface DayRange {
  start: string
  end: string
}

/** Returns a period's dates. A custom one starts today by default, and lasts five days (decisions.md 9). */
export function daysOf(period: VisitPeriod, today: string, { start, end }: Partial<DayRange> = {}): DayRange {
  const month = `${today.slice(0, 7)}-01`
  switch (period) {
    case 'today':
      return { start: today, end: today }
    case 'yesterday': {
      const day = addDays(today, -1)
      return { start: day, end: day }
    }
    case 'week':
      return { start: addDays(today, -6), end: today }
    case '30days':
      return { start: addDays(today, -29), end: today }
    case 'this_month':
      return { start: month, end: today }
    case 'last_month': {
      const last = addDays(month, -1)
      return { start: `${last.slice(0, 7)}-01`, end: last }
    }
    case 'custom': {
      const from = start ?? today
      return { start: from, end: end ?? addDays(from, DEFAULT_DAYS.visitation) }
    }
  }
}
