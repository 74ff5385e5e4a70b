import { field } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'
import { QUESTION_LIMITS } from './questionRules.ts'
import { DATA_MAP_FILES } from './vocabulary.ts'

/** The fields of a survey; it needs a link or a file (people-area 5). */
export const surveyFields = {
  name: field.name('Name', { required: MESSAGES.surveyName, searched: true }),
  survey_link: field.url('Survey link', {
    usual: '',
    wrong: 'needs an address that begins with http:// or https://',
    placeholder: 'https://',
    hint: 'Where respondents take it. A file works too.',
    about: true,
    where: 'without source_file_id',
    needed: ({ source_file_id }) => (source_file_id?.length ? null : MESSAGES.surveyLink),
  }),
  source_file_id: field.file('File', {
    nullable: true,
    named: 'source_file_name',
    types: [...DATA_MAP_FILES, 'xls', 'pdf', 'doc', 'docx'],
    hint: 'A data map (CSV, XLSX or JSON) fills in the questions; a document (pdf, doc, docx) is kept. Under 10 MB.',
    about: true,
    where: 'without survey_link',
    needed: ({ survey_link }) => (survey_link ? null : MESSAGES.surveyFileOrUrl),
  }),
  survey_vendor: field.text('Vendor', {
    about: 'The vendor whose system runs the survey.',
    example: 'decipher',
    max: 100,
    usual: '',
  }),
  vendor_survey_id: field.text('Survey ID', {
    own: true,
    searched: true,
    code: true,
    usual: '',
    hint: 'The vendor’s own ID.',
    example: 'sv_17',
    about: true,
    where: 'with survey_vendor',
    needed: ({ survey_vendor }) => (survey_vendor ? MESSAGES.surveyId : null),
  }),
  questions_count: field.integer('Questions', {
    nullable: true,
    max: 10_000,
    about: 'How many questions there are.',
    hint: 'The number of questions. Counted automatically once you add them here.',
    where: 'without source_file_id and questions',
    needed: ({ source_file_id, questions }) => (source_file_id?.length || questions?.length ? null : MESSAGES.surveyQuestions),
  }),
  activity_id: field.record('Activity', {
    of: 'activity',
    nullable: true,
    placeholder: 'None',
    hint: 'The activity whose responses it counts. Another survey of that activity is unlinked.',
    about: true,
  }),
}
const { activity_id: _, ...own } = surveyFields
/** Those of a new one; its activity is chosen before. */
export const newSurveyFields = {
  ...own,
  questions: field.rows('Questions from a sheet', { most: QUESTION_LIMITS.rows, creates: true }),
}
