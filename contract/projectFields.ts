import { activityFields } from './activityFields.ts'
import { FIGURES } from './answer.ts'
import { field, omit, pick } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'
import { detailFields, listedFields } from './recordFields.ts'
import { ACCEPTED_STATUSES, readStatus, SPELLING, STATUSES, type Status } from './status.ts'
import { PROJECT_TYPES, PROVIDERS } from './vocabulary.ts'

/** Formats a stored status, and tells apart the three that are all shown as Pending. */
export const statusWords = (status: string): string => {
  const stored = readStatus(status)
  if (!stored) return status
  const steps: Partial<Record<Status, string>> = { requirements: 'requirements', pricing: 'on quote', submit_approval: 'quoted' }
  return steps[stored] ? `${SPELLING[stored].shown}: ${steps[stored]}` : SPELLING[stored].shown
}
const [minutesLeast, minutesMost, minutesWrong] = FIGURES.loi_minutes
const [incidenceLeast, incidenceMost, incidenceWrong] = FIGURES.incidence

/** The fields of a project, in the editor's order. */
export const projectFields = {
  name: field.name('Project name', { required: MESSAGES.projectName, searched: true, older: ['name', 'campaign_name'] }),
  status: field.choice('Status', {
    required: MESSAGES.projectStatus,
    wrong: `is not a status. Accepted: ${ACCEPTED_STATUSES}`,
    menu: true,
    placeholder: 'Choose a status',
    options: STATUSES.map((status) => ({ value: status, label: statusWords(status) })),
  }),
  reason: field.text('Reason', { lines: 2, max: 2000 }),
  goal: field.integer('Goal', {
    column: 'ordered',
    required: MESSAGES.projectGoal,
    about: 'Completes ordered for this project alone.',
    example: 500,
    min: 1,
    max: 10_000_000,
    unit: 'completes',
  }),
  client_id: field.record('Client', { of: 'client', required: 'is required' }),
  parent_id: field.record('Parent project', { of: 'project', nullable: true, placeholder: 'None' }),
  start_dt: field.day('Start date', { short: 'Start', required: MESSAGES.projectStart, older: ['start_date'] }),
  end_dt: field.day('End date', { short: 'End', required: MESSAGES.projectEnd, older: ['end_date'] }),
  loi_minutes: field.integer('Length of interview', {
    short: 'Expected length',
    column: 'expected_loi_minutes',
    detail: true,
    min: minutesLeast,
    max: minutesMost,
    wrong: minutesWrong,
    example: 23,
    unit: 'minutes',
    nullable: true,
    hint: 'If known.',
  }),
  incidence: field.percent('Incidence', {
    short: 'Expected incidence',
    about: 'Percentage of the screened who qualify.',
    column: 'expected_incidence',
    detail: true,
    min: incidenceLeast,
    max: incidenceMost,
    wrong: incidenceWrong,
    example: 41,
    nullable: true,
    hint: 'If known.',
  }),
  campaign_type: field.choice('Type', {
    usual: 'Survey',
    menu: true,
    options: PROJECT_TYPES.map((type) => ({ value: type, label: type })),
  }),
  survey_url: field.url('Survey URL', {
    usual: '',
    wrong: 'must be a web address (https://…)',
    placeholder: 'https://',
    older: ['survey_url', 'survey_link'],
  }),
  partner_id: field.choice('Reward provider', {
    column: 'provider_id',
    menu: true,
    nullable: true,
    placeholder: 'None',
    options: PROVIDERS,
    older: [],
  }),
  description: field.text('Description', { usual: '', lines: 2, max: 10_000 }),
  requirements: field.text('Requirements', {
    about: 'What the client asks for.',
    example: 'Shoppers of breakfast cereal',
    usual: '',
    lines: 2,
    max: 10_000,
    older: [],
  }),
}
/** Those that a project's row holds; a status moves by rules of its own, with a reason. */
export const storedFields = omit(projectFields, 'status', 'reason')
/** Of these, what lists have, and what only the read of one project has. */
export const [rowFields, readFields] = [listedFields(storedFields), detailFields(storedFields)]

/** The fields of an activity that the project's editor shows with it, which judges them itself. */
export const editedActivityFields = {
  activity_name: activityFields.name,
  about: { ...activityFields.about, label: 'Activity description', lines: 2 },
  ...pick(activityFields, 'activity_type', 'action_type', 'social_type', 'social_text', 'social_link'),
  url: { ...activityFields.url, label: 'Activity URL' },
}
