import { z } from 'zod'
import { Flag } from './call.ts'
import { MARGIN } from './mix.ts'

const between = (from: number, to: number, what: string) => {
  const message = `${what} is between ${from} and ${to}`
  return z.coerce.number({ error: message }).int(message).min(from, message).max(to, message)
}

/** Settings kept in `organizations.settings` (screens-quote-flow.md, Organization settings). */
export const Settings = z.object({
  /** Per cent of a quote that are margin where nobody says otherwise, and below which one is shown in red. */
  usual_margin: between(0, 95, 'Usual margin'),
  margin_floor: between(0, 95, 'Least margin'),
  /** Working days that a partner has to answer. */
  answer_days: between(1, 60, 'Days to answer'),
  /** Days that a quote is valid. */
  valid_days: between(1, 365, 'Days of validity'),
  /** Days after which a request has waited too long to be invited for, answered and decided. */
  invite_days: between(1, 365, 'Days until partners are invited'),
  answers_days: between(1, 365, 'Days until answers are in'),
  quoted_days: between(1, 365, 'Days until the client decides'),
  /** Partners who were not chosen get a mail, too. */
  tell_not_chosen: Flag,
})
export type Settings = z.output<typeof Settings>

/** What holds until somebody sets it. */
export const SETTINGS: Settings = {
  usual_margin: MARGIN.usual,
  margin_floor: MARGIN.floor,
  answer_days: 5,
  valid_days: 14,
  invite_days: 1,
  answers_days: 3,
  quoted_days: 5,
  tell_not_chosen: true,
}
