import { initialAnswers } from '../commands/questions.ts'
import { commandOf } from '../commands/table.ts'
import { newAttempt } from '../data/api.ts'
import { store } from '../data/jotaiStore.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { bufferKeys } from '../workspace/keys/typeahead.ts'
import { focusedPane } from '../workspace/navigation.ts'
import { type Asking, askingAtom, type Invocation, nextKey, paletteAtom } from './runnerState.ts'

/** Opens a command's questions: as a dialog where it was started by mouse, else as steps of the palette. Nothing runs before they are answered. */
export function ask(
  invocation: Invocation,
  { unasked, ...more }: Partial<Pick<Asking, 'left' | 'settled' | 'errors' | 'theirs'>> & { unasked?: boolean },
): void {
  const answers = initialAnswers(commandOf(invocation.id), invocation.answers, invocation.subjects, workspace)
  const asking: Asking = { ...plainOf(invocation), left: [], settled: [], errors: {}, ...more, answers, key: nextKey() }
  // Of what opens unasked nobody knows: no key is meant for it yet.
  if (!unasked) bufferKeys()
  if (invocation.via === 'button' || invocation.via === 'menu') store.set(askingAtom, asking)
  else store.set(paletteAtom, { command: asking, key: asking.key, at: workspace.subjects(), pane: focusedPane().id })
}

/** Takes a command's questions away again. */
export function closeQuestions(): void {
  store.set(paletteAtom, null)
  store.set(askingAtom, null)
}

/** Without what was wrong the last time: an invocation that failed was asked for already. */
const plainOf = ({ id, subjects, answers, via, attempt = newAttempt() }: Invocation): Invocation => ({
  id,
  subjects,
  answers,
  via,
  attempt,
})
