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

/** True for Space and x, which select if nothing is typed and no choice could begin with them. */
export const ticks = (event: KeyboardEvent, ask: Ask | null, draft: string, choices: readonly Choice[]): boolean =>
  takesSeveral(ask) &&
  draft === '' &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  (event.key === ' ' || (event.key === 'x' && ask.type === 'several' && !choices.some(({ label }) => /\bx/i.test(label))))
