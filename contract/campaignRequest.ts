import { z } from 'zod'
import { chosen, OlderAudience } from './audience.ts'
import { DayOrNull, IdIfAny } from './call.ts'
import { createShape } from './fieldInput.ts'
import { isBlank } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'
import { olderFields } from './olderFields.ts'
import { NewStatus } from './projectInput.ts'
import { olderCallFields } from './requestFields.ts'
import { GENDERS, PROJECT_TYPES } from './vocabulary.ts'
import { inOrder, whenObject } from './whenObject.ts'

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
  end_date: DayOrNull.transform((day) => day ?? undefined).optional(),
  gender: z.preprocess(everyGender, shape.gender),
  targeted_location: chosen(audience.targeted_location.unwrap(), MESSAGES.oneMarket),
  location_based_ind: z.preprocess((sent) => (isBlank(sent) ? undefined : sent), audience.location_based_ind),
  /** Optional for users of one client. */
  client_id: IdIfAny,
  parent_id: IdIfAny,
  campaign_type: z.enum(PROJECT_TYPES, { error: 'must be Survey or Content' }).default('Survey'),
  status: NewStatus,
  /** The requester; it must be the caller. */
  user_id: IdIfAny,
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
