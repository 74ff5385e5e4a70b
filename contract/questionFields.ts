import { faultOf, field, type Texts } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'
import {
  ANSWER_TYPES,
  type AnswerType,
  answersFault,
  isChosen,
  QUESTION_LIMITS,
  QUESTION_TYPES,
  type QuestionType,
} from './questionRules.ts'

const isPlaced = ({ question_type }: Texts) => question_type === 'survey'

/** The fields of a survey's question; only survey questions have an order, and only choices have answers. */
export const questionFields = {
  name: field.text('Question', {
    own: true,
    required: MESSAGES.surveyQuestionName,
    max: QUESTION_LIMITS.name,
    tooLong: `A question needs at most ${QUESTION_LIMITS.name} characters.`,
    lines: 2,
  }),
  question_type: field.choice('Question type', {
    short: 'Type',
    options: QUESTION_TYPES,
  }),
  answer_type: field.choice('Answer type', { about: 'How a question is answered.', options: ANSWER_TYPES }),
  options: field.lines('Answers', {
    most: QUESTION_LIMITS.options,
    about: 'The answers that a question offers.',
    where: 'if answer_type is single or multiple',
    when: ({ answer_type }) => isChosen(answer_type as AnswerType),
  }),
  order: field.integer('Order', {
    own: true,
    column: 'position',
    max: 10_000,
    hint: 'Its position among the survey questions. Later questions move down.',
    about: 'Its position among the survey questions, from 1; later ones move down. Other questions have 0.',
    when: isPlaced,
    where: 'if question_type is survey',
    needed: (values) => (isPlaced(values) ? MESSAGES.questionOrder : null),
    against: (order, values) => (isPlaced(values) && Number(order) < 1 ? MESSAGES.questionOrder : null),
  }),
  vendor_key: field.text('Vendor key', {
    own: true,
    max: 200,
    code: true,
    usual: '',
    hint: 'The vendor’s name for it, which a refresh matches.',
    about: true,
  }),
}

/** A question as a form or sheet has it. */
export interface QuestionDraft {
  name: string
  question_type: QuestionType
  answer_type: AnswerType
  options: readonly string[]
  /** Its position among survey questions, from 1; null if missing, undefined in a sheet. Others are stored with 0. */
  order?: number | null | undefined
  vendor_key?: string
}
/** What is wrong with a question, by field; `options` names the answer too. */
export type QuestionFaults = Partial<Record<'name' | 'order' | 'options' | 'vendor_key', string>>

/** Checks a question by its type's rules (people-area 5); returns what is wrong by field. */
export function questionFaults({ name, question_type, answer_type, options, order, vendor_key }: QuestionDraft): QuestionFaults {
  const wrong = {
    name: faultOf(questionFields.name, name),
    order: order === undefined ? null : faultOf(questionFields.order, String(order ?? ''), { question_type }),
    options: answersFault(answer_type, options),
    vendor_key: faultOf(questionFields.vendor_key, vendor_key ?? ''),
  }
  return Object.fromEntries(Object.entries(wrong).filter(([, fault]) => fault !== null)) as QuestionFaults
}
