import { z } from 'zod'
import { Allowed, call, Effected, EffectSentence, Flag, Id, listOf, one, TextOrNumber } from './call.ts'
import { crudCalls } from './crudCalls.ts'
import { AnswerType, FieldCodeName, QuestionType } from './enums.ts'
import { createShape, editShape, needing } from './fieldInput.ts'
import { Job } from './job.ts'
import { listInput } from './listInput.ts'
import { sortsOf, valuesOf } from './lists.ts'
import { questionFields } from './questionFields.ts'
import { QUESTION_LIMITS } from './questionRules.ts'

/** A question; `options` are its answers, empty for number and open questions. */
export const Question = z.object({
  id: z.number(),
  survey_id: z.number(),
  name: z.string(),
  /** Its position among the survey questions, from 1; 0 for profile and reward questions. */
  order: z.number(),
  question_type: QuestionType,
  answer_type: AnswerType,
  options: z.array(z.string()),
  vendor_key: z.string(),
  /** How many completes answered it. */
  answered: z.number(),
  /** When it was deleted after it had answers; charts still show it. */
  retired_at: z.string().nullable(),
  updated_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
})
export type Question = z.infer<typeof Question>

/** A row of a sheet as sent: answers as a list or one text, types as words; `draftsOf` judges it by its fields. */
export const QuestionRow = z.object({
  name: z.string().meta({ maxLength: questionFields.name.max }).default(''),
  question_type: z.string().optional(),
  answer_type: z.string().optional(),
  options: z.union([z.string(), z.array(TextOrNumber)]).optional(),
  vendor_key: z.string().meta({ maxLength: questionFields.vendor_key.max }).optional(),
})
export type QuestionRow = z.input<typeof QuestionRow>
/** The rows of a paste, at most 500. */
export const QuestionRows = z
  .array(QuestionRow)
  .max(QUESTION_LIMITS.rows, `At most ${QUESTION_LIMITS.rows} questions can be added at once.`)

const Fault = z.object({ row: z.number(), field: z.string(), code: FieldCodeName, message: z.string() })
/** One difference from the question source. */
export const Difference = z.object({
  kind: z.enum(['added', 'changed', 'gone']),
  /** The existing question; null if it would be added. */
  id: z.number().nullable(),
  name: z.string(),
  /** What changes, as text: "answers: 5 → 6". */
  changes: z.array(z.string()),
})
export type Difference = z.infer<typeof Difference>
const Comparison = z.object({
  survey_id: z.number(),
  /** Identifies this comparison for the write that applies it. */
  digest: z.string(),
  source: z.string(),
  differences: z.array(Difference),
})

const plain = crudCalls('question', {
  at: '/v3/portal/surveys/questions',
  record: Question,
  create: {
    survey_id: Id,
    /** Without a type, it is a survey question behind the others. */
    ...createShape(questionFields),
  },
  edit: { ...editShape(questionFields), rename_answers: Flag.optional() },
  refreshes: { create: ['survey'], edit: ['survey', 'runtime'] },
  about: {
    get: 'Returns one question.',
    create:
      'Adds a question. One that takes the place of another moves that one down; profile and reward questions have no place.',
    edit: 'Changes a question: only the fields that are sent. Renaming an answer that people gave is a 409 until rename_answers says whether their answers are renamed too.',
  },
})
/** Questions of surveys: the specification's calls, and our own bulk calls. */
export const questionCalls = {
  ...plain,
  'question.create': {
    ...plain['question.create'],
    input: needing(plain['question.create'].input, questionFields),
  },
  'question.list': call({
    method: 'GET',
    path: '/v3/portal/surveys/{id}/questions',
    about: 'Lists the questions of a survey by search and filter, in order: survey, profile, then reward questions.',
    input: z.object({
      id: Id,
      ...listInput(sortsOf('question'), 100),
      type: z.enum(['', ...valuesOf('question', 'question_type')]).default(''),
      answer_type: z.enum(['', ...valuesOf('question', 'answer_type')]).default(''),
      filter: z.enum(['', 'unanswered', 'retired', 'all']).default(''),
    }),
    output: listOf(Question).extend({
      /** Current questions by type. */
      counts: z.object({ survey: z.number(), profile: z.number(), reward: z.number(), retired: z.number() }),
    }),
  }),
  'survey.questions': call({
    method: 'GET',
    path: '/v3/portal/surveys/{id}/questions/{type}',
    about: 'Lists questions of one type in order, without retired ones.',
    input: z.object({ id: Id, type: QuestionType }),
    output: listOf(Question),
  }),
  'question.remove': call({
    method: 'DELETE',
    path: '/v3/portal/surveys/questions',
    about: 'Deletes a question; one with answers is retired instead, and charts keep it.',
    undo: true,
    input: z.object({ id: Id }),
    output: Effected.extend({ retired: z.boolean() }),
    refreshes: ['survey', 'runtime', 'history'],
  }),
  'question.reorder': call({
    method: 'PUT',
    path: '/v3/portal/surveys/{id}/questions/order',
    about: 'Sets the order of the survey questions in one write: the ids of all that are in use.',
    undo: true,
    input: z.object({ id: Id, ids: z.array(Id).min(1).max(2000) }),
    output: Effected.extend({ moved: z.number() }),
    refreshes: ['survey', 'runtime', 'history'],
  }),
  'question.bulk': call({
    method: 'POST',
    path: '/v3/portal/surveys/{id}/questions/bulk',
    about:
      'Adds up to 500 questions in one write, or none: text, type and answers (a list, or a text split by | or line). With dry=1 it says what is wrong by row.',
    undo: true,
    input: z.object({ id: Id, rows: QuestionRows.min(1), question_type: QuestionType.default('survey') }),
    output: z.object({
      data: z.object({ added: z.number(), errors: z.array(Fault), questions: z.array(Question) }),
      message: EffectSentence,
    }),
    refreshes: ['survey', 'runtime', 'history'],
  }),
  'survey.refresh': call({
    method: 'PUT',
    path: '/v3/portal/surveys/refresh_questions/{id}',
    about:
      'Compares the questions with the survey’s question source in a job; nothing is written before the comparison is applied.',
    input: z.object({ id: Id }),
    output: one(Job).extend({ message: EffectSentence }),
    refreshes: ['job'],
  }),
  'survey.comparison': call({
    method: 'GET',
    path: '/v3/portal/surveys/{id}/questions/comparison',
    about: 'Returns how the question source differs from the questions now: added, changed and gone.',
    input: z.object({ id: Id }),
    output: one(Comparison),
  }),
  'survey.applyComparison': call({
    method: 'PUT',
    path: '/v3/portal/surveys/{id}/questions/comparison',
    about: 'Applies the comparison named by its digest; 409 if the source or the questions have changed since.',
    undo: true,
    input: z.object({ id: Id, digest: z.string().max(100) }),
    output: Effected.extend({ added: z.number(), changed: z.number(), gone: z.number() }),
    refreshes: ['question', 'runtime', 'history'],
  }),
} as const
