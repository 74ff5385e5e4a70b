import { z } from 'zod'
import { ActivityFields } from './activityInput.ts'
import { MESSAGES } from './messages.ts'

/* Schemas of forms that send several calls, so that no call's schema covers them. */

/** Accepts any values. Such a form has its own checks, and the server validates each call. */
export const AnyValues = z.looseObject({})

/** A survey activity in the older edit form (screens-projects, Edit survey activity). */
export const SurveyActivityValues = z.object({
  about: ActivityFields.about.min(1, MESSAGES.activityAbout),
  survey_link: ActivityFields.url,
})
