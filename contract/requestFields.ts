import { activityFields } from './activityFields.ts'
import { field, pick } from './fieldKinds.ts'
import { dollars } from './format.ts'
import { DEFAULT_DAYS } from './pacing.ts'
import { projectFields } from './projectFields.ts'
import { CHILD_FILES, PROVIDERS, UPLOAD_TYPES } from './vocabulary.ts'

const { name, goal, start_dt, loi_minutes, incidence, description, requirements, parent_id, partner_id } = projectFields
const endAfter = (days: number) =>
  field.day(projectFields.end_dt.label, { nullable: true, hint: `Defaults to ${days} days after the start.`, about: true })

const [first, second] = PROVIDERS

/** The fields of a new project without an activity. */
export const newProjectFields = {
  client_id: { ...projectFields.client_id, placeholder: 'Choose a client' },
  company: field.text('Company', { hint: 'Kept in your account.', about: true }),
  parent_id: { ...parent_id, hint: 'Only if it’s part of a larger project.' },
  name,
  goal,
  start_dt,
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
    placeholder: '$5.00',
    options: second.allowed.map((cents) => ({ value: cents, label: dollars(cents) })),
    when: (values) => values.partner_id === String(second.value),
    hint: 'Creates a reward of this amount with the project.',
    about: true,
  }),
}

/** The fields of a request: a project and its first activity, besides the audience and market. */
export const requestFields = {
  ...newProjectFields,
  ...pick(activityFields, 'action_type', 'social_type', 'social_link', 'social_text'),
  activity_type: { ...activityFields.activity_type, usual: 'survey' },
  file_ids: field.files('Files', {
    most: 100,
    types: UPLOAD_TYPES,
    hint: 'Images, audio, video and documents, each under 10 MB.',
  }),
}
/** Those of the older forms. */
export const olderRequestFields = { ...requestFields, end_dt: endAfter(DEFAULT_DAYS.older) }

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
