import { historyWords } from '../../../contract/history.ts'
import { commandOf, isCommandId } from '../../commands/table.ts'

/** A history row's action in words: those of its noun, else the title of the command or the name of the call it is; `undo note.edit` is "undid: changed a note". */
export const doneText = (action: string): string => {
  const [sign, call] = action.split(' ')
  if (call) return `${sign === 'undo' ? 'undid' : 'redid'}: ${doneText(call)}`
  return textOf(action)
}
const textOf = (action: string): string =>
  historyWords(action) ??
  (isCommandId(action)
    ? commandOf(action).title.replace('…', '').toLowerCase()
    : action
        .replace('.', ': ')
        .replace(/([A-Z])/g, ' $1')
        .toLowerCase())
