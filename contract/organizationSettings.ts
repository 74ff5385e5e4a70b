import { z } from 'zod'
import { createShape } from './fieldInput.ts'
import { MARGIN } from './mix.ts'
import { settingFields } from './organizationFields.ts'

/** Settings kept in `organizations.settings`. */
export const Settings = z.object(createShape(settingFields))
export type Settings = z.output<typeof Settings>

/** Names of the visitation settings within their section (screens-visitation.md, app-settings). */
export const VISITATION = {
  keep_months: 'visits_keep_months',
  silence_days: 'visits_silence_days',
  timeout_seconds: 'visits_timeout_seconds',
} as const satisfies Record<string, keyof Settings>
export const Visitation = z.object({
  keep_months: Settings.shape.visits_keep_months,
  silence_days: Settings.shape.visits_silence_days,
  timeout_seconds: Settings.shape.visits_timeout_seconds,
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
