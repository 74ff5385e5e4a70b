import { z } from 'zod'
import { ActivityFields } from './activityInput.ts'
import { MESSAGES } from './messages.ts'

/* Schemas of forms that send several calls, which none of the calls has by itself. */

/** Any values: such a form checks by other means, and the server by the schemas of its calls. */
export const AnyValues = z.looseObject({})

/** A survey activity as the older form edits it (screens-projects, Edit survey activity). */
export const SurveyActivityValues = z.object({
  about: ActivityFields.about.min(1, MESSAGES.activityAbout),
  survey_link: ActivityFields.url,
})
