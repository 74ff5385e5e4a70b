import type { Ctx } from '../../core/context.ts'
import { settingsOf } from '../organization.ts'

/** The civil date a number of working days (Monday to Friday) later. */
export function addWorkingDays(from: string, days: number): string {
  const day = new Date(`${from}T00:00:00Z`)
  for (let left = days; left > 0; ) {
    day.setUTCDate(day.getUTCDate() + 1)
    if (day.getUTCDay() % 6 !== 0) left--
  }
  return day.toISOString().slice(0, 10)
}

/** The default date by which partners should answer, from the organization's settings. */
export const usualAnswerBy = async (ctx: Pick<Ctx, 'today' | 'db'>): Promise<string> =>
  addWorkingDays(ctx.today, (await settingsOf(ctx.db)).answer_days)
