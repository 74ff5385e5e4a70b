import { nameKey } from './foldText.ts'
import { MESSAGES } from './messages.ts'
import { splitTexts } from './severalTexts.ts'
import type { Term } from './vocabulary.ts'

/** What a question is about (people-area 3): the survey's subject, the person, or the reward. */
export const QUESTION_TYPES = [
  { value: 'survey', label: 'Survey' },
  { value: 'profile', label: 'Profile' },
  { value: 'reward', label: 'Reward' },
] as const satisfies readonly Term<string>[]
export type QuestionType = (typeof QUESTION_TYPES)[number]['value']

/** How a question is answered. */
export const ANSWER_TYPES = [
  { value: 'single', label: 'Single' },
  { value: 'multiple', label: 'Multiple' },
  { value: 'number', label: 'Number' },
  { value: 'open', label: 'Open' },
] as const satisfies readonly Term<string>[]
export type AnswerType = (typeof ANSWER_TYPES)[number]['value']

/** Filters of a survey's questions. */
export const QUESTION_FILTERS = [
  { value: '', label: 'in use' },
  { value: 'unanswered', label: 'No answers yet' },
  { value: 'retired', label: 'Retired' },
  { value: 'all', label: 'all' },
] as const

/** True for questions whose answers are chosen from a list. */
export const isChosen = (type: AnswerType): boolean => type === 'single' || type === 'multiple'

/** Limits: questions of a paste or data map, answers of a question, and characters of its text and of an answer. */
export const QUESTION_LIMITS = { rows: 500, options: 200, name: 1000, option: 300 } as const

/** Returns what is wrong with answers, by index; empty if nothing is. */
export function optionFaults(options: readonly string[]): Map<number, string> {
  const faults = new Map<number, string>()
  const first = new Map<string, number>()
  for (const [at, option] of options.entries()) {
    const key = nameKey(option)
    if (!key) faults.set(at, 'An answer cannot be blank.')
    else if (key === 'total') faults.set(at, MESSAGES.totalAnswer)
    else if (option.length > QUESTION_LIMITS.option)
      faults.set(at, `An answer needs at most ${QUESTION_LIMITS.option} characters.`)
    else if (first.has(key)) faults.set(at, `“${option.trim()}” is listed twice.`)
    else first.set(key, at)
  }
  return faults
}

/** Says what is wrong with the answers to a question of a type; null if nothing is. */
export function answersFault(answer_type: AnswerType, options: readonly string[]): string | null {
  if (!isChosen(answer_type))
    return options.length ? `${answer_type === 'open' ? 'An open question' : 'A number'} has no answers to choose from.` : null
  if (options.length < 2) return 'A single or multiple choice needs two answers.'
  if (options.length > QUESTION_LIMITS.options) return `A question has at most ${QUESTION_LIMITS.options} answers.`
  return optionFaults(options).values().next().value ?? null
}

const WORDS: Readonly<Record<AnswerType, readonly string[]>> = {
  single: ['single', 'single choice', 'single select', 'radio', 'select one', 'one', 'sc', 'categorical', 'dropdown', 'scale'],
  multiple: ['multiple', 'multi', 'multiple choice', 'multi select', 'checkbox', 'select all', 'many', 'mc', 'checkboxes'],
  number: ['number', 'numeric', 'integer', 'int', 'float', 'decimal', 'num'],
  open: ['open', 'open end', 'open ended', 'text', 'free text', 'verbatim', 'string', 'essay', 'comment', 'oe'],
}
const word = (text: string) => nameKey(text).replace(/[\s_-]+/g, ' ')

/** Returns the answer type that a sheet's word means: "Radio", "multi-select", "Numeric"; undefined if none. */
export const answerTypeOf = (text: string): AnswerType | undefined =>
  ANSWER_TYPES.find(({ value }) => WORDS[value].includes(word(text)))?.value

/** Returns the question type that a sheet's word means; undefined if none. */
export const questionTypeOf = (text: string): QuestionType | undefined =>
  QUESTION_TYPES.find(({ value }) => value === word(text))?.value

/** Splits the answers of one cell by lines, or else by "|"; an answer may be quoted, as exports do. */
export const splitOptions = (text: string): string[] =>
  splitTexts(
    text.trim(),
    text
      .replace(/"[^"]*"/g, '')
      .trim()
      .includes('\n')
      ? '\n'
      : '|',
  )
    .map((option) => option.trim())
    .filter(Boolean)
