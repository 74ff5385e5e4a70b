import { readDay, showDate } from '../../contract/dates.ts'
import { editableDollars } from '../../contract/decimals.ts'
import { foldText, showsNothing } from '../../contract/foldText.ts'
import { dollars, showDay } from '../../contract/format.ts'
import { readAmount } from '../../contract/money.ts'
import { needsReview } from '../commands/availability.ts'
import type { Ask, Command } from '../commands/command.ts'
import { isAnswered, optionsOf, promptFor, withFollowing, wrongWith } from '../commands/commandQuestions.ts'
import type { Asking } from '../runner/runnerState.ts'

/** The position within a command's questions; `at` null is the review. */
export interface Steps {
  asking: Asking
  /** Questions already passed: answered, left empty, or answered in advance. */
  passed: readonly string[]
  /** Questions answered here: going back keeps their answers, and they aren't asked again. */
  answered: readonly string[]
  at: string | null
  /** The text typed for the current question. */
  draft: string
  /** A multi-select's current choices: option values or record ids. */
  chosen: readonly string[]
  error: string | null
  /** The last answer was given while its effect was visible. */
  confirmed?: boolean
}

const questions = (command: Command, { answers, subjects }: Pick<Asking, 'answers' | 'subjects'>) =>
  promptFor(command, answers, subjects)

/** Starts a command's questions: at the first error, or else the first open one, or else the review. */
export function startSteps(command: Command, asking: Asking): Steps {
  const all = questions(command, asking)
  const wrong = all.find(([key]) => asking.errors[key])
  const passed = wrong
    ? all.flatMap(([key]) => (key === wrong[0] ? [] : [key]))
    : all.flatMap(([key, ask]) => (asking.settled.includes(key) || hasOneChoice(ask, asking) ? [key] : []))
  return goTo(command, { asking, passed, answered: [], at: null, draft: '', chosen: [], error: null }, wrong?.[0])
}

const hasOneChoice = (ask: Ask, { subjects }: Asking) =>
  ask.type === 'option' && !ask.asksForOne && optionsOf(ask, subjects).length === 1

/** Goes to a question, by default the first not passed. */
export function goTo(command: Command, steps: Steps, key?: string): Steps {
  const all = questions(command, steps.asking)
  const usual = all.flatMap(([name, ask]) => (stands(ask, steps.asking, name) ? [name] : []))
  const done = [...new Set([...steps.passed, ...usual])]
  const next = key ?? all.find(([name]) => !done.includes(name))?.[0] ?? null
  const passed = done.filter((name) => name !== next)
  const ask = next === null ? null : command.asks![next]!
  return {
    ...steps,
    passed,
    at: next,
    draft: ask ? draftOf(ask, steps.asking.answers[next!]) : '',
    chosen: ask ? chosenOf(ask, steps.asking.answers[next!]) : [],
    error: next === null ? (steps.asking.errors[''] ?? null) : (steps.asking.errors[next] ?? null),
  }
}

/** True for a question that isn't asked in turn, because its answer is right as it is. */
const stands = (ask: Ask, { answers, subjects, errors }: Asking, name: string): boolean =>
  ask.usual === true && !errors[name] && wrongWith(ask, answers[name], answers, subjects) === null

/** True if the current question is the last and shows what the command is about to do. */
export const confirmsHere = (command: Command, { at, asking, passed }: Steps): boolean => {
  const ask = at === null ? undefined : command.asks?.[at]
  if (ask?.type !== 'text' || !ask.confirms || asking.left.length || asking.via === 'link') return false
  return questions(command, asking).every(([name]) => name === at || passed.includes(name))
}

/** True if the answer to the current text runs the command without a review, though it has an effect to describe. */
export const runsHere = (command: Command, { at, asking, passed }: Steps): boolean => {
  const ask = at === null ? undefined : command.asks?.[at]
  if (ask?.type !== 'text' || !command.review || asking.via === 'link') return false
  const all = asking.subjects.length + asking.left.length
  if (all !== 1 || needsReview(command, all, asking.subjects, asking.answers)) return false
  return questions(command, asking).every(([name]) => name === at || passed.includes(name))
}

/** Returns a multi-select's existing choices. */
const chosenOf = (ask: Ask, value: unknown): readonly string[] =>
  takesSeveral(ask) && Array.isArray(value) ? value.map(String) : []

/** Returns a question's earlier choice when going back; Enter takes it again. */
export const chosenBefore = (ask: Ask | null, value: unknown): string | null =>
  (ask?.type === 'option' || ask?.type === 'entity') && isAnswered(value) ? String(value) : null

