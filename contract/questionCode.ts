import type { QuestionHead } from './responses.ts'

const LETTER: Readonly<Record<string, string>> = { profile: 'P', reward: 'R' }

/** Adds the codes people use: "Q7" by position, "P1" and "R1" for profile and reward questions in turn. */
export function withCodes<T extends Pick<QuestionHead, 'question_type' | 'number'>>(
  heads: readonly T[],
): (T & { code: string })[] {
  const last: Record<string, number> = {}
  return heads.map((head) => {
    const letter = LETTER[head.question_type] ?? 'Q'
    last[letter] = (last[letter] ?? 0) + 1
    return { ...head, code: `${letter}${head.number ?? last[letter]}` }
  })
}
