import { z } from 'zod'
import { chosen, OlderAudience } from './audience.ts'
import { CivilDate, Id } from './call.ts'
import { createShape } from './fieldInput.ts'
import { MESSAGES } from './messages.ts'
import { olderFields } from './olderFields.ts'
import { NewStatus } from './projectInput.ts'
import { olderCallFields } from './requestFields.ts'
import { GENDERS, PROJECT_TYPES } from './vocabulary.ts'
import { inOrder, whenObject } from './whenObject.ts'

/** The older forms send optional fields as empty text. */
const blank = z.literal('').transform(() => undefined)
const filled = (list: unknown) => Array.isArray(list) && list.length > 0

/** The older forms' word for all genders (projects-area 3, Campaign). */
const everyGender = (genders: unknown) =>
  genders === 'all' || (Array.isArray(genders) && genders.length === 1 && genders[0] === 'all')
    ? GENDERS.map(({ value }) => value)
    : genders

const audience = OlderAudience.shape
const shape = createShape(olderFields(olderCallFields))
const Fields = z.object({
  ...shape,
  /** Defaults to seven days after the start (decisions.md 9). */
  end_date: z.union([blank, CivilDate], { error: 'is not a date (YYYY-MM-DD)' }).optional(),
  gender: z.preprocess(everyGender, shape.gender),
  targeted_location: chosen(audience.targeted_location.unwrap(), MESSAGES.oneMarket),
  location_based_ind: z.union([blank, audience.location_based_ind.unwrap()], { error: 'must be yes or no' }).optional(),
  /** Optional for users of one client. */
  client_id: z.union([blank, Id], { error: 'must be a number' }).optional(),
  parent_id: z.union([blank, Id], { error: 'must be a number' }).optional(),
  campaign_type: z.enum(PROJECT_TYPES, { error: 'must be Survey or Content' }).default('Survey'),
  status: NewStatus,
  /** The requester; it must be the caller. */
  user_id: z.union([blank, Id], { error: 'must be a number' }).optional(),
})

// Also runs when other fields are wrong, so that a form shows every error at once.
const ordered = Fields.refine((form) => inOrder(form.start_date, form.end_date), {
  path: ['start_date'],
  message: MESSAGES.startBeforeEnd,
  when: whenObject,
})

/** The older request form with its rules, for server and browser; `CampaignWithFiles` carries its files with it. */
export const CampaignInput = ordered.refine((form) => form.survey_url || filled(form.file_ids), {
  path: ['survey_url'],
  message: MESSAGES.surveyFileOrUrl,
  when: whenObject,
})
export const CampaignWithFiles = ordered
export type CampaignForm = z.output<typeof CampaignInput>
