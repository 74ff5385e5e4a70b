import type { Ctx } from '../../core/context.ts'

/** Working days a partner has to answer, by default. */
const ANSWER_DAYS = 5

/** The civil date a number of working days (Monday to Friday) later. */
function addWorkingDays(from: string, days: number): string {
  const day = new Date(`${from}T00:00:00Z`)
  for (let left = days; left > 0; ) {
    day.setUTCDate(day.getUTCDate() + 1)
    if (day.getUTCDay() % 6 !== 0) left--
  }
  return day.toISOString().slice(0, 10)
}

/** The default date by which partners should answer. */
export const usualAnswerBy = (ctx: Pick<Ctx, 'today'>): string => addWorkingDays(ctx.today, ANSWER_DAYS)
