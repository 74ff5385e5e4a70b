import { z } from 'zod'
import { call, Id, listOf, Many, one, Search } from './call.ts'
import { AnswerType, QuestionType } from './enums.ts'
import { numbered } from './listInput.ts'
import { PAGE } from './pages.ts'
import { runtimeBase as base, filters, ofSurvey } from './runtime.ts'
import { CROSSTAB_BY } from './vocabulary.ts'

/** Completes by gender and by age id; 'unknown' and 8 mean not stated. */
const Split = { gender: z.record(z.string(), z.number()), age: z.record(z.string(), z.number()) }

/** The bases of User Responses under the current filters. */
export const ResponseBase = z.object({
  /** All completes. */
  completes: z.number(),
  /** Completes that pass the filters. */
  base: z.number(),
  /** Completes that pass all filters except gender, but are of another or unknown gender. */
  other_off: z.number(),
  unknown_off: z.number(),
  /** Completes that pass all filters except gender (in `gender`) or except age (in `age`). */
  ...Split,
})
export type ResponseBase = z.infer<typeof ResponseBase>

const head = {
  /** The question in the first survey that asks it. */
  question_id: z.number(),
  /** This question and its equals in the family's other surveys: same text, type and answers. */
  question_ids: z.array(z.number()),
  survey_id: z.number(),
  survey_ids: z.array(z.number()),
  /** Its position in the questionnaire, from 1; null for profile and reward questions. */
  number: z.number().nullable(),
  title: z.string(),
  question_type: QuestionType,
  answer_type: AnswerType,
  vendor_key: z.string(),
  /** The survey no longer asks it. */
  retired: z.boolean(),
}
/** A question of User Responses without its answers. */
export const QuestionHead = z.object(head)
export type QuestionHead = z.infer<typeof QuestionHead>

/** Statistics of a number question; `bins` are ten of equal width, the last including its upper end. */
export const NumberFigures = z.object({
  mean: z.number(),
  median: z.number(),
  least: z.number(),
  most: z.number(),
  bins: z.array(z.object({ from: z.number(), to: z.number(), count: z.number(), percent: z.number(), ...Split })),
  /** How many answers aren't numbers. */
  unreadable: z.number(),
})
export type NumberFigures = z.infer<typeof NumberFigures>

/** A question's answers under the filters. The figures don't include a "Total" row. */
export const QuestionResponses = z.object({
  ...head,
  /** Completes with an answer, the base of the shares. */
  answered: z.number(),
  /** Completes that pass the filters but gave no answer. */
  skipped: z.number(),
  /** Answers given; more than `answered` if a complete can give several. */
  total: z.number(),
  /** True if a complete gave several answers, or may. */
  several: z.boolean(),
  /** The question's answers in their order, then others by count; at most a hundred. */
  rows: z.array(
    z.object({
      label: z.string(),
      value: z.number(),
      /** Percent of `answered`, with one decimal. */
      percent: z.number(),
      /** True for an answer of the question's own list. */
      offered: z.boolean(),
      ...Split,
    }),
  ),
  /** How many other answers aren't in `rows`. */
  more: z.number(),
  /** `answered` by gender and by age. */
  ...Split,
  /** Statistics of a number question with answers, otherwise null. */
  figures: NumberFigures.nullable(),
})
export type QuestionResponses = z.infer<typeof QuestionResponses>

/** A question crossed with another one or a demographic: counts, and shares by column. */
export const Crosstab = z.object({
  question: QuestionHead,
  /** The question of the columns; null for a demographic. */
  by_question: QuestionHead.nullable(),
  by: z.string(),
  /** The columns' title: the demographic's label, or the question's text. */
  by_label: z.string(),
  /** Completes that answered the question, and the columns' question if there is one. */
  base: z.number(),
  columns: z.array(
    z.object({
      value: z.string(),
      label: z.string(),
      /** Completes in the column that answered the question. */
      base: z.number(),
      /** The mean of a number question in this column, otherwise null. */
      mean: z.number().nullable(),
    }),
  ),
  rows: z.array(
    z.object({
      label: z.string(),
      count: z.number(),
      percent: z.number(),
      /** One cell a column; `percent` is of the column's base. */
      cells: z.array(z.object({ count: z.number(), percent: z.number() })),
    }),
  ),
  /** How many row and column answers are beyond the hundred shown. */
  more: z.object({ rows: z.number(), columns: z.number() }),
})
export type Crosstab = z.infer<typeof Crosstab>

/** An open answer and how many completes gave it; `masked` if an address or number in it is hidden. */
export const OpenAnswer = z.object({ text: z.string(), count: z.number(), percent: z.number(), masked: z.boolean() })
export type OpenAnswer = z.infer<typeof OpenAnswer>

const questions = Many.transform((ids, context) => {
  const wrong = ids.find((id) => !/^[1-9]\d{0,9}$/.test(id))
  if (wrong !== undefined) context.addIssue({ code: 'custom', message: `must be ids of questions, not "${wrong.slice(0, 40)}"` })
  return [...new Set(ids.map(Number))]
})
  .optional()
  .meta({ description: 'Ids of the questions in sight; without it all.' })
/** A second question's id, or one of CROSSTAB_BY. */
const by = z
  .union([z.string(), z.number()])
  .transform((input) => String(input).trim().toLowerCase())
  .refine(
    (input) => CROSSTAB_BY.some(({ value }) => value === input) || /^[1-9]\d{0,9}$/.test(input),
    `must be a question's id or one of ${CROSSTAB_BY.map(({ value }) => value).join(', ')}`,
  )

/** What an export of User Responses includes: all or some questions of a survey or project, under filters. */
export const ResponseExportInput = z.object({
  survey_id: Id.optional(),
  project_id: Id.optional(),
  scope: z.enum(['survey', 'project']).default('survey'),
  questions,
  ...filters,
})

/** User Responses: answers by question, crosstabs, open answers (screens-projects.md). */
export const responseCalls = {
  'runtime.questions': call({
    method: 'GET',
    path: `${base}/response_questions`,
    about:
      'Lists the questions of User Responses without their answers, in the order of the questionnaire, and the base of the filters.',
    input: ofSurvey,
    output: listOf(QuestionHead).extend({ base: ResponseBase }),
  }),
  'runtime.userResponses': call({
    method: 'GET',
    path: `${base}/user_responses`,
    about: 'Counts answers by question under filters, with bases; `questions` limits it to some.',
    input: ofSurvey.extend({ questions }),
    output: listOf(QuestionResponses).extend({ base: ResponseBase }),
  }),
  'runtime.crosstab': call({
    method: 'GET',
    path: `${base}/crosstab`,
    about:
      'Crosses a question with another one, or with age, gender, income, ethnicity, marital_status or children, with column bases.',
    input: ofSurvey.extend({ question: Id, by }),
    output: one(Crosstab),
  }),
  'runtime.openAnswers': call({
    method: 'GET',
    path: `${base}/open_answers`,
    about:
      "Lists a question's answers as texts, most frequent first, 50 a page; for client users addresses and phone numbers are masked.",
    input: ofSurvey.extend({ question: Id, search: Search, ...numbered(PAGE.rewards) }),
    output: listOf(OpenAnswer).extend({ answered: z.number() }),
  }),
} as const
