import { isAnswered } from '../commands/commandQuestions.ts'
import { commandOf } from '../commands/table.ts'
import { personalPart, setPersonalPart } from '../data/personalStorage.ts'
import { currentMe } from '../data/session.ts'
import type { Invocation } from './runnerState.ts'

/** The most texts stored per question. */
const MOST_TEXTS = 5
/** The most questions with texts; the least recently answered one is dropped first. */
const MOST_QUESTIONS = 60
const LONGEST = 500

/** A question's texts, latest first. */
type Entry = readonly [question: string, texts: readonly string[]]

const nameOf = (command: string, question: string) => `${command} ${question}`

function entries(): readonly Entry[] {
  const kept = personalPart('reasons', currentMe().id)
  return Array.isArray(kept) ? (kept as Entry[]) : []
}

/** Returns the texts this user gave to a command's question before, latest first. */
export function reasonsFor(command: string, question: string): readonly string[] {
  const found = entries().find(([name]) => name === nameOf(command, question))
  return found?.[1].filter((text) => typeof text === 'string') ?? []
}

/** Stores the reasons and notes of a command for the next time. */
export function rememberReasons({ id, answers }: Pick<Invocation, 'id' | 'answers'>): void {
  const asks = Object.entries(commandOf(id).asks ?? {})
  const answered = asks.flatMap(([key, ask]): [string, string][] => {
    const text = ask.type === 'text' && ask.recalls && isAnswered(answers[key]) ? String(answers[key]).trim() : ''
    return text && text.length <= LONGEST ? [[key, text]] : []
  })
  if (!answered.length) return
  const mine = answered.map(([key, text]): Entry => {
    const before = reasonsFor(id, key).filter((one) => one !== text)
    return [nameOf(id, key), [text, ...before].slice(0, MOST_TEXTS)]
  })
  const names = new Set(mine.map(([name]) => name))
  const others = entries().filter(([name]) => !names.has(name))
  setPersonalPart('reasons', currentMe().id, [...mine, ...others].slice(0, MOST_QUESTIONS))
}
