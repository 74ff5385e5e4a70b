import { showsNothing } from '../../contract/foldText.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { amountFault, readAmount, wholeFault } from '../../contract/money.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import { UPLOAD_LIMIT } from '../../contract/vocabulary.ts'
import type { Availability } from './availability.ts'
import type { Ask, Command, RawAnswers } from './command.ts'
import type { Option, Subject } from './subject.ts'
import type { WorkspaceApi } from './workspaceApi.ts'

/** Returns a question's options for these subjects. */
export const optionsOf = (
  ask: Extract<Ask, { type: 'option' | 'several' }>,
  subjects: readonly Subject[],
  workspace?: WorkspaceApi,
): readonly Option[] => (typeof ask.options === 'function' ? ask.options(subjects, workspace) : ask.options)

/** Returns the kinds of record that answer a question; none for questions about something else. */
export const kindsOfAsk = (ask: Ask): readonly SubjectKind[] =>
  ask.type !== 'entity' && ask.type !== 'entities' ? [] : typeof ask.kind === 'string' ? [ask.kind] : ask.kind

export const isAnswered = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  !(typeof value === 'string' && showsNothing(value)) &&
  !(Array.isArray(value) && !value.length)

/** Returns an answer's error message, or null. */
export function wrongWith(ask: Ask, value: unknown, answers: RawAnswers, subjects: readonly Subject[] = []): string | null {
  if (ask.check && (isAnswered(value) || !ask.optional)) {
    const error = ask.check(String(value ?? ''), answers, subjects)
    if (error) return error
  }
  if (!isAnswered(value)) return ask.optional ? null : missing(ask)
  if (ask.type === 'number') {
    const number = numberIn(value)
    if (number === null)
      return ask.money
        ? amountFault(`${ask.label} must be an amount, such as 12.50`, readAmount(value))
        : wholeFault(`${ask.label} must be a number`, value)
    if (ask.min !== undefined && number < ask.min)
      return ask.money ? `${ask.label} must be more than 0` : `${ask.label} must be at least ${ask.min}`
    if (ask.max !== undefined && number > ask.max) return `${ask.label} can be at most ${ask.max}`
  }
  if (ask.type === 'file') {
    const files = value as readonly File[]
    const refused = files.find(({ name }) => !ask.types.includes(name.split('.').at(-1)!.toLowerCase()))
    if (refused) return `${refused.name}: ${MESSAGES.fileType(ask.types.join(', '))}`
    const large = files.find(({ size }) => size >= UPLOAD_LIMIT)
    if (large) return `${large.name}: ${MESSAGES.fileTooLarge(UPLOAD_LIMIT / 1024 / 1024)}`
  }
  if (ask.type === 'entities') {
    const chosen = (value as readonly number[]).length
    if (ask.min !== undefined && chosen < ask.min) return `${ask.label}: choose at least ${ask.min}`
    if (ask.max !== undefined && chosen > ask.max) return `${ask.label}: choose at most ${ask.max}`
  }
  if (ask.type === 'date' && !/^\d{4}-\d\d-\d\d$/.test(String(value))) return `${ask.label} must be a date, such as 11/24/2026`
  return null
}

/** Reads an answer to a question for a number, of which a link has the digits; null for any other text. */
const numberIn = (value: unknown): number | null =>
  typeof value === 'number' ? value : /^-?\d+(\.\d+)?$/.test(String(value)) ? Number(value) : null

/** Returns the message for a missing answer; a label may be singular, plural or a phrase. */
function missing(ask: Ask): string {
  if (ask.type === 'file') return ask.many ? 'Choose at least one file' : 'Choose a file'
  if (ask.type === 'several' || ask.type === 'entities') return `${ask.label}: choose at least one`
  if (ask.type === 'option' || ask.type === 'entity') return `${ask.label}: choose one`
  return `Enter the ${ask.label.toLowerCase()}`
}

/** Returns the questions to ask, given the answers so far: those whose `when` holds. */
export const promptFor = (command: Command, answers: RawAnswers, subjects: readonly Subject[]): [key: string, ask: Ask][] =>
  Object.entries(command.asks ?? {}).filter(([, ask]) => !ask.when || ask.when(answers, subjects))

/** Returns the initial answers: given ones, then each question's prefill, then its only choice. */
export function initialAnswers(
  command: Command,
  preset: RawAnswers,
  subjects: readonly Subject[],
  workspace?: WorkspaceApi,
): Record<string, unknown> {
  const answers: Record<string, unknown> = { ...preset }
  for (const [key, ask] of promptFor(command, answers, subjects)) {
    if (isAnswered(answers[key])) continue
    const prefilled = ask.prefill?.(subjects, workspace, answers)
    if (isAnswered(prefilled)) answers[key] = prefilled
    else if (ask.type === 'option') {
      const options = optionsOf(ask, subjects, workspace)
      if (options.length === 1) answers[key] = options[0]!.value
    }
  }
  return answers
}

/** Returns the keys of questions without a valid answer. */
export const open = (command: Command, answers: RawAnswers, subjects: readonly Subject[]): string[] =>
  promptFor(command, answers, subjects).flatMap(([key, ask]) => (wrongWith(ask, answers[key], answers, subjects) ? [key] : []))

/** Returns the subjects that the answers exclude, with reasons. */
export function ruledOut(command: Command, subjects: readonly Subject[], answers: RawAnswers): Availability['left'] {
  if (!command.excludes) return []
  return subjects.flatMap((subject) => {
    const reason = command.excludes!(subject, answers as Parameters<typeof command.excludes & {}>[1])
    return reason ? [{ subject, reason }] : []
  })
}

/** Returns the answers after one has changed, with prefills that depend on it, and the keys that changed too. */
export function withFollowing(
  command: Command,
  before: RawAnswers,
  answers: RawAnswers,
  changed: string,
  subjects: readonly Subject[],
  workspace?: WorkspaceApi,
): { answers: Record<string, unknown>; moved: string[] } {
  const next: Record<string, unknown> = { ...answers }
  const moved: string[] = []
  if (before[changed] === answers[changed]) return { answers: next, moved }
  const askedBefore = new Set(promptFor(command, before, subjects).map(([key]) => key))
  for (const [key, ask] of promptFor(command, next, subjects)) {
    const follows = ask.follows === changed
    if (!follows && (askedBefore.has(key) || isAnswered(next[key]))) continue
    const prefilled = ask.prefill?.(subjects, workspace, next)
    if (!isAnswered(prefilled)) continue
    next[key] = prefilled
    if (follows) moved.push(key)
  }
  return { answers: next, moved }
}
