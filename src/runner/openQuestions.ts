import { initialAnswers } from '../commands/commandQuestions.ts'
import { commandOf } from '../commands/table.ts'
import { newAttempt } from '../data/api.ts'
import { store } from '../data/jotaiStore.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { bufferKeys } from '../workspace/keys/typeahead.ts'
import { focusedPane } from '../workspace/navigation.ts'
import { type Asking, askingAtom, type Invocation, nextKey, paletteAtom } from './runnerState.ts'

/** Opens a command's questions: as a dialog if started by mouse, otherwise in the palette. Nothing runs before them. */
export function openQuestions(
  invocation: Invocation,
  { unasked, ...more }: Partial<Pick<Asking, 'left' | 'settled' | 'errors' | 'theirs'>> & { unasked?: boolean },
): void {
  const answers = initialAnswers(commandOf(invocation.id), invocation.answers, invocation.subjects, workspace)
  const asking: Asking = { ...plainOf(invocation), left: [], settled: [], errors: {}, ...more, answers, key: nextKey() }
  // The user doesn't expect something that opens by itself, so no key is meant for it.
  if (!unasked) bufferKeys()
  if (invocation.via === 'button' || invocation.via === 'menu') store.set(askingAtom, asking)
  else store.set(paletteAtom, { command: asking, key: asking.key, at: workspace.subjects(), pane: focusedPane().id })
}

/** Closes a command's questions. */
export function closeQuestions(): void {
  store.set(paletteAtom, null)
  store.set(askingAtom, null)
}

/** Drops previous errors, because the user has been asked about them already. */
const plainOf = ({ id, subjects, answers, via, attempt = newAttempt() }: Invocation): Invocation => ({
  id,
  subjects,
  answers,
  via,
  attempt,
})
