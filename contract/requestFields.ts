import { activityFields, wholeFields } from './activityFields.ts'
import { type Fields, field, notBehind, omit, pick, type Texts } from './fieldKinds.ts'
import { ANY_FILE } from './fileFields.ts'
import { dollars } from './format.ts'
import { MESSAGES } from './messages.ts'
import { firstNamed } from './olderFields.ts'
import { DEFAULT_DAYS } from './pacing.ts'
import { projectFields } from './projectFields.ts'
import { audienceFields, marketFields } from './targetFields.ts'
import { CHILD_FILES, PROVIDERS, UPLOAD_TYPES } from './vocabulary.ts'

const { name, goal, start_dt, loi_minutes, incidence, description, requirements, parent_id, partner_id } = projectFields
const endAfter = (days: number) =>
  field.day(projectFields.end_dt.label, { nullable: true, hint: `Defaults to ${days} days after the start.`, about: true })

const [first, second] = PROVIDERS
/** What the second provider pays if nobody says how much, in cents. */
export const usualReward = second.allowed[0]

/** The fields of a new project without an activity. */
export const newProjectFields = {
  client_id: { ...projectFields.client_id, placeholder: MESSAGES.chooseClient },
  company: field.text('Company', { hint: 'Kept in your account.', about: true }),
  parent_id: { ...parent_id, hint: 'Only if it’s part of a larger project.' },
  name,
  goal,
  start_dt: { ...start_dt, against: notBehind('end_dt') },
  end_dt: endAfter(DEFAULT_DAYS.newer),
  loi_minutes,
  incidence,
  description,
  requirements: { ...requirements, hint: 'Saved as a note on the project.' },
  url: field.url('Survey URL', {
    usual: '',
    wrong: 'must be a web address (https://…)',
    hint: 'Or upload the survey as a file, below.',
    placeholder: 'https://',
  }),
  partner_id: { ...partner_id, options: [first, second].map(({ value, label }) => ({ value, label })) },
  /** The second provider pays one of these amounts, in cents. */
  reward_amount_cents: field.choice('Reward amount', {
    menu: true,
    placeholder: dollars(usualReward),
    options: second.allowed.map((cents) => ({ value: cents, label: dollars(cents) })),
    where: 'if partner_id is 600',
    when: (values) => values.partner_id === String(second.value),
    fill: (values) => (values.partner_id === String(second.value) ? String(usualReward) : ''),
    hint: 'Creates a reward of this amount with the project.',
    about: true,
  }),
}

/** The audience and market of a request's activity; its location lists are linked later. */
export const requestedTargetFields = {
  ...audienceFields,
  hhi: { ...audienceFields.hhi, hint: 'Leave empty for any.' },
  ...marketFields,
  location_based: {
    ...marketFields.location_based,
    options: [
      { value: 'yes', label: 'Yes', detail: 'At locations. Link a location list later.' },
      { value: 'no', label: 'No', detail: 'By market area.' },
    ],
  },
  targeted_locations: { ...marketFields.targeted_locations, label: 'Target markets' },
} as const satisfies Fields
const { url, ...project } = newProjectFields
/** The fields of a request: a project and its first activity, with its audience and market. */
export const requestFields = {
  ...project,
  ...pick(activityFields, 'action_type', 'social_type', 'social_link', 'social_text'),
  activity_type: { ...activityFields.activity_type, usual: 'survey' },
  url: { ...url, needed: wholeFields.url.needed, where: 'for a survey without a file' },
  ...requestedTargetFields,
  location_based: { ...requestedTargetFields.location_based, required: 'is required' },
  file_ids: field.files('Files', {
    most: 100,
    types: UPLOAD_TYPES,
    hint: ANY_FILE,
    needed: wholeFields.file_ids.needed,
    where: wholeFields.file_ids.where,
  }),
}
const { when: _, needed: __, where: ___, ...markets } = requestedTargetFields.targeted_locations
const { needed: ____, where: _____, ...olderFiles } = requestFields.file_ids
/** Those of the older forms, which always ask for market areas, with their names in the older call. */
export const olderRequestFields = {
  ...requestFields,
  name: { ...name, older: ['campaign_name'] },
  goal: { ...goal, older: ['num_completed_actions'], wrong: 'must be a positive whole number' },
  end_dt: { ...endAfter(DEFAULT_DAYS.older), older: ['end_date'] },
  requirements: { ...newProjectFields.requirements, older: ['requirements'] },
  activity_type: field.choice('Content or survey', {
    usual: 'survey',
    options: [
      { value: 'survey', label: 'Survey' },
      { value: 'social', label: 'Content' },
    ],
    older: ['campaign_type'],
  }),
  url: {
    ...url,
    older: ['survey_url'],
    where: 'without a file',
    needed: ({ file_ids }: Texts) => (file_ids?.length ? null : MESSAGES.surveyFileOrUrl),
  },
  location_based: { ...requestedTargetFields.location_based, usual: 'no' },
  targeted_locations: { ...markets, required: MESSAGES.oneMarket },
  file_ids: olderFiles,
} as const satisfies Fields
/** What the older call takes of them. */
export const olderCallFields = firstNamed(
  omit(
    olderRequestFields,
    ...(['company', 'partner_id', 'reward_amount_cents', 'action_type', 'social_type', 'social_link', 'social_text'] as const),
  ),
)

/** The fields of a child; without a goal it can't go live. */
export const childFields = {
  name: { ...name, label: 'Name' },
  start_dt,
  end_dt: olderRequestFields.end_dt,
  goal: { ...goal, required: undefined, min: 0, hint: 'Needed before it goes live.' },
  requirements,
  /** The parent or sibling to copy from. */
  copy: field.record('Copy activities and audience from', {
    of: 'project',
    nullable: true,
    placeholder: 'Nothing',
    hint: 'Surveys and files aren’t copied.',
  }),
  file_ids: field.files('Files', {
    most: 100,
    types: CHILD_FILES,
    hint: 'Images and documents (jpg, png, gif, pdf, doc, docx, txt), each under 10 MB.',
  }),
  rows: field.rows('More children', { most: 49 }),
}
