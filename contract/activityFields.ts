import { field, notBehind, type Texts } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'
import { demographicFields, marketFields } from './targetFields.ts'
import { ACTION_TYPES, ACTIVITY_TYPES, acceptedWords, SOCIAL_TYPES } from './vocabulary.ts'

const NONE = { value: '', label: 'None' } as const
const isSocial = ({ activity_type }: Texts) => activity_type === 'social'
const isSurvey = ({ activity_type }: Texts) => activity_type === 'survey'
const acts = ({ activity_type }: Texts) => activity_type === 'photo' || activity_type === 'video'

/** The fields of an activity; its type says which apply (projects-area 9). */
export const activityFields = {
  name: field.name('Activity name', { short: 'Name', required: MESSAGES.activityName }),
  about: field.text('Description', {
    required: MESSAGES.activityAbout,
    lines: 3,
    max: 10_000,
    hint: 'What participants are asked to do.',
    about: true,
    // Activities of earlier releases may.
    mayLack: (activity) => !activity.about,
  }),
  activity_type: field.choice('Activity type', { short: 'Type', required: 'is required', options: ACTIVITY_TYPES }),
  action_type: field.choice('Action type', {
    required: MESSAGES.actionType,
    about: 'What a participant does.',
    menu: true,
    placeholder: 'Choose an action',
    options: [NONE, ...ACTION_TYPES],
    when: acts,
    where: 'if activity_type is photo or video',
    fill: (values) => (acts(values) ? '' : 'nothing'),
  }),
  social_type: field.choice('Social type', {
    usual: '',
    menu: true,
    placeholder: 'Choose where',
    options: [NONE, ...SOCIAL_TYPES],
    wrong: `must be one of ${acceptedWords(SOCIAL_TYPES)}`,
    when: isSocial,
    where: 'if activity_type is social',
  }),
  social_link: field.text('Social link', {
    about: 'The address of the social post.',
    example: 'https://social.example.com/p/4180',
    usual: '',
    max: 2000,
    placeholder: 'https://',
    when: isSocial,
    where: 'if activity_type is social',
  }),
  social_text: field.text('Social text', {
    about: 'The social post’s text.',
    example: 'Have you tried it?',
    usual: '',
    max: 2000,
    lines: 2,
    when: isSocial,
    where: 'if activity_type is social',
  }),
  url: field.url('URL', {
    usual: '',
    wrong: 'must be a web address (https://…)',
    placeholder: 'https://',
    hint: (values) => (isSurvey(values) ? 'Or upload the survey as a file, below.' : ''),
  }),
  start_dt: field.day('Start date', { short: 'Start', nullable: true, against: notBehind('end_dt') }),
  end_dt: field.day('End date', { short: 'End', nullable: true }),
}
export const filesField = field.files('Files', {
  most: 100,
  hint: 'Images, audio and video are saved as graphics, other files as documents. Each under 10 MB.',
})

const filled = (list: unknown) => Array.isArray(list) && list.length > 0
const AUDIENCE = [...(Object.keys(demographicFields) as (keyof typeof demographicFields)[]), 'targeted_locations'] as const
/** True if any field of the audience or market was filled in; otherwise no target is created. */
export const asksAudience = (form: Readonly<Record<string, unknown>>): boolean =>
  Boolean(form.location_based) || AUDIENCE.some((name) => filled(form[name]))

/** The fields of a new activity with its audience, market, survey and files, in one write (projects-area 5). */
export const wholeFields = {
  ...activityFields,
  ...marketFields,
  ...demographicFields,
  age: {
    ...demographicFields.age,
    where: 'if anything of the audience or market is sent',
    needed: (values: Texts) => (asksAudience(values) ? MESSAGES.oneAge : null),
  },
  gender: {
    ...demographicFields.gender,
    where: 'if anything of the audience or market is sent',
    needed: (values: Texts) => (asksAudience(values) ? MESSAGES.oneGender : null),
  },
  /** Instead of a URL or a file. */
  survey_id: field.record('Existing survey', {
    of: 'survey',
    nullable: true,
    placeholder: 'None: create a new survey',
    when: isSurvey,
    where: 'if activity_type is survey',
  }),
  url: {
    ...activityFields.url,
    where: 'for a survey without survey_id and file_ids',
    needed: (values: Texts) =>
      isSurvey(values) && !values.survey_id && !filled(values.file_ids) ? MESSAGES.surveyFileOrUrl : null,
  },
  file_ids: {
    ...filesField,
    where: 'unless activity_type is survey',
    needed: (values: Texts) => (acts(values) || isSocial(values) ? 'Please upload at least one file' : null),
  },
}
