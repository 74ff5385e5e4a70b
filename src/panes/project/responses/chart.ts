import { foldedWords, hasWords } from '../../../../contract/fold.ts'
import { withCodes } from '../../../../contract/questionCode.ts'
import type { QuestionHead, QuestionResponses, ResponseBase } from '../../../../contract/responses.ts'

export type Bases = ResponseBase
export type Chart = QuestionResponses
/** An answer of a chart, with its completes in total and by gender and age (8 or 'unknown' if not stated). */
export type Answer = Pick<Chart['rows'][number], 'label' | 'value' | 'percent' | 'gender' | 'age'>
export type Numbers = Pick<NonNullable<Chart['figures']>, 'mean' | 'median' | 'bins'>

/**
 * A question in the list; `code` is its short name: "Q7", or "P1" for a profile question.
 * Questions of compared projects with equal `same` are shown side by side.
 */
export type Question = QuestionHead & { code: string; id: string; same: string }

/** True for a total among the answers (screens-projects.md). */
export const isTotal = (label: string): boolean => label.trim().toLowerCase() === 'total'

/** Numbers a response's questions; a text that is asked twice is two questions. */
export function questionsOf(heads: readonly QuestionHead[]): Question[] {
  const seen = new Map<string, number>()
  return withCodes(heads).map((head) => {
    const words = `${head.answer_type} ${head.title.trim().toLowerCase().replace(/\s+/g, ' ')}`
    const nth = (seen.get(words) ?? 0) + 1
    seen.set(words, nth)
    return { ...head, id: String(head.question_id), same: nth > 1 ? `${nth} ${words}` : words }
  })
}

/** True if the question's code, text or known answers contain every word. */
export function matches({ code, title }: Pick<Question, 'code' | 'title'>, answers: readonly string[], search: string): boolean {
  const words = foldedWords(search)
  return [`${code} ${title}`, ...answers].some((text) => hasWords(text, words))
}

const TYPES: Readonly<Record<QuestionHead['answer_type'], string>> = {
  single: 'One answer',
  multiple: 'More than one answer possible',
  number: 'Number',
  open: 'Open answers',
}
/** Describes a question's answer type. */
export const typeText = ({ answer_type, several }: Pick<QuestionHead, 'answer_type'> & { several?: boolean }): string =>
  TYPES[answer_type === 'single' && several ? 'multiple' : answer_type]

/** True for questions with fixed answers, which can be crossed with each other. */
export const isClosed = ({ answer_type }: Pick<QuestionHead, 'answer_type'>): boolean =>
  answer_type === 'single' || answer_type === 'multiple'

/** A row of the screen: a question, or a gap for one that only the first column asks. */
export type Line = { question: Question; gap?: false } | { question: Question; gap: true }

/**
 * Orders questions like the first column, with gaps for those only it asks, then those only asked here.
 * The first column itself has a null `first`, and ends with gaps for what only `others` ask.
 */
export function lineUp(own: readonly Question[], first: readonly Question[] | null, others: readonly Question[] = []): Line[] {
  if (!first) {
    const known = new Set(own.map(({ same }) => same))
    const missing = others.filter(({ same }) => !known.has(same) && known.add(same))
    return [...own.map((question): Line => ({ question })), ...missing.map((question): Line => ({ question, gap: true }))]
  }
  const left = [...own]
  const lines = first.map((question): Line => {
    const at = left.findIndex(({ same }) => same === question.same)
    return at < 0 ? { question, gap: true } : { question: left.splice(at, 1)[0]! }
  })
  return [...lines, ...left.map((question): Line => ({ question }))]
}
