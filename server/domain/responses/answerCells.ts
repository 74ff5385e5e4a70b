import { joinTexts } from '../../../contract/severalTexts.ts'

/** A question whose answers are written to a file. */
export interface AnsweredQuestion {
  name: string
  answer_type: string
  offered: readonly string[]
}
/** A column of a question: its heading, and the text of a respondent's answers. */
export interface AnswerColumn {
  heading: string
  isNumber: boolean
  textOf(answers: readonly string[]): string
}

/**
 * The columns of a question: one with all its answers, of which several are quoted where they could be mistaken.
 * `apart` gives a question of several answers a column for each option, and one for other answers.
 */
export function answerColumns({ name, answer_type, offered }: AnsweredQuestion, apart: boolean): AnswerColumn[] {
  const isNumber = answer_type === 'number'
  const several = answer_type === 'multiple'
  if (!apart || !several)
    return [
      {
        ...{ heading: name, isNumber },
        textOf: (answers) => (several || answers.length > 1 ? joinTexts(answers, ';') : (answers[0] ?? '')),
      },
    ]
  const known = new Set(offered)
  const others = (answers: readonly string[]) => answers.filter((answer) => !known.has(answer))
  return [
    ...offered.map((option) => ({
      ...{ heading: `${name}: ${option}`, isNumber: false },
      // A question that wasn't answered stays empty.
      textOf: (answers: readonly string[]) => (answers.length ? (answers.includes(option) ? 'yes' : 'no') : ''),
    })),
    { heading: `${name}: other answers`, isNumber: false, textOf: (answers) => joinTexts(others(answers), ';') },
  ]
}
