import { z } from 'zod'
import { Flag, wholeNumber } from './call.ts'
import { MARGIN } from './mix.ts'
import { type NumberSetting, outside, SETTING_WORDS } from './settingWords.ts'

const whole = (name: NumberSetting) => {
  const words = SETTING_WORDS[name]
  const { from, to } = words
  const message = outside(words)
  return wholeNumber(z.number({ error: message }).int(message).min(from, message).max(to, message))
}

/** Settings kept in `organizations.settings` (screens-quote-flow.md and screens-visitation.md). */
export const Settings = z.object({
  /** The default margin of a quote in percent, and the floor below which one is shown in red. */
  usual_margin: whole('usual_margin'),
  margin_floor: whole('margin_floor'),
  /** Working days a partner has to answer. */
  answer_days: whole('answer_days'),
  /** Days a quote is valid. */
  valid_days: whole('valid_days'),
  /** Days after which a request has waited too long for invitations, answers or a decision. */
  invite_days: whole('invite_days'),
  answers_days: whole('answers_days'),
  quoted_days: whole('quoted_days'),
  /** Months that raw visits are kept (0 for all), and days without visits before an active service is silent. */
  visits_keep_months: whole('visits_keep_months'),
  visits_silence_days: whole('visits_silence_days'),
  /** Seconds before a read of visits times out. */
  visits_timeout_seconds: whole('visits_timeout_seconds'),
  /** True mails partners who weren't chosen, too. */
  tell_not_chosen: Flag,
})
export type Settings = z.output<typeof Settings>

/** Names of the visitation settings within their section (screens-visitation.md, app-settings). */
export const VISITATION = {
  keep_months: 'visits_keep_months',
  silence_days: 'visits_silence_days',
  timeout_seconds: 'visits_timeout_seconds',
} as const satisfies Record<string, NumberSetting>
export const Visitation = z.object({
  keep_months: whole('visits_keep_months'),
  silence_days: whole('visits_silence_days'),
  timeout_seconds: whole('visits_timeout_seconds'),
  /** Raw visits before this day were deleted; retention sets it, and it can't be written. */
  closed_since: z.string().nullable(),
})

/** The defaults. */
export const SETTINGS: Settings = {
  usual_margin: MARGIN.usual,
  margin_floor: MARGIN.floor,
  answer_days: 5,
  valid_days: 14,
  invite_days: 1,
  answers_days: 3,
  quoted_days: 5,
  visits_keep_months: 13,
  visits_silence_days: 2,
  visits_timeout_seconds: 10,
  tell_not_chosen: true,
}
