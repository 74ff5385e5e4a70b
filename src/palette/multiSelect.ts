import type { KeyboardEvent } from 'react'
import { wordOf } from '../../contract/nounOf.ts'
import type { Ask } from '../commands/command.ts'
import { kindsOfAsk, optionsOf } from '../commands/commandQuestions.ts'
import type { Subject } from '../commands/subject.ts'
import { entitiesOf } from '../search/entities.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import type { Choice } from './choices.ts'
import { takesSeveral } from './steps.ts'

/** Names an answer given by a link or repeat: its record or option, each of several, or "all 12". */
export function nameOf(
  ask: Ask,
  value: unknown,
  known: Readonly<Record<string, string>>,
  subjects: readonly Subject[],
): string | string[] | undefined {
  if (ask.type === 'several') {
    const options = optionsOf(ask, subjects, workspace)
    const chosen = options.filter((option) => ((value as string[] | undefined) ?? []).includes(option.value))
    return chosen.length > 2 && chosen.length === options.length ? `all ${options.length}` : chosen.map(({ label }) => label)
  }
  const kinds = kindsOfAsk(ask)
  const index = entitiesOf(workspace.me.id)
  const name = (id: unknown) =>
    kinds.flatMap((kind) => index.get(`${kind}:${String(id)}`)?.name ?? [])[0] ??
    known[String(id)] ??
    `${wordOf(kinds[0]!)} ${String(id)}`
  return ask.type === 'entity'
    ? name(value)
    : ask.type === 'entities'
      ? ((value as number[] | undefined) ?? []).map(name)
      : undefined
}

/** Returns the choices; without text, chosen records come first, to remove or keep them. */
export function withTicked(
  ask: Ask | null,
  chosen: readonly string[],
  draft: string,
  choices: readonly Choice[],
  names: Readonly<Record<string, string>>,
): readonly Choice[] {
  if ((ask?.type !== 'entities' && ask?.type !== 'entity') || draft || !chosen.length) return choices
  // A short list keeps its order; a long one holds only recent records.
  if (ask.type === 'entity' && choices.some(({ value }) => value === chosen[0])) return choices
  const labels = [nameOf(ask, ask.type === 'entity' ? chosen[0] : chosen, names, [])].flat() as readonly string[]
  const ticked = chosen.map(
    (value, at): Choice =>
      choices.find((choice) => choice.value === value) ?? { value, kind: null, label: labels[at]!, detail: '', ranges: [] },
  )
  return [...ticked, ...choices.filter((choice) => !chosen.includes(choice.value))]
}

/** Describes continuing: "Go on with 2 of at most 3". */
export function goOnWith(
  ask: Extract<Ask, { type: 'several' | 'entities' }>,
  chosen: readonly string[],
  subjects: readonly Subject[],
) {
  if (!chosen.length) return ask.optional ? 'Continue with none' : 'Choose, then continue'
  if (ask.type === 'several')
    return `Continue with ${chosen.length === optionsOf(ask, subjects, workspace).length ? 'all' : chosen.length}`
  return `Continue with ${chosen.length}${ask.max ? ` of at most ${ask.max}` : ''}`
}

/** What a key does in a question with several choices: the same in all of them. */
export type SeveralKey = 'select' | 'continue' | 'all' | null
interface SeveralState {
  draft: string
  /** True if the user moved to the row, so that a Space isn't part of what they type. */
  moved: boolean
  /** True if the row is the one that continues, which handles its Enter. */
  atDone: boolean
  chosen: number
  optional: boolean
}

/**
 * Space selects while nothing is typed or after an arrow, Enter continues, and Ctrl+A selects all.
 * After typing, Enter takes the row that was found; with nothing selected, the row where an answer is needed.
 */
export function severalKey(event: KeyboardEvent, { draft, moved, atDone, chosen, optional }: SeveralState): SeveralKey {
  const mod = event.ctrlKey || event.metaKey
  if (event.altKey) return null
  if (event.key === 'Enter') return mod || (!draft && !atDone && (chosen > 0 || (optional && !moved))) ? 'continue' : null
  if (event.key === 'a') return mod && !event.shiftKey && !draft ? 'all' : null
  return event.key === ' ' && !mod && (!draft || moved) ? 'select' : null
}

/** How many of the first choices a typed number selects, if no choice contains it; null for other text. */
export function numberTyped(ask: Ask | null, draft: string, matches: number, all: number): number | null {
  const typed = draft.trim()
  return takesSeveral(ask) && !matches && all && /^[1-9]\d{0,3}$/.test(typed) ? Math.min(Number(typed), all) : null
}
