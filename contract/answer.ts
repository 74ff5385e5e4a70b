import { count } from './format.ts'
import { daysBetween } from './pacing.ts'

/** Error messages for a partner's answer, in the specification's words (screens-quote-flow.md, Feasibility). */
export const ANSWER = {
  choose: 'Please choose yes or no',
  reason: "Please say why you can't field it",
  completes: 'Enter a whole number of completes, 1 or more',
  cpi: 'Enter a cost per interview from $0.01 to $10,000.00',
  incidence: 'Incidence is between 1 and 100 %',
  loi: 'Length of interview is between 1 and 180 minutes',
  days: 'Field days are between 1 and 365',
  valid: 'Valid until must be today or later',
  validMissing: 'Choose until when this price is valid',
} as const

/** The allowed range of each figure of an answer, and the message for a value outside it. */
export const FIGURES = {
  feasible_completes: [1, 10_000_000, ANSWER.completes],
  cpi_cents: [1, 1_000_000, ANSWER.cpi],
  incidence: [1, 100, ANSWER.incidence],
  loi_minutes: [1, 180, ANSWER.loi],
  field_days: [1, 365, ANSWER.days],
} as const satisfies Record<string, readonly [least: number, most: number, says: string]>

/** Returns the days from the first to the last date, both included; null if either is missing. */
export const fieldDaysOf = (start: string | null, end: string | null): number | null =>
  start && end ? daysBetween(start, end) + 1 : null

/** Returns a warning for each promise beyond the request. Such an answer is still accepted. */
export function answerWarnings(
  requested: { completes: number; start: string | null; end: string | null },
  answer: { feasible_completes: number | null; field_days: number | null },
): { feasible_completes?: string; field_days?: string } {
  const days = fieldDaysOf(requested.start, requested.end)
  return {
    ...(answer.feasible_completes !== null && answer.feasible_completes > requested.completes
      ? { feasible_completes: `More completes than asked for: ${count(requested.completes)} are ordered` }
      : {}),
    ...(answer.field_days !== null && days !== null && answer.field_days > days
      ? { field_days: `More field days than the dates allow: there are ${days}` }
      : {}),
  }
}
