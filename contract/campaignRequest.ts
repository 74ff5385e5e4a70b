import { z } from 'zod'
import { chosen, Demographics, OlderAudience } from './audience.ts'
import { CivilDate, Id } from './call.ts'
import { createShape } from './fieldInput.ts'
import { pick } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'
import { readWhole, wholeFault } from './money.ts'
import { NewStatus } from './projectInput.ts'
import { requestFields } from './requestFields.ts'
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
/** Fields of a request under the older call's names. */
const olderNames = {
  campaign_name: requestFields.name,
  start_date: requestFields.start_dt,
  survey_url: requestFields.url,
  ...pick(requestFields, 'loi_minutes', 'incidence', 'description', 'requirements'),
}
const Fields = z.object({
  ...createShape(olderNames),
  /** Defaults to seven days after the start (decisions.md 9). */
  end_date: z.union([blank, CivilDate], { error: 'is not a date (YYYY-MM-DD)' }).optional(),
  num_completed_actions: z.union([z.string(), z.number()], { error: MESSAGES.projectGoal }).transform((input, context) => {
    const goal = readWhole(input)
    if (typeof goal === 'number' && Number.isInteger(goal) && goal >= 1 && goal <= 10_000_000) return goal
    const message = String(input).trim() === '' ? MESSAGES.projectGoal : wholeFault('must be a positive whole number', input)
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }),
  age_range: chosen(Demographics.age, MESSAGES.oneAge),
  gender: z.preprocess(everyGender, chosen(Demographics.gender, MESSAGES.oneGender)),
  targeted_location: chosen(audience.targeted_location.unwrap(), MESSAGES.oneMarket),
  hhi_range: audience.hhi_range,
  ethnicity_range: audience.ethnicity_range,
  marital_status_range: audience.marital_status_range,
  presence_of_children_range: audience.presence_of_children_range,
  location_based_ind: z.union([blank, audience.location_based_ind.unwrap()], { error: 'must be yes or no' }).optional(),
  /** Optional for users of one client. */
  client_id: z.union([blank, Id], { error: 'must be a number' }).optional(),
  parent_id: z.union([blank, Id], { error: 'must be a number' }).optional(),
  campaign_type: z.enum(PROJECT_TYPES, { error: 'must be Survey or Content' }).default('Survey'),
  status: NewStatus,
  /** The requester; it must be the caller. */
  user_id: z.union([blank, Id], { error: 'must be a number' }).optional(),
  /** Ids of files uploaded beforehand. */
  file_ids: z.array(Id).max(100).default([]),
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
