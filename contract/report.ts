import { z } from 'zod'
import { Allowed, CivilDate, call, Effected, EffectSentence, Flag, Id, Lock, one, Search, Text, wholeNumber } from './call.ts'
import { JobStatus, orEmpty, QuestionType, termOf } from './enums.ts'
import { createShape } from './fieldInput.ts'
import { numbered } from './listInput.ts'
import { MESSAGES } from './messages.ts'
import { COLUMN_TYPES, type ColumnType, REPORT_COLUMNS, REPORT_PAGE } from './reportTypes.ts'
import { filters } from './runtime.ts'
import { templateFields } from './savedFields.ts'
import { ANSWERS_IN } from './severalTexts.ts'

const TYPES = ['', ...COLUMN_TYPES.map(({ value }) => value)] as ['', ...ColumnType[]]

const ColumnTypeText = termOf([{ value: '', label: 'The answer itself' }, ...COLUMN_TYPES])

/** A column of a project's client report. */
export const ReportColumn = z.object({
  /** Null until the project saves its report. */
  id: z.number().nullable(),
  project_id: z.number(),
  survey_id: z.number().nullable(),
  /** Null for a column of the respondent's record: id, dates, times, place, demographics. */
  question_id: z.number().nullable(),
  /** The question's text, or a description of the record's column. */
  question_def: z.string(),
  /** survey, profile or reward; empty if the column has no question. */
  question_type: orEmpty(QuestionType),
  column_key: z.string(),
  column_name: z.string(),
  column_type: ColumnTypeText,
  column_custom_definition: z.string(),
  should_include: z.number(),
  /** Its position in the file, from 1. */
  order: z.number(),
  /** The first three values as the file will have them. */
  examples: z.array(z.string()),
  /** Three values that don't match its type, if most of the sampled ones don't. */
  misfits: z.array(z.string()),
  /** Its question was removed from the survey. */
  gone: z.boolean(),
  lock_version: z.number(),
})
export type ReportColumn = z.output<typeof ReportColumn>

/** A column in a template: matched by its key, or by its question's text. */
export const TemplateColumn = z.object({
  column_key: z.string(),
  question_def: z.string(),
  column_name: z.string(),
  column_type: ColumnTypeText,
  column_custom_definition: z.string(),
  should_include: z.number(),
})
export type TemplateColumn = z.output<typeof TemplateColumn>

export const ReportTemplate = z.object({
  id: z.number(),
  name: z.string(),
  /** Null if it applies to every client. */
  client_id: z.number().nullable(),
  client_name: z.string(),
  columns: z.array(TemplateColumn),
  created_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
})
export type ReportTemplate = z.output<typeof ReportTemplate>

/** A column in a save: identified by its key or question, with the fields to change. */
const Sent = z.looseObject({
  column_key: z.string().max(100).optional(),
  question_id: Id.nullish(),
  survey_id: Id.nullish(),
  question_def: z.string().max(20_000).optional(),
  column_name: z
    .string({ error: MESSAGES.questionName })
    .trim()
    .min(1, MESSAGES.questionName)
    .max(500, 'takes 500 characters at most')
    .optional(),
  column_type: z.preprocess((input) => (input === null ? '' : input), z.enum(TYPES).optional()),
  column_custom_definition: Text.max(5000).optional(),
  should_include: Flag.optional(),
  include_in_report: Flag.optional(),
  order: wholeNumber(z.number().int().min(1).max(REPORT_COLUMNS)).optional(),
  lock_version: Lock,
})
export type SentColumn = z.output<typeof Sent>

/** The respondents in a report: completes or all outcomes, days in the display zone, and the Overview's filters. */
const reportFilters = {
  outcomes: z.enum(['completes', 'all']).default('completes'),
  from: CivilDate.optional(),
  to: CivilDate.optional(),
  ...filters,
}
/** How the file has several answers: quoted in one cell where they need it, or in a column for each option. */
export const AnswersInput = z.enum(ANSWERS_IN.map(({ value }) => value)).default('cell')
export const ReportInput = z.object({ project_id: Id, answers: AnswersInput, ...reportFilters })