/** True for a question with several choices, which are confirmed together. */
export const takesSeveral = (ask: Ask | null): ask is Extract<Ask, { type: 'several' | 'entities' }> =>
  ask?.type === 'several' || ask?.type === 'entities'

/** Toggles a choice; beyond the maximum it stays unselected, with a message. */
export function tick(ask: Ask, steps: Steps, value: string): Steps {
  const { chosen } = steps
  const next = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]
  if (ask.type === 'entities' && ask.max !== undefined && next.length > Math.max(ask.max, chosen.length))
    return { ...steps, error: `${ask.label}: choose at most ${ask.max}` }
  return { ...steps, chosen: next, error: null }
}

/** Selects choices besides those that are, or none of them if all are; at most as many as the question takes. */
export function tickAll(ask: Ask, steps: Steps, values: readonly string[]): Steps {
  const { chosen } = steps
  const isAll = values.every((value) => chosen.includes(value))
  const next = isAll ? chosen.filter((value) => !values.includes(value)) : [...new Set([...chosen, ...values])]
  if (ask.type === 'entities' && ask.max !== undefined && next.length > Math.max(ask.max, chosen.length))
    return { ...steps, error: `${ask.label}: choose at most ${ask.max}` }
  return { ...steps, chosen: next, draft: '', error: null }
}

/** Returns the selected choices as an answer. */
export const readChosen = (ask: Ask, chosen: readonly string[]): string[] | number[] =>
  ask.type === 'entities' ? chosen.map(Number) : [...chosen]

/** Accepts an answer and continues; an invalid one stays, with its message. */
export function answer(command: Command, steps: Steps, value: unknown): Steps {
  const key = steps.at!
  const answered = { ...steps.asking.answers, [key]: value }
  if (!isAnswered(value)) delete (answered as Record<string, unknown>)[key]
  const { answers, moved } = withFollowing(command, steps.asking.answers, answered, key, steps.asking.subjects)
  const error = wrongWith(command.asks![key]!, value, answers, steps.asking.subjects)
  if (error) return { ...steps, error }
  const { [key]: _, ...errors } = steps.asking.errors
  const asking = { ...steps.asking, answers, errors }
  // Drops answers to questions that are no longer asked.
  const still = new Set(questions(command, asking).map(([name]) => name))
  const kept = Object.fromEntries(Object.entries(answers).filter(([name]) => still.has(name)))
  return goTo(command, {
    ...steps,
    asking: { ...asking, answers: kept },
    passed: [...steps.passed, key].filter((name) => still.has(name) && !moved.includes(name)),
    answered: [...new Set([...steps.answered, key])].filter((name) => !moved.includes(name)),
    error: null,
    confirmed: confirmsHere(command, steps),
  })
}

/** Goes back to edit the last answer, or with `asked` the last one that was asked for; null if there is none. */
export function back(command: Command, steps: Steps, onlyAsked = false): Steps | null {
  const all = questions(command, steps.asking)
  const here = all.findIndex(([key]) => key === steps.at)
  const before = steps.at === null ? all : all.slice(0, here)
  const reachable = before.filter(
    ([key, ask]) => steps.passed.includes(key) && !(onlyAsked && ask.usual && !steps.answered.includes(key)),
  )
  const last = reachable.at(-1)?.[0]
  return last === undefined ? null : goTo(command, leaveQuestion(steps), last)
}

/** Leaving a question without a new answer keeps the previous one. */
const leaveQuestion = (steps: Steps): Steps =>
  steps.at !== null && steps.answered.includes(steps.at) ? { ...steps, passed: [...steps.passed, steps.at] } : steps

/** Goes to the question before or after, keeping this one's answer; null if there is none. Typed text isn't applied. */
export function sideways(command: Command, steps: Steps, by: -1 | 1): Steps | null {
  if (by < 0) return back(command, steps)
  if (steps.at === null || !steps.answered.includes(steps.at)) return null
  const all = questions(command, steps.asking).map(([key]) => key)
  const next = all.slice(all.indexOf(steps.at) + 1).find((key) => steps.passed.includes(key))
  return goTo(command, leaveQuestion(steps), next)
}

/** True if there is nothing left to ask or confirm. */
export const isReady = (command: Command, steps: Steps): boolean =>
  steps.at === null &&
  (steps.confirmed === true ||
    !needsReview(
      command,
      steps.asking.subjects.length + steps.asking.left.length,
      steps.asking.subjects,
      steps.asking.answers,
    )) &&
  steps.asking.via !== 'link' &&
  !steps.error &&
  !steps.asking.theirs

