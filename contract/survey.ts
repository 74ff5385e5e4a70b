import { z } from 'zod'
import { Allowed, call, Flag, Id, listOf, one } from './call.ts'
import { crudCalls } from './crudCalls.ts'
import { StoredStatus } from './enums.ts'
import { createShape, editShape, needing } from './fieldInput.ts'
import { omit } from './fieldKinds.ts'
import { recordShape } from './fieldRecord.ts'
import { listInput } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { MESSAGES } from './messages.ts'
import { Warnings } from './projectInput.ts'
import { QuestionRows } from './question.ts'
import { BUCKETS } from './status.ts'
import { newSurveyFields, surveyFields } from './surveyFields.ts'
import { whenObject } from './whenObject.ts'

/** A survey as lists and details show it. */
export const Survey = z.object({
  id: z.number(),
  /** `source_file_id` is the file from which a refresh reads questions. */
  ...recordShape(omit(surveyFields, 'questions_count')),
  project_id: z.number(),
  /** The specification's name for `project_id`. */
  survey_project_id: z.number(),
  project_name: z.string(),
  project_status: StoredStatus,
  client_id: z.number(),
  client_name: z.string(),
  activity_name: z.string(),
  /** Counted if the survey has questions of its own (`own_questions`), otherwise as entered. */
  questions_count: z.number(),
  own_questions: z.number(),
  completes: z.number(),
  /** Respondents of every outcome. */
  responses: z.number(),
  source_file_name: z.string(),
  /** When its questions were last compared with the source. */
  refreshed_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
})
export type Survey = z.infer<typeof Survey>

const columns = sortsOf('survey')
const yesNo = z.enum(['', 'yes', 'no']).default('')
const ListInput = z.object({
  ...listInput(columns),
  vendor: z.string().trim().max(surveyFields.survey_vendor.max).default(''),
  has_link: yesNo,
  has_questions: yesNo,
  /** `no`: surveys without an activity. */
  activity: yesNo,
  /** The project's status, with the filter values of project lists. */
  status: z.enum(['', ...BUCKETS.map(({ value }) => value)]).default(''),
  project_id: Id.optional(),
})

const plain = crudCalls('survey', {
  at: '/v3/portal/surveys',
  record: Survey,
  create: {
    ...createShape(newSurveyFields),
    project_id: Id.optional(),
    survey_project_id: Id.optional(),
    activity_id: Id.optional(),
    questions: QuestionRows.optional(),
    /** Replaces the survey that the activity has now. */
    replace: Flag.optional(),
  },
  edit: { ...editShape(surveyFields), replace: Flag.optional() },
  refreshes: { create: ['project', 'activity', 'question'], edit: ['project', 'activity'], remove: ['project', 'activity'] },
  about: {
    get: 'Returns one survey.',
    create:
      'Adds a survey to a project, linked to an activity and with its questions in one write. It needs a link or a file, and an ID where a vendor is named.',
    edit: 'Changes a survey: only the fields that are sent. Its question count is the number of its questions once it has any.',
    remove: 'Deletes a survey softly; one with responses stays.',
  },
})
/**
 * A new survey with its rules across fields: a link or a file, a vendor's ID, and questions.
 * It is of an activity, which names its project (projects-area 5, people-area 5), or of a project that has none.
 */
const NewSurvey = needing(
  plain['survey.create'].input.refine((form) => form.activity_id || form.project_id || form.survey_project_id, {
    path: ['activity_id'],
    message: MESSAGES.chooseActivity,
    when: whenObject,
  }),
  newSurveyFields,
)

/** Surveys of projects; question.ts has their questions. */
export const surveyCalls = {
  ...plain,
  'survey.create': { ...plain['survey.create'], input: NewSurvey },
  'survey.edit': { ...plain['survey.edit'], output: plain['survey.edit'].output.extend({ warnings: Warnings }) },
  'survey.list': call({
    method: 'GET',
    path: '/v3/portal/surveys/all',
    about: 'Lists surveys by search and filter, last changed first, 10 a page.',
    input: ListInput,
    output: listOf(Survey),
  }),
  'survey.vendors': call({
    method: 'GET',
    path: '/v3/portal/surveys/vendors',
    about: 'Lists the vendors of all surveys by name, with how many surveys each has.',
    input: z.object({}),
    output: listOf(z.object({ name: z.string(), surveys: z.number() })),
  }),
  'survey.length': call({
    method: 'GET',
    path: '/v3/portal/surveys/{id}/length',
    about:
      "Returns the median length of a survey's interviews in seconds, over the completes that have a start and took at most 12 hours; `left_open` counts the longer ones.",
    input: z.object({ id: Id }),
    output: one(z.object({ median_seconds: z.number().nullable(), timed: z.number(), left_open: z.number() })),
  }),
  'survey.checkLink': call({
    method: 'GET',
    path: '/v3/portal/surveys/{id}/link_check',
    about: 'Checks the survey’s link now: its HTTP status after redirects, or why there is none.',
    input: z.object({ id: Id }),
    output: one(z.object({ status: z.number().nullable(), trouble: z.string(), at: z.string() })),
  }),
  'survey.ofActivity': call({
    method: 'GET',
    path: '/v3/portal/activities/{id}/survey',
    about: "Returns an activity's survey; null without one.",
    input: z.object({ id: Id }),
    output: one(Survey.nullable()),
  }),
  'survey.ofProject': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/surveys',
    about: "Lists a project's surveys.",
    input: z.object({ id: Id }),
    output: listOf(Survey),
  }),
} as const