const Begun = z.object({
  job_id: z.number(),
  /** Opens the file until 15 minutes after the job ends; returns 202 with Retry-After until it is ready. */
  report_download_link: z.string(),
  title: z.string(),
  message: EffectSentence,
})
const format = z.enum(['csv', 'xlsx']).default('csv')

export const reportCalls = {
  'report.questions': call({
    method: 'GET',
    path: '/v3/portal/reports/get_client_reporting_questions',
    about:
      'Lists the columns of a project’s client report in order, 200 a page; the default ones until the project has saved its own. With survey_id, those of one survey.',
    input: z.object({
      project_id: Id.optional(),
      survey_id: Id.optional(),
      // A report is edited and saved as a whole, so one page may have all of its columns.
      ...numbered(REPORT_PAGE, REPORT_COLUMNS),
      search: Search,
      only: z.enum(['all', 'included']).default('all'),
    }),
    output: z.object({
      data: z.array(ReportColumn),
      count: z.number(),
      page: z.number(),
      project_id: z.number(),
      project_name: z.string(),
      client_id: z.number(),
      client_name: z.string(),
      /** False before the project first saves its report. */
      saved: z.boolean(),
      /** The number of all columns, and of those in the file. */
      columns: z.number(),
      included: z.number(),
      /** The number of completes, and the estimated size of their file in bytes. */
      rows: z.number(),
      bytes: z.number(),
      has_survey: z.boolean(),
      /** Survey questions that the saved report doesn't have. */
      missing: z.array(z.object({ question_id: z.number(), question_def: z.string() })),
    }),
  }),
  'report.templates': call({
    method: 'GET',
    path: '/v3/portal/reports/get_client_reporting_templates',
    about: 'Lists saved sets of report columns; with client_id those for every client and for that one.',
    input: z.object({ client_id: Id.optional() }),
    output: z.object({ data: z.array(ReportTemplate), count: z.number(), page: z.number() }),
  }),
  'report.save': call({
    method: 'POST',
    path: '/v3/portal/reports/add_questions_to_cache',
    about:
      'Saves columns of a project’s client report: the sent ones change, those with an order move there, the others keep theirs.',
    undo: true,
    input: z.object({ project_id: Id, questions: z.array(Sent).min(1).max(REPORT_COLUMNS) }),
    output: z.object({
      data: z.array(ReportColumn),
      saved: z.number(),
      message: EffectSentence,
      ignored: z.array(z.string()).optional(),
    }),
    refreshes: ['history'],
  }),
  'report.createTemplate': call({
    method: 'POST',
    path: '/v3/portal/reports/templates',
    about: 'Saves the columns of a project’s client report as a template, for every client or for one.',
    undo: true,
    input: z.object({
      project_id: Id,
      ...createShape(templateFields),
      client_id: Id.nullish(),
    }),
    output: one(ReportTemplate).extend({ message: EffectSentence }),
  }),
  'report.removeTemplate': call({
    method: 'DELETE',
    path: '/v3/portal/reports/templates/{id}',
    about: 'Deletes a template; reports that used it keep their columns.',
    undo: true,
    input: z.object({ id: Id }),
    output: Effected,
  }),
  'report.datamap': call({
    method: 'POST',
    path: '/v3/portal/reports/create_question_datamap',
    about: 'Writes what each column of a client report holds to a file, in a job.',
    passing: true,
    input: z.object({ project_id: Id, format }),
    output: Begun,
    refreshes: ['job', 'history'],
  }),
  'report.export': call({
    method: 'POST',
    path: '/v3/portal/reports/export_client_reporting',
    about: 'Writes a project’s client report to a file, one row per respondent, in a job.',
    passing: true,
    input: z.object({ project_id: Id, format, answers: AnswersInput, ...reportFilters }),
    output: Begun,
    refreshes: ['job', 'history'],
  }),
  'report.download': call({
    method: 'GET',
    path: '/v3/portal/reports/download/{signed}',
    as: 'stream',
    media: ['*/*'],
    accepted: z.object({ message: z.string(), job_id: z.number(), status: JobStatus, done: z.number(), total: z.number() }),
    secretPath: true,
    about: 'Returns a report’s file by its signed link; 202 with the progress while it is being written.',
    input: z.object({ signed: z.string().max(500) }),
    output: z.unknown(),
  }),
} as const