/** Returns an answer as text to edit. */
export function draftOf(ask: Ask, value: unknown): string {
  if (!isAnswered(value)) return ''
  if (ask.type === 'number') return ask.money ? editableDollars(Number(value)).replace(/\.00$/, '') : String(value)
  if (ask.type === 'date') return showDate(String(value))
  return ask.type === 'text' ? String(value) : ''
}

/**
 * Parses typed text: money in cents ("$1,250.50", "1.2k"), dates to YYYY-MM-DD; undefined if empty, else the text.
 * `today` is the civil date in the display zone.
 */
export function readDraft(ask: Ask, draft: string, today: string): unknown {
  if (showsNothing(draft)) return undefined
  const text = draft.trim()
  if (ask.type === 'date') return readDay(text, today) ?? text
  if (ask.type !== 'number') return ask.type === 'text' && ask.lines ? draft : text
  const number = ask.money ? readMoney(text) : readNumber(text, ask.unit)
  // What isn't an amount must not pass for a number of cents.
  return number ?? (ask.money ? `$${text.replace(/^\$/, '')}` : text)
}

const SCALES: Readonly<Record<string, number>> = { k: 1000, m: 1_000_000 }
/** Splits "1.2k" into the number and what its letter multiplies it by. */
const scaled = (text: string): [plain: string, by: number] => {
  const by = SCALES[text.at(-1)!.toLowerCase()]
  return by ? [text.slice(0, -1).trim(), by] : [text, 1]
}

/** Parses "$1,250.50" or "1.2k" to cents; null when it isn't an amount. */
function readMoney(text: string): number | null {
  const [plain, by] = scaled(text)
  const { cents } = readAmount(plain)
  return cents === null ? null : cents * by
}

/** Parses "1,250.5", "1.2k", "3m", or "40 completes" with that unit; null when it isn't a number. */
function readNumber(text: string, unit = ''): number | null {
  const bare = unit && text.toLowerCase().endsWith(unit.toLowerCase()) ? text.slice(0, -unit.length).trim() : text
  const [plain, by] = scaled(bare || text)
  const isNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$|^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(plain)
  return isNumber ? Number((Number(plain.replaceAll(',', '')) * by).toFixed(6)) : null
}

/** Formats how the typed text was understood: "Fri, 11/27/2026", "$1,200.00"; null if there is nothing to add. */
export function understood(ask: Ask, draft: string, today: string): string | null {
  if (ask.type !== 'date' && ask.type !== 'number') return null
  const value = readDraft(ask, draft, today)
  if (value === undefined || wrongWith(ask, value, {})) return null
  const shown = shownAnswer(ask, value, { subjects: [] })
  if (ask.type === 'number') return shown
  const day = showDay(String(value), 'weekday')
  return `${day}, ${shown}`
}

/** Returns a short form of an answer, for its pill. */
export function shownAnswer(
  ask: Ask,
  value: unknown,
  { subjects }: Pick<Asking, 'subjects'>,
  label?: string | readonly string[],
): string {
  if (!isAnswered(value)) return 'left empty'
  if (typeof label === 'string') return label
  if (ask.type === 'entities') return few(label ?? (value as number[]).map(String))
  if (ask.type === 'option') return optionsOf(ask, subjects).find((option) => option.value === value)?.label ?? String(value)
  if (ask.type === 'several') {
    const chosen = optionsOf(ask, subjects).filter((option) => (value as string[]).includes(option.value))
    return few(label ?? chosen.map((option) => option.label))
  }
  if (ask.type === 'number') return ask.money ? dollars(Number(value)) : `${draftOf(ask, value)}${ask.unit ? ` ${ask.unit}` : ''}`
  if (ask.type === 'date') return showDate(String(value))
  if (ask.type === 'file') return (value as File[]).map((file) => file.name).join(', ')
  return String(value)
}

const few = (names: readonly string[]) => (names.length > 2 ? `${names.length} chosen` : names.join(', '))

/** A text used before, as a row below the field. */
export interface PastText {
  key: string
  text: string
}

/** Returns texts used before that contain the typed text, except that text itself. */
export const pastTexts = (texts: readonly string[], draft: string): readonly PastText[] => {
  const typed = foldText(draft).trim()
  return texts
    .map((text, at) => ({ key: `past:${at}`, text }))
    .filter(({ text }) => foldText(text) !== typed && foldText(text).includes(typed))
}
