import { begin } from '../commands/asked.ts'
import { commandOf } from '../commands/table.ts'
import { newAttempt } from '../data/api.ts'
import { store } from '../data/store.ts'
import { keepKeys } from '../workspace/keys/early.ts'
import { focusedPane } from '../workspace/navigation.ts'
import { desk } from '../workspace/theDesk.ts'
import { type Asking, askingAtom, type Invocation, nextKey, paletteAtom } from './state.ts'

/** Opens a command's questions: as a dialog where it was started by mouse, else as steps of the palette. Nothing runs before they are answered. */
export function ask(
  invocation: Invocation,
  { unasked, ...more }: Partial<Pick<Asking, 'left' | 'settled' | 'errors' | 'theirs'>> & { unasked?: boolean },
): void {
  const answers = begin(commandOf(invocation.id), invocation.answers, invocation.subjects, desk)
  const asking: Asking = { ...plainOf(invocation), left: [], settled: [], errors: {}, ...more, answers, key: nextKey() }
  // Of what opens unasked nobody knows: no key is meant for it yet.
  if (!unasked) keepKeys()
  if (invocation.via === 'button' || invocation.via === 'menu') store.set(askingAtom, asking)
  else store.set(paletteAtom, { command: asking, key: asking.key, at: desk.subjects(), pane: focusedPane().id })
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
