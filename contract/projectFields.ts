import { activityFields } from './activityFields.ts'
import { FIGURES } from './answer.ts'
import { field, pick } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'
import { readStatus, SPELLING, STATUSES, type Status } from './status.ts'
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
  name: field.name('Project name', { required: MESSAGES.projectName }),
  status: field.choice('Status', {
    required: MESSAGES.projectStatus,
    menu: true,
    placeholder: 'Choose a status',
    options: STATUSES.map((status) => ({ value: status, label: statusWords(status) })),
  }),
  reason: field.text('Reason', { lines: 2, max: 2000 }),
  goal: field.integer('Goal', {
    required: MESSAGES.projectGoal,
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    wrong: 'Goal must be a positive whole number',
    unit: 'completes',
  }),
  client_id: field.record('Client', { of: 'client', nullable: true }),
  parent_id: field.record('Parent project', { of: 'project', nullable: true, placeholder: 'None' }),
  start_dt: field.day('Start date', { required: MESSAGES.projectStart }),
  end_dt: field.day('End date', { required: MESSAGES.projectEnd }),
  loi_minutes: field.integer('Length of interview', {
    min: minutesLeast,
    max: minutesMost,
    wrong: minutesWrong,
    unit: 'minutes',
    nullable: true,
    hint: 'If known.',
  }),
  incidence: field.percent('Incidence', {
    min: incidenceLeast,
    max: incidenceMost,
    wrong: incidenceWrong,
    nullable: true,
    hint: 'If known.',
  }),
  campaign_type: field.choice('Type', { menu: true, options: PROJECT_TYPES.map((type) => ({ value: type, label: type })) }),
  survey_url: field.url('Survey URL', { wrong: 'Survey URL must be a web address (https://…)', placeholder: 'https://' }),
  partner_id: field.choice('Reward provider', { menu: true, nullable: true, placeholder: 'None', options: PROVIDERS }),
  description: field.text('Description', { lines: 2, max: 10_000 }),
  requirements: field.text('Requirements', { lines: 2, max: 10_000 }),
}

/** The fields of an activity that the project's editor shows with it, which judges them itself. */
export const editedActivityFields = {
  activity_name: activityFields.name,
  about: { ...activityFields.about, label: 'Activity description', lines: 2 },
  ...pick(activityFields, 'activity_type', 'action_type', 'social_type', 'social_text', 'social_link'),
  url: { ...activityFields.url, label: 'Activity URL' },
}
