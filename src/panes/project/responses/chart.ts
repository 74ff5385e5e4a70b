import { withCodes } from '../../../../contract/questionCode.ts'
import type { QuestionHead, QuestionResponses, ResponseBase } from '../../../../contract/responses.ts'

export type Bases = ResponseBase
export type Chart = QuestionResponses
/** An answer of a chart: completes that gave it, in all and by gender and age (8 or 'unknown' if not stated). */
export type Answer = Pick<Chart['rows'][number], 'label' | 'value' | 'gender' | 'age'>
export type Numbers = Pick<NonNullable<Chart['figures']>, 'mean' | 'median' | 'bins'>

/**
 * A question as the screen lists it; `code` is what people call it: "Q7", "P1" of a profile question.
 * Questions of different projects that are `same` stand side by side.
 */
export type Question = QuestionHead & { code: string; id: string; same: string }

/** True for a sum among the answers, which is no answer (screens-projects.md). */
export const isTotal = (label: string): boolean => label.trim().toLowerCase() === 'total'

/** The questions of an answer, with their codes; a text that is asked twice is two questions. */
export function questionsOf(heads: readonly QuestionHead[]): Question[] {
  const seen = new Map<string, number>()
  return withCodes(heads).map((head) => {
    const words = `${head.answer_type} ${head.title.trim().toLowerCase().replace(/\s+/g, ' ')}`
    const nth = (seen.get(words) ?? 0) + 1
    seen.set(words, nth)
    return { ...head, id: String(head.question_id), same: nth > 1 ? `${nth} ${words}` : words }
  })
}

/** True if a question's code or text, or one of its known answers, contains every word. */
export function matches({ code, title }: Pick<Question, 'code' | 'title'>, answers: readonly string[], search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return [`${code} ${title}`, ...answers].some((text) => words.every((word) => text.toLowerCase().includes(word)))
}

const TYPES: Readonly<Record<QuestionHead['answer_type'], string>> = {
  single: 'One answer',
  multiple: 'More than one answer possible',
  number: 'Number',
  open: 'Open answers',
}
/** How a question is answered, in words. */
export const typeText = ({ answer_type, several }: Pick<QuestionHead, 'answer_type'> & { several?: boolean }): string =>
  TYPES[answer_type === 'single' && several ? 'multiple' : answer_type]

/** True for a question whose answers are bars: it can be crossed with another one. */
export const isClosed = ({ answer_type }: Pick<QuestionHead, 'answer_type'>): boolean =>
  answer_type === 'single' || answer_type === 'multiple'

/** A line of the screen: a question, or a question of the first column that isn't asked here. */
export type Line = { question: Question; gap?: false } | { question: Question; gap: true }

/**
 * The questions in the first column's order, with gaps for those asked only there, then those asked only here.
 * The first column itself, with a null `first`, ends with gaps for what only `others` ask.
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
